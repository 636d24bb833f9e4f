// Pages on which something looks like what was recorded, and what a replay presses there.
#pragma once

#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::page;

// A page that keeps in its title the `data-is` of what was pressed, typed into or dropped on.
inline std::string telling(const std::string& body) {
  return page("<title>-</title>" + body +
              "<script>const tell = (e) => { const b = e.composedPath().find((x) => x.dataset &&"
              " x.dataset.is); if (b) top.document.title = b.dataset.is }; for (const k of "
              "['click', 'input', 'drop']) addEventListener(k,"
              " tell, true)</script>");
}

// A skill of given steps, recorded on one page and replayed on others.
struct RecordedWorld : ReplayWorld {
  RecordedWorld(const std::string& before, const std::string& steps)
      : ReplayWorld(telling(before)) {
    skill.artifact->steps = read_given_steps(steps);
    options.allow_risky = true;
    record();
  }
  // As replayed on this page: what was pressed, "-" where nothing was, or "" where the run failed.
  std::string on(const std::string& after, std::int64_t step_ms = 500) {
    site.put("/", telling(after));
    options.step_timeout_ms = step_ms;
    const ReplayResult r = run();
    said = failure(r);
    if (!r.ok) return "";
    Browser& browser = *kept_browser();
    const Json title = browser.run(browser.page(0).main()->id, "() => document.title",
                                   Json::array(), in_ms(10'000));
    return title.get<std::string>();
  }
  bool finds(const std::string& after) {
    INFO(after);
    const std::string what = on(after, 10'000);
    INFO(said);
    CHECK(what == "right");
    return what == "right";
  }
  bool refuses(const std::string& after) {
    INFO(after);
    const std::string what = on(after);
    INFO(said);
    CHECK(what == "");
    return what == "";
  }
  std::string said;
};

// The outcome of a click on the element of an artifact's chain, as an import has it.
inline std::string imported(const std::string& body, Chain chain) {
  ReplayWorld w(telling(body), {step(StepKind::click, std::move(chain))});
  w.options.step_timeout_ms = 500;
  w.options.allow_risky = true;
  w.contract("right", R"({"assertions":[{"title":"right"}]})");
  w.skill.contract_id = "right";
  return failure(w.run());
}
inline bool refused(const std::string& failure) {
  return failure.starts_with("ARTIFACT_RESOLUTION");
}

inline Selector css(const std::string& value) { return by(SelectorType::css, value); }
inline std::string button(const std::string& name, const std::string& is = "wrong",
                          const std::string& more = "") {
  return "<button data-is=" + is + " " + more + ">" + name + "</button>";
}
inline std::string row(const std::vector<std::string>& cells, const std::string& last) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += "<td>" + cell + "</td>";
  return out + "<td>" + last + "</td></tr>";
}
inline std::string table(const std::string& rows) { return "<table>" + rows + "</table>"; }
inline std::string card(const std::string& who, const std::string& more) {
  return "<div class=card><span>" + who + "</span>" + more + "</div>";
}
inline std::string entry(const std::string& who, const std::string& more) {
  return "<li><span>" + who + "</span> " + more + "</li>";
}

}  // namespace hebb::skill::test
