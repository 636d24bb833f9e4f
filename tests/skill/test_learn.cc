// What replays teach, from results made by hand.
#include <catch2/catch.hpp>

#include "skill/learn/learn.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
namespace {

Skill saved(Engine& engine, const std::string& name) {
  Skill s;
  s.domain = "localhost";
  s.name = name;
  Step step;
  step.selectors = {by_role("button", "Save"), by(SelectorType::css, "#save")};
  s.artifact = Artifact{kNow, "0.2.0", {step}, Json::object()};
  save_skill(engine, s, kNow);
  return *load_skill(engine, skill_id("localhost", name));
}

ReplayResult run(bool ok, std::vector<SelectorType> missed, SelectorType via) {
  ReplayResult r;
  r.ok = ok;
  r.attempted = true;
  StepResult step;
  step.ok = ok;
  step.missed = std::move(missed);
  if (ok) step.resolved_via = via;
  r.steps = {step};
  if (!ok) r.failure = Failure{"ARTIFACT_RESOLUTION_FAILED", 0, "gone", ""};
  return r;
}

std::vector<std::string> ranked(Engine& engine, TimeMs now) {
  RankQuery query;
  query.top = 10;
  query.which.type = "SKILL";
  query.now = now;
  std::vector<std::string> ids;
  for (const RankRow& row : engine.rank(query)) ids.push_back(row.id);
  return ids;
}

}  // namespace

TEST_CASE("a skill that is proven goes before one that fails, and a rebuild says the same") {
  Engine engine({":memory:"});
  const Skill good = saved(engine, "good"), bad = saved(engine, "bad");
  for (int i = 1; i <= 3; ++i) {
    learn_replay(engine, good, run(true, {}, SelectorType::role_name), kNow + i * 1000);
    learn_replay(engine, bad, run(false, {SelectorType::role_name}, SelectorType::css),
                 kNow + i * 1000);
  }
  CHECK(skill_history(engine, good.id).proven());
  CHECK(skill_history(engine, bad.id).stale());
  CHECK(ranked(engine, kNow + 10'000) == std::vector<std::string>{good.id, bad.id});
  CHECK(engine.state().find_edge({"skill-proof", good.id, "PROVEN"}));
  engine.rebuild();
  CHECK(ranked(engine, kNow + 10'000) == std::vector<std::string>{good.id, bad.id});
  CHECK(engine.verify().empty());
  // One failure, and it is proven no more.
  learn_replay(engine, good, run(false, {SelectorType::role_name}, SelectorType::css),
               kNow + 20'000);
  CHECK_FALSE(skill_history(engine, good.id).proven());
  CHECK_FALSE(engine.state().find_edge({"skill-proof", good.id, "PROVEN"}));
}

TEST_CASE("what finds elements goes before what does not") {
  Engine engine({":memory:"});
  const auto before = learned_order(engine, kNow);
  CHECK(before.front() == SelectorType::node_ref);
  CHECK(before[1] == SelectorType::role_name);
  CHECK(before.back() == SelectorType::text);
  const Skill s = saved(engine, "s");
  for (int i = 1; i <= 30; ++i) {
    const TimeMs day = kNow + i * 86'400'000LL;
    learn_replay(engine, s, run(true, {SelectorType::role_name}, SelectorType::css), day);
  }
  const auto after = learned_order(engine, kNow + 31 * 86'400'000LL);
  const auto at = [&](SelectorType t) { return std::find(after.begin(), after.end(), t); };
  CHECK(at(SelectorType::css) < at(SelectorType::role_name));
  Chain chain{by_role("button", "Save"), by(SelectorType::css, "#save")};
  order_chain(chain, after);
  CHECK(chain.front().type == SelectorType::css);
}

TEST_CASE("a replay is one outcome of its skill, and one of nothing else") {
  Engine engine({":memory:"});
  const Skill s = saved(engine, "s");
  const auto outcomes = [&] {
    std::size_t count = 0;
    for (const char* id : {"skill:localhost/s", "strategy:role_name", "strategy:css"}) {
      if (!engine.state().exists(id)) continue;
      for (const Event& e : events_of_node(engine, id, kNow + 1'000'000))
        count += e.subject == id && std::holds_alternative<OutcomeSignal>(e.payload) ? 1 : 0;
    }
    return count;
  };
  learn_replay(engine, s, run(true, {SelectorType::role_name}, SelectorType::css), kNow + 1000);
  CHECK(outcomes() == 1);
  learn_replay(engine, s, run(false, {SelectorType::role_name}, SelectorType::css), kNow + 2000);
  CHECK(outcomes() == 2);
  // How it was found reinforces the edge from the step, and what was tried in vain its own.
  const EdgeName via{s.id + "#0", "strategy:css", "RESOLVED_VIA"};
  const EdgeName missed{s.id + "#0", "strategy:role_name", "MISSED_VIA"};
  CHECK(engine.state().find_edge(via));
  CHECK(engine.state().find_edge(missed));
  engine.rebuild();
  CHECK(engine.state().find_edge(via));
  CHECK(engine.state().find_edge(missed));
  CHECK(skill_history(engine, s.id).runs == 2);
}

TEST_CASE("other steps under a proven skill's name are not proven") {
  Engine engine({":memory:"});
  const EdgeName proof{std::string(kProofNode), "skill:localhost/s", std::string(kProvenType)};
  Skill s = saved(engine, "s");
  for (int i = 1; i <= 3; ++i)
    learn_replay(engine, s, run(true, {}, SelectorType::role_name), kNow + i * 1000);
  REQUIRE(engine.state().find_edge(proof));
  save_skill(engine, s, kNow + 5000);
  CHECK(engine.state().find_edge(proof));
  s.artifact->steps[0].selectors.pop_back();
  save_skill(engine, s, kNow + 6000);
  CHECK_FALSE(engine.state().find_edge(proof));
  CHECK_FALSE(skill_history(engine, s.id).proven());
}

TEST_CASE("a refusal teaches nothing") {
  Engine engine({":memory:"});
  const Skill s = saved(engine, "s");
  ReplayResult r = refused(code::kRiskyAction, "pays");
  learn_replay(engine, s, r, kNow + 1);
  CHECK(skill_history(engine, s.id).runs == 0);
}

}  // namespace hebb::skill::test
