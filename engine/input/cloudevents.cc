// CloudEvents 1.0 in JSON, with the outcome as data.
#include <fmt/format.h>

#include "engine/input/items.h"
#include "engine/ledger/validate.h"
#include "engine/values/canonical_json.h"

namespace hebb {

namespace {

using namespace input;

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

void read_cloudevents(Input& input, const ReadOptions& options, const ItemSink& sink) {
  JsonReader envelopes;
  JsonReader outcomes;
  const auto parse = [&](std::string_view text) {
    return parse_cloudevent(envelopes, outcomes, text, options.now);
  };
  split_items(input, each_parsed(sink, parse));
}

}  // namespace hebb
