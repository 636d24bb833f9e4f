// The end of a run: its last field is left, and what its last step has set off comes to its end.
#pragma once

#include "skill/browser/browser.h"

namespace hebb::skill {

// Leaves the field that has the focus in each page, and waits until what that and the last step
// have set off has ended: the requests that have begun since Browser::open_requests was emptied,
// and timers of up to five seconds, for which the pages' clocks are moved forward. A stream of
// events or a socket that stays open is not waited for. Ends early where the deadline comes or a
// page cannot be asked. Throws BrowserGone, Cancelled.
void let_pages_finish(Browser& browser, Deadline deadline);

}  // namespace hebb::skill
