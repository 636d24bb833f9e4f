// A policy as a TOML file: writing it with unit and reason beside each value, and reading it.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "reward/policy_fields.h"
#include "reward/presets.h"
#include "text/ascii.h"

namespace hebb::reward {
namespace {

std::string toml_key(const std::string& name) {
  const auto bare = [](char c) { return is_word_char(c) || c == '-'; };
  if (std::all_of(name.begin(), name.end(), bare)) return name;
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

[[noreturn]] void refuse(const toml::source_region& where, const std::string& what) {
  throw BadPolicy(what + " (line " + std::to_string(where.begin.line) + ")");
}

std::string scalar_text(const toml::node& node, const std::string& key) {
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* real = node.as_floating_point()) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), real->get()).ptr;
    return {buffer.data(), end};
  }
  if (const auto* name = node.as_string(); name != nullptr && key == "time_zone")
    return name->get();
  refuse(node.source(), "policy: " + key + " has to be a number, true or false");
}

void set_scalars(Policy& policy, const toml::table& table, const std::string& prefix) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const toml::table* group = node.as_table(); group != nullptr && prefix.empty()) {
      set_scalars(policy, *group, key + '.');  // recorder.keep_days
      continue;
    }
    const std::string value = scalar_text(node, key);
    try {
      set(policy, key, value);
    } catch (const BadPolicy& e) {
      refuse(node.source(), e.what());
    }
  }
}

const toml::table& as_table(const toml::node& node, const std::string& key) {
  if (!node.is_table()) refuse(node.source(), "policy: " + key + " has to be a table");
  return *node.as_table();
}

toml::table parse(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& e) {
    refuse(e.source(), "policy: not TOML: " + std::string(e.description()));
  }
}

}  // namespace

Policy from_toml(std::string_view text) {
  toml::table root = parse(text);
  Policy policy = Policy::learned();
  // [other] first, whatever the order in the file: other types start as a copy of it.
  if (const toml::node* other = root.get("other")) {
    set_scalars(policy, as_table(*other, "other"), "other.");
    root.erase("other");
  }
  if (const toml::node* types = root.get("type")) {
    for (const auto& [name, node] : as_table(*types, "type")) {
      const std::string prefix = "type." + std::string(name.str());
      const toml::table& fields_of_type = as_table(node, prefix);
      // A table without keys also gives its type a policy of its own.
      if (is_type_name(name.str())) policy.types.try_emplace(std::string(name.str()), policy.other);
      set_scalars(policy, fields_of_type, prefix + ".");
    }
    root.erase("type");
  }
  for (const std::string group : {"node", "context", "label", "reason"}) {
    const toml::node* named = root.get(group);
    if (named == nullptr) continue;
    for (const auto& [name, node] : as_table(*named, group)) {
      const std::string prefix = group + "." + std::string(name.str());
      set_scalars(policy, as_table(node, prefix), prefix + ".");
    }
    root.erase(group);
  }
  set_scalars(policy, root, "");
  check(policy);
  return policy;
}

std::string to_toml(const Policy& policy) {
  const std::vector<Setting> all = settings(policy);
  const std::size_t at_top = policy_fields().size();            // they come first
  const std::size_t explained = at_top + type_fields().size();  // then [other], as in fields()
  std::string out, table;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [key, value] = all[i];
    const std::size_t dot = i < at_top ? key.npos : key.rfind('.');
    if (i >= at_top && key.substr(0, dot) != table) {
      table = key.substr(0, dot);
      const std::size_t name = table.find('.') + 1;
      out += name == 0
                 ? "\n[other]  # edge types not named below\n"
                 : fmt::format("\n[{}{}]\n", table.substr(0, name), toml_key(table.substr(name)));
    }
    const std::string_view quote = key == "time_zone" ? "\"" : "";
    out += fmt::format("{} = {}{}{}", key.substr(dot + 1), quote, value, quote);
    if (i < explained) out += fmt::format("  # {}; {}", fields()[i].unit, fields()[i].reason);
    out += '\n';
  }
  return out;
}

const Preset& preset(std::string_view name) {
  const auto all = presets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Preset& p) { return p.name == name; });
  if (found != all.end()) return *found;
  std::string names;
  for (const Preset& p : all) names += (names.empty() ? "" : ", ") + std::string(p.name);
  throw BadPolicy("policy: there is no preset \"" + std::string(name) + "\"; there are " + names);
}

}  // namespace hebb::reward
