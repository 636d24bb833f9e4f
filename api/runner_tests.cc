#include "api/runner_tests.h"

#include <fmt/format.h>

#include "reward/evidence.h"

namespace hebb::api {

RunnerTests::RunnerTests(Engine& engine, const Runner& runner) : runner_(runner) {
  const graph::Graph& g = engine.state().graph();
  for (graph::NodeId n = 0; n < g.node_bound(); ++n) {
    const std::string id(g.id(n));
    if (g.node_types().name(g.nodes().type[n]) != reward::kTestType || !engine.state().exists(id))
      continue;
    if (add(id, engine.content(id).properties.value_or("{}")))
      ids_[selectors_.at(id).text].push_back(id);
  }
}

RunnerTests::RunnerTests(Engine& engine, const Runner& runner,
                         std::optional<std::vector<std::string>>& among)
    : RunnerTests(engine, runner) {
  if (among) find_among(engine, *among);
}

bool RunnerTests::add(const std::string& id, const std::string& properties) {
  Selector selector = runner_.select(id, properties);
  if (selector.text.empty()) {
    if (others_.empty()) example_ = fmt::format("{}: {}", id, selector.why);
    others_.insert(id);
    return false;
  }
  selectors_.insert_or_assign(id, std::move(selector));
  return true;
}

// A selector may also be the id of a node that is no test: of a file that was changed, for example.
void RunnerTests::find_among(Engine& engine, std::vector<std::string>& among) {
  std::vector<std::string> ids;
  for (const std::string& id : among) {
    auto found = ids_.end();
    if (!selectors_.contains(id) && !others_.contains(id)) {
      found = ids_.find(id);
      if (found == ids_.end() && !engine.state().exists(id) && add(id, "{}"))
        found = ids_.find(selectors_.at(id).text);
    }
    if (found == ids_.end()) {
      ids.push_back(id);
    } else {
      ids.insert(ids.end(), found->second.begin(), found->second.end());
    }
  }
  among = std::move(ids);
}

std::optional<std::string> RunnerTests::selector_of(const std::string& id) const {
  const auto found = selectors_.find(id);
  return found == selectors_.end() ? std::nullopt : std::optional(found->second.text);
}

std::map<std::string, Unit, std::less<>> RunnerTests::units() const {
  std::map<std::string, Unit, std::less<>> units;
  for (const auto& [id, selector] : selectors_) units[id] = {selector.text, selector.is_part};
  return units;
}

}  // namespace hebb::api
