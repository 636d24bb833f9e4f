#include "skill/replay/check.h"

#include <algorithm>

#include <fmt/format.h>

namespace hebb::skill {
namespace {

constexpr std::int64_t kCheckAgainMs = 50;

bool state_holds(const Json& state, const Assertion& a) {
  const auto is = [&](const char* key) { return is_true(state, key); };
  if (a.value && text_member(state, "value") != *a.value) return false;
  if (a.contains && text_member(state, "text").find(*a.contains) == std::string::npos) return false;
  if (a.state == "hidden") return !is("visible");
  if (!is("visible")) return false;
  if (a.state == "enabled") return is("enabled");
  if (a.state == "disabled") return !is("enabled");
  if (a.state == "checked") return is("checked");
  if (a.state == "unchecked") return !is("checked");
  if (a.state == "editable") return is("editable") && is("enabled");
  return true;
}

bool element_holds(Browser& browser, const std::string& frame, const Assertion& a,
                   Deadline deadline) {
  Finder finder(browser);
  if (a.count) {
    const auto found = finder.find(frame, a.selectors.front(), deadline);
    return static_cast<std::int64_t>(found.size()) == *a.count;
  }
  for (const Selector& s : a.selectors) {
    for (const Element& e : finder.find(frame, s, deadline)) {
      const Json state =
          browser.run(e.frame, "(e) => __hebb.state(e)", Json::array({e.reference()}), deadline);
      if (state.is_object() && state_holds(state, a)) return true;
    }
  }
  return a.state == "hidden";  // an element that does not exist counts as hidden
}

bool holds(Browser& browser, const Frame& main, const Assertion& a, Deadline deadline) {
  if (!a.url.empty()) return matches_pattern(main.url, a.url);
  if (!a.selectors.empty()) return element_holds(browser, main.id, a, deadline);
  const bool title = !a.title.empty();
  const char* function = title ? "() => document.title" : "() => __hebb.pageText()";
  const Json shown = browser.run(main.id, function, Json::array(), deadline);
  return shown.is_string() &&
         squeeze(shown.get<std::string>()).find(squeeze(title ? a.title : a.text)) !=
             std::string::npos;
}

}  // namespace

std::string broken_assertion(Browser& browser, std::size_t tab, const Contract& contract,
                             Deadline deadline) {
  for (;;) {
    const Assertion* broken = nullptr;
    const Frame* main = browser.page(tab).main();
    if (main == nullptr) return "there is no page";
    const Frame shown = *main;
    for (const Assertion& a : contract.assertions) {
      bool held = false;
      try {
        held = holds(browser, shown, a, for_answer(deadline)) != a.absent;
      } catch (const CdpRefused&) {
        held = false;  // the page is changing: checked again below
      }
      if (!held) broken = &a;
      if (!held) break;
    }
    if (broken == nullptr) return "";
    const std::string why =
        fmt::format("contract {}: {} does not hold", contract.id, describe(*broken));
    if (is_over(deadline)) return why;
    browser.wait(std::min(deadline, in_ms(kCheckAgainMs)));
  }
}

}  // namespace hebb::skill
