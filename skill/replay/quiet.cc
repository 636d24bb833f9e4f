#include "skill/replay/quiet.h"

namespace hebb::skill {
namespace {

constexpr std::int64_t kTimersMs = 5000;  // a page that saves what was typed does so within that
constexpr std::int64_t kStepMs = 250;     // what a timer begins may begin another one
// What is drawn, counted or read in the background takes its time whatever the page's clock says.
constexpr std::int64_t kRealMs = 300;
constexpr std::int64_t kHeldMs = 700;  // a clock that has not moved in that is held by a request
constexpr std::int64_t kAskMs = 10;

// Moves the clock of all pages forward by that much; their timers run at once. With
// "pauseIfNetworkFetchesPending" the clock stands while a request is on its way, with "advance" it
// does not. False: it has not moved that far until the deadline.
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

// Until no request is open. Once a page's clock has been moved, it takes answers only while its
// clock moves.
bool answered(Browser& browser, bool moved, Deadline deadline) {
  while (!browser.open_requests.empty() && !is_over(deadline)) {
    if (moved) forward(browser, "advance", 1, deadline);
    browser.rest(std::min(deadline, in_ms(kAskMs)));
  }
  return browser.open_requests.empty();
}

// A page that saves what was typed when its field is left saves what was typed last, too.
void leave_fields(Browser& browser, Deadline deadline) {
  for (std::size_t i = 0; i < browser.pages(); ++i) {
    const PageState& page = browser.page(i);
    if (page.closed || page.crashed || !page.main()) continue;
    try {
      browser.run(page.main()->id, "() => document.activeElement?.blur()", Json::array(), deadline);
    } catch (const CdpRefused&) {
      continue;  // the page has gone: so has its field
    }
  }
}

}  // namespace

void let_pages_finish(Browser& browser, Deadline deadline) {
  try {
    leave_fields(browser, deadline);
    browser.rest(std::min(deadline, in_ms(kRealMs)));
    bool held = false;  // by a request that began before: the clock has to move all the same
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
