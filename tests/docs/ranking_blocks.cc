// The blocks of docs/ranking.md, but for those of a sender.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "engine/engine.h"
#include "reward/factors.h"
#include "reward/policy.h"
#include "reward/ranking.h"
#include "tests/docs/blocks.h"
#include "tests/support/ranking.h"

namespace hebb::test {

namespace {

using reward::FieldInfo;
using reward::Policy;
using Settings = std::map<std::string, std::string>;

Settings settings_by_key(const Policy& policy) {
  Settings all;
  for (const auto& [key, value] : reward::settings(policy)) all[key] = value;
  return all;
}

std::string number(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

std::string value_of(const std::string& key, const Settings& values) {
  if (key.starts_with("type.*.")) return values.at("other." + key.substr(7));
  if (key == "node.*.work" || key == "context.*.evidence") return "true";
  if (key == "label.*.priority") return "-1";
  if (key == "reason.*.failure") return "false";
  return values.at(key);
}

// The part of the table that a setting stands in.
std::string part_of(std::string_view key) {
  if (key.starts_with("type.")) return "policy-types";
  if (key.starts_with("node.") || key.starts_with("context.")) return "policy-nodes";
  return key.find('*') != key.npos ? "policy-names" : "policy";
}

Rows settings_of(const std::string& part) {
  const Settings values = settings_by_key(Policy::learned());
  Rows rows;
  for (const FieldInfo& info : reward::fields()) {
    const std::string key(info.key);
    if (part_of(key) != part) continue;
    const bool bounded = info.unit != "true or false" && info.min != info.max;
    rows.push_back({code(key), value_of(key, values), std::string(info.unit),
                    bounded ? number(info.min) + " to " + number(info.max) : "",
                    std::string(info.reason)});
  }
  return rows;
}

// All that differs from the defaults of a type that is not named.
Rows edge_types() {
  const Policy learned = Policy::learned();
  const Settings values = settings_by_key(learned);
  Rows rows;
  for (const auto& [name, type] : learned.types) {
    std::vector<std::string> differing;
    const std::string prefix = "type." + name + ".";
    for (const auto& [key, value] : values) {
      if (!key.starts_with(prefix)) continue;
      const std::string field = key.substr(prefix.size());
      if (values.at("other." + field) != value) differing.push_back(code(field + " = " + value));
    }
    rows.push_back({code(name), fmt::format("{}", fmt::join(differing, ", "))});
  }
  return rows;
}

Rows baseline() {
  const Settings seed = settings_by_key(Policy::seed());
  Rows rows;
  for (const auto& [key, value] : reward::settings(Policy::learned())) {
    if (seed.at(key) != value) rows.push_back({code(key), value, seed.at(key)});
  }
  return rows;
}

// Two digits; of less than a thousand three, without zeros at the end; thousands apart.
std::string rounded(double factor) {
  const int digits = factor < 1000 ? 3 : 2;
  const double unit = std::pow(10, std::floor(std::log10(factor)) + 1 - digits);
  std::string text = fmt::format("{:g}", std::round(factor / unit) * unit);
  if (text.size() > 3 && text.find('.') == text.npos) text.insert(text.size() - 3, ",");
  return text;
}

// What 60 failures of a task, so many days apart, divide its priority by.
std::vector<std::string> cost_of_failures(int days) {
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
    const auto f = reward::factors(engine.state().view(), *engine.state().find("task"), at);
    return rounded(1 / (f.success_rate * f.failure_penalty));
  };
  return {days == 1 ? "day" : fmt::format("{} days", days), divided_by(now),
          divided_by(now + days * reward::kMsPerDay)};
}

Rows days_between_failures() {
  Rows rows;
  for (const int days : {1, 3, 7, 30}) rows.push_back(cost_of_failures(days));
  return rows;
}

}  // namespace

Generators ranking_blocks() {
  Generators blocks;
  for (const char* part : {"policy", "policy-types", "policy-nodes", "policy-names"}) {
    blocks[part] = table_block({"key", "default", "unit", "bounds", "why"},
                               [part] { return settings_of(part); });
  }
  blocks["edge-types"] =
      half_written_block({"type", "differs from the default in", "because"}, edge_types);
  blocks["baseline"] = table_block({"key", "default", "baseline"}, baseline);
  blocks["days-between-failures"] = table_block(
      {"a failure every", "just after the last", "just before the next"}, days_between_failures);
  return blocks;
}

}  // namespace hebb::test
