// The end of a run: leaves its last field, and waits for the effects of its last step.
#pragma once

#include "skill/browser/browser.h"

namespace hebb::skill {

// Leaves the focused field in each page, and waits for the effects of that and of the last step:
// the requests since Browser::open_requests was emptied, and timers of up to five seconds, for
// which the pages' clocks are moved forward. A stream of events or a socket that stays open is not
// waited for. Ends early at the deadline, or if a page refuses a command. Throws BrowserGone,
// Cancelled.
void let_pages_finish(Browser& browser, Deadline deadline);

}  // namespace hebb::skill
