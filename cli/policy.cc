// hebb policy show, set, load, save
#include <cmath>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

namespace {

struct Options {
  std::vector<std::string> keys, settings;
  std::string file;
};

// A setting's value as JSON; "inf" (no limit) becomes null.
Json value_json(const std::string& value) {
  if (value == "true" || value == "false") return value == "true";
  const double number = std::strtod(value.c_str(), nullptr);
  if (!std::isfinite(number)) return nullptr;
  if (number == std::floor(number) && std::abs(number) < 1e15) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

Json settings_json(const std::vector<reward::Setting>& settings) {
  Json out = Json::object();
  for (const auto& [key, value] : settings) out[key] = value_json(value);
  return out;
}

std::vector<reward::Setting> settings_of(const reward::Policy& policy,
                                         const std::vector<std::string>& keys) {
  const auto all = reward::settings(policy);
  if (keys.empty()) return all;
  std::vector<reward::Setting> found;
  for (const auto& key : keys) {
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const reward::Setting& s) { return s.key == key; });
    if (it == all.end()) {
      throw Stop(kUsage, fmt::format("the policy has no key \"{}\"; `hebb policy show --json` "
                                     "lists them all",
                                     key));
    }
    found.push_back(*it);
  }
  return found;
}

void print_settings(const Context& context, const std::vector<reward::Setting>& settings) {
  if (context.json) return context.print_json(settings_json(settings));
  for (const auto& [key, value] : settings) context.line(fmt::format("{} = {}", key, value));
}

void show(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::read);
  const reward::Policy policy = engine.state().policy();
  if (o.keys.empty() && !context.json) return context.data(reward::to_toml(policy));
  print_settings(context, settings_of(policy, o.keys));
}

void change(const Context& context, PolicyChange payload) {
  Engine engine = context.open(Context::Access::create);
  Event event;
  event.at = context.now();
  event.subject = "policy";
  event.payload = std::move(payload);
  engine.append(std::move(event));
  engine.sync();
}

void set(const Context& context, const Options& o) {
  const bool is_pair = o.settings.size() == 2 && o.settings[0].find('=') == std::string::npos;
  const std::vector<reward::Setting> settings =
      is_pair ? std::vector<reward::Setting>{{o.settings[0], o.settings[1]}}
              : parse_settings(o.settings);
  PolicyChange payload;
  for (const auto& [key, value] : settings) payload.settings.emplace_back(key, value);
  change(context, std::move(payload));
  if (context.json || !context.quiet) print_settings(context, settings);
}

void load(const Context& context, const Options& o) {
  reward::Policy policy;
  try {
    policy = reward::from_toml(read_file(o.file));
  } catch (const reward::BadPolicy& e) {
    throw UnreadableInput(fmt::format("{}: {}", o.file == "-" ? "(stdin)" : o.file, e.what()));
  }
  PolicyChange payload;
  payload.replace = true;
  for (auto& [key, value] : reward::settings(policy)) payload.settings.emplace_back(key, value);
  const std::size_t count = payload.settings.size();
  change(context, std::move(payload));
  if (context.json) return context.print_json(settings_json(reward::settings(policy)));
  context.report(fmt::format("policy of {} values in force", count));
}

void save(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::read);
  const std::string text = reward::to_toml(engine.state().policy());
  context.write_file(o.file, text);
  if (o.file == "-") return;
  if (context.json) return context.print_json({{"file", o.file}});
  context.report(fmt::format("saved to {}", o.file));
}

}  // namespace

void add_policy(CLI::App& app, Context& context) {
  auto* policy = add_command(app, context, "policy", "The constants of the arithmetic, as TOML",
                             "  hebb policy show\n"
                             "  hebb policy set recency_exponent=0.5\n"
                             "  hebb policy save policy.toml && hebb policy load policy.toml",
                             {});
  policy->require_subcommand(1);
  const auto o = std::make_shared<Options>();
  auto* shower = add_command(*policy, context, "show", "What is in force, with units and reasons",
                             "  hebb policy show\n  hebb policy show failure_penalty top_k\n"
                             "  hebb policy show --json",
                             [&context, o] { show(context, *o); });
  shower->add_option("KEY", o->keys, "Only these");
  auto* setter = add_command(*policy, context, "set", "Change values; they hold from now on",
                             "  hebb policy set failure_penalty=0.5 top_k=5\n"
                             "  hebb policy set type.BLOCKS.decay_per_day 0.99",
                             [&context, o] { set(context, *o); });
  setter->add_option("KEY=VALUE", o->settings, "A key and its value")->required();
  auto* loader = add_command(*policy, context, "load",
                             "Replace the policy by a file's; keys it lacks get their defaults",
                             "  hebb policy load policy.toml\n  hebb policy load - < policy.toml",
                             [&context, o] { load(context, *o); });
  loader->add_option("FILE", o->file, "TOML; - is stdin")->required();
  auto* saver = add_command(*policy, context, "save", "Write the policy to a file",
                            "  hebb policy save policy.toml\n  hebb policy save -",
                            [&context, o] { save(context, *o); });
  saver->add_option("FILE", o->file, "Is overwritten; - is stdout")->required();
}

}  // namespace hebb::cli
