#include "skill/format/js_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/ascii.h"
#include "text/utf8.h"

namespace hebb::skill {
namespace {

using TokenKind = JsToken::Kind;

// Bytes of letters beyond ASCII count as letters.
bool is_name(char c) {
  return is_word_char(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

template <std::size_t N>
bool any_of(const std::array<std::string_view, N>& words, const JsToken& token) {
  return std::any_of(words.begin(), words.end(), [&](auto word) { return token.is(word); });
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view script) : script_(script) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (script_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  std::vector<JsToken> all() {
    for (skip_space(); at_ < script_.size(); skip_space()) {
      const std::size_t from = at_, line = line_;
      const TokenKind kind = one();
      const std::string_view text = script_.substr(from, at_ - from);
      tokens_.push_back({kind, std::exchange(new_line_, false), text, line, 0});
      line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
      if (kind == TokenKind::sign) match_bracket();
    }
    for (const std::size_t open : open_) tokens_[open].kind = TokenKind::broken;
    return std::move(tokens_);
  }

 private:
  bool sees(std::string_view text) const { return script_.substr(at_).starts_with(text); }

  bool sees_comment() const { return sees("//") || sees("/*"); }

  // Consumes a comment: up to the line's end, or with its end sign, which cannot overlap the
  // opening sign: /*/ is still open. False: it has no end, and nothing is consumed.
  bool skip_comment() {
    const bool of_line = sees("//");
    const std::size_t end = of_line ? script_.find('\n', at_) : script_.find("*/", at_ + 2);
    if (!of_line && end == std::string_view::npos) return false;
    at_ = of_line ? std::min(end, script_.size()) : end + 2;
    return true;
  }

  void skip_space() {
    while (at_ < script_.size()) {
      const char c = script_[at_];
      const std::size_t from = at_;
      if (sees_comment()) {
        if (!skip_comment()) return;
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else {
        return;
      }
      const std::string_view skipped = script_.substr(from, at_ - from);
      const auto lines = std::count(skipped.begin(), skipped.end(), '\n');
      line_ += static_cast<std::size_t>(lines);
      new_line_ = new_line_ || lines > 0;
    }
  }

  TokenKind one() {
    const char c = script_[at_];
    if (is_name(c)) {
      const bool number = is_digit(c);
      while (at_ < script_.size() && (is_name(script_[at_]) || (number && script_[at_] == '.')))
        ++at_;
      return number ? TokenKind::number : TokenKind::name;
    }
    if (c == '`') return template_literal();
    if (is_quote(c)) return text_literal(c);
    if (sees("/*")) return at_ = script_.size(), TokenKind::broken;
    if (c == '/' && regex_may_begin()) return regex();
    at_ += sees("...") ? 3 : sees("=>") ? 2 : 1;
    return TokenKind::sign;
  }

  TokenKind text_literal(char quote) {
    for (++at_; at_ < script_.size() && script_[at_] != '\n'; ++at_) {
      if (script_[at_] == quote) return ++at_, TokenKind::text;
      if (script_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_, script_.size());
    return TokenKind::broken;
  }

  // ${…} may have literals and comments in it, and these literals again.
  TokenKind template_literal() {
    std::string open = "`";  // open brackets and literals, the innermost last
    TokenKind kind = TokenKind::text;
    for (++at_; at_ < script_.size();) {
      const char c = script_[at_];
      if (open.back() == '`') {
        const bool code = sees("${");
        if (code) open += '{', kind = TokenKind::computed;
        if (c == '`') open.pop_back();
        at_ += c == '\\' || code ? 2 : 1;
      } else if (c == '\'' || c == '"') {
        if (text_literal(c) == TokenKind::broken) return TokenKind::broken;
      } else if (sees_comment()) {
        if (!skip_comment()) break;
      } else {
        if (c == '`' || c == '{') open += c;
        if (c == '}') open.pop_back();
        ++at_;
      }
      if (open.empty()) return kind;
    }
    at_ = script_.size();
    return TokenKind::broken;
  }

  bool regex_may_begin() const {
    constexpr std::array<std::string_view, 3> kEnds{")", "]", "}"};
    if (tokens_.empty()) return true;
    const JsToken& last = tokens_.back();
    return last.is("return") || (last.kind == TokenKind::sign && !any_of(kEnds, last));
  }

  TokenKind regex() {
    bool in_class = false;
    for (++at_; at_ < script_.size() && script_[at_] != '\n'; ++at_) {
      const char c = script_[at_];
      if (c == '[') in_class = true;
      if (c == ']') in_class = false;
      if (c == '\\') ++at_;
      if (c != '/' || in_class) continue;
      for (++at_; at_ < script_.size() && is_name(script_[at_]);) ++at_;
      return TokenKind::regex;
    }
    at_ = std::min(at_, script_.size());
    return TokenKind::broken;
  }

  void match_bracket() {
    constexpr std::string_view kOpening = "([{", kClosing = ")]}";
    const char c = tokens_.back().text.front();
    const std::size_t here = tokens_.size() - 1;
    if (kOpening.find(c) != std::string_view::npos) open_.push_back(here);
    const std::size_t closes = kClosing.find(c);
    if (closes == std::string_view::npos) return;
    if (open_.empty() || tokens_[open_.back()].text.front() != kOpening[closes]) {
      tokens_.back().kind = TokenKind::broken;
      return;
    }
    tokens_[open_.back()].to_closed = here - open_.back();
    open_.pop_back();
  }

  const std::string_view script_;
  std::size_t at_ = 0, line_ = 1;
  bool new_line_ = true;
  std::vector<JsToken> tokens_;
  std::vector<std::size_t> open_;  // brackets
};

// Whether a statement ends between these two tokens, at a line's end and the next line's beginning.
bool ends_between(const JsToken& last, const JsToken& next) {
  constexpr std::array<std::string_view, 3> kEnds{")", "]", "}"};
  constexpr std::array<std::string_view, 4> kBegins{"{", "}", "!", "..."};
  constexpr std::array<std::string_view, 5> kUnfinished{"await", "const", "let", "new", "import"};
  const bool finished = last.kind != TokenKind::sign || any_of(kEnds, last);
  const bool begins =
      next.kind == TokenKind::sign ? any_of(kBegins, next) : !next.text.starts_with('`');
  return finished && !any_of(kUnfinished, last) && begins;
}

// Consumes so many hexadecimal digits.
std::optional<unsigned> hexadecimal(std::string_view& text, std::size_t digits) {
  unsigned code = 0;
  if (digits == 0 || digits > 6 || text.size() < digits) return std::nullopt;
  for (const char c : text.substr(0, digits)) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(to_lower(c));
    if (digit == std::string_view::npos) return std::nullopt;
    code = code * 16 + static_cast<unsigned>(digit);
  }
  text.remove_prefix(digits);
  return code;
}

// Consumes \xNN, \uNNNN or \u{N…}, from the letter on.
std::optional<unsigned> escaped_code(std::string_view& text) {
  const bool short_form = text.starts_with('x');
  text.remove_prefix(1);
  if (short_form || !text.starts_with('{')) return hexadecimal(text, short_form ? 2 : 4);
  text.remove_prefix(1);
  const auto code = hexadecimal(text, std::min(text.find('}'), text.size()));
  if (!text.starts_with('}')) return std::nullopt;
  text.remove_prefix(1);
  return code;
}

// Consumes an escape sequence, from after the backslash on.
bool take_escape(std::string_view& text, std::string& out) {
  constexpr std::string_view kLetters = "nrtbfv0", kMeant{"\n\r\t\b\f\v\0", 7};
  if (text.empty()) return false;
  const char c = text.front();
  if (c == 'x' || c == 'u') {
    auto code = escaped_code(text);
    const bool half = code && *code >= 0xd800 && *code < 0xdc00;
    if (half && text.starts_with("\\u")) {
      text.remove_prefix(1);
      const auto other = escaped_code(text);
      if (!other || *other < 0xdc00 || *other > 0xdfff) return false;
      code = 0x10000 + ((*code - 0xd800) << 10) + (*other - 0xdc00);
    }
    if (!code || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)) return false;
    out += utf8_of(static_cast<std::int32_t>(*code));
    return true;
  }
  text.remove_prefix(text.starts_with("\r\n") ? 2 : 1);
  if (c == '\n' || c == '\r') return true;  // the literal goes on in the next line
  const std::size_t letter = kLetters.find(c);
  out += letter == std::string_view::npos ? c : kMeant[letter];
  return true;
}

}  // namespace

std::vector<JsToken> js_tokens(std::string_view script) { return Tokenizer(script).all(); }

std::vector<JsTokens> js_statements(JsTokens code) {
  std::vector<JsTokens> all;
  std::size_t from = 0;
  const auto end_at = [&](std::size_t end) {
    if (end > from) all.push_back(code.subspan(from, end - from));
    from = end;
  };
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (i > from && code[i].first_of_line && ends_between(code[i - 1], code[i])) end_at(i);
    if (code[i].is(";")) {
      end_at(i);
      from = i + 1;
    }
    i += code[i].to_closed;
  }
  end_at(code.size());
  return all;
}

std::string_view js_source(JsTokens code) {
  if (code.empty()) return "";
  const char* begin = code.front().text.data();
  const char* end = code.back().text.data() + code.back().text.size();
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::optional<std::string> js_text(const JsToken& token) {
  if (token.kind != TokenKind::text) return std::nullopt;
  std::string_view text = token.text.substr(1, token.text.size() - 2);
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '\\') {
      out += c;
    } else if (!take_escape(text, out)) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace hebb::skill
