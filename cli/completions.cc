// hebb completions
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/describe.h"

namespace hebb::cli {

namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// In single quotes, for all three shells (fish takes '\'' as well, outside of its quotes).
std::string quoted_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out + "'";
}

// "rank", "node set": the scripts' name for a command.
std::string place(const CommandText& command) { return joined(command.path); }

// Each word that may follow, with its meaning: subcommands, own options, the program's options.
std::vector<std::pair<std::string, std::string>> offers(const CommandText& program,
                                                        const CommandText& command) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& c : command.commands) words.emplace_back(c.path.back(), c.description);
  const auto add_options = [&](const CommandText& of) {
    for (const auto& option : of.options) {
      const auto known = [&](const auto& word) { return word.first == option.names.back(); };
      if (std::none_of(words.begin(), words.end(), known)) {
        words.emplace_back(option.names.back(), option.description);
      }
    }
  };
  add_options(command);
  add_options(program);
  return words;
}

// The lines that bash and zsh share but for their syntax: `{}` is the pattern.
std::string value_cases(const CommandText& program, std::string_view then_choices,
                        std::string_view then_free) {
  std::string out;
  for (const CommandText* command : all_commands(program)) {
    for (const auto& option : command->options) {
      if (!option.takes_value) continue;
      std::vector<std::string> patterns;
      for (const auto& name : option.names) {
        // A global option may stand behind any command.
        patterns.push_back(command->path.empty() ? fmt::format("*\"|{}\"", name)
                                                 : fmt::format("\"{}|{}\"", place(*command), name));
      }
      const std::string pattern = fmt::format("{}", fmt::join(patterns, " | "));
      out += option.choices.empty()
                 ? fmt::format("    {}) {} ;;\n", pattern, then_free)
                 : fmt::format("    {}) {} {}; return ;;\n", pattern, then_choices,
                               quoted_text(joined(option.choices)));
    }
  }
  return out;
}

std::string descent_cases(const CommandText& program) {
  std::string patterns;
  for (const CommandText* command : all_commands(program)) {
    if (command->path.empty()) continue;
    patterns += fmt::format("{}\"{}\"", patterns.empty() ? "" : " | ", place(*command));
  }
  return patterns;
}

std::string bash(const CommandText& program) {
  std::string script =
      "# bash completion for hebb; made by `hebb completions bash`\n"
      "_hebb() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at= next= words= i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    next=\"${at:+$at }${COMP_WORDS[i]}\"\n"
      "    case $next in\n      " +
      descent_cases(program) +
      ") at=$next ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at|$prev\" in\n" +
      value_cases(program, "COMPREPLY=($(compgen -W", "return") +
      "  esac\n"
      "  case $at in\n";
  // compgen takes its words before `--` and what was typed after it.
  for (std::size_t i = 0; (i = script.find("compgen -W '", i)) != std::string::npos;) {
    i = script.find("'; return", i);
    script.replace(i, 1, "' -- \"$cur\"))");
  }
  for (const CommandText* command : all_commands(program)) {
    std::string words;
    for (const auto& [word, what] : offers(program, *command)) words += word + " ";
    words.pop_back();
    for (const auto& positional : command->positionals) {
      if (!positional.choices.empty()) words += " " + joined(positional.choices);
    }
    script += fmt::format("    \"{}\") words='{}' ;;\n", place(*command), words);
  }
  script +=
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
      "}\n"
      "complete -o default -F _hebb hebb\n";
  return script;
}

std::string zsh(const CommandText& program) {
  std::string script =
      "#compdef hebb\n"
      "# zsh completion for hebb; made by `hebb completions zsh`\n"
      "_hebb() {\n"
      "  local at= next= i\n"
      "  local -a offered\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n"
      "    next=\"${at:+$at }${words[i]}\"\n"
      "    case $next in\n      " +
      descent_cases(program) +
      ") at=$next ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at|${words[CURRENT-1]}\" in\n" +
      value_cases(program, "compadd --", "_files; return") +
      "  esac\n"
      "  case $at in\n";
  // compadd takes words, not one text of words.
  for (std::size_t i = 0; (i = script.find("compadd -- '", i)) != std::string::npos;) {
    i += std::string_view("compadd -- ").size();
    script.erase(i, 1);
    script.erase(script.find('\'', i), 1);
  }
  for (const CommandText* command : all_commands(program)) {
    script += fmt::format("    \"{}\") offered=(\n", place(*command));
    for (const auto& [word, what] : offers(program, *command)) {
      script += fmt::format("      {}\n", quoted_text(word + ":" + what));
    }
    for (const auto& positional : command->positionals) {
      for (const auto& choice : positional.choices) {
        script += fmt::format("      {}\n", quoted_text(choice));
      }
    }
    script += "    ) ;;\n";
  }
  script +=
      "  esac\n"
      "  _describe -V hebb offered || _files\n"
      "}\n"
      "if [[ ${funcstack[1]} == _hebb ]]; then _hebb \"$@\"; else compdef _hebb hebb; fi\n";
  return script;
}

std::string fish_condition(const CommandText& command) {
  if (command.path.empty()) return "";
  std::string condition;
  for (const auto& name : command.path) {
    condition +=
        fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ", name);
  }
  return fmt::format(" -n {}", quoted_text(condition));
}

std::string fish(const CommandText& program) {
  std::string script = "# fish completion for hebb; made by `hebb completions fish`\n";
  for (const CommandText* command : all_commands(program)) {
    std::string names;
    for (const auto& c : command->commands) names += " " + c.path.back();
    for (const auto& c : command->commands) {
      const std::string condition =
          command->path.empty()
              ? "__fish_use_subcommand"
              : fmt::format("__fish_seen_subcommand_from {}; and not __fish_seen_subcommand_from{}",
                            command->path.back(), names);
      script += fmt::format("complete -c hebb -f -n {} -a {} -d {}\n", quoted_text(condition),
                            c.path.back(), quoted_text(c.description));
    }
    for (const auto& option : command->options) {
      script += "complete -c hebb" + fish_condition(*command);
      for (const auto& name : option.names) {
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (option.takes_value) script += option.choices.empty() ? " -r" : " -x";
      if (!option.choices.empty()) script += " -a " + quoted_text(joined(option.choices));
      script += " -d " + quoted_text(option.description) + "\n";
    }
    for (const auto& positional : command->positionals) {
      if (positional.choices.empty()) continue;
      script += fmt::format("complete -c hebb -f{} -a {}\n", fish_condition(*command),
                            quoted_text(joined(positional.choices)));
    }
  }
  return script;
}

}  // namespace

void add_completions(CLI::App& app, Context& context) {
  const auto shell = std::make_shared<std::string>();
  auto* command = add_command(
      app, context, "completions", "What a shell needs to complete hebb's commands and options",
      "  hebb completions bash > ~/.local/share/bash-completion/completions/hebb\n"
      "  hebb completions zsh > ~/.zfunc/_hebb\n"
      "  hebb completions fish > ~/.config/fish/completions/hebb.fish",
      [&app, &context, shell] {
        const CommandText program = describe(app);
        const std::string script = *shell == "bash"  ? bash(program)
                                   : *shell == "zsh" ? zsh(program)
                                                     : fish(program);
        if (context.json) return context.print_json({{"shell", *shell}, {"script", script}});
        context.data(script);
      });
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
}

}  // namespace hebb::cli
