#include "capture/actions/playwright_code.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/payload.h"
#include "capture/ascii.h"

namespace hebb::capture {
namespace {

using nlohmann::json;

constexpr int kLiteralDepth = 8;  // of nested literals

// The methods of `page`, locators, keyboard and mouse that a statement may call.
constexpr auto kCalls = std::to_array<std::string_view>({"getByRole",
                                                         "getByText",
                                                         "getByLabel",
                                                         "getByPlaceholder",
                                                         "getByTestId",
                                                         "getByAltText",
                                                         "getByTitle",
                                                         "locator",
                                                         "frameLocator",
                                                         "contentFrame",
                                                         "filter",
                                                         "nth",
                                                         "first",
                                                         "last",
                                                         "goto",
                                                         "goBack",
                                                         "goForward",
                                                         "reload",
                                                         "click",
                                                         "dblclick",
                                                         "fill",
                                                         "clear",
                                                         "type",
                                                         "pressSequentially",
                                                         "press",
                                                         "check",
                                                         "uncheck",
                                                         "setChecked",
                                                         "selectOption",
                                                         "hover",
                                                         "focus",
                                                         "blur",
                                                         "tap",
                                                         "waitFor",
                                                         "waitForLoadState",
                                                         "evaluate",
                                                         "emulateMedia",
                                                         "setViewportSize",
                                                         "down",
                                                         "up",
                                                         "move",
                                                         "wheel",
                                                         "insertText",
                                                         "scrollIntoViewIfNeeded",
                                                         "waitForTimeout",
                                                         "dragTo"});
constexpr auto kParts = std::to_array<std::string_view>({"keyboard", "mouse"});
// Calls that a test does not need, because it has its own page.
constexpr auto kLeftOut = std::to_array<std::string_view>({"close", "screenshot", "pdf"});

bool is_identifier_char(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

// Parses one statement and writes it anew.
class Statement {
 public:
  explicit Statement(std::string_view code) : code_(code) {}

  // The new text; nullopt: not understood; empty: a call that is left out.
  std::optional<std::string> run() {
    if (!word("await") || !chain()) return std::nullopt;
    if (left_out_) return "";
    take(';');
    space();
    if (at_ != code_.size() || out_ == "page") return std::nullopt;
    return std::move(out_);
  }

 private:
  void space() {
    while (at_ < code_.size() && (code_[at_] == ' ' || code_[at_] == '\n' || code_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    space();
    if (at_ >= code_.size() || code_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view identifier() {
    space();
    const std::size_t from = at_;
    while (at_ < code_.size() && is_identifier_char(code_[at_])) ++at_;
    return code_.substr(from, at_ - from);
  }
  bool word(std::string_view expected) { return identifier() == expected; }

  // page.….…(…)
  bool chain() {
    if (!word("page")) return false;
    out_ += "page";
    while (take('.')) {
      const std::string_view name = identifier();
      const bool called = take('(');
      left_out_ = called && among(kLeftOut, name);
      if (left_out_) return true;
      if (called ? !among(kCalls, name) : !among(kParts, name)) return false;
      out_ += fmt::format(".{}", name);
      if (called && !arguments(name)) return false;
    }
    return true;
  }

  bool arguments(std::string_view function) {
    out_ += '(';
    const bool address = function == "goto";
    for (bool first = true; !take(')'); first = false) {
      if (!first && !take(',')) return false;
      if (!first) out_ += ", ";
      if (address && first) out_ += "at(";
      if (!value(0)) return false;
      if (address && first) out_ += ')';
    }
    out_ += ')';
    return true;
  }

  bool value(int depth) {
    space();
    if (at_ >= code_.size() || depth > kLiteralDepth) return false;
    const char c = code_[at_];
    if (c == '\'' || c == '"' || c == '`') return string(c);
    if (c == '{') return members(depth);
    if (c == '[') return elements(depth);
    if (c == '/') return regex();
    if (code_.substr(at_).starts_with("page.")) return chain() && !left_out_;
    return scalar();
  }

  bool string(char quote) {
    std::string text;
    for (++at_; at_ < code_.size() && code_[at_] != quote; ++at_) {
      if (quote == '`' && code_.substr(at_).starts_with("${")) return false;
      if (code_[at_] != '\\') {
        text += code_[at_];
      } else if (++at_ >= code_.size() || !escape(text)) {
        return false;
      }
    }
    if (!take(quote)) return false;
    out_ += text_literal(text, field_);
    if (text.find(kMasked) == std::string::npos) field_ = text;
    return true;
  }

  bool escape(std::string& text) {
    constexpr std::string_view kLetters = "nrtbfv0", kMeant{"\n\r\t\b\f\v\0", 7};
    const char c = code_[at_];
    if (c == 'x' || c == 'u') return false;  // Playwright never writes such escapes
    const std::size_t letter = kLetters.find(c);
    text += letter == std::string_view::npos ? c : kMeant[letter];
    return true;
  }

  bool members(int depth) {
    ++at_;
    out_ += "{ ";
    for (bool first = true; !take('}'); first = false) {
      if (!first && !take(',')) return false;
      if (!first && take('}')) break;
      const std::string_view name = identifier();
      if (name.empty() || !take(':')) return false;
      out_ += fmt::format("{}{}: ", first ? "" : ", ", name);
      if (!value(depth + 1)) return false;
    }
    out_ += " }";
    return true;
  }

  bool elements(int depth) {
    ++at_;
    out_ += '[';
    for (bool first = true; !take(']'); first = false) {
      if (!first && !take(',')) return false;
      if (!first) out_ += ", ";
      if (!value(depth + 1)) return false;
    }
    out_ += ']';
    return true;
  }

  // /…/flags: written as a string, so that no character of it can end the literal.
  bool regex() {
    std::string pattern;
    bool in_class = false;
    for (++at_; at_ < code_.size() && (code_[at_] != '/' || in_class); ++at_) {
      if (code_[at_] == '\n') return false;
      if (code_[at_] == '\\' && at_ + 1 < code_.size()) pattern += code_[at_++];
      if (code_[at_] == '[') in_class = true;
      if (code_[at_] == ']') in_class = false;
      pattern += code_[at_];
    }
    if (at_ >= code_.size()) return false;
    ++at_;
    const std::string_view flags = identifier();
    if (flags.find_first_not_of("dgimsuvy") != std::string_view::npos) return false;
    out_ += fmt::format("new RegExp({}, {})", literal(pattern), literal(flags));
    return true;
  }

  bool scalar() {
    const std::size_t from = at_;
    while (at_ < code_.size() &&
           (is_identifier_char(code_[at_]) || code_[at_] == '-' || code_[at_] == '.')) {
      ++at_;
    }
    const json parsed = json::parse(code_.substr(from, at_ - from), nullptr, false);
    if (parsed.is_discarded() || parsed.is_structured()) return false;
    out_ += literal(parsed);
    return true;
  }

  const std::string_view code_;
  std::size_t at_ = 0;
  bool left_out_ = false;
  std::string out_;
  std::string field_;  // the last string literal, taken as the name of the field
};

// The lines between ```js and ``` after the heading.
std::optional<std::string_view> code_block(std::string_view text) {
  constexpr std::string_view kHeading = "### Ran Playwright code\n```js\n";
  std::size_t begin = text.find(kHeading);
  while (begin != std::string_view::npos && begin > 0 && text[begin - 1] != '\n') {
    begin = text.find(kHeading, begin + 1);
  }
  if (begin == std::string_view::npos) return std::nullopt;
  begin += kHeading.size();
  const std::size_t end = text.find("\n```", begin);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(begin, end - begin);
}

}  // namespace

std::string literal(const json& value) {
  return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

std::string text_literal(std::string_view text, std::string_view field) {
  std::string name;
  for (const char c : field) {
    const bool lower = c >= 'a' && c <= 'z';
    if (lower || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
      name += lower ? static_cast<char>(c - 32) : c;
  }
  const std::string secret = fmt::format("secret({})", literal(name.empty() ? "VALUE" : name));
  std::string out;
  while (!text.empty()) {
    const std::size_t masked = text.find(kMasked);
    const std::string_view before = text.substr(0, masked);
    if (!before.empty()) out += (out.empty() ? "" : " + ") + literal(before);
    if (masked == std::string_view::npos) break;
    out += (out.empty() ? "" : " + ") + secret;
    text.remove_prefix(masked + kMasked.size());
  }
  return out.empty() ? "\"\"" : out;
}

std::optional<std::vector<std::string>> replayed_code(std::string_view text) {
  const auto block = code_block(text);
  if (!block) return std::nullopt;
  std::vector<std::string> steps;
  std::string_view rest = *block;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \r"), line.size()));
    if (line.empty() || line.starts_with("//")) continue;
    auto step = Statement(line).run();
    if (!step) return std::nullopt;
    if (!step->empty()) steps.push_back(std::move(*step));
  }
  return steps;
}

}  // namespace hebb::capture
