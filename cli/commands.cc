#include "cli/commands.h"

#include <algorithm>

#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

struct Program {
  std::string_view name;
  void (*add)(CLI::App&, Context&);
  bool reads_others = false;
};
constexpr Program kPrograms[] = {
    {"record", add_record},
    {"trace", add_trace},
    {"serve", add_serve},
    {"mcp", add_mcp},
    {"pipe", add_pipe},
    {"setup", add_setup},
    {"api", add_api, true},
    {"completions", add_completions, true},
    {"manpage", add_manpage, true},
    {"help", add_help, true},
};

// Old commands, which work in this version but are not listed.
constexpr Gone kGone[] = {
    {"frontier", "neighbors frontier", "--out"}, {"policy load", "policy set", "--file="},
    {"policy use", "policy set", "--preset="},   {"skill list", "skill recall"},
    {"skill verify", "skill run", "--runs=3"},
};

// First words that several commands share.
struct Group {
  std::string_view words, does, examples;
};
constexpr Group kGroups[] = {
    {"node", "Set, get or delete a node of any type; for tasks there are add and edit",
     "  hebb node set task-7 --type TASK --state OPEN\n"
     "  hebb node get task-7\n"
     "  hebb node delete task-7"},
    {"claim", "Claim a task; list, renew and release claims",
     "  hebb claim take k3f9 --agent worker-1\n"
     "  hebb claim list\n"
     "  hebb claim renew 4711 --lease 30m\n"
     "  hebb claim release 4711"},
    {"dead-letters", "Input that was refused, and why",
     "  hebb dead-letters list\n"
     "  hebb dead-letters retry --all\n"
     "  hebb dead-letters drop 3 4"},
    {"policy", "Show or change the settings of the ranking",
     "  hebb policy show\n"
     "  hebb policy set recency_exponent=0.5\n"
     "  hebb policy set --preset tests\n"
     "  hebb policy show > policy.toml && hebb policy set --file policy.toml"},
    {"actions", "What `hebb record` recorded",
     "  hebb actions sequences --since 7d --min-success-rate 0.5\n"
     "  hebb actions score && hebb actions export --format jsonl"},
    {"tools", "What was learned about tools from traces", "  hebb tools suggest fs:read"},
    {"skill", "Record and replay steps in a browser",
     "  hebb skill record localhost:8080 checkout --from-artifact checkout.json\n"
     "  hebb skill recall --domain localhost:8080"},
    {"skill contract", "Checks: what must hold when a skill is done",
     "  hebb skill contract set done --text \"Thank you\"\n"
     "  hebb skill contract list"},
};

const Views& views() {
  static const Views kViews = [] {
    Views all;
    for (auto* family : {ingest_views, rank_views, work_views, explain_views, graph_views,
                         upkeep_views, study_views, actions_views, skill_views}) {
      for (const View& view : family()) all.push_back(view);
    }
    return all;
  }();
  return kViews;
}

std::string_view word_of(std::string_view command) { return command.substr(0, command.find(' ')); }

// The command of all words but the last; made, with its parents, if it does not exist.
CLI::App& parent_of(std::string_view command, CLI::App& app, Context& context) {
  const auto blank = command.rfind(' ');
  if (blank == std::string_view::npos) return app;
  const std::string_view words = command.substr(0, blank);
  CLI::App& above = parent_of(words, app, context);
  const std::string name(words.substr(words.rfind(' ') + 1));
  const auto there = above.get_subcommands([&](CLI::App* c) { return c->check_name(name); });
  if (!there.empty()) return *there.front();
  const Group& group = *std::ranges::find(kGroups, words, &Group::words);
  CLI::App* made =
      add_command(above, context, name, std::string(group.does), std::string(group.examples), {});
  made->require_subcommand(1);
  return *made;
}

}  // namespace

bool is_command(std::string_view first_word) {
  return std::ranges::find(kPrograms, first_word, &Program::name) != std::end(kPrograms) ||
         std::ranges::any_of(
             views(), [&](const View& view) { return word_of(command_of(view)) == first_word; });
}

const Gone* gone_command(std::string_view words) {
  const auto* const found = std::ranges::find(kGone, words, &Gone::words);
  return found == std::end(kGone) ? nullptr : found;
}

bool reads_others(std::string_view first_word) {
  const auto program = std::ranges::find(kPrograms, first_word, &Program::name);
  return program != std::end(kPrograms) && program->reads_others;
}

void add_commands(CLI::App& app, Context& context, std::optional<std::string_view> first_word) {
  for (auto view = views().begin(); view != views().end();) {
    const std::string_view command = command_of(*view);
    const auto end =
        std::find_if(view, views().end(), [&](const View& v) { return command_of(v) != command; });
    if (!first_word || word_of(command) == *first_word)
      add_operation(parent_of(command, app, context), context, {view, end});
    view = end;
  }
  for (const Program& program : kPrograms) {
    if (first_word && program.name != *first_word) continue;
    program.add(app, context);
    for (CLI::Option* option : app.get_subcommand(std::string(program.name))->get_options())
      if (option->get_items_expected_max() > 0) option->check(not_empty());
  }
}

}  // namespace hebb::cli
