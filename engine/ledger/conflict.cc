#include "engine/ledger/conflict.h"

#include <fmt/format.h>

#include "engine/cause.h"
#include "engine/ledger/refusals.h"

namespace hebb {

namespace {

bool same(const OutcomeSignal& a, const OutcomeSignal& b) {
  if (!a.input.empty() || !b.input.empty()) return a.input == b.input;
  return a.outcome == b.outcome && a.score == b.score;
}

// Vectors that an embedder made on arrival are not compared: the caller did not send them.
bool same(const NodeUpsert& a, const NodeUpsert& b) {
  const auto external = [](const NodeUpsert& node) {
    return node.embedder == "external" ? node.vector : std::vector<float>();
  };
  return std::tie(a.type, a.state, a.name, a.description, a.project, a.scope, a.properties) ==
             std::tie(b.type, b.state, b.name, b.description, b.project, b.scope, b.properties) &&
         external(a) == external(b);
}

bool same(const Payload& a, const Payload& b) {
  if (a.index() != b.index()) return false;
  if (const auto* outcome = std::get_if<OutcomeSignal>(&a)) {
    return same(*outcome, std::get<OutcomeSignal>(b));
  }
  if (const auto* upsert = std::get_if<NodeUpsert>(&a)) {
    return same(*upsert, std::get<NodeUpsert>(b));
  }
  return encode_payload(a) == encode_payload(b);
}

}  // namespace

std::optional<Refusal> conflict(const Event& there, const Event& came) {
  if (came.may_differ) return std::nullopt;
  const bool same_time = !came.dated || came.at == there.at;
  if (same_time && came.subject == there.subject && same(there.payload, came.payload)) {
    return std::nullopt;
  }
  return Refusal{
      std::string(refusal::kConflict),
      fmt::format("the id \"{}\" is that of event {}, {} at {}, which says something else; give "
                  "what is another one an id of its own",
                  came.key.substr(came.key.find(':') + 1), there.position, cause_of(there).what,
                  format_rfc3339(there.at))};
}

}  // namespace hebb
