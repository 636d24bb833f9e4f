// Pages that a seed has changed (site/mutate.js): what is acted on is the recorded element, or
// none. Skipped without a Chromium.
#include <catch2/catch.hpp>

#include "skill/replay/capture_element.h"
#include "skill/replay/run.h"
#include "tests/skill/pages.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::Site;

namespace {

// Clicks on elements of a page, in one browser for many pages: `hebb skill run` starts one each
// time, and does the same in it.
class Presses {
 public:
  explicit Presses(const std::string& site) {
    options_.allow_risky = true;
    skill_.start_url = site;
    begin({step(StepKind::navigate, {})});
  }

  // False for an element that nothing tells apart, which cannot be recorded.
  std::vector<bool> record(const std::string& url, const std::vector<std::string>& elements) {
    run_->navigate(url, in_ms(kOpenMs));
    std::vector<Step> steps;
    std::vector<bool> known;
    for (const std::string& css : elements) {
      Browser& browser = run_->browser();
      const std::string frame = browser.page(0).main()->id;
      const auto found = Finder(browser).find(frame, by(SelectorType::css, css), in_ms(kOpenMs));
      INFO(css);
      REQUIRE(found.size() == 1);
      auto captured = capture_element(browser, found.front(), {}, in_ms(kOpenMs));
      known.push_back(!captured.chain.empty());
      steps.push_back(step(StepKind::click, std::move(captured.chain)));
      skill_.elements.emplace_back(std::move(captured.traits));
    }
    numbers_ = Json::array();
    for (const std::string& css : elements)
      numbers_.push_back(page("mutation.number.get(document.querySelector('" + css + "'))"));
    begin(std::move(steps));
    return known;
  }
  // Of the recorded elements.
  const Json& numbers() const { return numbers_; }

  // For each element the numbers of what was pressed, from the inside out; null: nothing was.
  Json press(const std::string& url, const std::vector<bool>& known, std::int64_t step_ms) {
    run_->navigate(url, in_ms(kOpenMs));
    run_->settle(in_ms(kOpenMs));
    Json pressed = Json::array();
    for (std::size_t i = 0; i < known.size(); ++i) {
      page("mutation.acted = null");
      StepResult result;
      bool done = false;
      try {
        if (known[i]) run_->run_step(i, result, in_ms(step_ms));
        done = known[i];
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
    Browser& browser = run_->browser();
    const Json answer =
        browser.call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}},
                     browser.page(0).session, in_ms(kOpenMs));
    return answer.value("result", Json::object()).value("value", Json());
  }

 private:
  static constexpr std::int64_t kOpenMs = 30'000;

  void begin(std::vector<Step> steps) {
    skill_.artifact.emplace().steps = std::move(steps);
    run_.emplace(skill_, options_, contracts_);
    run_->check();
    run_->start_browser();
  }

  Skill skill_;
  ReplayOptions options_;
  const ContractLookup contracts_ = [](const std::string&) { return std::nullopt; };
  Json numbers_;
  std::optional<Run> run_;
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
  const Json& numbers = presses.numbers();
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
