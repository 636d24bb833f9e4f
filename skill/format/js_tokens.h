// Splits JavaScript into tokens and statements. A script is not trusted: it is read, never run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::skill {

struct JsToken {
  enum class Kind : std::uint8_t {
    name,
    number,
    text,      // a literal, with its quotes
    computed,  // a template literal with ${…}
    regex,     // with its flags
    sign,      // one character, or => or ...
    broken,    // a literal without an end, a bracket without its partner
  };
  Kind kind = Kind::sign;
  bool first_of_line = false;
  std::string_view text;      // a part of the script
  std::size_t line = 0;       // from 1
  std::size_t to_closed = 0;  // of an opening bracket: how many tokens further its partner is

  bool is(std::string_view name_or_sign) const {
    return (kind == Kind::name || kind == Kind::sign) && text == name_or_sign;
  }
};
using JsTokens = std::span<const JsToken>;

// The script has to outlive the tokens. Comments are left out.
std::vector<JsToken> js_tokens(std::string_view script);

// The statements, without their semicolons. A line's end is a statement's end where the language
// has it so.
std::vector<JsTokens> js_statements(JsTokens code);

// The code of the tokens, as it stands in the script.
std::string_view js_source(JsTokens code);

// What a literal says; nullopt: the token is none.
std::optional<std::string> js_text(const JsToken& token);

}  // namespace hebb::skill
