// hebb help
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/usage.h"

namespace hebb::cli {

namespace {

void help(const CLI::App& app, const Context& context, const std::vector<std::string>& words) {
  const CLI::App* of = &app;
  for (const auto& word : words) {
    const auto beneath =
        of->get_subcommands([&](const CLI::App* command) { return command->check_name(word); });
    if (beneath.empty()) throw Stop(kUsage, no_command_text(*of, word));
    of = beneath.front();
  }
  // Not of->help(): CLI11 would print the help of the command that was called, which is `help`.
  const std::string text =
      of->get_formatter()->make_help(of, full_name(*of), CLI::AppFormatMode::Normal);
  if (context.json) return context.print_json({{"help", text}});
  context.data(text);
}

}  // namespace

void add_help(CLI::App& app, Context& context) {
  const auto words = std::make_shared<std::vector<std::string>>();
  auto* command = add_command(app, context, "help", "All commands, or the options of one",
                              "  hebb help\n  hebb help rank\n  hebb help node set",
                              [&app, &context, words] { help(app, context, *words); });
  command->add_option("NAME", *words, "Which; several words for node set and the like");
}

}  // namespace hebb::cli
