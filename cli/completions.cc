// hebb completions, and `hebb __complete WORDS`, which its scripts call: completions of the last
// word.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

namespace {

// clang-format off
constexpr std::string_view kBash = R"sh(# bash completion for hebb
_hebb() {
  local IFS=$'\n'
  COMPREPLY=($(hebb __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _hebb hebb
)sh";

constexpr std::string_view kZsh = R"sh(#compdef hebb
# zsh completion for hebb
_hebb() {
  local -a offered
  offered=(${(f)"$(hebb __complete "${(@)words[2,CURRENT]}" 2>/dev/null |
    sed -e 's/:/\\:/g' -e $'s/\t/:/')"})
  if (( $#offered )); then _describe -V hebb offered; else _files; fi
}
if [[ ${funcstack[1]} == _hebb ]]; then _hebb "$@"; else compdef _hebb hebb; fi
)sh";

constexpr std::string_view kFish = R"sh(# fish completion for hebb
function __hebb_complete
  set -l words (commandline -opc) (commandline -ct)
  hebb __complete $words[2..-1] 2>/dev/null
end
complete -c hebb -a '(__hebb_complete)'
)sh";
// clang-format on

// CLI11 keeps allowed values in the name of the type: "TEXT:{table,json}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

const CLI::Option* option_named(const CLI::App& program, const CLI::App& command,
                                const std::string& word) {
  const CLI::Option* own = command.get_option_no_throw(word);
  return own ? own : program.get_option_no_throw(word);
}

class Offers {
 public:
  explicit Offers(std::string prefix) : prefix_(std::move(prefix)) {}

  void add(const std::string& word, std::string meaning) {
    if (!word.starts_with(prefix_) || std::ranges::find(words_, word) != words_.end()) return;
    words_.push_back(word);
    std::ranges::replace(meaning, '\n', ' ');
    text_ += meaning.empty() ? word + "\n" : fmt::format("{}\t{}\n", word, meaning);
  }
  void add_options(const CLI::App& command) {
    for (const CLI::Option* o : command.get_options()) {
      for (const auto& name : o->get_lnames()) add("--" + name, o->get_description());
      if (!o->nonpositional())
        for (const auto& choice : choices_of(*o)) add(choice, {});
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::string prefix_, text_;
  std::vector<std::string> words_;
};

}  // namespace

std::string completed(const CLI::App& program, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const std::string last = words.back();
  words.pop_back();
  const CLI::App* at = &program;
  const CLI::Option* wants = nullptr;  // the option that the next word is the value of
  for (const std::string& word : words) {
    if (std::exchange(wants, nullptr)) continue;
    if (word.size() > 1 && word[0] == '-') {
      const CLI::Option* option = option_named(program, *at, word);
      if (option && option->get_items_expected_max() > 0) wants = option;
      continue;
    }
    const auto named = at->get_subcommands([&](const CLI::App* c) { return c->check_name(word); });
    if (!named.empty()) at = named.front();
  }
  Offers offers(last);
  if (wants) {
    for (const auto& choice : choices_of(*wants)) offers.add(choice, {});
    return offers.text();
  }
  for (const CLI::App* c : at->get_subcommands([](const CLI::App*) { return true; }))
    offers.add(c->get_name(), c->get_description());
  offers.add_options(*at);
  offers.add_options(program);
  return offers.text();
}

void add_completions(CLI::App& app, Context& context) {
  const auto shell = std::make_shared<std::string>();
  auto* command = add_command(
      app, context, "completions", "What a shell needs to complete hebb's commands and options",
      "  hebb completions bash > ~/.local/share/bash-completion/completions/hebb\n"
      "  hebb completions zsh > ~/.zfunc/_hebb\n"
      "  hebb completions fish > ~/.config/fish/completions/hebb.fish",
      [&context, shell] {
        const auto script = *shell == "bash" ? kBash : *shell == "zsh" ? kZsh : kFish;
        if (context.json) return context.print_json({{"shell", *shell}, {"script", script}});
        context.data(script);
      });
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
}

}  // namespace hebb::cli
