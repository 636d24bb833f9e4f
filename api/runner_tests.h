// Which tests of a database a test runner can be given, and as what.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/selectors.h"
#include "engine/engine.h"
#include "engine/rank/query.h"

namespace hebb::api {

class RunnerTests {
 public:
  // among: ids, and selectors as the runner lists them; these are replaced by the ids of the tests
  // that they select. What is left and no node may be a test that has not run yet. O(tests).
  RunnerTests(Engine& engine, const Runner& runner, std::optional<std::vector<std::string>>& among);
  explicit RunnerTests(Engine& engine, const Runner& runner);

  std::optional<std::string> selector_of(const std::string& id) const;
  // Tests with one selector are run together.
  std::map<std::string, Unit, std::less<>> units() const;
  // The tests without a selector; and "ID: why" of one of them, empty: there is none.
  const std::set<std::string, std::less<>>& others() const { return others_; }
  const std::string& example_of_others() const { return example_; }

 private:
  bool add(const std::string& id, const std::string& properties);
  void find_among(Engine& engine, std::vector<std::string>& among);

  const Runner& runner_;
  std::map<std::string, Selector, std::less<>> selectors_;            // by id
  std::map<std::string, std::vector<std::string>, std::less<>> ids_;  // by selector
  std::set<std::string, std::less<>> others_;
  std::string example_;
};

}  // namespace hebb::api
