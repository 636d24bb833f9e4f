// The two profiles, and the policies of the known edge types.
#include "reward/policy.h"

#include <algorithm>
#include <limits>

#include "reward/policy_fields.h"
#include "text/ascii.h"

namespace hebb::reward {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

constexpr TypePolicy kNeverForgotten{.is_protected = true};
constexpr TypePolicy kFailureWeight{.decay_per_day = 0.9,
                                    .rate = 1.0,
                                    .cap = 20,
                                    .max_gain_per_day = kUnlimited,
                                    .structural = false};
static_assert(kFailureWeight.rate == 1.0, "k failures at once weigh k: failure_penalty is 0.7^k");
static_assert(kFailureWeight.max_gain_per_day == kUnlimited, "no failure goes uncounted");
constexpr TypePolicy kNotStructural{.structural = false};
// A fact that holds until it is taken back, and no recommendation.
constexpr TypePolicy kFact{.is_protected = true, .structural = false};
// The kind of a task does not change with time.
constexpr TypePolicy kContextOfSource{.is_protected = true, .structural = false, .context = true};

bool is_letter_or_digit(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || is_alnum(c);
}

}  // namespace

bool is_same_type(std::string_view a, std::string_view b) {
  return same_name(a, b);
}

bool reads_as(std::string_view text, std::string_view other, bool whole) {
  std::size_t at = 0;
  const auto skip = [&] {
    while (at < text.size() && !is_letter_or_digit(text[at])) ++at;
  };
  for (const char c : other) {
    if (!is_letter_or_digit(c)) continue;
    skip();
    if (at == text.size() || to_lower(text[at++]) != to_lower(c)) return false;
  }
  skip();
  return !whole || at == text.size();
}

Policy Policy::learned() {
  Policy p;
  p.types = {
      {"IMPLEMENTS", kNeverForgotten},
      {"EXTENDS", kNeverForgotten},
      {"SYSTEM_TENET", kNeverForgotten},
      {"REWARD_POSITIVE", kFact},  // used in the factors reward and success_rate
      {"REWARD_NEGATIVE", kFailureWeight},
      {"GUIDES", kNotStructural},  // the result of one ranking is not evidence for the next one
      {"BLOCKS", kFact},           // these three decide who is a candidate
      {"WAITS_FOR", kFact},
      {"WAITS_FOR_ANY", kFact},
      {"CROSS_REFERENCES",
       kNotStructural},  // tasks that are mentioned are not needed more: docs/measurements.md
      {"LABELED_AS", kContextOfSource},
      {"IN_CATEGORY", kContextOfSource},
      {"ASSIGNED_TO", kContextOfSource},
  };
  // Types of tasks that people decide, that happen elsewhere, and that a program keeps for itself.
  p.node_types = {{"DECISION", false}, {"GATE", false}, {"RECORD", false}};
  // Who does it, when it is released and how urgent it is.
  for (const char* type : {"USER", "MILESTONE", "SPRINT", "ITERATION", "CYCLE", "PRIORITY"})
    p.context_types[type] = false;
  for (int i = 0; i <= 4; ++i)
    for (const char* before : {"P", "prio ", "prio P", "priority ", "priority P"})
      p.labels[before + std::to_string(i)] = i;
  for (const auto& [word, priority] :
       {std::pair{"critical", 0}, {"urgent", 0}, {"high", 1}, {"medium", 2}, {"low", 3}}) {
    p.labels["priority: " + std::string(word)] = priority;
    p.labels[std::string(word) + " priority"] = priority;
  }
  p.labels["critical"] = p.labels["urgent"] = 0;  // the other bare words may name an effort
  return p;
}

Policy Policy::seed() {
  Policy p = learned();
  p.prior = 0;
  switch_factors_off(p);
  p.guides_relative = false;
  p.learn = false;
  p.types["GUIDES"].structural = true;
  p.types["REWARD_POSITIVE"].structural = true;
  return p;
}

const TypePolicy& Policy::type(std::string_view edge_type) const {
  const auto found = types.find(std::string(edge_type));
  return found == types.end() ? other : found->second;
}

bool Policy::is_work(std::string_view node_type) const {
  return std::ranges::none_of(node_types, [&](const auto& entry) {
    return is_same_type(entry.first, node_type) && !entry.second;
  });
}

bool Policy::is_evidence(std::string_view node_type, std::string_view id) const {
  if (label_priority(id) >= 0) node_type = "PRIORITY";
  return std::ranges::none_of(context_types, [&](const auto& entry) {
    return is_same_type(entry.first, node_type) && !entry.second;
  });
}

int Policy::label_priority(std::string_view id) const {
  constexpr std::string_view kPrefix = "label-";  // of labels that an import made
  if (id.starts_with(kPrefix)) id.remove_prefix(kPrefix.size());
  for (const auto& [name, priority] : labels)
    if (reads_as(id, name, true)) return priority;
  return -1;
}

namespace {

bool is_one_of(const std::map<std::string, bool>& reasons, std::string_view reason) {
  return std::ranges::any_of(reasons, [&](const auto& entry) {
    return entry.second && reads_as(reason, entry.first, false);
  });
}

}  // namespace

bool Policy::is_failure(std::string_view reason) const {
  return is_one_of(failure_reasons, reason);
}

bool Policy::is_success(std::string_view reason) const {
  return is_one_of(success_reasons, reason);
}

}  // namespace hebb::reward
