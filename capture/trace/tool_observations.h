// Writes observations about tools to the ledger: TOOL nodes, and links from them. Each counts once.
// A refused one is left out and counted, and the others are still written.
//
// gc may remove a tool. If the tool is used again after that, its node is made again, under the key
// of the new use; uses before that gc are ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/engine.h"

namespace hebb::capture {

inline constexpr std::string_view kToolType = "TOOL";

// The event that makes a tool's node, if it has none; `unique` identifies the use of the tool.
Event tool_node(std::string tool, TimeMs at, std::string_view unique);

struct ToolObservation {
  // For tools without a node. Dated not later than the link; if one of them cannot be made, the
  // link is left out.
  std::vector<Event> nodes;
  std::optional<Event> link;
};

struct ObservationReport {
  std::uint64_t nodes = 0, links = 0;  // added
  std::uint64_t duplicates = 0;        // already in the ledger
  // Refused, about a node that is no tool or a deleted one, or older than a gc that removed it.
  std::uint64_t skipped = 0;
};

class ToolObservations {
 public:
  explicit ToolObservations(Engine& engine);

  // Whether the node is a tool or does not exist yet. False for nodes of other types and deleted
  // tools, which are never linked.
  bool may_be_tool(std::string_view id);
  // Whether gc removed the node at that time or later.
  bool forgotten_since(std::string_view id, TimeMs at);
  // Writes the observations in one transaction; fastest if in order of time. Throws what
  // Engine::offer throws.
  void take(std::vector<ToolObservation> observations);
  const ObservationReport& report() const { return report_; }

 private:
  bool known(const Event& e);
  bool too_old(const Event& e);
  void note_gcs_of(std::string_view subject);

  Engine& engine_;
  std::unordered_map<std::string, TimeMs> forgotten_;  // when gc last removed a node
  std::unordered_set<std::string> looked_up_;          // looked up in the ledger
  ObservationReport report_;
};

}  // namespace hebb::capture
