// History logs: NDJSON of nodes, edges, unlinks, states and outcomes, each with its time.
#include <fmt/format.h>

#include "engine/input/items.h"
#include "engine/input/outcome.h"
#include "engine/ledger/canonical_json.h"
#include "engine/ledger/validate.h"

namespace hebb {

namespace {

using namespace input;

std::string need_name(Object line, std::string_view name) {
  return std::string(as_name(need(line, name), name));
}

Event parse_node(JsonReader& reader, Object line) {
  NodeUpsert node;
  node.type = need_name(line, "type");
  node.state = find_name(line, "state");
  node.name = find_text(line, "name");
  node.description = find_text(line, "description");
  node.project = find_text(line, "project");
  node.scope = find_text(line, "scope");
  if (const auto value = find(line, "properties")) {
    node.properties = as_properties(reader, *value, "properties");
  }
  if (const auto value = find(line, "vector")) {
    node.vector = as_vector(*value, "vector");
    node.embedder = "external";
  }
  read_said(line, node, as_time);
  Event event;
  event.subject = need_name(line, "id");
  event.payload = std::move(node);
  return event;
}

Event parse_edge(JsonReader& reader, Object line) {
  Link link;
  link.target = need_name(line, "target");
  link.type = need_name(line, "type");
  if (const auto value = find(line, "weight")) {
    link.weight = as_number(*value, "weight");
    if (auto refusal = check_weight(link.weight, "weight")) throw Refused{std::move(*refusal)};
  }
  if (const auto value = find(line, "properties")) {
    link.properties = as_properties(reader, *value, "properties");
  }
  Event event;
  event.subject = need_name(line, "source");
  event.payload = std::move(link);
  return event;
}

Event parse_unlink(Object line) {
  Event event;
  event.subject = need_name(line, "source");
  event.payload = Unlink{need_name(line, "target"), need_name(line, "type")};
  return event;
}

Event parse_state(Object line) {
  Event event;
  event.subject = need_name(line, "id");
  event.payload = StateChange{need_name(line, "state")};
  return event;
}

Event parse_line(JsonReader& reader, Object line, std::string_view kind) {
  if (kind == "node") return parse_node(reader, line);
  if (kind == "edge") return parse_edge(reader, line);
  if (kind == "unlink") return parse_unlink(line);
  if (kind == "state") return parse_state(line);
  refuse(refusal::kUnknownKind,
         fmt::format("kind: \"{}\"; allowed are node, edge, unlink, state and outcome", kind));
}

Event parse_history(JsonReader& reader, std::string_view text) {
  const Object line = reader.parse_object(text);
  const std::string canonical = reader.canonical(line);
  const std::string_view kind = as_text(need(line, "kind"), "kind");
  const TimeMs at = as_time(need(line, "at"), "at");
  if (kind == "outcome") return parse_outcome(reader, line, {at, at});
  Event event = parse_line(reader, line, kind);
  event.at = at;
  event.key = timed_key(event.payload, at, content_hash(canonical));
  return event;
}

}  // namespace

void read_history(Input& input, const ReadOptions& /*options*/, const ItemSink& sink) {
  JsonReader reader;
  const auto parse = [&](std::string_view text) { return parse_history(reader, text); };
  split_lines(input, [&](const RawItem& raw) { sink(as_item(raw, attempt(raw, parse))); });
}

}  // namespace hebb
