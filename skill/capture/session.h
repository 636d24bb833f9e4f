// Makes steps from recorded tool calls of browser servers: @playwright/mcp, chrome-devtools-mcp.
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
  std::vector<std::string> left_out;  // acting calls that gave no step, with the reason
  std::string start_url;
};

// Takes the successful calls of one session, in their order. A step's selectors come from the code
// that the server reports, else from the ref or uid and the last snapshot, else from a selector
// among the arguments (a description in words is not used). A call that acts but gives no step is
// listed in `left_out`.
CapturedSession capture_session(std::span<const capture::ActionRow> rows);

}  // namespace hebb::skill
