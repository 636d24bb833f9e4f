// JavaScript as Playwright's code generator writes it: chains of calls with literals, nothing else.
// A script is not trusted: it is read, never run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"

namespace hebb::skill {

struct JsCall {
  std::string name;
  std::vector<Json> args;  // a regular expression as {"$regex": "…"}; process.env.X as a slot
  std::vector<std::vector<JsCall>> chains;  // arguments that are locators, in order
};
struct JsChain {
  std::string root;  // page, page1, …
  std::vector<JsCall> calls;
};

// await page.….…(…); nullopt: anything else.
std::optional<JsChain> parse_js_chain(std::string_view statement);

// The element that the calls before the last lead to, and its frames; nullopt: not understood.
struct JsTarget {
  std::vector<Chain> frames;
  std::optional<Selector> selector;  // nullopt: the page itself
};
std::optional<JsTarget> target_of(std::span<const JsCall> calls);

// What a statement of generated code does; nullopt: nothing that a step could do. `tabs` knows the
// pages by their names, in the order in which they were opened.
std::optional<Step> step_of(const JsChain& chain, std::vector<std::string>& tabs);

}  // namespace hebb::skill
