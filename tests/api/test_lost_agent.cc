// An agent that lost its memory finds its work, and a wrong token is not answered with the right
// one.
#include <catch2/catch.hpp>

#include "api/problem.h"
#include "tests/api/session.h"

using namespace hebb;
using namespace hebb::api;

namespace {

constexpr TimeMs kMinute = 60'000;

struct Agents {
  MemorySession session{kNow};
  std::int64_t token = 0;  // of ann's claim of the task a

  Agents() {
    for (const char* id : {"a", "b", "c"}) ask(session, "add", {{"name", id}, {"id", id}});
    token = claim("a", "ann");
    claim("b", "bob");
  }
  std::int64_t claim(const char* id, const char* agent) {
    return ask(session, "claim", {{"id", id}, {"agent", agent}}).at("tasks")[0].at("token");
  }
  std::vector<std::string> listed(const Json& request) {
    std::vector<std::string> ids;
    const Json list = ask(session, "list", request);
    for (const Json& node : list.at("nodes")) ids.push_back(node.at("id"));
    return ids;
  }
};

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("claimed tasks are listed, all of them or one agent's, in any state") {
  Agents agents;
  CHECK(agents.listed({{"claimed", true}}) == Ids{"a", "b"});
  CHECK(agents.listed({{"claimed_by", "ann"}}) == Ids{"a"});
  CHECK(agents.listed({{"claimed_by", "carl"}}).empty());
  CHECK(agents.listed({{"state", "IN_PROGRESS"}}) == Ids{"a", "b"});
  CHECK(agents.listed({{"state", "OPEN"}}) == Ids{"c"});
  CHECK(agents.listed(Json::object()) == Ids{"a", "b", "c"});
  ask(agents.session, "edit", {{"id", "a"}, {"state", "BLOCKED"}});
  CHECK(agents.listed({{"claimed_by", "ann"}}) == Ids{"a"});
  agents.session.later(15 * kMinute);
  CHECK(agents.listed({{"claimed", true}}).empty());
  CHECK(agents.listed({{"state", "IN_PROGRESS"}}).empty());
}

TEST_CASE("who has a task, and until when, is the same wherever it is shown") {
  Agents agents;
  const Json shown = ask(agents.session, "show", {{"id", "a"}}).at("task");
  const Json list = ask(agents.session, "list", {{"claimed_by", "ann"}});
  const Json& listed = list.at("nodes")[0];
  const Json node = ask(agents.session, "node_get", {{"id", "a"}}).at("node");
  for (const Json* task : {&shown, &listed, &node}) {
    CHECK(task->at("state") == "IN_PROGRESS");
    CHECK(task->at("claimed_by") == "ann");
  }
  CHECK(shown.at("claimed_until") == "2026-01-05T00:15:00.000Z");
  CHECK(listed.at("claimed_until") == shown.at("claimed_until"));
  const Json claims = ask(agents.session, "claim_list", {{"agent", "ann"}}).at("claims");
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].at("name") == "a");
}

TEST_CASE("an agent that asks for its claim again keeps the time that it had") {
  Agents agents;
  const auto until = [&](const Json& request) {
    return ask(agents.session, "claim", request).at("tasks")[0].at("expires_at");
  };
  const Json longer = until({{"id", "a"}, {"agent", "ann"}, {"lease", "2h"}});
  CHECK(until({{"id", "a"}, {"agent", "ann"}}) == longer);
  CHECK(until({{"id", "a"}, {"agent", "ann"}, {"lease", "3h"}}) > longer);
}

TEST_CASE("a claim is given back by the agent's name, without its token") {
  Agents agents;
  const Json back{{"id", "a"}, {"agent", "ann"}, {"give_back", true}};
  CHECK(refused(agents.session, "claim", {{"id", "a"}, {"agent", "bob"}, {"give_back", true}})
            .starts_with("bob has no claim of a"));
  CHECK(ask(agents.session, "claim", back).at("tasks").empty());
  CHECK(agents.listed({{"claimed", true}}) == Ids{"b"});
  CHECK(refused(agents.session, "claim", back).starts_with("ann has no claim of a"));
}

TEST_CASE("a wrong token is refused by who has the task and until when, never by the right token") {
  Agents agents;
  // So that the token is found in no time.
  for (int i = 0; i < 100; ++i) ask(agents.session, "add", {{"name", "more"}});
  agents.session.later(20 * kMinute);
  const std::int64_t old = agents.token, right = agents.claim("a", "carl");
  for (const auto& refusal :
       {refused(agents.session, "outcome", {{"id", "a"}, {"outcome", "success"}, {"token", old}}),
        refused(agents.session, "claim_renew", {{"token", old}}),
        refused(agents.session, "claim_release", {{"token", old}}),
        refused(agents.session, "claim", {{"id", "a"}, {"agent", "ann"}})}) {
    CHECK(refusal.find("carl") != std::string::npos);
    CHECK(refusal.find("2026-01-05T00:35:00Z") != std::string::npos);
    CHECK(refusal.find(std::to_string(right)) == std::string::npos);
  }
}
