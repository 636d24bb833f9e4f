// Parses statements in the style of Playwright's code generator: chains of calls with literals.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"
#include "skill/format/js_tokens.h"

namespace hebb::skill {

struct JsChain;

struct JsFunction {
  JsTokens parameters;
  JsTokens body;  // without its braces
};
// The arguments of each sort are in their order.
struct JsCall {
  std::string name;
  std::vector<Json> args;  // a regular expression as {"$regex": "…"}; process.env.X as a slot
  std::vector<JsChain> chains;
  std::vector<JsFunction> functions;
};
struct JsChain {
  std::string root;  // page, page1, …; empty: the first call is of a function, such as expect(…)
  std::vector<JsCall> calls;
};

// const NAME = await CHAIN; absent parts are empty or false.
struct JsStatement {
  std::string declares;
  bool awaits = false;
  JsChain chain;
};
// nullopt: any other statement. Functions in it refer to the tokens.
std::optional<JsStatement> parse_js_statement(JsTokens tokens);

// The call's last argument, if it holds options; else an empty object.
Json js_options(const JsCall& call);

// The element that the calls select, and its frames; nullopt: not understood.
struct JsTarget {
  std::vector<Chain> frames;
  std::optional<Selector> selector;  // nullopt: the page itself
};
std::optional<JsTarget> target_of(std::span<const JsCall> calls);

// The step for a statement of generated code; nullopt: it has none. `tabs` has the names of the
// pages, in the order in which they were opened.
std::optional<Step> step_of(const JsStatement& statement, std::span<const std::string> tabs);

}  // namespace hebb::skill
