// docs/semantics.md against the policy, the event codec, and its own arithmetic.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/engine.h"
#include "reward/factors.h"
#include "reward/policy.h"
#include "reward/ranking.h"
#include "reward/weight.h"
#include "tests/docs/page.h"
#include "tests/support/ranking.h"

using hebb::reward::FieldInfo;
using hebb::reward::Policy;
using hebb::reward::TypePolicy;
using hebb::test::in_backticks;
using hebb::test::Page;
using hebb::test::Table;

namespace {

const Page& semantics_page() {
  static const Page semantics("docs/semantics.md");
  return semantics;
}

const Table& table(const std::string& section, std::size_t number = 0) {
  static std::map<std::string, std::vector<Table>> found;
  auto& tables = found.try_emplace(section, semantics_page().tables(section)).first->second;
  REQUIRE(tables.size() > number);
  return tables[number];
}

std::map<std::string, std::string> settings_by_key(const Policy& policy) {
  std::map<std::string, std::string> all;
  for (const auto& [key, value] : hebb::reward::settings(policy)) all[key] = value;
  return all;
}

std::string number(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

std::vector<std::string> row(const FieldInfo& info,
                             const std::map<std::string, std::string>& values) {
  const std::string key(info.key);
  const bool is_switch = info.unit == "true or false";
  const std::string value = key.starts_with("type.*.")  ? values.at("other." + key.substr(7))
                            : key == "node.*.work"      ? "true"
                            : key == "label.*.priority" ? "-1"
                            : key == "reason.*.failure" ? "false"
                                                        : values.at(key);
  return {"`" + key + "`", value, std::string(info.unit),
          is_switch || info.min == info.max ? "" : number(info.min) + " to " + number(info.max),
          std::string(info.reason)};
}

}  // namespace

TEST_CASE("the tables of the policy are those of the program") {
  std::vector<std::vector<std::string>> policy, types, nodes, named;
  for (const FieldInfo& info : hebb::reward::fields()) {
    (info.key.starts_with("type.")         ? types
     : info.key.starts_with("node.")       ? nodes
     : info.key.find('*') != info.key.npos ? named
                                           : policy)
        .push_back(row(info, settings_by_key(Policy::learned())));
  }
  CHECK(policy.size() > 15);
  CHECK(table("8 Policy", 0).rows == policy);
  CHECK(table("8 Policy", 1).rows == types);
  CHECK(table("8 Policy", 2).rows == nodes);
  CHECK(table("8 Policy", 3).rows == named);
}

TEST_CASE("the table of edge types says all that differs from the default, and nothing else") {
  std::map<std::string, std::string> documented, actual;
  for (const auto& cells : table("Edge types").rows) {
    documented[in_backticks(cells.at(0)).at(0)] =
        fmt::format("{}", fmt::join(in_backticks(cells.at(1)), ", "));
  }
  const Policy learned = Policy::learned();
  const auto values = settings_by_key(learned);
  for (const auto& [name, type] : learned.types) {
    std::vector<std::string> differing;
    const std::string prefix = "type." + name + ".";
    for (const auto& [key, value] : values) {
      if (!key.starts_with(prefix)) continue;
      const std::string field = key.substr(prefix.size());
      if (values.at("other." + field) != value) differing.push_back(field + " = " + value);
    }
    actual[name] = fmt::format("{}", fmt::join(differing, ", "));
  }
  CHECK(documented == actual);
}

TEST_CASE("the table of the profile seed says all that differs") {
  std::map<std::string, std::pair<std::string, std::string>> documented, actual;
  for (const auto& cells : table("The profile `seed`").rows) {
    documented[in_backticks(cells.at(0)).at(0)] = {cells.at(1), cells.at(2)};
  }
  const auto learned = settings_by_key(Policy::learned()), seed = settings_by_key(Policy::seed());
  for (const auto& [key, value] : learned) {
    if (seed.at(key) != value) actual[key] = {value, seed.at(key)};
  }
  CHECK(documented == actual);
}

TEST_CASE("every kind of event stands beside the digit of its keys") {
  std::map<std::string, char> documented, actual;
  for (const auto& cells : table("6 The ledger").rows) {
    if (cells.at(0) == "7") continue;
    const std::string kinds = cells.at(1) + ",";
    for (std::size_t from = 0, to = kinds.find(','); to != kinds.npos;
         from = to + 2, to = kinds.find(',', to + 1)) {
      documented[kinds.substr(from, to - from)] = cells.at(0).at(0);
    }
  }
  const auto add = [&](const hebb::Payload& payload) {
    actual[std::string(hebb::kind_name(payload))] = hebb::event_key(payload, "x").at(0);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add(std::variant_alternative_t<I, hebb::Payload>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<hebb::Payload>>());
  CHECK(documented == actual);
}

TEST_CASE("numbers in the text follow from the policy") {
  const TypePolicy type;
  const double half_life = std::log(0.5) / std::log(type.decay_per_day);
  const double awake = std::log(type.dormant_below) / std::log(type.decay_per_day);
  const auto says = [](const std::string& text) {
    INFO(text);
    CHECK(semantics_page().text().find(text) != std::string::npos);
  };
  says(fmt::format("halves in {:.1f} days", half_life));
  says(fmt::format("1.0 falls below {} after {:.1f} days", type.dormant_below, awake));
  CHECK(hebb::reward::dormant(type, 1, 0, static_cast<hebb::TimeMs>((awake + 0.1) * 86'400'000)));
  CHECK_FALSE(
      hebb::reward::dormant(type, 1, 0, static_cast<hebb::TimeMs>((awake - 0.1) * 86'400'000)));

  const Policy policy = Policy::learned();
  const auto failures = [&](double ratio) {
    return static_cast<int>(std::floor(std::log(ratio) / std::log(1 / policy.failure_penalty))) + 1;
  };
  says(fmt::format("{} for a ratio of 10, {} for a ratio of 100", failures(10), failures(100)));
  const double cap = policy.type("REWARD_NEGATIVE").cap;
  says(fmt::format("= {:.0f} can be\novercome", std::pow(policy.failure_penalty, -cap)));
  says(fmt::format("The cap of {}", cap));
}

TEST_CASE("days between its failures do not save a task: the table says what they cost") {
  using namespace hebb;
  const Policy policy = Policy::learned();
  const auto text = [](double factor) {
    const double digits = factor < 1000 ? 3 : 2;
    const double unit = std::pow(10, std::floor(std::log10(factor)) + 1 - digits);
    const auto rounded = fmt::format("{:g}", std::round(factor / unit) * unit);
    return rounded;
  };
  std::size_t rows = 0;
  for (const auto& cells : table("4 Priority", 0).rows) {
    const int days = cells.at(0) == "day" ? 1 : std::stoi(cells.at(0));
    CAPTURE(days);
    Engine engine({":memory:"});
    NodeUpsert upsert;
    upsert.type = "TASK";
    upsert.state = "OPEN";
    TimeMs now = 1'700'000'000'000;
    engine.append(Event{0, now, "task", "", upsert});
    OutcomeSignal failure;
    failure.outcome = OutcomeKind::failure;
    for (int i = 0; i < 60; ++i)
      engine.append(Event{0, now += days * reward::kMsPerDay, "task", "", failure});
    const auto divided_by = [&](TimeMs at) {
      const auto view = engine.state().view();
      const auto f = reward::factors(view, *engine.state().find("task"), at);
      return 1 / (f.success_rate * f.failure_penalty);
    };
    std::string just_after = cells.at(1), before_next = cells.at(2);
    std::erase(just_after, ',');
    std::erase(before_next, ',');
    CHECK(just_after == text(divided_by(now)));
    CHECK(before_next == text(divided_by(now + days * reward::kMsPerDay)));
    ++rows;
  }
  CHECK(rows == 4);
}
