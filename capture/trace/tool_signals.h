// What was seen of tools on its way into the ledger: TOOL nodes, and links from them. Each counts
// once; what cannot be taken is left out and counted, and takes nothing else with it.
//
// gc may forget a tool. Used again after that it gets its node again, under the key of the new use;
// what was seen before that gc teaches nothing any more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"

namespace hebb::capture {

inline constexpr std::string_view kToolType = "TOOL";

// Subject, time and key of a use of a tool, which makes its node where it has none.
Event tool_node(std::string tool, TimeMs at, std::string_view unique);

struct ToolSignal {
  // For tools without a node: not later than the link, which is left out where one of them cannot
  // be made.
  std::vector<Event> nodes;
  std::optional<Event> link;
};

struct SignalReport {
  std::uint64_t nodes = 0, links = 0;  // that counted
  std::uint64_t duplicates = 0;        // known before
  std::uint64_t skipped = 0;           // refused, or about what gc has forgotten since
};

class ToolSignals {
 public:
  explicit ToolSignals(Engine& engine);

  // Whether a node of this id is a tool, or may become one: another's node is never linked, nor a
  // tool that was deleted.
  bool may_be_tool(std::string_view id);
  // Whether gc forgot the node then or later.
  bool forgotten_since(std::string_view id, TimeMs at) const;
  // In one transaction; in order of time they are folded fastest. Throws what Engine::offer throws.
  void take(std::vector<ToolSignal> signals);
  const SignalReport& report() const { return report_; }

 private:
  bool known(const Event& e);
  bool too_old(const Event& e) const;

  Engine& engine_;
  std::unordered_map<std::string, TimeMs> forgotten_;  // by gc, the last time
  SignalReport report_;
};

}  // namespace hebb::capture
