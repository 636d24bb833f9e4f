// Names of fields, through the whole list of operations: one name for one thing, one kind for one
// name, and a refusal names its field.
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "api/operation.h"
#include "tests/api/session.h"
#include "tests/support/bad_values.h"

namespace hebb::api {
namespace {

constexpr unsigned kRemote = kHttp | kMcp;

bool shown_at(const Operation& o, const Field& f, unsigned doors) {
  const bool left_out = doors == kCommandLine ? f.bounds.hidden : f.bounds.local;
  return (o.doors & doors) != 0 && !left_out;
}

// What is wrong with the request; fails if nothing is.
Problem problem_with(const Operation& o, const Json& request) {
  MemorySession session(kNow);
  try {
    o.call(session, request);
  } catch (const Problem& problem) {
    return problem;
  }
  return {ProblemType::failed, "nothing is wrong with " + request.dump()};
}

TEST_CASE("a name is of one kind in all operations of a door") {
  for (const unsigned doors : {unsigned{kCommandLine}, kRemote}) {
    std::map<std::string, Kind> kinds;
    for (const Operation& o : operations()) {
      for (const Field& f : o.request()) {
        if (!shown_at(o, f, doors)) continue;
        INFO(o.about.name << " " << f.name);
        const Kind kind = f.kind == Kind::node ? Kind::text : f.kind;  // an id, found or made
        CHECK(kinds.emplace(f.name, kind).first->second == kind);
      }
    }
    CHECK(kinds.size() > 60);
  }
}

TEST_CASE("what is described by the same words has the same name") {
  std::map<std::string, std::string> names;
  for (const Operation& o : operations()) {
    for (const Field& f : o.request()) {
      INFO(o.about.name << " " << f.name << ": " << f.description);
      CHECK(names.emplace(f.description, f.name).first->second == f.name);
    }
  }
}

TEST_CASE("no field has another word for what has a name") {
  const std::map<std::string, std::vector<std::string>> kOthers{
      {"limit", {"top", "n", "count", "max", "size", "k", "max_results", "page_size"}},
      {"offset", {"skip", "start"}},
      {"id", {"node", "node_id", "task_id", "key"}},
      {"source", {"src", "from_node", "source_id", "from_id"}},
      {"target", {"dst", "to", "to_node", "target_id", "to_id"}},
      {"query", {"q", "words", "search"}},
      {"agent", {"by", "agent_id", "worker", "who"}},
      {"token", {"claim_id", "lease_id", "claim_token"}},
      {"skill", {"skill_id", "skill_name"}},
      {"contract", {"contract_id"}},
      {"event", {"event_id", "position"}},
      {"since", {"after_time", "from_time", "start_time"}},
      {"until", {"to_time", "before_time", "end_time"}},
      {"as_of", {"at", "as_at"}},
  };
  for (const Operation& o : operations()) {
    for (const Field& f : o.request()) {
      if (o.about.name == "move" && f.name == "to") continue;  // a database, not a node
      for (const auto& [name, others] : kOthers) {
        INFO(o.about.name << ": " << f.name << " is called " << name);
        CHECK(std::find(others.begin(), others.end(), f.name) == others.end());
      }
    }
  }
}

TEST_CASE("a value beyond its bounds is refused, and the field is named") {
  std::size_t seen = 0;
  for (const Operation& o : operations()) {
    for (const Field& f : o.request()) {
      for (const Json& value : test::bad_values(f)) {
        INFO(o.about.name << " " << f.name << " " << value.dump());
        ++seen;
        const Problem problem = problem_with(o, {{f.name, value}});
        CHECK(problem.type == ProblemType::invalid_argument);
        CHECK(problem.field == f.name);
        CHECK(std::string(problem.what()).find("\"" + f.name + "\"") == 0);
      }
      if (!f.bounds.required) continue;
      Json others = Json::object();
      for (const Field& other : o.request()) {
        if (&other == &f) break;
        if (!other.bounds.required) continue;
        others[other.name] =
            other.list ? Json::array({"x"})
            : other.kind == Kind::text || other.kind == Kind::node
                ? Json(other.bounds.choices.empty() ? "x" : other.bounds.choices.front())
            : other.kind == Kind::object ? Json::object()
                                         : Json(1);
      }
      INFO(o.about.name << " without " << f.name);
      const Problem missing = problem_with(o, others);
      CHECK(missing.field == f.name);
      CHECK(missing.what() == "\"" + f.name + "\" is missing");
    }
  }
  CHECK(seen > 100);
}

}  // namespace
}  // namespace hebb::api
