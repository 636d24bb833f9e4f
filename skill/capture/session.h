// Makes steps from recorded tool calls of browser servers: @playwright/mcp, chrome-devtools-mcp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "capture/actions/row.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill {

struct CapturedSession {
  struct LeftOut {
    std::size_t before = 0;  // the number of steps before it
    std::string what;        // the call and the reason
  };
  std::vector<Step> steps;
  std::vector<LeftOut> left_out;  // acting calls that gave no step
  bool browser = false;           // the session used a browser; else both lists are empty
};

// Takes the successful calls of one session, in their order. A step's selectors come from the code
// that the server reports, else from the ref or uid and the last snapshot, else from the selector
// in its argument `target` (a description in words is not used). A call without a step that may do
// more than look is listed in `left_out`.
CapturedSession capture_session(std::span<const capture::ActionRow> rows);

// The steps, with one of kind custom in place of each call that was left out. Values of secret
// fields are slots.
Artifact session_artifact(const CapturedSession& session);

}  // namespace hebb::skill
