// The constants of the page, typed again rather than taken from reward/policy.h.
#include <limits>
#include <utility>

#include "tests/support/naive_model.h"

namespace hebb::naive {

Rules Rules::learned() {
  Rules r;
  r.values_ = {
      {"prior", 0.5},
      {"semantic_weight", 2},
      {"structural_weight", 1},
      {"semantic_offset", 0.1},
      {"frontier_tasks", 2},
      {"recency_exponent", 0.2},
      {"age_exponent", 0.3},
      {"time_proximity_exponent", 0.7},
      {"order_proximity_exponent", 0.7},
      {"order_proximity_tasks", 3},
      {"order_proximity_failures", 3},
      {"proximity_hours", 4},
      {"context_overlap_weight", 0.25},
      {"reward_weight", 0.5},
      {"reward_half_life_hours", 24},
      {"attention_exponent", 3},
      {"success_rate_alpha", 2},
      {"success_rate_beta", 1},
      {"success_rate_exponent", 4},
      {"success_rate_prior", 12},
      {"success_rate_floor", 0.25},
      {"evidence_half_life_days", 30},
      {"failure_penalty", 0.85},
      {"untried_failures", 0},
      {"urgency_base", 1.7},
      {"due_weight", 8},
      {"due_hours", 24},
      {"pressing_days", 14},
      {"strict", 0},
      {"unblocks_urgency", 1},
      {"unblocks_exponent", 0.2},
      {"unblocks_decay", 0.8},
      {"duration_exponent", 1.4},
      {"waiting_exponent", 0},
      {"waiting_days", 7},
      {"waiting_share", 20},
      {"learn", 1},
      {"close_on_success", 1},
      {"max_related", 64},
      {"failure_guides_factor", 0.7},
      {"forgiveness", 0},
      {"pivot_factor", 0.5},
      {"attempts", 0},
      {"test.by_failures", 1},
      {"test.base", 1e-6},
      {"test.failure_factor", 1.5},
      {"test.forgiveness", 0.5},
      {"test.most_failures", 20},
      {"test.untried_failures", 1},
      {"top_k", 3},
      {"guides_relative", 1},
      {"mirrored", 1000},
      {"recorder.keep_days", 14},
      {"other.decay_per_day", 0.98},
      {"other.floor", 0.1},
      {"other.dormant_below", 0.2},
      {"other.rate", 0.1},
      {"other.cap", 5},
      {"other.max_gain_per_day", 1},
      {"other.protected", 0},
      {"other.structural", 1},
      {"other.context", 0},
      {"node.DECISION.work", 0},
      {"node.GATE.work", 0},
      {"node.RECORD.work", 0},
      {"context.USER.evidence", 0},
      {"context.MILESTONE.evidence", 0},
      {"context.SPRINT.evidence", 0},
      {"context.ITERATION.evidence", 0},
      {"context.CYCLE.evidence", 0},
      {"context.PRIORITY.evidence", 0},
  };
  for (const char* digit : {"0", "1", "2", "3", "4"})
    for (const char* before : {"P", "prio ", "prio P", "priority ", "priority P"})
      r.values_[std::string("label.") + before + digit + ".priority"] = digit[0] - '0';
  for (const auto& [word, priority] :
       {std::pair{"critical", 0}, {"urgent", 0}, {"high", 1}, {"medium", 2}, {"low", 3}}) {
    r.values_[std::string("label.priority: ") + word + ".priority"] = priority;
    r.values_[std::string("label.") + word + " priority.priority"] = priority;
  }
  r.values_["label.critical.priority"] = r.values_["label.urgent.priority"] = 0;
  const std::pair<const char*, double> differing[] = {
      {"type.IMPLEMENTS.protected", 1},
      {"type.EXTENDS.protected", 1},
      {"type.SYSTEM_TENET.protected", 1},
      {"type.REWARD_POSITIVE.protected", 1},
      {"type.REWARD_POSITIVE.structural", 0},
      {"type.REWARD_NEGATIVE.decay_per_day", 0.9},
      {"type.REWARD_NEGATIVE.rate", 1},
      {"type.REWARD_NEGATIVE.cap", 20},
      {"type.REWARD_NEGATIVE.max_gain_per_day", std::numeric_limits<double>::infinity()},
      {"type.REWARD_NEGATIVE.structural", 0},
      {"type.GUIDES.structural", 0},
      {"type.BLOCKS.protected", 1},
      {"type.BLOCKS.structural", 0},
      {"type.WAITS_FOR.protected", 1},
      {"type.WAITS_FOR.structural", 0},
      {"type.WAITS_FOR_ANY.protected", 1},
      {"type.WAITS_FOR_ANY.structural", 0},
      {"type.CROSS_REFERENCES.structural", 0},
      {"type.LABELED_AS.context", 1},
      {"type.LABELED_AS.protected", 1},
      {"type.LABELED_AS.structural", 0},
      {"type.IN_CATEGORY.context", 1},
      {"type.IN_CATEGORY.protected", 1},
      {"type.IN_CATEGORY.structural", 0},
      {"type.ASSIGNED_TO.context", 1},
      {"type.ASSIGNED_TO.protected", 1},
      {"type.ASSIGNED_TO.structural", 0},
  };
  for (const auto& [key, value] : differing) r.set(key, value);
  return r;
}

Rules Rules::seed() {
  Rules r = learned();
  for (const char* off :
       {"prior", "recency_exponent", "time_proximity_exponent", "order_proximity_exponent",
        "context_overlap_weight", "reward_weight", "success_rate_exponent", "unblocks_urgency",
        "unblocks_exponent", "waiting_exponent", "guides_relative", "age_exponent",
        "attention_exponent", "duration_exponent", "pressing_days", "learn"}) {
    r.set(off, 0);
  }
  r.set("failure_penalty", 1);
  r.set("urgency_base", 1);
  r.set("due_weight", 0);
  r.set("type.GUIDES.structural", 1);
  r.set("type.REWARD_POSITIVE.structural", 1);
  return r;
}

double Rules::operator[](const std::string& key) const {
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  return values_.at("other." + key.substr(key.rfind('.') + 1));
}

void Rules::set(const std::string& key, double value) {
  const std::string prefix = key.substr(0, key.rfind('.') + 1);
  if (prefix.starts_with("type.") && !values_.contains(prefix + "cap")) {
    for (const char* field : {"decay_per_day", "floor", "dormant_below", "rate", "cap",
                              "max_gain_per_day", "protected", "structural", "context"}) {
      values_[prefix + field] = values_.at(std::string("other.") + field);
    }
  }
  values_[key] = value;
}

bool Rules::is_no_work(std::string node_type) const {
  for (char& c : node_type) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c + 'A' - 'a');
  }
  const auto found = values_.find("node." + node_type + ".work");
  return found != values_.end() && found->second == 0;
}

bool Rules::is_evidence(std::string context_type) const {
  for (char& c : context_type) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c + 'A' - 'a');
  }
  const auto found = values_.find("context." + context_type + ".evidence");
  return found == values_.end() || found->second != 0;
}

namespace {

std::string letters_and_digits(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') kept += static_cast<char>(c + 'a' - 'A');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) kept += c;
  }
  return kept;
}

}  // namespace

std::optional<int> Rules::label_priority(const std::string& label) const {
  const std::string before = "label.", after = ".priority";
  const std::string name = label.starts_with("label-") ? label.substr(6) : label;
  for (const auto& [key, value] : values_) {
    if (!key.starts_with(before) || !key.ends_with(after) || value < 0) continue;
    const auto length = key.size() - before.size() - after.size();
    if (letters_and_digits(key.substr(before.size(), length)) == letters_and_digits(name))
      return static_cast<int>(value);
  }
  return std::nullopt;
}

double Rules::of(const std::string& type, const std::string& field) const {
  return (*this)["type." + type + "." + field];
}

}  // namespace hebb::naive
