// Recorded calls of browser servers, as they answer today.
#pragma once

#include <string>
#include <utility>

#include "capture/actions/row.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill::test {

inline capture::ActionRow call(const std::string& tool, const Json& args, const std::string& text) {
  capture::ActionRow row;
  row.tool = tool;
  row.args = args.dump();
  row.result = Json{{"content", {{{"type", "text"}, {"text", text}}}}}.dump();
  row.success = true;
  row.app_name = "browser";
  return row;
}

// What @playwright/mcp answers: the code, and what it says of the page.
inline std::string ran(const std::string& code, const std::string& before_page = "") {
  return "### Ran Playwright code\n```js\n" + code + "\n```\n" + before_page +
         "### Page\n- Page URL: http://a/\n";
}

}  // namespace hebb::skill::test
