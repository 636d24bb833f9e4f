// hebb policy show, set, load, use, save
#include "api/policy.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "api/counted.h"
#include "api/files.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/out_file.h"

namespace hebb::cli {

namespace {

using api::PolicyGetRequest, api::PolicyLoadRequest, api::PolicyResult, api::PolicySaveRequest,
    api::PolicySaveResult, api::PolicySetRequest;

void print_settings(const Context& context, const PolicyResult& result) {
  for (const auto& [key, value] : result.settings.items())
    context.line(fmt::format("{} = {}", key, api::setting_text(value)));
}

void add_show(CLI::App& policy, Context& context) {
  add_operation<PolicyGetRequest, PolicyResult>(
      policy, context,
      {"policy_get", api::policy_get,
       [](const Context& c, const PolicyGetRequest&, const PolicyResult& result) {
         result.toml ? c.data(*result.toml) : print_settings(c, result);
       },
       [](const Context& c, PolicyGetRequest& request) {
         request.as_toml = request.keys.empty() && !c.json;
       }});
}

// KEY=VALUE each, or one key and its value as two words.
api::Json settings_of(const std::vector<std::string>& words) {
  const bool is_pair = words.size() == 2 && words[0].find('=') == std::string::npos;
  if (is_pair) return {{words[0], words[1]}};
  api::Json settings = api::Json::object();
  for (const auto& [key, value] : api::parse_settings(words, "settings")) settings[key] = value;
  return settings;
}

void add_policy_set(CLI::App& policy, Context& context) {
  const auto words = std::make_shared<std::vector<std::string>>();
  auto* command = add_operation<PolicySetRequest, PolicyResult>(
      policy, context,
      {"policy_set", api::policy_set,
       [](const Context& c, const PolicySetRequest&, const PolicyResult& result) {
         if (!c.quiet) print_settings(c, result);
       },
       [words](const Context&, PolicySetRequest& request) {
         request.settings = settings_of(*words);
       }});
  command->add_option("KEY=VALUE", *words, "A key and its value")->required();
}

void add_load(CLI::App& policy, Context& context) {
  const auto file = std::make_shared<std::string>();
  auto* command = add_operation<PolicyLoadRequest, PolicyResult>(
      policy, context,
      {"policy_load", api::policy_load,
       [](const Context& c, const PolicyLoadRequest&, const PolicyResult& result) {
         c.report(
             fmt::format("policy of {} in force", counted(std::ssize(result.settings), "value")));
       },
       [file](const Context&, PolicyLoadRequest& request) {
         request.toml = api::read_file(*file);
         request.file = api::shown_name(*file);
       }});
  command->add_option("FILE", *file, "TOML; - is stdin")->required();
}

void add_use(CLI::App& policy, Context& context) {
  add_operation<api::PolicyUseRequest, PolicyResult>(
      policy, context,
      {"policy_use", api::policy_use,
       [](const Context& c, const api::PolicyUseRequest& request, const PolicyResult& result) {
         c.report(fmt::format("preset {}: policy of {} in force", request.preset,
                              counted(std::ssize(result.settings), "value")));
       }});
}

void save(const Context& context, PolicySaveRequest& request) {
  request.file = out_file(std::move(request.file), "hebb policy save");
  if (request.file != "-") {
    return run_operation<PolicySaveRequest, PolicySaveResult>(
        context,
        {"policy_save", api::policy_save,
         [](const Context& c, const PolicySaveRequest&, const PolicySaveResult& result) {
           c.report(fmt::format("saved to {}", result.file));
         }},
        request);
  }
  CommandSession session(context);
  context.data(*api::policy_get(session, {{}, true}).toml);
}

void add_save(CLI::App& policy, Context& context) {
  const auto request = std::make_shared<PolicySaveRequest>();
  auto* command = add_operation_help(policy, context, "policy_save",
                                     [&context, request] { save(context, *request); });
  add_fields(*command, PolicySaveRequest::fields(), request.get());
  command->get_option("FILE")->required(false);
}

}  // namespace

void add_policy(CLI::App& app, Context& context) {
  auto* policy = add_command(app, context, "policy", "The constants of the arithmetic, as TOML",
                             "  hebb policy show\n"
                             "  hebb policy set recency_exponent=0.5\n"
                             "  hebb policy use tests\n"
                             "  hebb policy save policy.toml && hebb policy load policy.toml",
                             {});
  policy->require_subcommand(1);
  add_show(*policy, context);
  add_policy_set(*policy, context);
  add_load(*policy, context);
  add_use(*policy, context);
  add_save(*policy, context);
}

}  // namespace hebb::cli
