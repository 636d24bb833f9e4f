#include "skill/replay/quiet.h"

namespace hebb::skill {
namespace {

constexpr std::int64_t kTimersMs = 5000;  // pages that save typed text do so within this time
constexpr std::int64_t kStepMs = 250;     // a timer may start another one
// Drawing and background work need real time, whatever the page's clock shows.
constexpr std::int64_t kRealMs = 300;
constexpr std::int64_t kHeldMs = 700;  // a clock that stands for longer is held by a request
constexpr std::int64_t kAskMs = 10;

// Moves the clock of all pages forward by `ms`; their timers run at once. With
// "pauseIfNetworkFetchesPending" the clock stands while a request is on its way, with "advance" it
// does not. False: it has not moved that far by the deadline.
bool forward(Browser& browser, const char* policy, std::int64_t ms, Deadline deadline) {
  browser.clocks_moving = 0;
  for (std::size_t i = 0; i < browser.pages(); ++i) {
    const PageState& page = browser.page(i);
    if (page.closed || page.crashed) continue;
    ++browser.clocks_moving;
    try {
      browser.call("Emulation.setVirtualTimePolicy", {{"policy", policy}, {"budget", ms}},
                   page.session, deadline);
    } catch (const CdpRefused&) {
      --browser.clocks_moving;
    }
  }
  return browser.wait_for([&] { return browser.clocks_moving <= 0; }, deadline);
}

// Waits until no request is open. After its clock was moved, a page handles answers only while the
// clock moves.
bool answered(Browser& browser, bool moved, Deadline deadline) {
  while (!browser.open_requests.empty() && !is_over(deadline)) {
    if (moved) forward(browser, "advance", 1, deadline);
    browser.rest(std::min(deadline, in_ms(kAskMs)));
  }
  return browser.open_requests.empty();
}

// Leaves the focused fields, since some pages save typed text only then.
void leave_fields(Browser& browser, Deadline deadline) {
  for (std::size_t i = 0; i < browser.pages(); ++i) {
    const PageState& page = browser.page(i);
    if (page.closed || page.crashed || !page.main()) continue;
    try {
      browser.run(page.main()->id, "() => document.activeElement?.blur()", Json::array(), deadline);
    } catch (const CdpRefused&) {
      continue;  // the page is gone, with its field
    }
  }
}

}  // namespace

void let_pages_finish(Browser& browser, Deadline deadline) {
  try {
    leave_fields(browser, deadline);
    browser.rest(std::min(deadline, in_ms(kRealMs)));
    bool held = false;  // by an earlier request: the clock must move nevertheless
    for (std::int64_t gone = 0;; gone += kStepMs) {
      if (!answered(browser, gone > 0, deadline) || gone >= kTimersMs) return;
      const char* policy = held ? "advance" : "pauseIfNetworkFetchesPending";
      bool moved = false;
      do {
        moved = forward(browser, policy, kStepMs, std::min(deadline, in_ms(kHeldMs)));
      } while (!moved && !browser.open_requests.empty() && !is_over(deadline));
      held = held || !moved;
    }
  } catch (const CdpTimeout&) {
    return;
  }
}

}  // namespace hebb::skill
