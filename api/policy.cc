#include "api/policy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "api/common.h"
#include "reward/presets.h"

namespace hebb::api {

struct FromTheBeginning {
  bool from_the_beginning = false;
};
RECORD(FromTheBeginning,
       FIELD(from_the_beginning, "Hold for all that has happened, and for what is imported later, "
             "however old; so it is anyway while there are no outcomes"))

namespace {

constexpr std::string_view kNoBound = "inf";

Json values_of(const std::vector<reward::Setting>& settings) {
  Json values = Json::object();
  for (const auto& [key, value] : settings) values[key] = setting_value(value);
  return values;
}

// Those of the keys, in their order; without keys all.
std::vector<reward::Setting> chosen(const reward::Policy& policy,
                                    const std::vector<std::string>& keys) {
  const auto all = reward::settings(policy);
  if (keys.empty()) return all;
  std::vector<reward::Setting> found;
  for (const auto& key : keys) {
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const reward::Setting& s) { return s.key == key; });
    if (it == all.end()) {
      throw Problem(ProblemType::invalid_argument,
                    fmt::format("the policy has no key \"{}\"; `hebb policy show --json` lists "
                                "them all",
                                key),
                    "keys");
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

// Appends the change; what is in force then. An event is folded by the policy in force at its
// time. Where no outcome has come yet, there is nothing that the new policy should not hold for;
// that it holds from the beginning makes it hold for a history that is imported afterwards.
reward::Policy changed(Session& session, PolicyChange change, bool from_the_beginning) {
  constexpr TimeMs kBeginning = 0;
  Engine& engine = session.engine(Access::write);
  from_the_beginning = from_the_beginning || engine.ledger().count_outcomes() == 0;
  if (from_the_beginning) append(engine, change, kBeginning);
  // What was set later says otherwise from then on.
  if (!from_the_beginning || !in_force(engine, change))
    append(engine, std::move(change), session.now());
  return engine.state().policy();
}

// Puts all of it in force, whatever was.
reward::Policy replaced(Session& session, const reward::Policy& policy, bool from_the_beginning) {
  PolicyChange change;
  change.replace = true;
  for (auto& [key, value] : reward::settings(policy)) change.settings.emplace_back(key, value);
  return changed(session, std::move(change), from_the_beginning);
}

}  // namespace

Json setting_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  const double number = std::strtod(text.c_str(), nullptr);
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
      throw Problem(
          ProblemType::invalid_argument,
          fmt::format("{} has \"{}\", which is no setting; write KEY=VALUE", named(field), a),
          field);
    }
    settings.push_back({a.substr(0, equals), a.substr(equals + 1)});
  }
  return settings;
}

struct PolicyResult {
  Json settings = Json::object();   // a number, true or false, or null where there is no bound
  std::optional<std::string> toml;  // of all of them, if asked for
};
RECORD(PolicyResult,
       OBJECT_FIELD(settings, "By key: a number, true or false, or null where there is no bound"),
       FIELD(toml, "All of them as a policy file, with units and reasons, if asked for"))

// --- get -----------------------------------------------------------------------------------------

struct PolicyGetRequest {
  std::vector<std::string> keys;
  bool as_toml = false;
};
RECORD(PolicyGetRequest,
       FIELD(keys, "Only these keys", {.positional = true, .option = "KEY"}),
       FIELD(as_toml, "Give all of them as a policy file as well", {.hidden = true}))

static PolicyResult policy_get(Session& session, const PolicyGetRequest& request) {
  const reward::Policy policy = session.engine(Access::read).state().policy();
  PolicyResult result{values_of(chosen(policy, request.keys)), {}};
  if (request.as_toml) result.toml = reward::to_toml(policy);
  return result;
}

// --- set -----------------------------------------------------------------------------------------

struct PolicySetRequest : FromTheBeginning {
  Json settings = Json::object();
};
RECORD(PolicySetRequest,
       OBJECT_FIELD(settings, "By key, as policy_get gives them; keys not named stay as they are",
                    {.required = true, .positional = true, .option = "KEY=VALUE"}),
       FIELDS_OF_BASE(FromTheBeginning))

static PolicyResult policy_set(Session& session, const PolicySetRequest& request) {
  PolicyChange change;
  std::vector<std::string> keys;
  for (const auto& [key, value] : request.settings.items()) {
    if (value.is_structured()) {
      throw Problem(ProblemType::invalid_argument,
                    fmt::format("\"{}\" has to be a number, true or false, or null", key),
                    "settings." + key);
    }
    change.settings.emplace_back(key, setting_text(value));
    keys.push_back(key);
  }
  if (keys.empty()) {
    throw Problem(ProblemType::invalid_argument, named("settings") + " names no key", "settings");
  }
  return {values_of(chosen(changed(session, std::move(change), request.from_the_beginning), keys)),
          {}};
}

// --- load ----------------------------------------------------------------------------------------

struct PolicyLoadRequest : FromTheBeginning {
  std::string toml;
};
RECORD(PolicyLoadRequest,
       FIELD(toml, "The text of a policy file",
             {.required = true, .positional = true, .option = "FILE", .from_file = true}),
       FIELDS_OF_BASE(FromTheBeginning))

static PolicyResult policy_load(Session& session, const PolicyLoadRequest& request) {
  reward::Policy policy;
  try {
    policy = reward::from_toml(request.toml);
  } catch (const reward::BadPolicy& e) {
    throw Problem(ProblemType::unreadable, fmt::format("{}: {}", named("toml"), e.what()), "toml");
  }
  policy = replaced(session, policy, request.from_the_beginning);
  return {values_of(reward::settings(policy)), {}};
}

// --- use -----------------------------------------------------------------------------------------

namespace {

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const reward::Preset& p : reward::presets()) names.emplace_back(p.name);
  return names;
}

}  // namespace

struct PolicyUseRequest : FromTheBeginning {
  std::string preset;
};
RECORD(PolicyUseRequest,
       FIELD(preset, "tests (the default): nodes of type TEST are ordered by their failures and "
             "stay open; or tasks: they are tasks as all others",
             {.choices = preset_names(), .required = true, .positional = true, .option = "NAME"}),
       FIELDS_OF_BASE(FromTheBeginning))

static PolicyResult policy_use(Session& session, const PolicyUseRequest& request) {
  const auto policy = replaced(session, reward::from_toml(reward::preset(request.preset).toml),
                               request.from_the_beginning);
  return {values_of(reward::settings(policy)), {}};
}

std::optional<std::string> note_on_tests(Session& session) {
  const reward::Policy& policy = session.engine(Access::write).state().policy();
  if (policy.close_on_success && !policy.test_by_failures) {
    return "a test that passes is closed until it reports again, since by the policy tests are "
           "tasks; `hebb policy use tests` puts what failed first";
  }
  if (!policy.close_on_success && policy.failure_penalty > 1) {
    return "the policy leaves tasks open that succeed, as the preset tests of hebb 0.2.0 did; by "
           "`hebb policy use tests` that holds for tests alone";
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
                 .summary = "Change values; they hold from now on",
                 .example = "  hebb policy set failure_penalty=0.5 top_k=5\n"
                            "  hebb policy set type.BLOCKS.decay_per_day 0.99",
                 .route = "POST /policy",
                 .problems = {ProblemType::refused},
                 .idempotent = true},
                policy_set),
      operation({.name = "policy_load",
                 .summary = "Replace the policy by a file's; keys it lacks get their defaults",
                 .example = "  hebb policy load policy.toml\n  hebb policy load - < policy.toml",
                 .route = "PUT /policy",
                 .problems = {ProblemType::unreadable, ProblemType::refused},
                 .idempotent = true},
                policy_load),
      operation({.name = "policy_use",
                 .summary = "Replace the policy by one that hebb brings",
                 .example = "  hebb policy use tests\n  hebb policy use tasks",
                 .route = "PUT /policy/preset",
                 .idempotent = true},
                policy_use),
  };
}

}  // namespace hebb::api
