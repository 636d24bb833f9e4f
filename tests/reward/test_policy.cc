#include <algorithm>
#include <charconv>
#include <limits>

#include <catch2/catch.hpp>

#include "reward/policy.h"
#include "tests/reward/world.h"
#include "tests/support/naive_model.h"

namespace hebb::reward {
namespace {

using Catch::Matchers::Contains;

double number(const std::string& s) {
  if (s == "true" || s == "false") return s == "true" ? 1 : 0;
  double x = 0;
  std::from_chars(s.data(), s.data() + s.size(), x);
  return x;
}

void check_against(const Policy& policy, const naive::Rules& rules) {
  for (const Setting& s : settings(policy)) {
    CAPTURE(s.key);
    if (s.key != "time_zone") CHECK(number(s.value) == rules[s.key]);  // no part of a rule
  }
}

TEST_CASE("policy: the profiles hold what the page says") {
  check_against(Policy::learned(), naive::Rules::learned());
  check_against(Policy::seed(), naive::Rules::seed());
  CHECK_NOTHROW(check(Policy::learned()));
  CHECK_NOTHROW(check(Policy::seed()));
}

TEST_CASE("policy: every field of the list can be set, and is listed by settings") {
  Policy policy = Policy::learned();
  const auto all = settings(policy);
  for (const FieldInfo& info : fields()) {
    std::string key(info.key);
    if (const auto star = key.find('*'); star != key.npos) key.replace(star, 1, "NEW");
    CAPTURE(key);
    CHECK_FALSE(info.unit.empty());
    CHECK_FALSE(info.reason.empty());
    CHECK((info.min < info.max || key == "time_zone"));
    const std::string value = key == "time_zone"             ? "UTC"
                              : info.unit == "true or false" ? "true"
                              : info.max >= 1                ? "1"
                                                             : "0.5";
    CHECK_NOTHROW(set(policy, key, value));
    const std::string listed = key.starts_with("type.NEW.") ? "other." + key.substr(9) : key;
    const auto now = settings(policy);
    const bool named = !key.starts_with("type.") && info.key.find('*') != info.key.npos;
    const auto& where = named ? now : all;
    CHECK(
        std::any_of(where.begin(), where.end(), [&](const Setting& s) { return s.key == listed; }));
  }
}

std::string text(double x) {
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

// Any field to any value within its bounds; what check() demands across fields is seen to after.
void set_at_random(Policy& policy, Random& random) {
  const std::vector<std::string> names{"NEW", "BLOCKS", "with.dot", "with \"quote\" \\", "関連"};
  const FieldInfo& info = random.pick(fields());
  std::string key(info.key);
  if (const auto star = key.find('*'); star != key.npos) {
    if (key.starts_with("type.") && random.chance(0.2)) {
      key.replace(0, star + 1, "other");
    } else {
      key.replace(star, 1, random.pick(names));
    }
  }
  const double x = random.between(info.min, std::min(info.max, 50.0));
  if (key == "time_zone") {
    set(policy, key, random.pick(std::vector<std::string>{"UTC", "+02:00", "America/New_York"}));
  } else if (info.unit == "true or false") {
    set(policy, key, random.chance(0.5) ? "true" : "false");
  } else if (info.unit.starts_with("0 (most urgent)")) {
    set(policy, key, std::to_string(static_cast<int>(x)));
  } else if (info.unit == "failures in a row" || info.unit == "tasks" || info.unit == "nodes" ||
             info.unit == "claims") {
    set(policy, key, std::to_string(static_cast<int>(x + 1)));
  } else {
    set(policy, key, text(x));
  }
}

void make_consistent(TypePolicy& p) {
  p.floor = std::min(p.floor, p.cap / 3);
  p.dormant_below = std::min(p.dormant_below, p.cap);
}

TEST_CASE("policy: a type of nodes is meant in any case") {
  Policy policy = Policy::learned();
  CHECK_FALSE(policy.is_work("DECISION"));
  CHECK_FALSE(policy.is_work("decision"));
  CHECK(policy.is_work("TASK"));
  CHECK(policy.is_work(""));
  set(policy, "node.Decision.work", "true");
  set(policy, "node.milestone.work", "false");
  CHECK(policy.is_work("decision"));
  CHECK_FALSE(policy.is_work("MILESTONE"));
  CHECK(from_toml(to_toml(policy)) == policy);
  CHECK_THROWS_WITH(set(policy, "node.GATE.cap", "1"), Contains("did you mean \"node.GATE.work\""));
  CHECK_THROWS_WITH(set(policy, "node.work", "true"), Contains("node.GATE.work"));
}

TEST_CASE("policy: labels and reasons are meant by their letters and digits, in any case") {
  Policy policy = Policy::learned();
  for (const char* high :
       {"priority: high", "Priority/High", "label-priority-HIGH", "High Priority"})
    CHECK(policy.label_priority(high) == 1);
  CHECK(policy.label_priority("label-P0") == 0);
  CHECK(policy.label_priority("P10") == -1);
  CHECK(policy.label_priority("highest priority") == -1);
  CHECK(policy.label_priority("") == -1);
  CHECK_FALSE(policy.is_failure("rejected"));
  set(policy, "reason.rejected.failure", "true");
  CHECK(policy.is_failure("Rejected: does not scale"));
  CHECK_FALSE(policy.is_failure("not rejected"));
  CHECK_FALSE(policy.is_failure(""));
  // Written otherwise it is the same label, and the same reason.
  set(policy, "label.high-PRIORITY.priority", "4");
  CHECK(policy.label_priority("high priority") == 4);
  CHECK(policy.labels.count("high-PRIORITY") == 0);
  set(policy, "reason.REJECTED.failure", "false");
  CHECK_FALSE(policy.is_failure("rejected"));
  CHECK_FALSE(policy.is_success("Ausgeliefert"));
  set(policy, "reason.ausgeliefert.success", "true");
  CHECK(policy.is_success("Ausgeliefert (2.1)"));
  CHECK_FALSE(policy.is_failure("Ausgeliefert"));
  CHECK_THROWS_WITH(set(policy, "reason.-.failure", "true"),
                    Contains("neither a letter nor a digit"));
  CHECK(from_toml(to_toml(policy)) == policy);
  CHECK_THROWS_WITH(set(policy, "label.P1.priority", "5"), Contains("-1 to 4"));
  CHECK_THROWS_WITH(set(policy, "label.P1", "1"), Contains("label.P1.priority"));
  CHECK_THROWS_WITH(set(policy, "reason..failure", "true"), Contains("reason.rejected.failure"));
}

TEST_CASE("policy: settings and TOML read back to the same bits") {
  const auto seed = GENERATE(range(1u, 40u));
  CAPTURE(seed);
  Random random(seed);
  Policy policy = random.chance(0.5) ? Policy::learned() : Policy::seed();
  for (int i = 0; i < 60; ++i) set_at_random(policy, random);
  make_consistent(policy.other);
  for (auto& [name, p] : policy.types) make_consistent(p);
  policy.success_rate_exponent = std::min(policy.success_rate_exponent, 10.0);

  const std::string toml = to_toml(policy);
  CAPTURE(toml);
  CHECK(from_toml(toml) == policy);

  Policy by_settings = Policy::learned();
  for (const Setting& s : settings(policy)) set(by_settings, s.key, s.value);
  CHECK(by_settings == policy);
}

TEST_CASE("policy: TOML keys that are absent keep their defaults") {
  CHECK(from_toml("") == Policy::learned());
  Policy expected = Policy::learned();
  expected.prior = 0.25;
  expected.other.cap = 7;
  expected.types["BLOCKS"].floor = 0.05;
  expected.types["NEW"] = expected.other;
  expected.types["NEW"].rate = 0.5;
  CHECK(from_toml("prior = 0.25\n[type.NEW]\nrate = 0.5\n[type.BLOCKS]\nfloor = 0.05\n"
                  "[other]\ncap = 7\n") == expected);
  CHECK(from_toml("[type.REWARD_NEGATIVE]\nmax_gain_per_day = inf\n") == Policy::learned());
}

TEST_CASE("policy: a key that does not exist is refused with the nearest that does") {
  Policy policy;
  const auto refused = [&](const char* key, const char* hint) {
    CHECK_THROWS_WITH(set(policy, key, "1"), Contains("unknown key") && Contains(hint));
  };
  refused("recency_exponant", "\"recency_exponent\"");
  refused("topk", "\"top_k\"");
  refused("cap", "\"other.cap\"");
  refused("type.BLOCKS.capp", "\"type.BLOCKS.cap\"");
  refused("other.is_protected", "\"other.protected\"");
  CHECK_THROWS_WITH(set(policy, "type.cap", "1"), Contains("type.NAME.FIELD"));
  CHECK_THROWS_WITH(set(policy, "type..cap", "1"), Contains("type.NAME.FIELD"));
  CHECK_THROWS_AS(set(policy, "", "1"), BadPolicy);
  CHECK_THROWS_AS(set(policy, "type.a\nb.cap", "1"), BadPolicy);
  CHECK_THROWS_AS(set(policy, "type.\xC0\x80.cap", "1"), BadPolicy);
  CHECK_THROWS_AS(set(policy, "type.\xED\xA0\x80.cap", "1"), BadPolicy);
  CHECK(policy == Policy{});
}

TEST_CASE("policy: a value that cannot be is refused and changes nothing") {
  Policy policy;
  const auto refused = [&](const char* key, const char* value) {
    CAPTURE(key, value);
    CHECK_THROWS_WITH(set(policy, key, value), Contains(key) && Contains("allowed"));
  };
  for (const char* value :
       {"", " 1", "1 ", "one", "nan", "-nan", "inf", "-inf", "-1", "1001", "1e400", "0x1", "1,5"}) {
    refused("prior", value);
  }
  refused("other.decay_per_day", "0");
  refused("other.decay_per_day", "1.0000001");
  refused("other.floor", "-0.1");
  refused("other.cap", "0");
  refused("other.cap", "1001");
  refused("reward_half_life_hours", "0");
  refused("failure_penalty", "0");
  refused("failure_penalty", "100.1");
  refused("untried_failures", "20.1");
  refused("top_k", "3.5");
  refused("top_k", "-1");
  refused("top_k", "1001");
  refused("max_related", "10001");
  refused("frontier_tasks", "0");
  refused("recency_exponent", "100.1");
  refused("close_on_success", "1");
  refused("close_on_success", "True");
  CHECK(policy == Policy{});
  CHECK_NOTHROW(set(policy, "other.max_gain_per_day", "inf"));
  CHECK(policy.other.max_gain_per_day == std::numeric_limits<double>::infinity());
}

TEST_CASE("policy: what fields demand of each other is checked together") {
  Policy policy = Policy::learned();
  SECTION("floor below cap") {
    policy.types["BLOCKS"].floor = 5;
    CHECK_THROWS_WITH(check(policy), Contains("type.BLOCKS.floor") && Contains("type.BLOCKS.cap"));
  }
  SECTION("dormant_below not above cap") {
    policy.other.dormant_below = 5.5;
    CHECK_THROWS_WITH(check(policy), Contains("other.dormant_below"));
    policy.other.dormant_below = 5;
    CHECK_NOTHROW(check(policy));
  }
  SECTION("values that did not come through set") {
    policy.prior = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(check(policy), Contains("prior"));
  }
}

TEST_CASE("policy: a key with a dot is read as TOML writes it, either way") {
  CHECK(from_toml("recorder.keep_days = 30").recorder_keep_days == 30);
  CHECK(from_toml("[recorder]\nkeep_days = 30").recorder_keep_days == 30);
  Policy policy = Policy::learned();
  set(policy, "recorder.keep_days", "2.5");
  CHECK(from_toml(to_toml(policy)) == policy);
}

TEST_CASE("policy: a TOML file that cannot be is refused with its line") {
  const auto refused = [](const char* text, const char* line, const char* what) {
    CAPTURE(text);
    CHECK_THROWS_WITH(from_toml(text), Contains(line) && Contains(what));
  };
  refused("prior = 0.5\nprior = ", "line 2", "TOML");
  refused("\n\npriro = 1", "line 3", "\"prior\"");
  refused("prior = \"1\"", "line 1", "number");
  refused("[type.BLOCKS]\ncap = -1", "line 2", "type.BLOCKS.cap");
  refused("[type.BLOCKS]\ncap = nan", "line 2", "type.BLOCKS.cap");
  refused("other = 3", "line 1", "table");
  refused("recorder = 3", "line 1", "\"recorder\"");
  refused("[recorder]\nkeep_days = 0", "line 2", "recorder.keep_days");
  refused("[recorder]\nkeep_day = 1", "line 2", "\"recorder.keep_day\"");
  refused("[recorder.keep_days]\nx = 1", "line 1", "number");
  refused("keep_days = 3", "line 1", "\"keep_days\"");
  refused("[type]\nBLOCKS = 3", "line 2", "table");
  refused("top_k = 2.5", "line 1", "whole number");
  CHECK_THROWS_AS(from_toml("[other]\ncap = 0.05\n"), BadPolicy);
  CHECK_THROWS_AS(from_toml("\xFF\xFE"), BadPolicy);
}

TEST_CASE("a field that 0.1 named otherwise is set by its old name") {
  Policy policy = Policy::learned();
  set(policy, "restraint", "0.5");
  set(policy, "locality_exponent", "0.25");
  set(policy, "expectancy_beta", "7");
  CHECK(policy.failure_penalty == 0.5);
  CHECK(policy.time_proximity_exponent == 0.25);
  CHECK(policy.success_rate_beta == 7);
  for (const Setting& s : settings(policy)) CHECK(s.key != "restraint");
  CHECK(from_toml("restraint = 0.25\n").failure_penalty == 0.25);
}

}  // namespace
}  // namespace hebb::reward
