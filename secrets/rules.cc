#include "secrets/rules.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "secrets/names.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

struct ListName {
  std::string_view table, key;
  List list;
  bool folded = false;  // its words are names, compared without case and signs
};

// Users' files have these keys: do not rename them.
constexpr ListName kListNames[] = {
    {"names", "alone", List::whole_names, true},
    {"names", "not_foreign", List::not_foreign},
    {"names", "not_secret", List::not_secret, true},
    {"names", "about", List::about_secrets, true},
    {"names", "keys_of_things", List::keys_of_things, true},
    {"names", "short_numbers", List::short_numbers, true},
    {"names", "faint", List::ambiguous_names, true},
    {"names", "tokens", List::tokens, true},
    {"names", "sessions", List::sessions, true},
    {"names", "issuers", List::issuers, true},
    {"json", "private", List::json_private},
    {"json", "naming", List::naming, true},
    {"json", "selecting", List::selecting, true},
    {"json", "pointing", List::reference_members, true},
    {"json", "holding", List::value_members, true},
    {"json", "secret_kinds", List::secret_kinds, true},
    {"json", "secret_members", List::secret_members, true},
    {"json", "dependencies", List::dependencies, true},
    {"code", "typing", List::typing, true},
    {"code", "fills", List::fills},
    {"code", "puts", List::setter_calls},
    {"code", "logins", List::logins},
    {"code", "values_of", List::values_of, true},
    {"code", "secret_calls", List::secret_calls, true},
    {"address", "no_users", List::no_users, true},
    {"address", "slash_logins", List::slash_logins},
    {"address", "parameters", List::parameters, true},
    {"address", "random_parameters", List::random_parameters, true},
    {"text", "schemes", List::schemes},
    {"text", "connectors", List::connectors},
    {"token", "hints", List::token_hints},
    {"token", "faint_hints", List::faint_hints},
    {"token", "things", List::public_prefixes},
    {"values", "nothing", List::no_values},
    {"values", "common", List::common},
    {"values", "plain_starts", List::plain_starts},
    {"seeds", "no_words", List::no_seed_words},
};

// Reads one text of rules.
class Reader {
 public:
  Reader(Rules& rules, std::string_view file) : rules_(rules), file_(file) {}

  void read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      if (name == "format") {
        for_tables(node, name, [this](const toml::table& t) { format(t); });
      } else if (name == "command") {
        for_tables(node, name, [this](const toml::table& t) { command(t); });
      } else if (name == "call") {
        for_tables(node, name, [this](const toml::table& t) { call(t); });
      } else if (name == "block") {
        for_tables(node, name, [this](const toml::table& t) { block(t); });
      } else {
        if (!node.is_table()) refuse(node, fmt::format("{} has to be a table: [{}]", name, name));
        lists(name, *node.as_table());
      }
    }
  }

  [[noreturn]] void refuse(const toml::source_region& where, std::string_view what) const {
    throw BadRules(fmt::format("{}: line {}: {}", file_, where.begin.line, what));
  }

 private:
  [[noreturn]] void refuse(const toml::node& node, std::string_view what) const {
    refuse(node.source(), what);
  }

  template <typename Take>
  void for_tables(const toml::node& node, std::string_view name, Take take) {
    const toml::array* all = node.as_array();
    if (all == nullptr || !all->is_array_of_tables()) {
      refuse(node, fmt::format("write [[{}]], with two brackets", name));
    }
    for (const toml::node& one : *all) take(*one.as_table());
  }

  std::string text(const toml::node& node, std::string_view key, bool may_be_empty = false) const {
    const auto value = node.value_exact<std::string>();
    if (!value || (value->empty() && !may_be_empty)) {
      refuse(node, fmt::format("{} has to be a text that is not empty", key));
    }
    return *value;
  }

  // The value as a list: a text or several.
  std::vector<std::string> texts(const toml::node& node, std::string_view key,
                                 bool may_be_empty = false) const {
    const toml::array* all = node.as_array();
    if (all == nullptr) return {text(node, key, may_be_empty)};
    if (all->empty()) refuse(node, fmt::format("{} is an empty list", key));
    std::vector<std::string> out;
    for (const toml::node& one : *all) out.push_back(text(one, key, may_be_empty));
    return out;
  }

  const toml::node* need(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) refuse(table, fmt::format("{} is missing", key));
    return node;
  }

  std::vector<std::string> needed(const toml::table& table, std::string_view key) const {
    return texts(*need(table, key), key);
  }

  bool flag(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return false;
    const auto value = node->value_exact<bool>();
    if (!value) refuse(*node, fmt::format("{} has to be true or false", key));
    return *value;
  }

  void only(const toml::table& table, std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, node] : table) {
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
        refuse(key.source(), fmt::format("\"{}\" is not known here; there are {}", key.str(),
                                         fmt::join(keys, ", ")));
      }
    }
  }

  void format(const toml::table& table) {
    only(table, {"name", "shape", "source", "exact", "mixed"});
    const std::string name = needed(table, "name").front();
    const toml::node* source = table.get("source");
    for (const std::string& shape : needed(table, "shape")) {
      try {
        rules_.formats.push_back({name, source ? text(*source, "source") : "", Shape(shape),
                                  flag(table, "exact"), flag(table, "mixed")});
      } catch (const std::invalid_argument& e) {
        refuse(*table.get("shape"), fmt::format("shape \"{}\": {}", shape, e.what()));
      }
      if (rules_.formats.size() > kMost) refuse(table, "there are too many formats");
      rules_.format_index.add(rules_.formats.back(), rules_.formats.size() - 1);
    }
  }

  void command(const toml::table& table) {
    only(table, {"name", "before", "behind", "piped", "unless", "answers", "case", "named"});
    const auto one = [&](std::string_view key) {
      return table.get(key) ? needed(table, key).front() : std::string();
    };
    const bool piped = flag(table, "piped"), any_case = !flag(table, "case");
    const bool named = flag(table, "named");
    const std::string behind = one("behind"), answers = one("answers");
    const auto unless = table.get("unless") ? needed(table, "unless") : std::vector<std::string>();
    if (behind.size() > 1) refuse(*table.get("behind"), "behind has to be one sign");
    for (const std::string& name : needed(table, "name")) {
      if (piped) {
        rules_.add(List::piped, name);
        continue;
      }
      for (const std::string& before : texts(*need(table, "before"), "before", true)) {
        // Options may be anywhere after a command, arguments directly after it.
        const bool option = before.starts_with('-') || before.starts_with('/');
        if (!behind.empty() && !option) refuse(table, "behind needs an option");
        if (option && before.size() < 2) refuse(table, "an option has a letter");
        if (rules_.commands.size() > kMost) refuse(table, "there are too many commands");
        if (option) rules_.add({name, before, behind.empty() ? '\0' : behind.front(), unless});
        if (!option) phrase(table, name + before, {"", "", true, any_case, answers, named});
      }
    }
  }

  void call(const toml::table& table) {
    constexpr std::int64_t kArguments = 16;
    only(table, {"name", "argument"});
    const auto number = need(table, "argument")->value_exact<std::int64_t>();
    if (!number || *number < 0 || *number > kArguments)
      refuse(table, fmt::format("argument has to be a number from 0 to {}", kArguments));
    for (const std::string& name : needed(table, "name")) {
      const std::size_t dot = name.rfind('.');
      const std::string function = name.substr(dot == std::string::npos ? 0 : dot + 1);
      rules_.add(List::functions_with_secrets, function);
      rules_.calls.push_back({dot == std::string::npos ? "" : name.substr(0, dot), function,
                              static_cast<std::size_t>(*number)});
    }
  }

  void phrase(const toml::node& node, std::string_view text, Phrase phrase = {}) {
    const std::size_t words = std::min(text.find('*'), text.size());
    if (words < PrefixIndex::kStart) refuse(node, fmt::format("\"{}\" is too short", text));
    phrase.text = text.substr(0, words);
    if (phrase.any_case) phrase.text = to_lower(phrase.text);
    phrase.rest = to_lower(text.substr(words));
    rules_.phrases.add(std::move(phrase));
  }

  void block(const toml::table& table) {
    only(table, {"begin", "has", "from", "end"});
    const auto one = [&](std::string_view key) {
      return table.get(key) ? needed(table, key).front() : std::string();
    };
    rules_.blocks.push_back(
        {needed(table, "begin").front(), one("has"), one("from"), needed(table, "end").front()});
  }

  void lists(std::string_view table, const toml::table& entries) {
    for (const auto& [key, node] : entries) {
      const std::string_view name = key.str();
      if (table == "names" && (name == "words" || name == "foreign")) {
        words(name == "words" ? rules_.words : rules_.foreign, node, name);
        continue;
      }
      if (table == "text" && name == "phrases") {
        for (const std::string& word : texts(node, name)) phrase(node, word);
        continue;
      }
      const auto known = std::find_if(
          std::begin(kListNames), std::end(kListNames),
          [&](const ListName& list) { return list.table == table && list.key == name; });
      if (known == std::end(kListNames)) {
        refuse(
            key.source(),
            fmt::format("\"{}.{}\" is not known; secrets/rules/words.toml of the sources has all",
                        table, name));
      }
      for (const std::string& word : texts(node, name)) {
        rules_.add(known->list, known->folded ? fold_name(word) : word);
        if (known->list == List::connectors)
          rules_.connector_starts.set(static_cast<unsigned char>(word.front()));
      }
    }
  }

  void words(WordSet& set, const toml::node& node, std::string_view name) {
    for (const std::string& word : texts(node, name)) {
      const std::string folded = name == "words" ? fold_name(word) : word;
      if (folded.size() < PrefixIndex::kStart) {
        refuse(node, fmt::format("{}: \"{}\" is too short to be looked for in names; put it under "
                                 "alone",
                                 name, word));
      }
      set.add(folded);
    }
  }

  static constexpr std::size_t kMost = 10000;
  Rules& rules_;
  const std::string_view file_;
};

Rules own_rules() {
  Rules rules;
  rules.connector_starts.set('a');
  for (const RuleText& text : rule_texts()) add_rules(rules, text.toml, text.name);
  return rules;
}

std::size_t mark_of(std::string_view word) {
  const auto code = [](char c) { return static_cast<std::size_t>(static_cast<unsigned char>(c)); };
  return (word.size() * 37 + code(word.front()) * 5 + code(word.back()) * 167) % 1024;
}

Rules& rules_in_use() {
  static Rules in_use = own_rules();
  return in_use;
}

}  // namespace

bool Rules::has(List which, std::string_view word) const {
  if (word.empty() || !marks[static_cast<std::size_t>(which)][mark_of(word)]) return false;
  const std::vector<std::string>& words = list(which);
  return std::find(words.begin(), words.end(), word) != words.end();
}

void Rules::add(List which, std::string word) {
  if (!word.empty()) marks[static_cast<std::size_t>(which)].set(mark_of(word));
  lists[static_cast<std::size_t>(which)].push_back(std::move(word));
}

void Rules::add(CommandRule command) {
  const auto number = static_cast<std::uint16_t>(commands.size());
  if (command.behind != 0) {
    logins.push_back(number);
  } else {
    options[static_cast<unsigned char>(command.pattern[1])].push_back(number);
  }
  commands.push_back(std::move(command));
}

void add_rules(Rules& rules, std::string_view toml, std::string_view file) {
  Reader reader(rules, file);
  try {
    reader.read(toml::parse(toml));
  } catch (const toml::parse_error& e) {
    reader.refuse(e.source(), e.description());
  }
}

const Rules& rules() { return rules_in_use(); }

void use_rules(std::string_view toml, std::string_view file) {
  Rules more = rules_in_use();
  add_rules(more, toml, file);
  rules_in_use() = std::move(more);
}

}  // namespace hebb::secrets
