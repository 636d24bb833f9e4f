// A refused value is named as it is called on the command line, for every operation and field.
#include <string>

#include <catch2/catch.hpp>

#include "api/operations.h"
#include "tests/cli/all_commands.h"
#include "tests/support/bad_values.h"

namespace hebb::test {
namespace {

// Which of several operations in one command is meant, the number of arguments says; a value in a
// file is refused with the name of the file; a flag has none.
bool has_no_value_of_its_own(const api::Operation& o, const api::Field& f) {
  return (o.about.name == "explain_edge" && f.bounds.positional) || f.bounds.from_file ||
         !f.bounds.flag_words.empty();
}

std::string text_of(const api::Json& value) {
  const api::Json& one = value.is_array() ? value.front() : value;
  return one.is_string() ? one.get<std::string>() : one.dump();
}

// The value where the field has it; "x" for the other arguments.
Args call_with(const api::Operation& o, const api::Field& wrong, const std::string& value) {
  Args args = words_of(std::string(o.command));
  for (const api::Field& f : o.request()) {
    if (f.bounds.hidden) continue;
    if (&f == &wrong && f.bounds.positional) {
      args.push_back(value);
    } else if (&f == &wrong) {
      args.push_back(f.option_name() + "=" + value);
    } else if (f.bounds.positional && f.bounds.required) {
      const bool number = f.kind == api::Kind::integer;
      args.push_back(number ? "1" : f.bounds.choices.empty() ? "x" : f.bounds.choices.front());
    }
  }
  return args;
}

TEST_CASE("a refused value is named by its option, for people and as JSON", "[slow]") {
  const Hebb hebb;
  hebb.fill();
  std::size_t seen = 0;
  for (const api::Operation& o : api::operations()) {
    if ((o.doors & api::kCommandLine) == 0) continue;
    for (const api::Field& f : o.request()) {
      const auto values = bad_values(f);
      if (f.bounds.hidden || values.empty() || has_no_value_of_its_own(o, f)) continue;
      ++seen;
      const Args args = call_with(o, f, text_of(values.front()));
      const auto run = hebb.run(args);
      INFO(o.about.name << " " << f.name << ": " << run.err);
      CHECK(run.exit_code == 2);
      CHECK(run.err.find(f.option_name()) != std::string::npos);
      CHECK(run.err.find("\"" + f.name + "\"") == std::string::npos);
    }
  }
  CHECK(seen > 50);
}

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
      {{"ingest", "--tz", "UTC", "-"}, "--format", "tz"},
      {{"ingest", "--format", "junit", "--task", "t", "--tz", "Nowhere", "-"}, "--tz", "tz"},
      {{"import", "--prune", "-"}, "--prune", "prune"},
      {{"actions", "sequences", "--since", "soon"}, "--since", "since"},
      {{"actions", "export", "--since", "soon"}, "--since", "since"},
      {{"skill", "contract", "set", "c", "--element", "x"}, "--element", "element"},
      {{"skill", "recall", "--url", "x"}, "--url", "url"},
      {{"skill", "record", "h", "n"}, "--from-session", "steps"},
      {{"explain", "task-1", "--against", "task-1"}, "--against", "against"},
      {{"backtest", "--measure", "napfd", "--since", "1d", "x"}, "--since", "measure"},
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
