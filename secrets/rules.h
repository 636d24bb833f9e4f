// The rules for secrets as data: the files secrets/rules/NAME.toml, compiled in, and the user's
// rules in a file of the same form (see docs/tools.md).
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "secrets/format.h"
#include "secrets/phrases.h"
#include "secrets/prefix_index.h"

namespace hebb::secrets {

struct RuleText {
  std::string_view name;
  std::string_view toml;  // the file, comments included
};
std::span<const RuleText> rule_texts();  // by name

// Lists of words. Names in them are in lower case without signs, as by fold_name().
// secrets/rules/words.toml describes each list.
enum class List : std::size_t {
  whole_names,
  not_foreign,
  not_secret,
  about_secrets,
  keys_of_things,
  ambiguous_names,
  tokens,
  sessions,
  issuers,
  short_numbers,
  json_private,
  naming,
  selecting,
  reference_members,
  value_members,
  secret_kinds,
  secret_members,
  dependencies,
  typing,
  fills,
  setter_calls,
  logins,
  functions_with_secrets,
  values_of,
  secret_calls,
  no_users,
  slash_logins,
  parameters,
  random_parameters,
  schemes,
  connectors,
  token_hints,
  faint_hints,
  public_prefixes,
  no_values,
  common,
  plain_starts,
  piped,  // commands that read a secret from their input
  no_seed_words,
  kCount
};

// Options and arguments of a command that are secrets. `pattern`: the text before the value: "-p"
// if the value follows directly, "-p " if after a space, "login " for an argument. `behind`: the
// value is a login, with the secret after this sign; the pattern is the option alone, which may end
// several short ones. A command that is an option means any command with that option and an
// argument, as `-u bob` in tools that take a user; except the commands `unless`. The command * is
// any, if the value looks like a password.
struct CommandRule {
  std::string command, pattern;
  char behind = 0;
  std::vector<std::string> unless = {};
};

// A function whose argument of this number, from 1, is a secret; 0: all arguments that look like
// keys. `object`: the object that it is a member of; empty: any.
struct CallRule {
  std::string object, function;
  std::size_t argument = 0;
};

struct BlockRule {
  std::string begin, has, from, end;
};

struct Rules {
  std::vector<Format> formats;
  FormatIndex format_index;
  WordSet words, foreign;         // in names
  PhraseSet phrases;              // before a secret
  CharacterSet connector_starts;  // first characters of connectors and of "as"
  std::vector<CommandRule> commands;
  std::vector<CallRule> calls;
  std::vector<BlockRule> blocks;

  const std::vector<std::string>& list(List which) const {
    return lists[static_cast<std::size_t>(which)];
  }
  bool has(List which, std::string_view word) const;
  void add(List which, std::string word);
  void add(CommandRule command);

  static constexpr std::size_t kLists = static_cast<std::size_t>(List::kCount);
  std::array<std::vector<std::string>, kLists> lists;
  // By size, first and last character: whether a list may have a word. Most words are in no list.
  std::array<std::bitset<1024>, kLists> marks;
  // Indices of commands: with an option, by its second character; with a login.
  std::array<std::vector<std::uint16_t>, 256> options;
  std::vector<std::uint16_t> logins;
};

// A file of rules is invalid; what() names file and line.
class BadRules : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Adds the rules of a text. Throws BadRules; `rules` is then incomplete.
void add_rules(Rules& rules, std::string_view toml, std::string_view file);

// hebb's own rules, and the ones added by use_rules().
const Rules& rules();
// Adds to rules() for the rest of the process. Call it before anything is masked, from one thread.
// All or nothing: throws BadRules.
void use_rules(std::string_view toml, std::string_view file);

}  // namespace hebb::secrets
