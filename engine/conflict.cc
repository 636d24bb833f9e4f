#include "engine/conflict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/ledger/event_fields.h"
#include "engine/rank/cause.h"
#include "engine/values/times.h"
#include "engine/without_secrets.h"

namespace hebb {

namespace {

using Json = nlohmann::json;

// What the object says beside its time, which is compared as a time: it may be written in two ways.
std::optional<Json> beside_time(const std::string& input) {
  if (input.empty()) return std::nullopt;
  Json object = Json::parse(input);
  for (const char* field : {"kind", "at", "timestamp"}) object.erase(field);
  return object;
}

bool same(const OutcomeSignal& a, const OutcomeSignal& b) {
  if (a.input == b.input && !a.input.empty()) return true;
  if (!a.input.empty() || !b.input.empty()) {
    // hebb before 0.2 stored what an outcome said with the secrets in it.
    const auto said = beside_time(b.input);
    return beside_time(a.input) == said || beside_time(outcome_without_secrets(a.input)) == said;
  }
  return a.outcome == b.outcome && a.score == b.score;
}

template <class P>
bool same(const P& a, const P& b) {
  bool is_same = true;
  each_field<P>([&](const auto& field) {
    if (field.use != Use::engine && std::decay_t<decltype(field)>::kForm != Form::beside)
      is_same = is_same && a.*field.member == b.*field.member;
  });
  return is_same;
}

// Vectors that an embedder made on arrival are not compared: the caller did not send them.
bool same(const NodeUpsert& a, const NodeUpsert& b) {
  const auto external = [](const NodeUpsert& node) {
    return node.embedder == "external" ? node.vector : std::vector<float>();
  };
  return same<NodeUpsert>(a, b) && external(a) == external(b);
}

bool same(const Payload& a, const Payload& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& payload) {
        return same(payload, std::get<std::decay_t<decltype(payload)>>(b));
      },
      a);
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
