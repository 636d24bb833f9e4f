// History logs: NDJSON of nodes, edges, unlinks, states and outcomes, each with its time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/input/items.h"
#include "engine/ledger/read_payload.h"
#include "engine/values/canonical_json.h"

namespace hebb {

namespace {

using namespace input;

std::string need_name(Object line, std::string_view name) {
  return std::string(as_name(need(line, name), name));
}

Event parse_line(JsonReader& reader, Object line, std::string_view kind) {
  if (kind != "node" && kind != "edge" && kind != "unlink" && kind != "state") {
    refuse(refusal::kUnknownKind,
           fmt::format("kind: \"{}\"; allowed are node, edge, unlink, state and outcome", kind));
  }
  if (kind == "node") need(line, "type");
  Event event;
  event.payload = read_payload(kind, reader, line);
  event.json = JsonText::canonical;
  if (auto* node = std::get_if<NodeUpsert>(&event.payload); node && !node->vector.empty()) {
    const auto embedder = find(line, "embedder");
    node->embedder = embedder ? as_name(*embedder, "embedder") : "external";
  }
  event.subject = need_name(line, subject_field(kind));
  return event;
}

// The event keeps its place among the events of its instant, and counts once in any ledger.
std::string exported_key(const Event& e, const std::string& payload) {
  return fmt::format("{}{}-{}", kExportedKey, e.key.substr(kPositionKey.size()),
                     content_hash(fmt::format("{} {} {}", e.at, e.subject, payload)).substr(0, 16));
}

// A line with the key that the event has in a ledger says all that the ledger does.
Event parse_export(Object line, std::string_view text, std::string_view kind) {
  Event event;
  // Any time of a ledger: a policy may hold from the beginning of time.
  if (need(line, "at").get(event.at) != simdjson::SUCCESS)
    refuse(refusal::kBadTime, "at: must be a whole number of milliseconds");
  event.key = as_text(need(line, "key"), "key");
  event.subject = need_name(line, subject_field(kind));
  event.resolved = true;
  event.json = JsonText::canonical;
  std::vector<float> vector;
  if (const auto value = find(line, "vector")) vector = as_vector(*value, "vector");
  try {
    event.payload = decode_payload(kind, text, std::move(vector));
  } catch (const std::invalid_argument& e) {
    refuse(refusal::kBadValue, e.what());
  }
  return event;
}

}  // namespace

std::string export_line(const Event& e) {
  const std::string_view kind = kind_name(e.payload);
  std::string payload = encode_payload(e.payload);
  const bool is_of_here = e.key.starts_with(kPositionKey) && !e.key.starts_with(kExportedKey);
  std::string line = fmt::format(R"({{"kind":"{}","at":{},"key":{},"{}":{})", kind, e.at,
                                 json_text(is_of_here ? exported_key(e, payload) : e.key),
                                 subject_field(kind), json_text(e.subject));
  if (payload != "{}") line += ',' + payload.substr(1, payload.size() - 2);
  if (const auto* node = std::get_if<NodeUpsert>(&e.payload); node && !node->vector.empty()) {
    line += fmt::format(R"(,"vector":[{}])", fmt::join(node->vector, ","));
  }
  return line + "}";
}

Event input::parse_history(JsonReader& reader, std::string_view text, bool of_ledger) {
  const Object line = reader.parse_object(text);
  const std::string canonical = reader.canonical(line);
  const std::string_view kind = as_text(need(line, "kind"), "kind");
  if (of_ledger && find(line, "key")) return parse_export(line, text, kind);
  const TimeMs at = as_time(need(line, "at"), "at");
  if (kind == "outcome") return parse_outcome(reader, line, at, at);
  Event event = parse_line(reader, line, kind);
  event.at = at;
  event.key = timed_key(event.payload, at, content_hash(canonical));
  return event;
}

void read_history(Input& input, const ReadOptions& options, const ItemSink& sink) {
  JsonReader reader(Limits::kDepth + 2);  // an exported outcome holds the object as it came
  const auto parse = [&](std::string_view text) {
    return parse_history(reader, text, options.of_ledger);
  };
  split_lines(input, each_parsed(sink, parse),
              options.of_ledger ? Limits::kLogLineBytes : Limits::kLineBytes);
}

}  // namespace hebb
