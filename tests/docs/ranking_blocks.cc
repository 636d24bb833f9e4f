// The blocks of docs/ranking.md, but for those of a sender.
#include <charconv>

#include <fmt/format.h>

#include "api/rank.h"
#include "reward/policy.h"
#include "tests/docs/blocks.h"

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
  if (key == "reason.*.failure" || key == "reason.*.success") return "false";
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

}  // namespace

Generators ranking_blocks() {
  Generators blocks;
  for (const char* part : {"policy", "policy-types", "policy-nodes", "policy-names"}) {
    blocks[part] = table_block({"key", "default", "unit", "bounds", "why"},
                               [part] { return settings_of(part); });
  }
  blocks["edge-types"] =
      half_written_block({"type", "differs from the default in", "because"}, edge_types);
  blocks["effects"] = table_block({"what happens", "effect on the priority"}, [] {
    Rows rows;
    for (const auto& [what, effect] : api::what_counts())
      rows.push_back({std::string(what), std::string(effect)});
    return rows;
  });
  blocks["baseline"] = table_block({"key", "default", "baseline"}, baseline);
  return blocks;
}

}  // namespace hebb::test
