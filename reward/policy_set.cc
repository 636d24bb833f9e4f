// Setting, reading and checking a policy by the table of fields.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "reward/policy_fields.h"

namespace hebb::reward {
namespace {

std::string text(double x) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  return {buffer.data(), end};
}

std::string in_quotes(std::string_view s) { return '"' + std::string(s) + '"'; }

[[noreturn]] void refuse_value(std::string_view key, std::string_view value, const FieldInfo& info,
                               std::string_view allowed) {
  throw BadPolicy("policy: " + std::string(key) + " cannot be " + in_quotes(value) +
                  "; allowed: " + std::string(allowed) + " (" + std::string(info.unit) + ": " +
                  std::string(info.reason) + ")");
}

std::string range_text(const FieldInfo& info) { return text(info.min) + " to " + text(info.max); }

template <class Number>
bool parse(std::string_view s, Number& out) {
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), out);
  return error == std::errc() && end == s.data() + s.size();
}

// Not inlined: where a type has members of one kind alone, g++ warns of those that it has not.
template <class Owner>
[[gnu::noinline]] void assign(Owner& owner, const Field<Owner>& field, std::string_view key,
                              std::string_view value) {
  const FieldInfo& info = field.info;
  const auto in_bounds = [&](double x) { return x >= info.min && x <= info.max; };  // not NaN
  if (const auto* real = std::get_if<double Owner::*>(&field.member)) {
    double x = 0;
    if (!parse(value, x) || !in_bounds(x)) refuse_value(key, value, info, range_text(info));
    owner.** real = x + 0.0;  // -0 becomes 0, so that it is not printed as "-0"
  } else if (const auto* whole = std::get_if<int Owner::*>(&field.member)) {
    int x = 0;
    if (!parse(value, x) || !in_bounds(x)) {
      refuse_value(key, value, info, "a whole number, " + range_text(info));
    }
    owner.** whole = x;
  } else if (const auto* name = std::get_if<std::string Owner::*>(&field.member)) {
    constexpr std::size_t kLongest = 64;
    constexpr std::string_view kAllowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_/:";
    if (value.empty() || value.size() > kLongest || value.find_first_not_of(kAllowed) != value.npos)
      refuse_value(key, value, info, "1 to 64 letters, digits and + - _ / :");
    owner.** name = value;
  } else {
    if (value != "true" && value != "false") refuse_value(key, value, info, "true or false");
    owner.*std::get<bool Owner::*>(field.member) = value == "true";
  }
}

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

template <class Owner>
const Field<Owner>& find(std::span<const Field<Owner>> table, std::string_view name,
                         std::string_view key) {
  const Field<Owner>* nearest = nullptr;
  std::size_t least = 0;
  for (const Field<Owner>& field : table) {
    if (field.name() == name) return field;
    const std::size_t distance = edit_distance(name, field.name());
    if (nearest == nullptr || distance < least) {
      nearest = &field;
      least = distance;
    }
  }
  const std::string prefix(key.substr(0, key.size() - name.size()));
  const auto of_types = type_fields();
  const bool of_type = std::any_of(of_types.begin(), of_types.end(),
                                   [&](const auto& field) { return field.name() == name; });
  if (prefix.empty() && of_type) {
    throw BadPolicy("policy: unknown key " + in_quotes(key) + "; " +
                    in_quotes("other." + std::string(key)) +
                    " is that of every edge type, \"type.NAME." + std::string(key) + "\" of one");
  }
  throw BadPolicy("policy: unknown key " + in_quotes(key) + "; did you mean " +
                  in_quotes(prefix + std::string(nearest->name())) + "?");
}

template <class Owner>
void check_bounds(const Owner& owner, std::span<const Field<Owner>> table,
                  std::string_view prefix) {
  Owner scratch = owner;
  for (const Field<Owner>& field : table) {
    assign(scratch, field, std::string(prefix) + std::string(field.name()),
           value_text(owner, field));
  }
}

void check_type(const TypePolicy& p, const std::string& prefix) {
  check_bounds(p, type_fields(), prefix);
  if (p.floor >= p.cap) {
    throw BadPolicy("policy: " + prefix + "floor = " + text(p.floor) + " has to be below " +
                    prefix + "cap = " + text(p.cap) +
                    ", or decay would raise a capped weight's bound");
  }
  if (p.dormant_below > p.cap) {
    throw BadPolicy("policy: " + prefix + "dormant_below = " + text(p.dormant_below) +
                    " cannot be above " + prefix + "cap = " + text(p.cap) +
                    ", or every edge of the type would count in nothing");
  }
}

}  // namespace

template <class Owner>
std::string value_text(const Owner& owner, const Field<Owner>& field) {
  if (const auto* real = std::get_if<double Owner::*>(&field.member)) return text(owner.**real);
  if (const auto* whole = std::get_if<int Owner::*>(&field.member)) {
    return std::to_string(owner.**whole);
  }
  if (const auto* name = std::get_if<std::string Owner::*>(&field.member)) return owner.**name;
  return owner.*std::get<bool Owner::*>(field.member) ? "true" : "false";
}
template std::string value_text(const Policy&, const Field<Policy>&);
template std::string value_text(const TypePolicy&, const Field<TypePolicy>&);
template std::string value_text(const NodePolicy&, const Field<NodePolicy>&);
template std::string value_text(const LabelPolicy&, const Field<LabelPolicy>&);
template std::string value_text(const ReasonPolicy&, const Field<ReasonPolicy>&);

bool is_type_name(std::string_view name) {
  if (name.empty() || name.size() > 128) return false;
  int to_come = 0;  // continuation bytes of the character begun
  unsigned char low = 0x80,
                high = 0xBF;  // bounds of the next byte: no overlong forms, no surrogates
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (to_come > 0) {
      if (byte < low || byte > high) return false;
      --to_come;
      low = 0x80;
      high = 0xBF;
    } else if (byte >= 0x80) {
      if (byte < 0xC2 || byte > 0xF4) return false;
      to_come = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
      if (byte == 0xE0) low = 0xA0;
      if (byte == 0xED) high = 0x9F;
      if (byte == 0xF0) low = 0x90;
      if (byte == 0xF4) high = 0x8F;
    } else if (byte < 0x20 || byte == 0x7F) {
      return false;
    }
  }
  return to_come == 0;
}

namespace {

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

}  // namespace

namespace {

// Of "type.NAME.FIELD" and the like. A name may have dots, a field's has none.
std::pair<std::string_view, std::string_view> name_and_field(std::string_view key,
                                                             std::string_view what,
                                                             std::string_view example) {
  const std::string_view rest = key.substr(key.find('.') + 1);
  const std::size_t dot = rest.rfind('.');
  const std::string_view name = rest.substr(0, dot == rest.npos ? 0 : dot);
  if (!is_type_name(name)) {
    throw BadPolicy("policy: " + in_quotes(key) + " names no " + std::string(what) + "; write " +
                    std::string(key.substr(0, key.find('.'))) + ".NAME.FIELD, for example " +
                    std::string(example));
  }
  return {name, rest.substr(dot + 1)};
}

// Of a name that has no policy yet, one is made.
template <class P>
void set_named(std::map<std::string, P>& policies, std::string_view name,
               std::span<const Field<P>> table, std::string_view field, std::string_view key,
               std::string_view value) {
  const bool says_nothing = reads_as("", name, true);
  if (says_nothing)
    throw BadPolicy("policy: " + in_quotes(name) + " has neither a letter nor a digit");
  const auto found = std::find_if(policies.begin(), policies.end(), [&](const auto& there) {
    return reads_as(there.first, name, true);
  });
  P changed = found == policies.end() ? P() : found->second;
  assign(changed, find(table, field, key), key, value);
  (found == policies.end() ? policies[std::string(name)] : found->second) = changed;
}

}  // namespace

void set(Policy& policy, std::string_view key, std::string_view value) {
  constexpr std::string_view kOther = "other.";
  if (key.starts_with(kOther)) {
    assign(policy.other, find(type_fields(), key.substr(kOther.size()), key), key, value);
    return;
  }
  if (key.starts_with("node.")) {
    const auto [name, field] = name_and_field(key, "type of nodes", "node.GATE.work");
    NodePolicy changed;
    assign(changed, find(node_fields(), field, key), key, value);
    policy.node_type(name) = changed;
    return;
  }
  if (key.starts_with("label.")) {
    const auto [name, field] = name_and_field(key, "label", "label.P1.priority");
    return set_named(policy.labels, name, label_fields(), field, key, value);
  }
  if (key.starts_with("reason.")) {
    const auto [name, field] = name_and_field(key, "reason", "reason.rejected.failure");
    return set_named(policy.reasons, name, reason_fields(), field, key, value);
  }
  if (!key.starts_with("type.")) {
    assign(policy, find(policy_fields(), name_now(key), key), key, value);
    return;
  }
  const auto [name, field] = name_and_field(key, "edge type", "type.BLOCKS.cap");
  TypePolicy changed = policy.type(name);
  assign(changed, find(type_fields(), field, key), key, value);
  policy.types[std::string(name)] = changed;
}

std::vector<Setting> settings(const Policy& policy) {
  std::vector<Setting> all;
  for (const auto& f : policy_fields())
    all.push_back({std::string(f.name()), value_text(policy, f)});
  const auto add = [&](const std::string& prefix, const auto& p, const auto& fields) {
    for (const auto& f : fields) all.push_back({prefix + std::string(f.name()), value_text(p, f)});
  };
  add("other.", policy.other, type_fields());
  for (const auto& [name, p] : policy.types) add("type." + name + ".", p, type_fields());
  for (const auto& [name, p] : policy.node_types) add("node." + name + ".", p, node_fields());
  for (const auto& [name, p] : policy.labels) add("label." + name + ".", p, label_fields());
  for (const auto& [name, p] : policy.reasons) add("reason." + name + ".", p, reason_fields());
  return all;
}

void check(const Policy& policy) {
  check_bounds(policy, policy_fields(), "");
  // The largest factor has to stay a finite double with room for the others. It is the product of
  // two rates.
  const double largest_log10 = 2 * policy.success_rate_exponent *
                               std::log10((policy.success_rate_alpha + policy.success_rate_beta) /
                                          policy.success_rate_alpha);
  if (largest_log10 > 100) {
    throw BadPolicy("policy: success_rate_exponent = " + text(policy.success_rate_exponent) +
                    " lets success_rate exceed 1e100; lower it, or success_rate_beta");
  }
  check_type(policy.other, "other.");
  const double most = std::max(policy.type("REWARD_NEGATIVE").cap, policy.untried_failures);
  if (std::log10(policy.failure_penalty) * most > 100) {
    throw BadPolicy("policy: failure_penalty = " + text(policy.failure_penalty) +
                    " to the power of " + text(most) +
                    " failures exceeds 1e100; lower it, or type.REWARD_NEGATIVE.cap");
  }
  for (const auto& [name, p] : policy.types) {
    if (!is_type_name(name))
      throw BadPolicy("policy: " + in_quotes(name) + " cannot name an edge type");
    check_type(p, "type." + name + ".");
  }
  for (const auto& [name, p] : policy.node_types) {
    if (!is_type_name(name))
      throw BadPolicy("policy: " + in_quotes(name) + " cannot name a type of nodes");
  }
}

}  // namespace hebb::reward
