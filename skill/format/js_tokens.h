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
  std::size_t to_closed = 0;  // of an opening bracket: the distance of its partner in tokens

  bool is(std::string_view name_or_sign) const {
    return (kind == Kind::name || kind == Kind::sign) && text == name_or_sign;
  }
};
using JsTokens = std::span<const JsToken>;

// The script must outlive the tokens. Comments are left out.
std::vector<JsToken> js_tokens(std::string_view script);

// The statements, without their semicolons. A line's end is a statement's end by the rules of the
// language.
std::vector<JsTokens> js_statements(JsTokens code);

// The code of the tokens, as in the script.
std::string_view js_source(JsTokens code);

// The value of a literal; nullopt: the token is no literal.
std::optional<std::string> js_text(const JsToken& token);

}  // namespace hebb::skill
