// Pages that a seed has changed (site/mutate.js): what is acted on is the recorded element, or
// none. Skipped without a Chromium.
#include <catch2/catch.hpp>

#include "skill/replay/capture_element.h"
#include "skill/replay/steps.h"
#include "tests/skill/pages.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::Site;

namespace {

struct Known {
  Step step;
  ElementTraits traits;
};

// A click on an element of a page, in one browser for many pages: `hebb skill run` starts
// one each time, and does the same in it.
class Presses {
 public:
  explicit Presses(const std::string& site)
      : reach_({site}, {}, {}), browser_(opening(reach_.open()), in_ms(kStartMs)) {}

  // nullopt for an element that nothing tells apart, which cannot be recorded.
  std::vector<std::optional<Known>> record(const std::string& url,
                                           const std::vector<std::string>& elements) {
    RunContext context = plain();
    StepRunner(std::move(context)).navigate(url, in_ms(kOpenMs));
    std::vector<std::optional<Known>> all;
    for (const std::string& css : elements) {
      const std::string frame = browser_.page(0).main()->id;
      const auto found = Finder(browser_).find(frame, by(SelectorType::css, css), in_ms(kOpenMs));
      INFO(css);
      REQUIRE(found.size() == 1);
      auto captured = capture_element(browser_, found.front(), {}, in_ms(kOpenMs));
      all.emplace_back();
      if (captured.chain.empty()) continue;
      all.back() = Known{step(Kind::click, std::move(captured.chain)), std::move(captured.traits)};
    }
    return all;
  }

  // For each element the numbers of what was pressed, from the inside out; null: nothing was.
  Json press(const std::string& url, const std::vector<std::optional<Known>>& all,
             std::int64_t step_ms) {
    const Known* now = nullptr;
    RunContext context = plain();
    context.known = [&](RunContext::Part, std::size_t) { return &now->traits; };
    StepRunner runner(std::move(context));
    runner.navigate(url, in_ms(kOpenMs));
    runner.settle(in_ms(kOpenMs));
    Json pressed = Json::array();
    for (const auto& known : all) {
      page("mutation.acted = null");
      now = known ? &*known : nullptr;
      StepResult result;
      bool done = false;
      try {
        if (known) runner.run(known->step, {}, false, result, in_ms(step_ms));
        done = known.has_value();
      } catch (const StepFailed&) {
        done = false;
      }
      pressed.push_back(page("mutation.acted"));
      CHECK((!done || !pressed.back().is_null()));
    }
    return pressed;
  }

  // The value of an expression of the page's own.
  Json page(const std::string& expression) {
    const Json answer =
        browser_.call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}},
                      browser_.page(0).session, in_ms(kOpenMs));
    return answer.value("result", Json::object()).value("value", Json());
  }

 private:
  static constexpr std::int64_t kOpenMs = 30'000;

  RunContext plain() {
    options_.allow_risky = true;
    return {browser_, options_, secrets_, reach_};
  }
  static BrowserOptions opening(const std::vector<OpenOrigin>& origins) {
    BrowserOptions options;
    options.open = origins;
    return options;
  }

  Reach reach_;
  Browser browser_;
  ReplayOptions options_;
  SecretValues secrets_;
};

bool holds_number(const Json& numbers, const Json& number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::string mutated_page() {
  std::string rows;
  for (const char* who : {"Ada", "Grace", "Mary"}) {
    rows += "<li><span class=who>" + std::string(who) +
            "</span> <button class=pick>Choose</button> <a class=more href=#more>More</a></li>";
  }
  return hebb::test::page(
      "<style>.who { color: red }</style><h1>People</h1><form id=form>"
      "<p><label for=mail>Email</label> <input id=mail name=mail></p>"
      "<p><label for=phone>Phone</label> <input id=phone name=phone></p>"
      "<p><label><input type=checkbox id=news> Send me news</label></p>"
      "<p><button id=send>Send</button> <button id=stop type=button>Stop</button></p></form><ul>" +
      rows + "</ul><script src=/mutate.js></script>");
}

}  // namespace

TEST_CASE("on a page that a seed has changed the recorded element is acted on, or none",
          "[browser]") {
  NEEDS_BROWSER();
  Site site;
  site.put("/", mutated_page());
  site.put("/mutate.js", Site::file("mutate.js"));
  Presses presses(site.url("/"));
  const std::vector<std::string> elements{"#mail",
                                          "#phone",
                                          "#news",
                                          "#send",
                                          "#stop",
                                          "li:nth-child(2) .pick",
                                          "li:nth-child(3) .more"};
  const auto known = presses.record(site.url("/"), elements);
  Json numbers = Json::array();
  for (const std::string& css : elements)
    numbers.push_back(presses.page("mutation.number.get(document.querySelector('" + css + "'))"));
  constexpr std::int64_t kStepMs = 1000;
  std::size_t pressed = 0, left = 0, all = 0;
  const auto check = [&](const std::string& kinds, bool unseen) {
    const std::string url = site.url("/") + "?seed=1&mutate=" + kinds;
    const Json seen = presses.press(url, known, kStepMs);
    const Json there = presses.page("mutation.left()");
    for (std::size_t i = 0; i < elements.size(); ++i) {
      INFO(url << " " << elements[i] << " pressed " << seen[i].dump());
      CHECK((seen[i].is_null() || holds_number(seen[i], numbers[i])));
      // Where people see no difference, all are found.
      CHECK((!unseen || !seen[i].is_null()));
      ++all;
      left += holds_number(there, numbers[i]) ? 1 : 0;
      pressed += seen[i].is_null() ? 0 : 1;
    }
  };
  for (const char* kinds : {"", "rename", "reorder", "wrap"}) check(kinds, true);
  for (const char* kinds :
       {"exchange", "translate", "remove", "remove,rename,exchange,reorder,wrap,translate"})
    check(kinds, false);
  CHECK(left < all);      // some were removed
  CHECK(pressed < left);  // some were refused
}

}  // namespace hebb::skill::test
