// Outcomes: NDJSON, one object, or an array.
#include "reward/outcome.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/input/items.h"
#include "engine/ledger/validate.h"
#include "engine/values/canonical_json.h"

namespace hebb::input {

namespace {

OutcomeKind as_outcome(Element value) {
  const std::string_view text = as_text(value, "outcome");
  if (text == "success") return OutcomeKind::success;
  if (text == "partial") return OutcomeKind::partial;
  if (text == "failure") return OutcomeKind::failure;
  refuse(refusal::kBadOutcome,
         fmt::format("outcome: \"{}\"; allowed are success, partial and failure", text));
}

std::int64_t as_token(Element value) {
  std::int64_t token = 0;
  if (value.get(token) == simdjson::SUCCESS && token > 0) return token;
  refuse(refusal::kOutOfRange, "token: has to be a whole number above 0, as the claim gave it");
}

struct Metrics {
  std::optional<double> tests_passed, tests_total;
};

std::optional<double> find_quantity(Object metrics, std::string_view name, std::string_view path,
                                    bool whole) {
  const auto value = find(metrics, name);
  if (!value) return std::nullopt;
  const double number = as_number(*value, path);
  if (number < 0 || (whole && number != std::trunc(number))) {
    refuse(refusal::kOutOfRange, fmt::format("{}: is {}; must be {} of at least 0", path, number,
                                             whole ? "a whole number" : "a number"));
  }
  return number;
}

Metrics parse_metrics(Object outcome) {
  const auto value = find(outcome, "metrics");
  if (!value) return {};
  const Object metrics = as_object(*value, "metrics");
  Metrics out;
  out.tests_passed = find_quantity(metrics, "testsPassed", "metrics.testsPassed", true);
  out.tests_total = find_quantity(metrics, "testsTotal", "metrics.testsTotal", true);
  if (out.tests_total && out.tests_passed.value_or(0) > *out.tests_total) {
    refuse(refusal::kOutOfRange,
           fmt::format("metrics.testsPassed: is {}; at most testsTotal ({}) is allowed",
                       *out.tests_passed, *out.tests_total));
  }
  find_quantity(metrics, "filesModified", "metrics.filesModified", true);
  find_quantity(metrics, "executionTimeMs", "metrics.executionTimeMs", false);
  if (const auto sha = find(metrics, "commitSha")) as_text(*sha, "metrics.commitSha");
  return out;
}

double parse_score(Object outcome, OutcomeKind kind) {
  const Metrics metrics = parse_metrics(outcome);
  std::optional<double> given;
  if (const auto value = find(outcome, "score")) {
    given = as_number(*value, "score");
    throw_if(check_score(*given, "score"));
  }
  const double score = reward::score(given, metrics.tests_passed, metrics.tests_total);
  if (score == 0 && kind == OutcomeKind::success) {
    refuse(refusal::kScoreOutOfRange,
           "metrics.testsPassed: none of the tests passed, so this success would have the score 0; "
           "report a failure, or give a score");
  }
  return score;
}

std::vector<std::string> parse_related(Element value) {
  std::vector<std::string> related;
  for (const Element id : as_array(value, "relatedNodes")) {
    if (related.size() == Limits::kRelatedNodes) {
      refuse(refusal::kTooManyRelated,
             fmt::format("relatedNodes: at most {} ids are allowed", Limits::kRelatedNodes));
    }
    related.emplace_back(as_name(id, fmt::format("relatedNodes[{}]", related.size())));
  }
  return related;
}

}  // namespace

Event parse_outcome(JsonReader& reader, Object object, TimeMs now, std::optional<TimeMs> time) {
  OutcomeSignal signal;
  signal.input = reader.canonical(object);
  Event event;
  event.subject = as_name(need(object, "taskId"), "taskId");
  signal.outcome = as_outcome(need(object, "outcome"));
  signal.score = parse_score(object, signal.outcome);
  if (const auto value = find(object, "relatedNodes")) signal.related = parse_related(*value);
  for (const std::string_view name : {"agentId", "sessionId"}) {
    if (const auto value = find(object, name)) as_name(*value, name);
  }
  if (const auto value = find(object, "because")) as_text(*value, "because");
  if (const auto value = find(object, "token")) signal.token = as_token(*value);
  if (const auto value = find(object, "timestamp")) time = as_time(*value, "timestamp");
  event.at = time.value_or(now);
  event.dated = time.has_value();
  std::string identity;
  if (const auto id = find(object, "id")) {
    identity = as_name(*id, "id");
  } else if (time) {
    identity = content_hash(signal.input);
  }
  event.payload = std::move(signal);
  if (!identity.empty()) event.key = event_key(event.payload, identity);
  return event;
}

}  // namespace hebb::input

namespace hebb {

void read_outcomes(Input& input, const ReadOptions& options, const ItemSink& sink) {
  input::JsonReader reader;
  const auto parse = [&](std::string_view text) {
    return input::parse_outcome(reader, reader.parse_object(text), options.now);
  };
  input::split_items(input, input::each_parsed(sink, parse));
}

}  // namespace hebb
