#include "api/policy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "api/common.h"
#include "api/when.h"
#include "reward/presets.h"
#include "text/ascii.h"

namespace hebb::api {

namespace {

constexpr std::string_view kNoBound = "inf";

Json values_of(const std::vector<reward::Setting>& settings) {
  Json values = Json::object();
  for (const auto& [key, value] : settings) values[key] = setting_value(value);
  return values;
}

// The settings of these keys, in their order; without keys all.
std::vector<reward::Setting> chosen(const reward::Policy& policy,
                                    const std::vector<std::string>& keys) {
  const auto all = reward::settings(policy);
  if (keys.empty()) return all;
  std::vector<reward::Setting> found;
  for (const auto& key : keys) {
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const reward::Setting& s) { return s.key == key; });
    if (it == all.end()) {
      throw invalid("keys",
                    "the policy has no key \"{}\"; `hebb policy show --json` lists them all", key);
    }
    found.push_back(*it);
  }
  return found;
}

void append(Engine& engine, PolicyChange change, TimeMs at) {
  Event event;
  event.at = at;
  event.subject = "policy";
  event.payload = std::move(change);
  engine.append(std::move(event));
}

bool in_force(Engine& engine, const PolicyChange& change) {
  reward::Policy policy = engine.state().policy();
  for (const auto& [key, value] : change.settings) reward::set(policy, key, value);
  return policy == engine.state().policy();
}

// Appends the change; returns the policy then in force. An event is folded by the policy in force
// at its time. Before the first outcome, the change holds from the beginning, so that it also holds
// for a history that is imported later.
reward::Policy changed(Session& session, const PolicyChange& change, bool from_the_beginning) {
  constexpr TimeMs kBeginning = 0;
  return write(session, [&](Engine& engine) {
    const bool from_then = from_the_beginning || engine.ledger().count_outcomes() == 0;
    if (from_then) append(engine, change, kBeginning);
    // Settings that were made later stay in force from their time on.
    if (!from_then || !in_force(engine, change)) append(engine, change, session.now());
    return engine.state().policy();
  });
}

}  // namespace

Json setting_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return text;
  if (!std::isfinite(number)) return nullptr;
  if (number == std::floor(number) && std::abs(number) < 1e15)
    return static_cast<std::int64_t>(number);
  return number;
}

std::string setting_text(const Json& value) {
  if (value.is_null()) return std::string(kNoBound);
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

std::vector<reward::Setting> parse_settings(const std::vector<std::string>& assignments,
                                            const std::string& field) {
  std::vector<reward::Setting> settings;
  for (const auto& a : assignments) {
    const auto equals = a.find('=');
    if (equals == std::string::npos) {
      throw invalid(field, "{} has \"{}\", which is no setting; write KEY=VALUE", named(field), a);
    }
    settings.push_back({a.substr(0, equals), a.substr(equals + 1)});
  }
  return settings;
}

struct PolicyResult {
  Object settings;
  std::optional<std::string> toml;
};
RECORD(PolicyResult,
       FIELD(settings, "By key: a number, true or false, a text, or null where there is no bound"),
       FIELD(toml, "All of them as a policy file, with units and reasons"))

// --- get -----------------------------------------------------------------------------------------

struct PolicyGetRequest {
  std::vector<std::string> keys;
  bool as_toml = false;
};
RECORD(PolicyGetRequest, FIELD(keys, "Only these keys", {.positional = true, .option = "KEY"}),
       FIELD(as_toml, "Give all of them as a policy file as well", {.hidden = true}))

static PolicyResult policy_get(Session& session, const PolicyGetRequest& request) {
  const reward::Policy policy = session.engine(Access::read).state().policy();
  PolicyResult result{values_of(chosen(policy, request.keys)), {}};
  if (request.as_toml) result.toml = reward::to_toml(policy);
  return result;
}

// --- set -----------------------------------------------------------------------------------------

namespace {

// The change, and the keys in it; none: all keys.
PolicyChange change_of(const Json& values, std::vector<std::string>& keys) {
  PolicyChange change;
  for (const auto& [key, value] : values.items()) {
    if (value.is_structured()) {
      throw invalid("settings." + key, "\"{}\" has to be a number, true or false, a text, or null",
                    key);
    }
    change.settings.emplace_back(key, setting_text(value));
    keys.push_back(key);
    if (key == "time_zone") TimeZone(change.settings.back().second, "time_zone");
  }
  if (keys.empty()) throw invalid("settings", "{} names no key", named("settings"));
  return change;
}

// Replaces the whole policy by that of a file.
PolicyChange replacement(std::string_view toml) try {
  if (trim(toml).empty())
    throw problem(ProblemType::unreadable, "toml",
                  "{} is empty; --preset tests is what a policy is at first", named("toml"));
  PolicyChange change;
  change.replace = true;
  const reward::Policy policy = reward::from_toml(toml);
  TimeZone(policy.time_zone, "time_zone");
  for (auto& [key, value] : reward::settings(policy)) change.settings.emplace_back(key, value);
  return change;
} catch (const reward::BadPolicy& e) {
  throw problem(ProblemType::unreadable, "toml", "{}: {}", named("toml"), e.what());
}

}  // namespace

struct PolicySetRequest {
  Object settings;
  std::optional<std::string> toml, preset;
  bool from_the_beginning = false;
};
RECORD(PolicySetRequest,
       FIELD(settings, "By key (see `hebb policy show`); keys not named stay as they are",
             {.positional = true, .option = "KEY=VALUE"}),
       FIELD(toml, "Replace the policy by this file's; keys it lacks get their defaults",
             {.option = "--file", .from_file = true}),
       FIELD(preset,
             "Replace it by one that hebb brings: tests, the default, orders nodes of type TEST by "
             "their failures; by tasks they are tasks as all others; by strict the priority that "
             "people set decides",
             {.choices = names_of(reward::presets())}),
       FIELD(from_the_beginning,
             "Hold for all that has happened, too; so it is anyway while there are no outcomes"))

static PolicyResult policy_set(Session& session, const PolicySetRequest& request) {
  if (!request.settings.json.is_null() + request.toml.has_value() + request.preset.has_value() !=
      1) {
    throw invalid("settings", "give one of {}, {} and {}", named("settings"), named("toml"),
                  named("preset"));
  }
  std::vector<std::string> keys;
  const PolicyChange change = request.toml     ? replacement(*request.toml)
                              : request.preset ? replacement(reward::preset(*request.preset).toml)
                                               : change_of(request.settings, keys);
  return {values_of(chosen(changed(session, change, request.from_the_beginning), keys)), {}};
}

std::optional<std::string> note_on_tests(Session& session) {
  const reward::Policy& policy = session.engine(Access::write).state().policy();
  if (policy.close_on_success && !policy.test_by_failures) {
    return "a test that passes is closed until it reports again, since by the policy tests are "
           "tasks; `hebb policy set --preset tests` puts what failed first";
  }
  if (!policy.close_on_success && policy.failure_penalty > 1) {
    return "the policy leaves tasks open that succeed, as the preset tests of hebb 0.2.0 did; by "
           "`hebb policy set --preset tests` that holds for tests alone";
  }
  return std::nullopt;
}

Operations policy_operations() {
  return {
      operation({.name = "policy_get",
                 .command = "policy show",
                 .summary = "What is in force, with units and reasons",
                 .example = "  hebb policy show\n  hebb policy show failure_penalty top_k\n"
                            "  hebb policy show --json",
                 .route = "GET /policy"},
                policy_get),
      operation({.name = "policy_set",
                 .summary = "Change values, or all of them; they hold from now on",
                 .example = "  hebb policy set failure_penalty=0.5 top_k=5\n"
                            "  hebb policy set type.BLOCKS.decay_per_day 0.99\n"
                            "  hebb policy set time_zone=Europe/Berlin\n"
                            "  hebb policy set --file policy.toml\n"
                            "  hebb policy set --preset tests",
                 .route = "POST /policy",
                 .problems = {ProblemType::unreadable, ProblemType::refused},
                 .idempotent = true},
                policy_set),
  };
}

}  // namespace hebb::api
