// Parses JavaScript as Playwright's code generator writes it: only chains of calls with literals.
// A script is not trusted: it is parsed, never run.
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

// The element that the calls before the last one select, and its frames; nullopt: not understood.
struct JsTarget {
  std::vector<Chain> frames;
  std::optional<Selector> selector;  // nullopt: the page itself
};
std::optional<JsTarget> target_of(std::span<const JsCall> calls);

// The step for a statement of generated code; nullopt: there is none for it. `tabs` has the names
// of the pages, in the order in which they were opened; new ones are added.
std::optional<Step> step_of(const JsChain& chain, std::vector<std::string>& tabs);

}  // namespace hebb::skill
