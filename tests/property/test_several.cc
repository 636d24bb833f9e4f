// Several databases asked together, against one database that has all their events: what
// docs/ranking.md says of that.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "api/operation.h"
#include "tests/support/history.h"
#include "tests/support/random.h"

namespace hebb::test {
namespace {

using api::Access, api::Json;
using Settings = std::vector<std::pair<std::string, std::string>>;

// A session on an engine, or on several sessions together.
class EngineSession final : public api::Session {
 public:
  EngineSession(Engine& engine, std::string name, const TimeMs& now)
      : engine_(engine), name_(std::move(name)), now_(now) {}

  Engine& engine(Access) override { return engine_; }
  sql::Database& tables(Access) override { return tables_of(engine_); }
  TimeMs now() const override { return now_; }
  std::optional<TimeMs> given_now() const override { return std::nullopt; }
  void note(const std::string&) override {}
  Progress progress(const std::string&) override { return {}; }
  std::string path() const override { return name_; }
  std::vector<api::Session*> several() const override { return all; }

  std::vector<api::Session*> all;

 private:
  Engine& engine_;
  const std::string name_;
  const TimeMs& now_;
};

// What looks at all tasks of a database, and in several databases at those of each.
const Settings kLooksAtAll{{"semantic_weight", "0"},
                           {"time_proximity_exponent", "0"},
                           {"order_proximity_exponent", "0"},
                           {"context_overlap_weight", "0"},
                           {"waiting_share", "0"},
                           {"learn", "false"}};

struct Kind {
  Settings settings = kLooksAtAll;
  bool all_have_labels = true;
  bool pivots = false;
  bool labels_tell_days = true;  // of each it is known how long its tasks take
};

// Projects with a database each, and one database that is told the same. Ids begin with the
// project, so that they do not clash, and no edge crosses.
class Company {
 public:
  explicit Company(std::uint64_t seed, Kind kind = {})
      : random(seed), kind_(std::move(kind)), whole_(open(":memory:")) {
    const auto count = 2 + random.below(3);
    for (std::uint64_t p = 0; p < count; ++p)
      engines_.push_back(std::make_unique<Engine>(open(":memory:")));
    for (const auto& engine : engines_) engine->append(policy(kStart - kDay, kind_.settings));
    whole_.append(policy(kStart - kDay, kind_.settings));
    for (std::size_t p = 0; p < count; ++p)
      sessions_.push_back(std::make_unique<EngineSession>(*engines_[p], database(p), now));
    several = std::make_unique<EngineSession>(*engines_[0], "all", now);
    for (const auto& one : sessions_) several->all.push_back(one.get());
    whole = std::make_unique<EngineSession>(whole_, "whole", now);
    for (std::size_t p = 0; p < count; ++p) begin(p);
  }

  static std::string database(std::size_t p) { return fmt::format("{}.db", p); }
  static std::string task(std::size_t p, std::uint64_t i) { return fmt::format("p{}-t{}", p, i); }

  void step() {
    if (random.chance(0.6)) now += static_cast<TimeMs>(random.below(30)) * kHour;
    const std::size_t p = random.below(engines_.size());
    const std::string one = task(p, random.below(kTasks)), two = task(p, random.below(kTasks));
    const std::vector<std::string> types{"RELATES", "BLOCKS", "PARENT_OF", "WAITS_FOR",
                                         "CROSS_REFERENCES"};
    switch (random.below(10)) {
      case 0:
      case 1:
        return tell(p, timed(success(now, one)));
      case 2:
      case 3:
        return tell(p, timed(failure(now, one)));
      case 4:
        return tell(p, partial(now, one));
      case 5:
        return tell(p, state(now, one, random.chance(0.7) ? "OPEN" : "IN_PROGRESS"));
      case 6:
        if (one != two) tell(p, link(now, one, random.pick(types), two, random.between(0.5, 3)));
        return;
      case 7:
        return say(p, one);
      case 8:
        if (kind_.pivots) return tell(p, pivot(now, one));
        [[fallthrough]];
      default:
        if (random.chance(0.5)) return recalibrate();
        if (one != two) tell(p, success(now, one, {two}, random.between(0.1, 1)));
    }
  }

  void recalibrate() {
    ++now;
    for (const auto& engine : engines_) engine->recalibrate(now);
    whole_.recalibrate(now);
  }

  std::size_t size() const { return engines_.size(); }
  Engine& engine(std::size_t p) { return *engines_[p]; }

  Random random;
  TimeMs now = kStart;
  std::unique_ptr<EngineSession> several, whole;

 private:
  static constexpr std::uint64_t kTasks = 8;

  Event timed(Event outcome) {
    if (random.chance(0.7)) {
      std::get<OutcomeSignal>(outcome.payload).input =
          fmt::format(R"({{"metrics":{{"executionTimeMs":{}}}}})", random.below(3));
    }
    return outcome;
  }

  void tell(std::size_t p, const Event& event) {
    engines_[p]->append(event);
    whole_.append(event);
  }

  void begin(std::size_t p) {
    for (int i = 0; i < 3; ++i) {
      const std::string label = fmt::format("p{}-l{}", p, i), done = label + "-done";
      tell(p, node(now, label, "LABEL", ""));
      if (!kind_.labels_tell_days) continue;
      Event closed = node(now, done, "TASK", "CLOSED");
      std::get<NodeUpsert>(closed.payload).estimate = kHour << i;
      tell(p, closed);
      tell(p, link(now, done, "LABELED_AS", label));
    }
    for (std::uint64_t i = 0; i < kTasks; ++i) {
      now += static_cast<TimeMs>(random.below(3)) * kHour;
      const auto vector = [&] { return static_cast<float>(random.between(-1, 1)); };
      tell(p, node(now, task(p, i), i < 2 ? "TEST" : "TASK", "OPEN", {vector(), vector()}));
      if (kind_.all_have_labels || random.chance(0.5))
        tell(p, link(now, task(p, i), "LABELED_AS", fmt::format("p{}-l{}", p, random.below(3))));
    }
  }

  void say(std::size_t p, const std::string& id) {
    Event event;
    event.at = now;
    event.subject = id;
    NodeUpsert upsert;
    upsert.pinned = random.chance(0.1);
    upsert.priority = static_cast<int>(random.below(5));
    if (random.chance(0.3)) upsert.due_at = now + static_cast<TimeMs>(random.below(20)) * kDay;
    if (random.chance(0.1)) upsert.snoozed_until = now + kDay;
    event.payload = upsert;
    tell(p, event);
  }

  Kind kind_;
  std::vector<std::unique_ptr<Engine>> engines_;
  Engine whole_;
  std::vector<std::unique_ptr<EngineSession>> sessions_;
};

Json ask(api::Session& session, std::string_view operation, const Json& request) {
  return api::operation_named(operation).call(session, request);
}

// Without what says of which database it is, and what compares a task with all of one: reasons, and
// the similarity, which counts in the base.
Json same_part(Json answer) {
  for (Json& task : answer["tasks"])
    for (const char* own : {"database", "why", "semantic"}) task.erase(own);
  answer.erase("blocking_cycle");
  return answer;
}

std::string database_of(const std::string& id) { return id.substr(1, id.find('-') - 1) + ".db"; }

bool is_same(Company& company, const Json& request) {
  return same_part(ask(*company.several, "rank", request)) ==
         same_part(ask(*company.whole, "rank", request));
}

TEST_CASE("several databases rank as one that has all their events, but for what looks at all") {
  const std::vector<Json> requests{{{"limit", 100}},
                                   {{"limit", 4}, {"offset", 3}},
                                   {{"limit", 5}, {"scheduler", "slurm"}},
                                   {{"limit", 9}, {"claimed", true}},
                                   {{"limit", 3}, {"among", {"p0-t1", "p1-t2", "p1-t3", "p1-t1"}}}};
  for (int seed = 1; seed <= soak(12); ++seed) {
    CAPTURE(seed);
    Company company(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 40; ++i) {
      company.step();
      for (const Json& request : requests) {
        CAPTURE(i, request);
        const Json got = ask(*company.several, "rank", request);
        REQUIRE(same_part(got) == same_part(ask(*company.whole, "rank", request)));
        for (const Json& task : got["tasks"]) REQUIRE(task["database"] == database_of(task["id"]));
      }
      const std::string then = api::time_text(company.now - kDay * (i % 5));
      REQUIRE(is_same(company, {{"limit", 100}, {"as_of", then}}));
    }
  }
}

// Each part of this is what the page names as each database's own.
TEST_CASE("what looks at all tasks is each database's own") {
  const auto ever_differs = [](const Kind& kind, const Json& request = {{"limit", 100}}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Company company(seed, kind);
      for (int i = 0; i < 40; ++i) {
        company.step();
        if (!is_same(company, request)) return true;
      }
    }
    return false;
  };
  CHECK_FALSE(ever_differs({}));
  // Of the last two, claims show the one, and 20 completions the other.
  for (std::size_t on = 0; on + 2 < kLooksAtAll.size(); ++on) {
    CAPTURE(kLooksAtAll[on].first);
    Kind kind;
    kind.settings.erase(kind.settings.begin() + static_cast<std::ptrdiff_t>(on));
    CHECK(ever_differs(kind));
    if (on == 0) CHECK_FALSE(ever_differs(kind, {{"limit", 100}, {"vector", {0.3, -0.2}}}));
  }
  CHECK(ever_differs({.all_have_labels = false}));
  CHECK(ever_differs({.pivots = true}));
  CHECK(ever_differs({.labels_tell_days = false}));
  CHECK(ever_differs({}, {{"limit", 100}, {"profile", "seed"}}));
}

// With any policy: all rows of each database at one time, sorted as docs/ranking.md says.
TEST_CASE("several databases give the first of all rows of each") {
  for (int seed = 1; seed <= soak(10); ++seed) {
    CAPTURE(seed);
    Company company(static_cast<std::uint64_t>(seed),
                    {.settings = {{"due_weight", "1"}}, .all_have_labels = false, .pivots = true});
    for (int i = 0; i < 40; ++i) {
      company.step();
      if (company.random.chance(0.3))  // different stamps
        company.engine(0).recalibrate(company.now += static_cast<TimeMs>(company.random.below(9)));
      TimeMs weights_at = graph::kNever;
      for (std::size_t p = 0; p < company.size(); ++p)
        weights_at = std::max(weights_at, company.engine(p).state().facts().ranked_at());
      std::vector<
          std::tuple<std::int64_t, double, double, double, bool, TimeMs, TimeMs, std::string>>
          rows;
      for (std::size_t p = 0; p < company.size(); ++p) {
        Engine& engine = company.engine(p);
        RankQuery all;
        all.top = 1000;
        all.now = company.now;
        all.weights_at = weights_at;
        for (const RankRow& row : engine.rank(all)) {
          const graph::Graph& g = engine.state().graph();
          const graph::NodeId n = *g.find_node(row.id);
          const TimeMs took =
              std::abs(row.factors.test_failures) < 1 ? g.nodes().duration_ms[n] : 0;
          rows.emplace_back(-row.factors.tier, -row.factors.priority, -row.factors.base,
                            -row.factors.test_failures, took == graph::kNever, took,
                            g.nodes().created_at[n], row.id);
        }
      }
      std::sort(rows.begin(), rows.end());
      const std::size_t limit = 1 + company.random.below(12);
      const Json got = ask(*company.several, "rank", {{"limit", limit}});
      REQUIRE(got["tasks"].size() == std::min(limit, rows.size()));
      REQUIRE(got["total"] == rows.size());
      REQUIRE(got["as_of"] == api::time_text(company.now));
      for (std::size_t k = 0; k < got["tasks"].size(); ++k) {
        REQUIRE(got["tasks"][k]["id"] == std::get<std::string>(rows[k]));
        REQUIRE(got["tasks"][k]["rank"] == k + 1);
      }
    }
  }
}

}  // namespace
}  // namespace hebb::test
