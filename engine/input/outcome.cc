// Outcomes: NDJSON, one object, or an array; by themselves, or in CloudEvents.
#include "reward/outcome.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "engine/input/items.h"
#include "engine/input/outcome_report.h"
#include "engine/ledger/read_payload.h"
#include "engine/values/canonical_json.h"
#include "engine/values/members.h"

namespace hebb {

namespace {

using namespace input;

// --- what is allowed, whoever reports ------------------------------------------------------------

void check_quantity(const std::optional<double>& number, std::string_view path, bool whole) {
  if (!number || (*number >= 0 && (!whole || *number == std::trunc(*number)))) return;
  refuse(refusal::kOutOfRange, fmt::format("{}: is {}; must be {} of at least 0", path, *number,
                                           whole ? "a whole number" : "a number"));
}

void check_metrics(const OutcomeReport::Metrics& m) {
  check_quantity(m.tests_passed, "metrics.testsPassed", true);
  check_quantity(m.tests_total, "metrics.testsTotal", true);
  if (m.tests_total && m.tests_passed.value_or(0) > *m.tests_total) {
    refuse(refusal::kOutOfRange,
           fmt::format("metrics.testsPassed: is {}; at most testsTotal ({}) is allowed",
                       *m.tests_passed, *m.tests_total));
  }
  check_quantity(m.files_modified, "metrics.filesModified", true);
  check_quantity(m.execution_time_ms, "metrics.executionTimeMs", false);
}

double score_of(const OutcomeReport& report) {
  check_metrics(report.metrics);
  if (report.score) throw_if(check_score(*report.score, "score"));
  const double score =
      reward::score(report.score, report.metrics.tests_passed, report.metrics.tests_total);
  if (score == 0 && report.outcome == OutcomeKind::success) {
    refuse(refusal::kScoreOutOfRange,
           "metrics.testsPassed: none of the tests passed, so this success would have the score 0; "
           "report a failure, or give a score");
  }
  return score;
}

void check_texts(const OutcomeReport& report) {
  if (report.agent) throw_if(check_name(*report.agent, "agentId"));
  if (report.session) throw_if(check_name(*report.session, "sessionId"));
  if (report.because) throw_if(check_text(*report.because, "because"));
  if (report.token && *report.token <= 0) {
    refuse(refusal::kOutOfRange, "token: has to be a whole number above 0, as the claim gave it");
  }
  if (report.id) throw_if(check_name(*report.id, "id"));
}

// --- the text of a report that came as none ------------------------------------------------------

std::string text_of(const OutcomeReport& report) {
  std::string text = "{";
  const auto add = [&](std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(text), R"({}"{}":{})", text.size() > 1 ? "," : "", name,
                   value);
  };
  const auto add_text = [&](std::string_view name, const std::optional<std::string>& value) {
    if (value) add(name, json_text(*value));
  };
  add_text("agentId", report.agent);
  add_text("because", report.because);
  add_text("id", report.id);
  add_text("outcome", std::string(outcome_name(report.outcome)));
  if (report.score) add("score", json_number(*report.score));
  add_text("taskId", report.task);
  if (report.at) add("timestamp", std::to_string(*report.at));
  if (report.token) add("token", std::to_string(*report.token));
  return text + "}";
}

// The event. Throws ItemRefused.
Event make_event(OutcomeReport&& report, TimeMs now) {
  throw_if(check_name(report.task, "taskId"));
  OutcomeSignal signal;
  signal.outcome = report.outcome;
  signal.score = score_of(report);
  if (report.related) throw_if(check_related(*report.related, "relatedNodes"));
  check_texts(report);
  if (report.text.empty()) {
    report.text = text_of(report);
    report.names_only = !report.because;
  }
  signal.input = std::move(report.text);
  signal.related = std::move(report.related);
  signal.token = report.token.value_or(0);
  Event event;
  event.subject = std::move(report.task);
  event.at = report.at.value_or(now);
  event.dated = report.at.has_value();
  event.json = report.names_only ? JsonText::names_only : JsonText::canonical;
  std::string identity;
  if (report.id) {
    identity = std::move(*report.id);
  } else if (report.at) {
    identity = content_hash(signal.input);
  }
  event.payload = std::move(signal);
  if (!identity.empty()) event.key = event_key(event.payload, identity);
  return event;
}

// --- reading one ---------------------------------------------------------------------------------

std::int64_t as_token(Element value) {
  std::int64_t token = 0;
  return value.get(token) == simdjson::SUCCESS ? token : 0;  // 0 is refused
}

std::optional<double> find_number(Object metrics, std::string_view name, std::string_view path) {
  const auto value = find(metrics, name);
  return value ? std::optional(as_number(*value, path)) : std::nullopt;
}

OutcomeReport::Metrics read_metrics(Element value) {
  const Object metrics = as_object(value, "metrics");
  OutcomeReport::Metrics out;
  out.tests_passed = find_number(metrics, "testsPassed", "metrics.testsPassed");
  out.tests_total = find_number(metrics, "testsTotal", "metrics.testsTotal");
  out.files_modified = find_number(metrics, "filesModified", "metrics.filesModified");
  out.execution_time_ms = find_number(metrics, "executionTimeMs", "metrics.executionTimeMs");
  if (const auto sha = find(metrics, "commitSha")) as_text(*sha, "metrics.commitSha");
  return out;
}

std::vector<std::string> read_related(Element value) {
  std::vector<std::string> related;
  for (const Element id : as_array(value, "relatedNodes")) {
    if (related.size() > Limits::kRelatedNodes) break;  // refused
    related.emplace_back(as_text(id, fmt::format("relatedNodes[{}]", related.size())));
  }
  return related;
}

// Whether the value of a field is a checked name, number or time, so that it holds no words.
bool has_no_words(std::string_view field, bool of_history) {
  constexpr auto kChecked =
      std::to_array<std::string_view>({"taskId", "id", "relatedNodes", "agentId", "sessionId",
                                       "outcome", "score", "timestamp", "token"});
  constexpr auto kOfHistory =
      std::to_array<std::string_view>({"kind", "at", "key", "subject", "source", "target"});
  const auto is_in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), field) != names.end();
  };
  return is_in(kChecked) || (of_history && is_in(kOfHistory));
}

// Reads the object of a line or an envelope; time: of the line or envelope, for an object without
// one.
OutcomeReport read_report(JsonReader& reader, Object object, std::optional<TimeMs> time,
                          bool of_history = false) {
  OutcomeReport report;
  report.text = reader.canonical(object);
  const auto find_text = [&](std::string_view name) {
    const auto value = find(object, name);
    return value ? std::optional(std::string(as_text(*value, name))) : std::nullopt;
  };
  report.task = as_text(need(object, "taskId"), "taskId");
  report.outcome = as_outcome(need(object, "outcome"), "outcome");
  if (const auto value = find(object, "metrics")) report.metrics = read_metrics(*value);
  if (const auto value = find(object, "score")) report.score = as_number(*value, "score");
  if (const auto value = find(object, "relatedNodes")) report.related = read_related(*value);
  report.agent = find_text("agentId");
  report.session = find_text("sessionId");
  report.because = find_text("because");
  if (const auto value = find(object, "token")) report.token = as_token(*value);
  report.at = time;
  if (const auto value = find(object, "timestamp")) report.at = as_time(*value, "timestamp");
  report.id = find_text("id");
  report.names_only = true;
  for (const auto field : object)
    report.names_only = report.names_only && has_no_words(field.key, of_history);
  return report;
}

}  // namespace

Parsed event_of(OutcomeReport report, TimeMs now) {
  try {
    return make_event(std::move(report), now);
  } catch (ItemRefused& refused) {
    return std::move(refused.refusal);
  }
}

void set_id(OutcomeReport& report, std::string id) {
  if (report.id) return;
  if (!report.text.empty()) {
    // Names are in order of their bytes; one that is null may be there.
    Members members(report.text);
    std::size_t at = report.text.size() - 1, end = at;
    std::string between = at > 1 ? "," : "", behind;
    for (std::size_t before = 1; members.next(); before = members.end()) {
      const std::string_view name = members.key().substr(1, members.key().size() - 2);
      if (name < "id") continue;
      const bool is_there = name == "id";
      at = is_there ? members.value_at() - std::string_view("\"id\":").size() : before;
      end = is_there ? members.end() : before;
      between = !is_there && before > 1 ? "," : "";
      behind = !is_there && before == 1 ? "," : "";
      break;
    }
    report.text.replace(at, end - at,
                        fmt::format(R"({}"id":{}{})", between, json_text(id), behind));
  }
  report.id = std::move(id);
}

std::string id_from_key(const std::string& key, std::int64_t place) {
  return fmt::format("{}/{}", key, place);
}

bool is_name_field(std::string_view field) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"taskId", "id", "relatedNodes", "agentId", "sessionId",
                                       "source", "target", "key", "subject"});
  return std::find(kNames.begin(), kNames.end(), field) != kNames.end();
}

Event input::outcome_event(OutcomeReport report, TimeMs now) {
  return make_event(std::move(report), now);
}

Event input::parse_outcome(JsonReader& reader, Object object, TimeMs now,
                           std::optional<TimeMs> time) {
  return make_event(read_report(reader, object, time, true), now);
}

namespace {

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

// The envelope's source and id: the two together identify an event.
std::string id_of(Object envelope) {
  // A blank separates the two: a source is a URI and has none.
  std::string source(need_attribute(envelope, "source"));
  for (std::size_t i = 0; (i = source.find(' ', i)) != std::string::npos;)
    source.replace(i, 1, "%20");
  return fmt::format("{} {}", source, need_attribute(envelope, "id"));
}

Event parse_cloudevent(JsonReader& reader, std::string_view text, TimeMs now) {
  const Object envelope = reader.parse_object(text);
  reader.canonical(envelope);  // no key twice, outside of the data either
  check_envelope(envelope);
  std::string id = id_of(envelope);
  const Object data = as_object(need(envelope, "data"), "data");
  std::optional<TimeMs> time;
  if (!find(data, "id")) {
    check_id(id, "source/id");
    Element null_id;
    if (data.at_key("id").get(null_id) == simdjson::SUCCESS)
      refuse(refusal::kBadValue, "data.id: is null; leave it out or give one");
  }
  if (const auto value = find(envelope, "time")) time = as_time(*value, "time");
  OutcomeReport report = read_report(reader, data, time);
  set_id(report, std::move(id));
  return make_event(std::move(report), now);
}

}  // namespace

void read_outcomes(Input& input, const ReadOptions& options, const ItemSink& sink) {
  JsonReader reader;
  std::int64_t place = 0;
  split_items(input, [&](const RawItem& raw) {
    ++place;
    std::string text_with_id;  // a dead letter has it, too
    const auto parse = [&](std::string_view text) {
      OutcomeReport report = read_report(reader, reader.parse_object(text), {});
      if (!options.key.empty() && !report.id) {
        set_id(report, id_from_key(options.key, place));
        text_with_id = report.text;
      }
      return make_event(std::move(report), options.now);
    };
    Item item = as_item(raw, attempt(raw, parse));
    if (!text_with_id.empty() && std::holds_alternative<Event>(item.parsed))
      item.text = std::move(text_with_id);
    sink(std::move(item));
  });
}

void read_cloudevents(Input& input, const ReadOptions& options, const ItemSink& sink) {
  JsonReader reader;
  const auto parse = [&](std::string_view text) {
    return parse_cloudevent(reader, text, options.now);
  };
  split_items(input, each_parsed(sink, parse));
}

}  // namespace hebb
