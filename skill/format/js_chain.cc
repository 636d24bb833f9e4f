#include "skill/format/js_chain.h"

#include <algorithm>
#include <array>

#include "skill/store/secrets.h"

namespace hebb::skill {
namespace {

constexpr int kChainDepth = 16;
constexpr std::array<std::string_view, 6> kNoChains{"true",    "false", "null",
                                                    "process", "async", "await"};

class JsReader {
 public:
  explicit JsReader(JsTokens tokens) : tokens_(tokens) {}

  std::optional<JsStatement> statement() {
    JsStatement s;
    if (take("const") && !(take_name(s.declares) && take("="))) return std::nullopt;
    s.awaits = take("await");
    if (!read_chain(s.chain, 0) || at_ != tokens_.size()) return std::nullopt;
    return s;
  }

 private:
  const JsToken* next() const { return at_ < tokens_.size() ? &tokens_[at_] : nullptr; }
  bool sees(std::string_view text) const { return at_ < tokens_.size() && tokens_[at_].is(text); }
  bool take(std::string_view text) {
    if (!sees(text)) return false;
    ++at_;
    return true;
  }
  bool take_name(std::string& name) {
    if (next() == nullptr || next()->kind != JsToken::Kind::name) return false;
    name = tokens_[at_++].text;
    return true;
  }

  bool read_chain(JsChain& chain, int depth) {
    if (depth > kChainDepth || !take_name(chain.root)) return false;
    if (sees("(")) {
      chain.calls.emplace_back().name = std::exchange(chain.root, "");
      if (!read_arguments(chain.calls.back(), depth)) return false;
    }
    while (take(".")) {
      JsCall& call = chain.calls.emplace_back();
      if (!take_name(call.name)) return false;
      // page.keyboard.press(…), test.describe.configure(…)
      const bool owner = call.name == "keyboard" || call.name == "mouse" || call.name == "describe";
      if (sees("(") ? !read_arguments(call, depth) : !owner) return false;
    }
    return true;
  }

  // Reads the arguments, with their parentheses.
  bool read_arguments(JsCall& call, int depth) {
    take("(");
    return read_list(")", [&] {
      if (std::optional<JsFunction> function = read_function()) {
        call.functions.push_back(*function);
        return true;
      }
      const JsToken* token = next();
      const bool chain =
          token != nullptr && token->kind == JsToken::Kind::name &&
          std::find(kNoChains.begin(), kNoChains.end(), token->text) == kNoChains.end();
      return chain ? read_chain(call.chains.emplace_back(), depth + 1)
                   : read_value(call.args.emplace_back(), depth + 1);
    });
  }

  // The parts between commas, with the closing sign. A comma may follow the last.
  template <class Read>
  bool read_list(std::string_view end, const Read& read) {
    while (!take(end)) {
      if (!read()) return false;
      if (!sees(end) && !take(",")) return false;
    }
    return true;
  }

  // async ({ page }) => { … }, e => …; nullopt: there is no function, and nothing is consumed.
  std::optional<JsFunction> read_function() {
    const std::size_t from = at_ + (sees("async") ? 1 : 0);
    const std::size_t arrow =
        from < tokens_.size() ? from + tokens_[from].to_closed + 1 : tokens_.size();
    if (arrow >= tokens_.size() || !tokens_[arrow].is("=>")) return std::nullopt;
    JsFunction function;
    const bool one = arrow == from + 1;  // a parameter without parentheses
    function.parameters =
        one ? tokens_.subspan(from, 1) : tokens_.subspan(from + 1, tokens_[from].to_closed - 1);
    at_ = arrow + 1;
    if (sees("{") && next()->to_closed > 0) {
      function.body = tokens_.subspan(at_ + 1, next()->to_closed - 1);
      at_ += next()->to_closed + 1;
      return function;
    }
    const std::size_t begin = at_;
    while (next() != nullptr && !sees(",") && !sees(")")) at_ += next()->to_closed + 1;
    function.body = tokens_.subspan(begin, at_ - begin);
    return function;
  }

  bool read_value(Json& value, int depth) {
    const JsToken* token = next();
    if (token == nullptr || depth > kChainDepth) return false;
    if (token->kind == JsToken::Kind::regex) {
      value = Json{{"$regex", token->text.substr(1, token->text.rfind('/') - 1)}};
      return ++at_, true;
    }
    if (take("{")) {
      value = Json::object();
      return read_list("}", [&] {
        std::string name;
        if (const auto quoted = next() == nullptr ? std::nullopt : js_text(*next())) {
          name = *quoted;
          ++at_;
        } else if (!take_name(name)) {
          return false;
        }
        return take(":") && read_value(value[name], depth + 1);
      });
    }
    if (take("[")) {
      value = Json::array();
      return read_list("]", [&] { return read_value(value.emplace_back(), depth + 1); });
    }
    if (token->kind == JsToken::Kind::text || token->is("process")) return read_text(value);
    const std::string sign = take("-") ? "-" : "";
    if (next() == nullptr) return false;
    value = Json::parse(sign + std::string(tokens_[at_++].text), nullptr, false);
    return value.is_boolean() || value.is_number() || value.is_null();
  }

  // 'a' + process.env.HEBB_SECRET_X + …
  bool read_text(Json& value) {
    std::string out;
    do {
      if (next() == nullptr) return false;
      const auto literal = js_text(*next());
      if (literal) {
        ++at_;
        out += *literal;
      } else if (std::string name;
                 take("process") && take(".") && take("env") && take(".") && take_name(name)) {
        if (name.starts_with("HEBB_SECRET_")) name.erase(0, 12);
        if (slot_names(slot(name)).empty()) return false;
        take("!");
        out += slot(name);
      } else {
        return false;
      }
    } while (take("+"));
    value = std::move(out);
    return true;
  }

  const JsTokens tokens_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<JsStatement> parse_js_statement(JsTokens tokens) {
  return JsReader(tokens).statement();
}

}  // namespace hebb::skill
