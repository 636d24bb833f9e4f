// Steps out of recorded tool calls of browser servers: @playwright/mcp, chrome-devtools-mcp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "capture/actions/row.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill {

struct CapturedStep {
  Step step;
  std::string tool;
};
struct CapturedSession {
  std::vector<CapturedStep> steps;
  std::vector<std::string> left_out;  // calls that act and are no step, with the reason
  std::string start_url;
};

// The calls of one session that succeeded, in their order. A locator comes from the code that the
// server says it ran, else from the ref or uid joined to the last snapshot, else from a selector
// among the arguments; free text is none. Nothing is made up: a call that acts and gives no step is
// named in `left_out`.
CapturedSession capture_session(std::span<const capture::ActionRow> rows);

}  // namespace hebb::skill
