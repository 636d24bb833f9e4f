// What an operation refuses is named as it is called on the command line.
#include <string>

#include <catch2/catch.hpp>

#include "api/operation.h"
#include "tests/cli/all_commands.h"

namespace hebb::test {
namespace {

struct Said {
  Args args;
  std::string option;  // in the message
  std::string field;   // in the JSON
};

TEST_CASE("what an operation refuses is named by its option as well") {
  const Hebb hebb;
  hebb.fill();
  const std::vector<Said> cases{
      {{"next", "--claim"}, "--agent", "agent"},
      {{"next", "--agent", "a"}, "--claim", "agent"},
      {{"next", "--claim", "--agent", std::string(600, 'x')}, "--agent", ""},
      {{"outcome", "", "success"}, "ID", ""},
      {{"outcome", "task-1", "success", "--agent", std::string(600, 'x')}, "--agent", ""},
      {{"outcome", "task-1", "success", "--outcome-id", std::string(600, 'x')}, "--outcome-id", ""},
      {{"node", "set", "x", "--type", ""}, "--type", ""},
      {{"node", "set", "task-1", "--priority", "1", "--unset", "priority"}, "--priority", "unset"},
      {{"link", "task-1", "", "BLOCKS"}, "TARGET", ""},
      {{"dead-letters", "retry"}, "--all", "ids"},
      {{"ingest", "--format", "junit", "-"}, "--task", "task"},
      {{"node", "set", "x", "--due", "fryday"}, "--due", "due_at"},
      {{"node", "set", "x", "--due-at", "friday", "--tz", "Nowhere"}, "--tz", "tz"},
      {{"ingest", "--format", "junit", "--task", "t", "--tz", "Nowhere", "-"}, "--tz", "tz"},
      {{"import", "--format", "history", "--prune", "-"}, "--prune", "prune"},
      {{"actions", "sequences", "--since", "soon"}, "--since", "since"},
      {{"actions", "export", "--since", "soon"}, "--since", "since"},
      {{"skill", "contract", "set", "c", "--element", "x"}, "--element", "element"},
      {{"skill", "recall", "--url", "x"}, "--url", "url"},
      {{"skill", "record", "h", "n"}, "--from-session", "steps"},
      {{"explain", "task-1", "--against", "task-1"}, "--against", "against"},
      {{"rank", "--embedder", "none"}, "--embedder", "embedder"},
      {{"policy", "set", "x"}, "KEY=VALUE", "settings"},
  };
  for (const Said& c : cases) {
    const auto run = hebb.run(c.args);
    INFO(name_of(c.args) << ": " << run.err);
    CHECK(run.exit_code != 0);
    CHECK(run.err.find(c.option) != std::string::npos);
    if (!c.field.empty()) CHECK(run.err.find("\"" + c.field + "\"") == std::string::npos);
    Args args = c.args;
    args.emplace_back("--json");
    const auto problem = api::Json::parse(hebb.run(args).err);
    CHECK(problem.at("detail").get<std::string>().find(c.option) != std::string::npos);
    if (!c.field.empty()) CHECK(problem.at("field") == c.field);
  }
}

}  // namespace
}  // namespace hebb::test
