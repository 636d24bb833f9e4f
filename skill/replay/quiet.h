// The end of a run: when nothing is under way any more that its last step has set off.
#pragma once

#include "skill/browser/browser.h"

namespace hebb::skill {

// Leaves the field that has the focus, and waits until what that and the last step has set off in
// the pages has ended: the requests that have begun since Browser::open_requests was emptied, and
// timers of up to five seconds, for which the pages' clocks are moved forward. A stream of events
// or a socket that stays open is not waited for. Ends early where the deadline comes or a page
// cannot be asked. Throws BrowserGone, Cancelled.
void wait_until_quiet(Browser& browser, Deadline deadline);

}  // namespace hebb::skill
