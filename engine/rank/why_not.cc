#include "engine/rank/why_not.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/input/input.h"
#include "engine/values/counted.h"

namespace hebb {

using graph::NodeId;
using reward::Obstacle;
using Kind = reward::Obstacle::Kind;

namespace {

constexpr std::size_t kShown = 3;

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = names.size() > kShown + 1 ? kShown : names.size();
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string named(const reward::View& view, NodeId n) {
  return fmt::format("{}{}", view.graph.id(n), reward::is_unknown(view, n) ? " (not known)" : "");
}

std::string why_held(const reward::View& view, reward::Readiness& readiness, NodeId whole) {
  std::vector<std::string> names;
  for (const NodeId n : readiness.awaited_outside(whole)) names.push_back(named(view, n));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto& nodes = view.graph.nodes();
  const std::string_view state = view.graph.states().name(nodes.state[whole]);
  std::string why = fmt::format("part of {}, which ", view.graph.id(whole));
  if (!names.empty()) return why + fmt::format("waits for {}", listed(names));
  if (state == "BLOCKED" || state == "DEFERRED") return why + fmt::format("is {}", state);
  return why + fmt::format("is snoozed until {}", format_rfc3339(nodes.snoozed_until[whole]));
}

}  // namespace

std::vector<std::string> why_not_ready(const reward::View& view, reward::Readiness& readiness,
                                       NodeId n) {
  const auto& nodes = view.graph.nodes();
  std::vector<std::string> why, blockers, awaited, parts;
  for (const Obstacle& o : readiness.obstacles(n)) {
    if (o.kind == Kind::type)
      why.push_back(
          fmt::format("its type {} is no work", view.graph.node_types().name(nodes.type[n])));
    if (o.kind == Kind::snoozed)
      why.push_back(fmt::format("snoozed until {}", format_rfc3339(nodes.snoozed_until[n])));
    if (o.kind == Kind::failing) {
      why.push_back(fmt::format(
          "failed {} in a row and waits for a person, whose `hebb edit {} --state OPEN` "
          "gives it out again",
          counted(nodes.failing[n], "time"), view.graph.id(n)));
    }
    if (o.kind == Kind::whole) why.push_back(why_held(view, readiness, o.node));
    auto* names = o.kind == Kind::blocks      ? &blockers
                  : o.kind == Kind::waits_for ? &awaited
                  : o.kind == Kind::part      ? &parts
                                              : nullptr;
    if (names) names->push_back(named(view, o.node));
  }
  const auto add = [&](const char* text, std::vector<std::string>& names) {
    if (names.empty()) return;
    std::sort(names.begin(), names.end());
    why.push_back(fmt::format("{} {}", text, listed(names)));
  };
  add("blocked by", blockers);
  add("waits for", awaited);
  add("has unfinished parts:", parts);
  return why;
}

}  // namespace hebb
