// Setting, reading and checking a policy by the table of fields.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "reward/policy_fields.h"
#include "text/utf8.h"

namespace hebb::reward {
namespace {

// --- values as text: the shortest form that reads back to the same bits --------------------------

std::string text(double x) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  return {buffer.data(), end};
}
std::string text(int x) { return std::to_string(x); }
std::string text(bool x) { return x ? "true" : "false"; }
std::string text(const std::string& x) { return x; }

template <class Owner>
std::string value_text(const Owner& owner, const Field<Owner>& field) {
  return std::visit([&](auto member) { return text(owner.*member); }, field.member);
}

[[noreturn]] void refuse_value(std::string_view key, std::string_view value, const FieldInfo& info,
                               std::string_view allowed) {
  throw BadPolicy(fmt::format("policy: {} cannot be \"{}\"; allowed: {} ({}: {})", key, value,
                              allowed, info.unit, info.reason));
}

std::string range_text(const FieldInfo& info) { return text(info.min) + " to " + text(info.max); }

template <class Number>
bool parse(std::string_view s, const FieldInfo& info, Number& out) {
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), out);
  return error == std::errc() && end == s.data() + s.size() && out >= info.min &&
         out <= info.max;  // not NaN
}

void read(double& to, std::string_view key, std::string_view value, const FieldInfo& info) {
  double x = 0;
  if (!parse(value, info, x)) refuse_value(key, value, info, range_text(info));
  to = x + 0.0;  // -0 becomes 0, so that it is not printed as "-0"
}

void read(int& to, std::string_view key, std::string_view value, const FieldInfo& info) {
  int x = 0;
  if (!parse(value, info, x)) refuse_value(key, value, info, "a whole number, " + range_text(info));
  to = x;
}

void read(bool& to, std::string_view key, std::string_view value, const FieldInfo& info) {
  if (value != "true" && value != "false") refuse_value(key, value, info, "true or false");
  to = value == "true";
}

void read(std::string& to, std::string_view key, std::string_view value, const FieldInfo& info) {
  constexpr std::size_t kLongest = 64;
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_/:";
  if (value.empty() || value.size() > kLongest || value.find_first_not_of(kAllowed) != value.npos)
    refuse_value(key, value, info, "1 to 64 letters, digits and + - _ / :");
  to = value;
}

template <class Owner>
void assign(Owner& owner, const Field<Owner>& field, std::string_view key, std::string_view value) {
  std::visit([&](auto member) { read(owner.*member, key, value, field.info); }, field.member);
}

// --- keys ----------------------------------------------------------------------------------------

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replace, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

[[noreturn]] void refuse_key(std::string_view key, std::string_view prefix,
                             std::string_view nearest) {
  throw BadPolicy(
      fmt::format("policy: unknown key \"{}\"; did you mean \"{}{}\"?", key, prefix, nearest));
}

// name: how the key ends.
template <class Owner>
const Field<Owner>& find(std::span<const Field<Owner>> table, std::string_view name,
                         std::string_view key) {
  const auto is_it = [&](const auto& field) { return field.info.name() == name; };
  const auto found = std::ranges::find_if(table, is_it);
  if (found != table.end()) return *found;
  if (name.size() == key.size() && std::ranges::any_of(type_fields(), is_it)) {
    throw BadPolicy(
        fmt::format("policy: unknown key \"{0}\"; \"other.{0}\" is that of every edge type, "
                    "\"type.NAME.{0}\" of one",
                    key));
  }
  const auto distance = [&](const auto& field) { return edit_distance(name, field.info.name()); };
  refuse_key(key, key.substr(0, key.size() - name.size()),
             std::ranges::min_element(table, {}, distance)->info.name());
}

// Fields that had other names in hebb 0.1: its ledgers and policy files have the old names.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"restraint", "failure_penalty"},
    {"locality_exponent", "time_proximity_exponent"},
    {"expectancy_exponent", "success_rate_exponent"},
    {"expectancy_alpha", "success_rate_alpha"},
    {"expectancy_beta", "success_rate_beta"},
    {"expectancy_floor", "success_rate_floor"},
};

std::string_view name_now(std::string_view key) {
  for (const auto& [before, now] : kRenamed) {
    if (key == before) return now;
  }
  return key;
}

// Splits "type.NAME.FIELD" and the like. A name may have dots, a field's has none.
std::pair<std::string_view, std::string_view> name_and_field(std::string_view key,
                                                             std::string_view what,
                                                             std::string_view example) {
  const std::string_view rest = key.substr(key.find('.') + 1);
  const std::size_t dot = rest.rfind('.');
  const std::string_view name = rest.substr(0, dot == rest.npos ? 0 : dot);
  if (!is_type_name(name)) {
    throw BadPolicy(fmt::format("policy: \"{}\" names no {}; write {}.NAME.FIELD, for example {}",
                                key, what, key.substr(0, key.find('.')), example));
  }
  return {name, rest.substr(dot + 1)};
}

// The value that the same name has, or else a new one. Of labels and reasons only letters and
// digits count.
template <class Value>
void set_named(std::map<std::string, Value>& values, const FieldInfo& info, bool by_letters,
               std::pair<std::string_view, std::string_view> name_and_field, std::string_view key,
               std::string_view value) {
  const auto [name, field] = name_and_field;
  if (by_letters && reads_as("", name, true))
    throw BadPolicy(fmt::format("policy: \"{}\" has neither a letter nor a digit", name));
  if (field != info.name()) refuse_key(key, key.substr(0, key.size() - field.size()), info.name());
  Value given{};
  read(given, key, value, info);
  const auto found = std::ranges::find_if(values, [&, name = name](const auto& there) {
    return by_letters ? reads_as(there.first, name, true) : is_same_type(there.first, name);
  });
  (found == values.end() ? values[std::string(name)] : found->second) = given;
}

// --- what has to hold ----------------------------------------------------------------------------

template <class Owner>
void check_bounds(const Owner& owner, std::span<const Field<Owner>> table,
                  const std::string& prefix) {
  Owner scratch = owner;
  for (const Field<Owner>& field : table)
    assign(scratch, field, prefix + std::string(field.info.name()), value_text(owner, field));
}

void check_type(const TypePolicy& p, const std::string& prefix) {
  check_bounds(p, type_fields(), prefix);
  if (p.floor >= p.cap) {
    throw BadPolicy(
        fmt::format("policy: {0}floor = {1} has to be below {0}cap = {2}, or decay "
                    "would raise a capped weight's bound",
                    prefix, text(p.floor), text(p.cap)));
  }
  if (p.dormant_below > p.cap) {
    throw BadPolicy(
        fmt::format("policy: {0}dormant_below = {1} cannot be above {0}cap = {2}, or "
                    "every edge of the type would count in nothing",
                    prefix, text(p.dormant_below), text(p.cap)));
  }
}

}  // namespace

bool is_type_name(std::string_view name) {
  if (name.empty() || name.size() > 128) return false;
  while (!name.empty()) {
    const auto [c, bytes, is_valid] = first_character(name);
    if (!is_valid || c < 0x20 || c == 0x7F) return false;
    name.remove_prefix(bytes);
  }
  return true;
}

void set(Policy& policy, std::string_view key, std::string_view value) {
  constexpr std::string_view kOther = "other.";
  if (key.starts_with(kOther)) {
    assign(policy.other, find(type_fields(), key.substr(kOther.size()), key), key, value);
  } else if (key.starts_with("node.")) {
    set_named(policy.node_types, kNodeField, false,
              name_and_field(key, "type of nodes", "node.GATE.work"), key, value);
  } else if (key.starts_with("context.")) {
    set_named(policy.context_types, kContextField, false,
              name_and_field(key, "type of contexts", "context.USER.evidence"), key, value);
  } else if (key.starts_with("label.")) {
    set_named(policy.labels, kLabelField, true, name_and_field(key, "label", "label.P1.priority"),
              key, value);
  } else if (key.starts_with("reason.")) {
    const bool is_success = key.ends_with(kSuccessField.name());
    set_named(is_success ? policy.success_reasons : policy.failure_reasons,
              is_success ? kSuccessField : kReasonField, true,
              name_and_field(key, "reason", "reason.rejected.failure"), key, value);
  } else if (key.starts_with("type.")) {
    const auto [name, field] = name_and_field(key, "edge type", "type.BLOCKS.cap");
    TypePolicy changed = policy.type(name);
    assign(changed, find(type_fields(), field, key), key, value);
    policy.types[std::string(name)] = changed;
  } else {
    assign(policy, find(policy_fields(), name_now(key), key), key, value);
  }
}

std::vector<Setting> settings(const Policy& policy) {
  std::vector<Setting> all;
  const auto add = [&](const std::string& prefix, const auto& p, const auto& fields) {
    for (const auto& f : fields)
      all.push_back({prefix + std::string(f.info.name()), value_text(p, f)});
  };
  const auto add_named = [&](const std::string& group, const auto& values, const FieldInfo& info) {
    for (const auto& [name, value] : values)
      all.push_back({group + name + '.' + std::string(info.name()), text(value)});
  };
  add("", policy, policy_fields());
  add("other.", policy.other, type_fields());
  for (const auto& [name, p] : policy.types) add("type." + name + ".", p, type_fields());
  add_named("node.", policy.node_types, kNodeField);
  add_named("context.", policy.context_types, kContextField);
  add_named("label.", policy.labels, kLabelField);
  const auto reasons = static_cast<std::ptrdiff_t>(all.size());
  add_named("reason.", policy.failure_reasons, kReasonField);
  add_named("reason.", policy.success_reasons, kSuccessField);
  std::ranges::stable_sort(all.begin() + reasons, all.end(), {}, [](const Setting& one) {
    return one.key.substr(0, one.key.rfind('.'));  // fields of one name stand together
  });
  return all;
}

void check(const Policy& policy) {
  check_bounds(policy, policy_fields(), "");
  check_type(policy.other, "other.");
  const auto check_name = [](const std::string& name, std::string_view what) {
    if (!is_type_name(name))
      throw BadPolicy(fmt::format("policy: \"{}\" cannot name {}", name, what));
  };
  for (const auto& [name, p] : policy.types) {
    check_name(name, "an edge type");
    check_type(p, "type." + name + ".");
  }
  for (const auto& entry : policy.node_types) check_name(entry.first, "a type of nodes");
  for (const auto& entry : policy.context_types) check_name(entry.first, "a type of contexts");
}

}  // namespace hebb::reward
