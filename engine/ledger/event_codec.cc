// The payloads of events as JSON, as rows of the ledger hold them.
//
// JSON that came with an event (properties, an outcome's input) is nested in the payload as JSON,
// so that SQL can look into it. It is canonical, so decoding gives back the same text.
#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

#include <fmt/format.h>

#include "engine/input/json.h"
#include "engine/ledger/canonical_json.h"
#include "engine/ledger/event_kinds.h"

namespace hebb {

namespace {

constexpr std::array<std::string_view, 3> kOutcomeNames = {"success", "partial", "failure"};

// --- encoding ------------------------------------------------------------------------------------

class ObjectWriter {
 public:
  void text(std::string_view name, std::string_view value) {
    key(name);
    append_json_string(out_, value);
  }
  void text_if(std::string_view name, const std::optional<std::string>& value) {
    if (value) text(name, *value);
  }
  void number(std::string_view name, double value) {
    key(name);
    append_json_number(out_, value);
  }
  void integer(std::string_view name, std::int64_t value) {
    key(name);
    out_ += std::to_string(value);
  }
  void boolean(std::string_view name, bool value) {
    key(name);
    out_ += value ? "true" : "false";
  }
  void said(std::string_view name, std::optional<std::int64_t> value, std::int64_t taken_back) {
    if (value && *value == taken_back) return json(name, "null");
    if (value) integer(name, *value);
  }
  void json(std::string_view name, std::string_view value) {
    key(name);
    out_ += value;
  }
  template <typename Range, typename Append>  // append(out, element) writes one element's JSON
  void array(std::string_view name, const Range& range, const Append& append) {
    key(name);
    out_ += '[';
    bool first = true;
    for (const auto& element : range) {
      if (!first) out_ += ',';
      first = false;
      append(out_, element);
    }
    out_ += ']';
  }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    array(name, values, append_json_string);
  }
  std::string take() {
    out_ += '}';
    return std::move(out_);
  }

 private:
  void key(std::string_view name) {
    if (out_.size() > 1) out_ += ',';
    append_json_string(out_, name);
    out_ += ':';
  }
  std::string out_ = "{";
};

void encode(ObjectWriter& out, const NodeUpsert& node) {
  out.text_if("type", node.type);
  out.text_if("state", node.state);
  out.text_if("name", node.name);
  out.text_if("description", node.description);
  out.text_if("project", node.project);
  out.text_if("scope", node.scope);
  if (node.properties) out.json("properties", *node.properties);
  if (!node.embedder.empty()) out.text("embedder", node.embedder);
  if (node.made_from != 0) out.text("made_from", fmt::format("{:016x}", node.made_from));
  out.said("priority", node.priority, graph::kNoPriority);
  out.said("due_at", node.due_at, graph::kNever);
  out.said("snoozed_until", node.snoozed_until, graph::kNever);
  if (node.pinned) out.boolean("pinned", *node.pinned);
  if (!node.opens) out.boolean("opens", false);
}
void encode(ObjectWriter& /*out*/, const NodeDelete& /*deletion*/) {}
void encode(ObjectWriter& out, const Link& link) {
  out.text("target", link.target);
  out.text("type", link.type);
  out.number("weight", link.weight);
  if (link.properties) out.json("properties", *link.properties);
}
void encode(ObjectWriter& out, const Unlink& unlink) {
  out.text("target", unlink.target);
  out.text("type", unlink.type);
}
void encode(ObjectWriter& out, const StateChange& change) {
  out.text("state", change.state);
  if (!change.opens) out.boolean("opens", false);
}
void encode(ObjectWriter& out, const OutcomeSignal& signal) {
  out.text("outcome", outcome_name(signal.outcome));
  out.number("score", signal.score);
  if (signal.related) out.texts("related", *signal.related);
  out.texts("contexts", signal.contexts);
  if (!signal.input.empty()) out.json("input", signal.input);
  if (signal.token != 0) out.integer("token", signal.token);
}
void encode(ObjectWriter& out, const Pivot& pivot) { out.number("weight", pivot.weight); }
void encode(ObjectWriter& out, const Recalibration& recalibration) {
  out.array("guides", recalibration.guides, [](std::string& text, const Guide& guide) {
    text += "{\"node\":";
    append_json_string(text, guide.node);
    text += ",\"x\":";
    append_json_number(text, guide.x);
    text += '}';
  });
}
void encode(ObjectWriter& out, const PolicyChange& change) {
  out.boolean("replace", change.replace);
  out.array("settings", change.settings, [](std::string& text, const auto& setting) {
    text += '[';
    append_json_string(text, setting.first);
    text += ',';
    append_json_string(text, setting.second);
    text += ']';
  });
}
void encode(ObjectWriter& out, const Undo& undo) {
  out.integer("event", undo.event);
  if (!undo.damage.empty()) out.text("damage", undo.damage);
  if (undo.repeats) out.boolean("repeats", true);
}
void encode(ObjectWriter& out, const Forget& forget) {
  out.array("edges", forget.edges, [](std::string& text, const EdgeName& edge) {
    text += '[';
    append_json_string(text, edge.source);
    text += ',';
    append_json_string(text, edge.target);
    text += ',';
    append_json_string(text, edge.type);
    text += ']';
  });
  out.texts("nodes", forget.nodes);
}

void encode(ObjectWriter& out, const Claim& claim) {
  out.text("agent", claim.agent);
  out.integer("expires_at", claim.expires_at);
  if (claim.expiry_is_failure) out.boolean("expiry_is_failure", true);
}
void encode(ObjectWriter& out, const Renew& renew) {
  out.integer("token", renew.token);
  out.integer("expires_at", renew.expires_at);
}
void encode(ObjectWriter& out, const Release& release) { out.integer("token", release.token); }

// --- decoding ------------------------------------------------------------------------------------

using input::as_array;
using input::as_number;
using input::as_object;
using input::as_text;
using input::find;
using input::find_text;
using input::need;

std::string need_text(input::Object object, std::string_view name) {
  return std::string(as_text(need(object, name), name));
}

std::vector<std::string> as_texts(input::Array array, std::string_view path) {
  std::vector<std::string> texts;
  for (const input::Element text : array) texts.emplace_back(as_text(text, path));
  return texts;
}

// An array of exactly N texts.
template <std::size_t N>
std::array<std::string, N> as_tuple(input::Element value, std::string_view path) {
  const std::vector<std::string> texts = as_texts(as_array(value, path), path);
  if (texts.size() != N)
    input::refuse(refusal::kWrongType, fmt::format("{}: has another size", path));
  std::array<std::string, N> tuple;
  std::copy(texts.begin(), texts.end(), tuple.begin());
  return tuple;
}

struct Row {
  input::JsonReader& reader;
  input::Object object;
  std::vector<float> vector;

  std::optional<std::string> find_json(std::string_view name) const {
    const auto value = find(object, name);
    if (!value) return std::nullopt;
    return reader.canonical(as_object(*value, name));
  }
};

TimeMs as_stored_time(input::Element value, std::string_view path) {
  TimeMs at = 0;
  if (value.get(at) != simdjson::SUCCESS) {
    input::refuse(refusal::kWrongType, fmt::format("{}: must be an integer", path));
  }
  return at;
}

std::uint64_t as_hash(std::string_view text, std::string_view path) {
  std::uint64_t hash = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (error != std::errc() || end != text.data() + text.size())
    input::refuse(refusal::kBadValue, fmt::format("{}: must be a hexadecimal number", path));
  return hash;
}

Payload decode_node(Row& row) {
  NodeUpsert node;
  node.type = find_text(row.object, "type");
  node.state = find_text(row.object, "state");
  node.name = find_text(row.object, "name");
  node.description = find_text(row.object, "description");
  node.project = find_text(row.object, "project");
  node.scope = find_text(row.object, "scope");
  node.properties = row.find_json("properties");
  node.embedder = find_text(row.object, "embedder").value_or("");
  node.vector = std::move(row.vector);
  node.made_from = as_hash(find_text(row.object, "made_from").value_or("0"), "made_from");
  input::read_said(row.object, node, as_stored_time);
  node.opens = input::find_boolean(row.object, "opens", true);
  return node;
}

Payload decode_delete(Row& /*row*/) { return NodeDelete{}; }

// Every event that was taken has weights and scores above 0.
double need_positive(input::Object object, std::string_view name) {
  const double x = as_number(need(object, name), name);
  if (!(x > 0)) input::refuse(refusal::kOutOfRange, fmt::format("{}: is {}", name, x));
  return x;
}

Payload decode_link(Row& row) {
  return Link{need_text(row.object, "target"), need_text(row.object, "type"),
              need_positive(row.object, "weight"), row.find_json("properties")};
}

Payload decode_unlink(Row& row) {
  return Unlink{need_text(row.object, "target"), need_text(row.object, "type")};
}

Payload decode_state(Row& row) {
  return StateChange{need_text(row.object, "state"),
                     input::find_boolean(row.object, "opens", true)};
}

std::int64_t need_integer(input::Object object, std::string_view name) {
  std::int64_t n = 0;
  if (need(object, name).get(n) != simdjson::SUCCESS)
    input::refuse(refusal::kWrongType, fmt::format("{}: must be an integer", name));
  return n;
}

Payload decode_outcome(Row& row) {
  OutcomeSignal signal;
  const std::string_view name = as_text(need(row.object, "outcome"), "outcome");
  const auto known = std::find(kOutcomeNames.begin(), kOutcomeNames.end(), name);
  if (known == kOutcomeNames.end()) {
    input::refuse(refusal::kBadOutcome, fmt::format("outcome: \"{}\"", name));
  }
  signal.outcome = static_cast<OutcomeKind>(known - kOutcomeNames.begin());
  const bool rewards = signal.outcome == OutcomeKind::success;
  signal.score =
      rewards ? need_positive(row.object, "score") : as_number(need(row.object, "score"), "score");
  if (const auto related = find(row.object, "related")) {
    signal.related = as_texts(as_array(*related, "related"), "related");
  }
  signal.contexts = as_texts(as_array(need(row.object, "contexts"), "contexts"), "contexts");
  signal.input = row.find_json("input").value_or("");
  if (find(row.object, "token")) signal.token = need_integer(row.object, "token");
  return signal;
}

Payload decode_pivot(Row& row) { return Pivot{need_positive(row.object, "weight")}; }

Payload decode_recalibration(Row& row) {
  Recalibration recalibration;
  for (const input::Element element : as_array(need(row.object, "guides"), "guides")) {
    const input::Object guide = as_object(element, "guides");
    recalibration.guides.push_back({need_text(guide, "node"), need_positive(guide, "x")});
  }
  return recalibration;
}

Payload decode_policy(Row& row) {
  PolicyChange change;
  if (need(row.object, "replace").get(change.replace) != simdjson::SUCCESS) {
    input::refuse(refusal::kWrongType, "replace: must be a boolean");
  }
  for (const input::Element element : as_array(need(row.object, "settings"), "settings")) {
    auto [key, value] = as_tuple<2>(element, "settings");
    change.settings.emplace_back(std::move(key), std::move(value));
  }
  return change;
}

Payload decode_undo(Row& row) {
  Undo undo;
  undo.event = need_integer(row.object, "event");
  undo.damage = find_text(row.object, "damage").value_or("");
  undo.repeats = input::find_boolean(row.object, "repeats", false);
  return undo;
}

Payload decode_forget(Row& row) {
  Forget forget;
  for (const input::Element element : as_array(need(row.object, "edges"), "edges")) {
    auto [source, target, type] = as_tuple<3>(element, "edges");
    forget.edges.push_back({std::move(source), std::move(target), std::move(type)});
  }
  forget.nodes = as_texts(as_array(need(row.object, "nodes"), "nodes"), "nodes");
  return forget;
}

Payload decode_claim(Row& row) {
  Claim claim{need_text(row.object, "agent"), need_integer(row.object, "expires_at"), false};
  if (const auto failure = find(row.object, "expiry_is_failure")) {
    if (failure->get(claim.expiry_is_failure) != simdjson::SUCCESS)
      input::refuse(refusal::kWrongType, "expiry_is_failure: must be a boolean");
  }
  return claim;
}

Payload decode_renew(Row& row) {
  return Renew{need_integer(row.object, "token"), need_integer(row.object, "expires_at")};
}

Payload decode_release(Row& row) { return Release{need_integer(row.object, "token")}; }

struct Decoder {
  std::string_view kind;
  Payload (*decode)(Row& row);
};
constexpr auto kDecoders = std::to_array<Decoder>({
    {kKind<NodeUpsert>.name, decode_node},
    {kKind<NodeDelete>.name, decode_delete},
    {kKind<Link>.name, decode_link},
    {kKind<Unlink>.name, decode_unlink},
    {kKind<StateChange>.name, decode_state},
    {kKind<OutcomeSignal>.name, decode_outcome},
    {kKind<Pivot>.name, decode_pivot},
    {kKind<Recalibration>.name, decode_recalibration},
    {kKind<PolicyChange>.name, decode_policy},
    {kKind<Undo>.name, decode_undo},
    {kKind<Forget>.name, decode_forget},
    {kKind<Claim>.name, decode_claim},
    {kKind<Renew>.name, decode_renew},
    {kKind<Release>.name, decode_release},
});
static_assert(kDecoders.size() == std::variant_size_v<Payload>);

const Decoder* decoder_of(std::string_view kind) {
  const auto found = std::find_if(kDecoders.begin(), kDecoders.end(),
                                  [kind](const Decoder& d) { return d.kind == kind; });
  return found == kDecoders.end() ? nullptr : &*found;
}

}  // namespace

std::string_view outcome_name(OutcomeKind outcome) {
  return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

bool is_event_kind(std::string_view name) { return decoder_of(name) != nullptr; }

std::string encode_payload(const Payload& payload) {
  ObjectWriter out;
  std::visit([&out](const auto& p) { encode(out, p); }, payload);
  return out.take();
}

Payload decode_payload(std::string_view kind, std::string_view json, std::vector<float> vector) {
  // A payload is one level deeper than the JSON that it nests.
  static thread_local input::JsonReader reader(Limits::kDepth + 1);
  const Decoder* const decoder = decoder_of(kind);
  if (!decoder) throw std::invalid_argument(fmt::format("its kind \"{}\" is not known", kind));
  try {
    Row row{reader, reader.parse_object(json), std::move(vector)};
    return decoder->decode(row);
  } catch (const input::ItemRefused& refused) {
    throw std::invalid_argument(fmt::format("its payload: {}", refused.refusal.detail));
  }
}

}  // namespace hebb
