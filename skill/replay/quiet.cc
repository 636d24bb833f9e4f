#include "skill/replay/quiet.h"

namespace hebb::skill {
namespace {

constexpr std::int64_t kTimersMs = 5000;  // a page that saves what was typed does so within that
constexpr std::int64_t kStepMs = 250;     // what a timer begins may begin another one

// Moves the clock of all pages forward by that much; their timers run at once.
void forward(Browser& browser, std::int64_t ms, Deadline deadline) {
  browser.clocks_moving = 0;
  for (std::size_t i = 0; i < browser.pages(); ++i) {
    const PageState& page = browser.page(i);
    if (page.closed || page.crashed) continue;
    ++browser.clocks_moving;
    try {
      browser.call("Emulation.setVirtualTimePolicy", {{"policy", "advance"}, {"budget", ms}},
                   page.session, deadline);
    } catch (const CdpRefused&) {
      --browser.clocks_moving;
    }
  }
  browser.wait_for([&] { return browser.clocks_moving <= 0; }, deadline);
}

}  // namespace

void wait_until_quiet(Browser& browser, Deadline deadline) {
  try {
    for (std::int64_t gone = 0;; gone += kStepMs) {
      if (!browser.wait_for([&] { return browser.open_requests.empty(); }, deadline)) return;
      if (gone >= kTimersMs) return;
      forward(browser, kStepMs, deadline);
    }
  } catch (const CdpTimeout&) {
    return;
  }
}

}  // namespace hebb::skill
