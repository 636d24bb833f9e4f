// What the graph holds of tasks, for a snapshot of their tracker; and what the snapshot changed
// about them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine_impl.h"

namespace hebb {

// Caches its answers, so that an item that is read again gets the same ones.
class GraphBefore : public HeldBefore {
 public:
  explicit GraphBefore(EngineImpl& impl) : impl_(impl) {}
  const Node* find(const std::string& id) override;
  bool was_deleted(const std::string& id) override;
  bool has_outcome(const std::string& id) override;
  const std::vector<Event>& events_of(const std::string& id) override;

 private:
  std::optional<Node> look_up(const std::string& id);

  EngineImpl& impl_;
  std::map<std::string, std::optional<Node>> known_;
  std::map<std::string, bool> outcomes_;
  std::map<std::string, std::vector<Event>> events_;
};

// In a few words each, such as "is CLOSED", "priority 1", "label-ui added"; empty: nothing.
std::vector<std::string> changes_of(const HeldBefore::Node& before, const HeldBefore::Node& after);

}  // namespace hebb
