// The searches of find_secrets(). Each looks at one position in `text` and adds the secrets there,
// in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "secrets/find.h"
#include "secrets/rules.h"
#include "text/ascii.h"

namespace hebb::secrets {

constexpr std::size_t kSecretNameBytes = 64;
constexpr std::size_t kJudgedBytes = 512;  // the beginning of a long value is enough to judge it

inline bool is_secret_name_char(char c) {
  return is_word_char(c) || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

// Roles of fields of a page in which something can be typed.
bool is_field_role(std::string_view role);

// The position of a name; name_before() finds the name before `at`, skipping quotes and spaces.
struct Name {
  std::size_t from = 0, to = 0;
  bool in_quotes = false;
};
Name name_before(std::string_view text, std::size_t at);

// The end of the word from `from` to `end` without `signs` at its end, such as a full stop. At most
// 16 are removed, so that a long row of signs costs little for each word before it.
std::size_t end_without(std::string_view text, std::size_t from, std::size_t end,
                        std::string_view signs);

class SecretScan {
 public:
  explicit SecretScan(std::string_view text) : text_(text) {}

  Findings run();

 private:
  void add(std::size_t from, std::size_t to, bool sure = false) {
    if (from >= to) return;
    last_ = {from, to, sure};
    found_.spans.push_back(last_);
  }
  // The first match from `from` on is at `to`, or at the end of the text if there is none.
  struct Ahead {
    std::size_t from = 1, to = 0;
  };
  // The first of some signs, or the first occurrence of a text, from `at` on. `known`: the last
  // answer to the same question, so that no part is searched again.
  std::size_t first_of(Ahead& known, const Characters& signs, std::size_t at) const;
  std::size_t first_text(Ahead& known, std::string_view what, std::size_t at) const;
  // The beginning of a value, enough to judge it.
  std::string_view judged(SecretSpan value) const {
    return text_.substr(value.from, std::min(value.to - value.from, kJudgedBytes));
  }
  std::size_t line_end(std::size_t at) {
    static constexpr Characters kEnds = characters("\r\n");
    return first_of(line_end_, kEnds, at);
  }
  // The end of a word from `from` to `end` in a string of a program: before a \n, \r or \t.
  std::size_t end_at_escape(std::size_t from, std::size_t end);
  // The content of the string whose opening quote, perhaps an escaped one, is at `at`.
  SecretSpan quoted(std::size_t at) const;

  bool within_word(std::size_t at, char before) const;
  void look(std::size_t at, char before);
  // find.cc
  void words(std::size_t at, char before);
  Before before(std::size_t at) const;
  void token(std::size_t at);  // a token of a known format, or one that looks like one
  bool is_file(std::size_t from, std::size_t to) const;
  void credentials(std::size_t at);    // Bearer …, Basic …
  void private_key(std::size_t at);    // -----BEGIN … PRIVATE KEY-----
  void user_and_host(std::size_t at);  // at the @ of user:password@host
  bool slash_login(std::size_t at);    // at the @ of user/password@host
  // assign.cc
  void assignment(std::size_t at);  // at the = or : after a name
  bool header(std::size_t from, std::string_view name, std::size_t value);
  std::string_view value_at(std::size_t at) const;
  bool is_key_of_user(std::size_t from, std::string_view value) const;
  void form_part(std::size_t at, SecretSpan name);
  struct Sign;
  bool sign_at(std::size_t at, Sign& sign) const;
  void value_of(std::string_view name, std::size_t from, std::size_t at, const Sign& found);
  void unquoted(std::string_view name, std::size_t from, std::size_t value, char sign);
  bool is_parameter(std::size_t from, std::size_t sign, std::size_t value) const;
  std::string_view named_elsewhere(const Name& name, char sign) const;
  // words.cc
  void flag(std::size_t at);                                // --password hunter2
  bool command_flag(std::size_t at);                        // docker login -p hunter2
  SecretSpan login_secret(std::size_t value, char behind);  // curl -u user:hunter2
  void sentence(std::size_t at);                            // the password is …
  void arrow(std::size_t at);                               // new password -> …
  void access_rule(std::size_t at);                         // user alice on >hunter2
  SecretSpan word(std::size_t at);
  SecretSpan argument(std::size_t at);
  void value_after_mention(std::size_t at, std::size_t value);  // after words that mention a secret
  void here_string(std::size_t at);                             // docker login <<< …
  bool after_phrase(std::size_t at, const PhraseSet::Match& match);
  void phrase(std::size_t at);  // IDENTIFIED BY '…'
  void piped(std::size_t at);   // echo … | docker login
  // lists.cc
  void table_row(std::size_t at);                 // at the | between: | password | hunter2 |
  void columns(std::size_t at);                   // at the tab after a name
  void block(std::size_t at, std::size_t value);  // the lines after password: |
  bool closes_string(std::size_t at) const;       // of "Password: "
  bool is_alone(std::size_t name, std::size_t to) const;   // in its line
  std::string_view variable_before(std::size_t at) const;  // of variable "NAME" { default = …
  std::string_view named_beside(std::size_t at) const;     // of name="X" value="…"
  std::string_view named_before(std::size_t from) const;   // of - name: DB_PASSWORD, before value:
  void add_token(std::size_t from, std::size_t to);        // unless a placeholder or word
  // Adds a whole cell, element or argument under a name, if it may be a secret.
  void add_value(std::string_view name, std::size_t from, std::size_t to);
  // lines.cc
  void login_line(std::size_t at);  // at the : of host:port:database:user:SECRET
  void next_line(std::size_t at);   // at the : that ends a line
  void seed(std::size_t at);        // twelve words
  // manifest.cc
  void manifest(std::size_t at);  // kind: Secret of Kubernetes
  void manifest_data(std::size_t from, std::size_t to, std::size_t indented);
  // fields.cc
  bool goes_on(std::size_t at) const;
  bool answers_prompt(std::size_t at) const;
  void call_arguments(std::size_t from, std::size_t at);  // at the ( of a function in the rules
  void tag(std::size_t at);                               // <input type="password" value="…">
  void element(std::size_t at);                           // <password>…</password>
  std::string_view named_above(std::size_t at) const;     // X of <X><value>
  void call(std::size_t at);  // at the ( of getByLabel('Password').fill('…')
  bool property(std::size_t from, std::size_t at);  // .value from there, = at there
  SecretSpan string_argument(std::size_t at) const;
  std::size_t after_string(SecretSpan string) const;
  bool puts_value(std::size_t at, std::string_view function);  // Set("Authorization", "…")
  // The last string in quotes from `at` to the end of the call; appends the others to `before`.
  SecretSpan last_string(std::size_t at, std::string& before) const;
  std::string_view statement_before(std::size_t at) const;
  void field_with_children(std::size_t end, std::size_t indented);
  void yaml_field(std::size_t at);    // at the [ref= of a line of Playwright MCP's snapshots
  void listed_field(std::size_t at);  // at the uid= of a line of chrome-devtools-mcp's

  const std::string_view text_;
  const Rules& rules_ = rules();
  Findings found_;
  SecretSpan last_;
  Ahead line_end_, value_end_, parameter_end_, argument_end_, said_end_, boundary_, escape_;
  // By block: where the key after its last title begins.
  std::vector<std::size_t> key_begins_;
  std::size_t reach_end_ = 0;  // of the last run of kReachSigns, letters and digits
  std::size_t word_end_ = 0;   // of the last word checked as a token
  std::size_t no_web_token_until_ = 0;
};

}  // namespace hebb::secrets
