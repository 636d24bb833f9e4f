// Outcomes: NDJSON, one object, or an array; by themselves, or in CloudEvents.
#include "reward/outcome.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/input/items.h"
#include "engine/ledger/event.h"
#include "engine/values/canonical_json.h"

namespace hebb::input {

namespace {

OutcomeKind as_outcome(Element value) {
  const std::string_view text = as_text(value, "outcome");
  for (const auto kind : {OutcomeKind::success, OutcomeKind::partial, OutcomeKind::failure})
    if (text == outcome_name(kind)) return kind;
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

namespace {

using namespace input;

// --- CloudEvents 1.0 in JSON, with the outcome as data -------------------------------------------

std::string_view need_attribute(Object envelope, std::string_view name) {
  const std::string_view text = as_text(need(envelope, name), name);
  if (text.empty()) refuse(refusal::kBadValue, fmt::format("{}: must not be empty", name));
  return text;
}

void check_envelope(Object envelope) {
  const std::string_view version = need_attribute(envelope, "specversion");
  if (version != "1.0") {
    refuse(refusal::kBadValue, fmt::format("specversion: \"{}\"; allowed is 1.0", version));
  }
  need_attribute(envelope, "type");
  if (const auto content_type = find(envelope, "datacontenttype")) {
    const std::string_view text = as_text(*content_type, "datacontenttype");
    const std::string_view media = text.substr(0, text.find(';'));
    if (media != "application/json" && !media.ends_with("+json")) {
      refuse(refusal::kBadValue,
             fmt::format("datacontenttype: \"{}\"; the data must be JSON", text));
    }
  }
}

// The outcome object as JSON, with an id made from the envelope's source and id: the two together
// identify an event.
std::string outcome_text(JsonReader& reader, Object envelope) {
  check_envelope(envelope);
  // A blank separates the two: a source is a URI and has none.
  std::string source(need_attribute(envelope, "source"));
  for (std::size_t i = 0; (i = source.find(' ', i)) != std::string::npos;)
    source.replace(i, 1, "%20");
  const std::string id = fmt::format("{} {}", source, need_attribute(envelope, "id"));
  const Object data = as_object(need(envelope, "data"), "data");
  std::string text = reader.canonical(data);
  if (find(data, "id")) return text;
  check_id(id, "source/id");
  Element null_id;
  if (data.at_key("id").get(null_id) == simdjson::SUCCESS) {
    refuse(refusal::kBadValue, "data.id: is null; leave it out or give one");
  }
  text.pop_back();
  return fmt::format(R"({}{}"id":{}}})", text, text.size() == 1 ? "" : ",", json_text(id));
}

Event parse_cloudevent(JsonReader& envelopes, JsonReader& outcomes, std::string_view text,
                       TimeMs now) {
  const Object envelope = envelopes.parse_object(text);
  envelopes.canonical(envelope);  // no key twice, outside of the data either
  const std::string outcome = outcome_text(envelopes, envelope);
  std::optional<TimeMs> time;
  if (const auto value = find(envelope, "time")) time = as_time(*value, "time");
  return parse_outcome(outcomes, outcomes.parse_object(outcome), now, time);
}

}  // namespace

void read_outcomes(Input& input, const ReadOptions& options, const ItemSink& sink) {
  input::JsonReader reader;
  const auto parse = [&](std::string_view text) {
    return input::parse_outcome(reader, reader.parse_object(text), options.now);
  };
  input::split_items(input, input::each_parsed(sink, parse));
}

void read_cloudevents(Input& input, const ReadOptions& options, const ItemSink& sink) {
  JsonReader envelopes;
  JsonReader outcomes;
  const auto parse = [&](std::string_view text) {
    return parse_cloudevent(envelopes, outcomes, text, options.now);
  };
  split_items(input, each_parsed(sink, parse));
}

}  // namespace hebb
