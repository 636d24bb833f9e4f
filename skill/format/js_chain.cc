#include "skill/format/js_chain.h"

#include <fmt/format.h>

#include "skill/store/secrets.h"

namespace hebb::skill {
namespace {

constexpr int kChainDepth = 16;

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

void put_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

class JsReader {
 public:
  explicit JsReader(std::string_view text) : text_(text) {}

  std::optional<JsChain> statement() {
    word("await");
    JsChain chain;
    if (!read_chain(chain, 0)) return std::nullopt;
    take(';');
    space();
    if (at_ != text_.size() || chain.calls.empty()) return std::nullopt;
    return chain;
  }

 private:
  void space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
      ++at_;
    }
  }
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string identifier() {
    space();
    const std::size_t from = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }
  bool word(std::string_view expected) {
    const std::size_t from = at_;
    if (identifier() == expected) return true;
    at_ = from;
    return false;
  }

  bool read_chain(JsChain& chain, int depth) {
    chain.root = identifier();
    if (!chain.root.starts_with("page") || depth > kChainDepth) return false;
    while (take('.')) {
      JsCall call;
      call.name = identifier();
      if (call.name.empty()) return false;
      if (!take('(')) {  // page.keyboard.…
        if (call.name != "keyboard" && call.name != "mouse") return false;
        chain.calls.push_back(std::move(call));
        continue;
      }
      for (bool first = true; !take(')'); first = false) {
        if (!first && !take(',')) return false;
        space();
        if (text_.substr(at_).starts_with("page")) {
          JsChain inner;
          if (!read_chain(inner, depth + 1)) return false;
          call.chains.push_back(std::move(inner.calls));
          continue;
        }
        Json value;
        if (!read_value(value, depth + 1)) return false;
        call.args.push_back(std::move(value));
      }
      chain.calls.push_back(std::move(call));
    }
    return true;
  }

  bool read_value(Json& value, int depth) {
    space();
    if (at_ >= text_.size() || depth > kChainDepth) return false;
    const char c = text_[at_];
    if (c == '\'' || c == '"' || c == '`') return read_string(value);
    if (c == '/') return read_regex(value);
    if (c == '{') return read_members(value, depth);
    if (c == '[') return read_elements(value, depth);
    if (text_.substr(at_).starts_with("process.env.")) {
      at_ += 12;
      std::string name = identifier();
      if (name.starts_with("HEBB_SECRET_")) name.erase(0, 12);
      take('!');
      value = slot(name);
      return !name.empty();
    }
    const std::size_t from = at_;
    while (at_ < text_.size() && (is_name(text_[at_]) || text_[at_] == '-' || text_[at_] == '.'))
      ++at_;
    value = Json::parse(text_.substr(from, at_ - from), nullptr, false);
    return !value.is_discarded() && !value.is_structured();
  }

  bool read_string(Json& value) {
    const char quote = text_[at_++];
    std::string out;
    for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (quote == '`' && text_.substr(at_).starts_with("${")) return false;
      if (text_[at_] != '\\') {
        out += text_[at_];
      } else if (!read_escape(out)) {
        return false;
      }
    }
    if (!take(quote)) return false;
    value = std::move(out);
    return true;
  }

  bool read_escape(std::string& out) {
    if (++at_ >= text_.size()) return false;
    constexpr std::string_view kLetters = "nrtbfv0", kMeant{"\n\r\t\b\f\v\0", 7};
    const char c = text_[at_];
    if (c == 'x' || c == 'u') {
      const std::size_t digits = c == 'x' ? 2 : 4;
      unsigned code = 0;
      for (std::size_t i = 1; i <= digits; ++i) {
        const std::size_t digit = at_ + i < text_.size()
                                      ? std::string_view("0123456789abcdef")
                                            .find(static_cast<char>(text_[at_ + i] | 0x20))
                                      : std::string_view::npos;
        if (digit == std::string_view::npos) return false;
        code = code * 16 + static_cast<unsigned>(digit);
      }
      if (code >= 0xd800 && code < 0xe000) return false;
      at_ += digits;
      put_utf8(out, code);
      return true;
    }
    const std::size_t letter = kLetters.find(c);
    out += letter == std::string_view::npos ? c : kMeant[letter];
    return true;
  }

  bool read_regex(Json& value) {
    std::string pattern;
    for (++at_; at_ < text_.size() && text_[at_] != '/'; ++at_) {
      if (text_[at_] == '\n') return false;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) pattern += text_[at_++];
      pattern += text_[at_];
    }
    if (!take('/')) return false;
    identifier();
    value = Json{{"$regex", pattern}};
    return true;
  }

  bool read_members(Json& value, int depth) {
    ++at_;
    value = Json::object();
    for (bool first = true; !take('}'); first = false) {
      if (!first && !take(',')) return false;
      if (!first && take('}')) break;
      const std::string name = identifier();
      Json inner;
      if (name.empty() || !take(':') || !read_value(inner, depth + 1)) return false;
      value[name] = std::move(inner);
    }
    return true;
  }

  bool read_elements(Json& value, int depth) {
    ++at_;
    value = Json::array();
    for (bool first = true; !take(']'); first = false) {
      if (!first && !take(',')) return false;
      Json inner;
      if (!read_value(inner, depth + 1)) return false;
      value.push_back(std::move(inner));
    }
    return true;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<JsChain> parse_js_chain(std::string_view statement) {
  return JsReader(statement).statement();
}

}  // namespace hebb::skill
