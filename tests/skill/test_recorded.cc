// A replay presses the recorded element or none: on pages that have changed so that something else
// looks like it. Skipped without a Chromium.
#include <atomic>

#include <catch2/catch.hpp>

#include "skill/replay/record.h"
#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::page;

namespace {

// A page that keeps in its title the `data-is` of what was pressed, typed into or dropped on.
std::string telling(const std::string& body) {
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
    options.capture = ReplayOptions::Capture::chains;
    const ReplayResult r = run();
    INFO(failure(r));
    REQUIRE(r.ok);
    std::vector<std::string> slots;
    skill = with_captured(skill, r, slots);
    options.capture = ReplayOptions::Capture::nothing;
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
std::string imported(const std::string& body, Chain chain) {
  ReplayWorld w(telling(body), {step(Kind::click, std::move(chain))});
  w.options.step_timeout_ms = 500;
  w.options.allow_risky = true;
  w.contract("right", R"({"assertions":[{"title":"right"}]})");
  w.skill.contract_id = "right";
  return failure(w.run());
}
bool refused(const std::string& failure) { return failure.starts_with("ARTIFACT_RESOLUTION"); }

Selector css(const std::string& value) { return by(SelectorType::css, value); }
std::string button(const std::string& name, const std::string& is = "wrong",
                   const std::string& more = "") {
  return "<button data-is=" + is + " " + more + ">" + name + "</button>";
}
std::string row(const std::vector<std::string>& cells, const std::string& last) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += "<td>" + cell + "</td>";
  return out + "<td>" + last + "</td></tr>";
}
std::string table(const std::string& rows) { return "<table>" + rows + "</table>"; }
std::string card(const std::string& who, const std::string& more) {
  return "<div class=card><span>" + who + "</span>" + more + "</div>";
}
std::string entry(const std::string& who, const std::string& more) {
  return "<li><span>" + who + "</span> " + more + "</li>";
}

}  // namespace

TEST_CASE("the text of a row is a whole text", "[browser]") {
  NEEDS_BROWSER();
  const auto rows = [](auto&& make, const char* first, const char* is) {
    return make(first, button("Ship", is)) + make("Order 2", button("Ship"));
  };
  const auto tr = [](const std::string& who, const std::string& more) { return row({who}, more); };
  const auto in_table = [&](const char* first, const char* is = "wrong") {
    return table(rows(tr, first, is));
  };
  RecordedWorld t(in_table("Order 1", "right"),
                  R"json({"kind":"click","target":{"css":"tr:nth-of-type(1) button"}})json");
  for (const char* other : {"Order 10", "order 1", "Order 1 (copy)", "My Order 1", "Order 1, 2"})
    t.refuses(in_table(other));
  t.finds(in_table("Order 1", "right"));
  t.finds(table(row({"Order 10"}, button("Ship")) + row({"Order 1"}, button("Ship", "right"))));
  const auto in_list = [&](const char* first, const char* is = "wrong") {
    return "<ul>" + rows(entry, first, is) + "</ul>";
  };
  RecordedWorld l(in_list("Ann Lee", "right"),
                  R"json({"kind":"click","target":{"css":"li:nth-of-type(1) button"}})json");
  l.refuses(in_list("Joann Leeds"));
  l.refuses(in_list("Ann Leeds"));
  l.finds(in_list("Ann Lee", "right"));
  const auto in_cards = [&](const char* first, const char* is = "wrong") {
    return rows(card, first, is);
  };
  RecordedWorld c(in_cards("Ann Lee", "right"),
                  R"json({"kind":"click","target":{"css":".card:nth-of-type(1) button"}})json");
  c.refuses(in_cards("Joann Leeds"));
  c.finds(in_cards("Ann Lee", "right"));
  // An imported filter.
  Selector li = css("li");
  li.has_text = "Order 1";
  Selector ship = by_role("button", "Ship");
  ship.within = {li};
  CHECK(refused(imported(in_list("Order 10"), {ship})));
  CHECK(imported(in_list("Order 1", "right"), {ship}) == "");
}

TEST_CASE("a row is known by what stays as it is, and not by its state, a price or a date",
          "[browser]") {
  NEEDS_BROWSER();
  const char* first = R"json({"kind":"click","target":{"css":"tr:nth-of-type(1) button"}})json";
  const auto person = [](std::vector<std::string> cells, const char* who, const char* is) {
    cells.push_back(who);
    return row(cells, button("Pay", is));
  };
  const std::vector<std::string> states{"Overdue",
                                        "€ 12.50",
                                        "2026-03-01",
                                        "3 days ago",
                                        "12%",
                                        "In progress",
                                        "Seen 01.03.2026",
                                        "12 comments",
                                        "<b class=badge>Escalating</b>",
                                        "<time>Monday</time>"},
      others(states.size(), "Other thing");
  RecordedWorld s(table(person(states, "Ann", "right") + person(others, "Bob", "wrong")), first);
  s.finds(table(person(others, "Ann", "right") + person(states, "Bob", "wrong")));
  s.refuses(table(person(states, "Bob", "wrong") + person(others, "Cy", "wrong")));
  // Where it is not known which of two texts stays, both have to be there.
  const auto rows = [&](const char* a, const char* b, const char* is = "wrong") {
    return table(row({a, "Ann"}, button("Pay", is)) + row({b, "Bob"}, button("Pay")));
  };
  RecordedWorld w(rows("Berlin", "Paris", "right"), first);
  w.refuses(rows("Paris", "Berlin"));
  w.finds(rows("Berlin", "Rome", "right"));
  // Nor is an author or a name the row, where more is said; a number of an account stays.
  const auto said = [](const std::string& who, const std::string& what, const char* is) {
    return "<li>" + who + "<p>" + what + "</p>" + button("Pay", is) + "</li>";
  };
  RecordedWorld more("<ul>" + said("<b>Kim</b>", "Deploy the docs", "right") +
                         said("<h3>Jo</h3>", "DE11 2200 0400", "wrong") + "</ul>",
                     R"json({"kind":"click","target":{"css":"li:nth-of-type(1) button"}}
{"kind":"click","target":{"css":"li:nth-of-type(2) button"}})json");
  more.refuses("<ul>" + said("<b>Kim</b>", "Drop the database", "wrong") +
               said("<h3>Jo</h3>", "DE11 2200 0400", "wrong") + "</ul>");
  more.refuses("<ul>" + said("<b>Kim</b>", "Deploy the docs", "-") +
               said("<h3>Jo</h3>", "GB99 7700 1100", "wrong") + "</ul>");
  // One that is alone on its page stands in a row as well.
  RecordedWorld alone(table(row({"Ann"}, button("Promote", "right"))), first);
  alone.refuses(table(row({"Bob"}, button("Promote"))));
  alone.refuses(button("Promote"));
  alone.finds("<h1>Staff</h1>" + table(row({"Ann"}, button("Promote", "right"))));
  RecordedWorld dialog("<div role=dialog><h2>Save changes?</h2>" + button("OK", "right") + "</div>",
                       R"json({"kind":"click","target":{"text":"OK"}})json");
  dialog.refuses("<div role=dialog><h2>Erase the account?</h2>" + button("OK") + "</div>");
}

TEST_CASE("an id that counts its place is no identity", "[browser]") {
  NEEDS_BROWSER();
  for (const std::string attribute : {"id", "data-testid", "name"}) {
    INFO(attribute);
    const auto list = [&](const std::vector<std::string>& people, const std::string& is) {
      std::string out = "<ul>";
      for (std::size_t i = 0; i < people.size(); ++i) {
        out += entry(people[i], button("Promote", i == 0 ? is : "wrong",
                                       attribute + "=promote-" + std::to_string(i)));
      }
      return out + "</ul>";
    };
    RecordedWorld w(list({"Ann", "Bob", "Cy"}, "right"),
                    R"json({"kind":"click","target":{"css":"li:nth-of-type(1) button"}})json");
    w.refuses(list({"Bob", "Cy"}, "wrong"));
    w.refuses(list({"Bob"}, "wrong"));
    w.finds(list({"Ann", "Cy"}, "right"));
    w.finds("<ul>" + entry("Bob", button("Promote", "wrong", attribute + "=promote-0")) +
            entry("Ann", button("Promote", "right", attribute + "=promote-1")) + "</ul>");
    // An import knows no row.
    const Selector numbered = attribute == "data-testid" ? by(SelectorType::test_id, "promote-0")
                                                         : css("[" + attribute + "=\"promote-0\"]");
    CHECK(refused(imported(list({"Bob", "Cy"}, "wrong"), {numbered})));
    CHECK(refused(imported(list({"Bob"}, "wrong"), {numbered})));
  }
  // A number that names is none that counts.
  CHECK(imported(button("Go", "right", "id=go-1042") + button("Go", "wrong", "id=go-1077"),
                 {css("#go-1042")}) == "");
  CHECK(imported(button("One", "right", "id=tab-0") + button("Two", "wrong", "id=tab-1"),
                 {by_role("button", "One"), css("#tab-0")}) == "");
}

TEST_CASE("what was recorded of an element is compared whichever selector finds it", "[browser]") {
  NEEDS_BROWSER();
  const auto both = [](SelectorType type, const char* value) {
    return Chain{by_role("button", "Save"), by(type, value)};
  };
  CHECK(refused(imported(button("Discard", "wrong", "data-testid=save"),
                         both(SelectorType::test_id, "save"))));
  CHECK(refused(imported("<a href=#x data-is=wrong data-testid=save>Save</a>",
                         both(SelectorType::test_id, "save"))));
  const std::string drop = button("Save", "wrong", "aria-label='Drop all documents'");
  CHECK(refused(imported(drop, both(SelectorType::text, "Save"))));
  CHECK(refused(imported(drop, {by(SelectorType::text, "Save")})));
  CHECK(imported(button("<b>Save</b>", "right"), {by(SelectorType::text, "Save")}) == "");
  // Where no name was recorded, what else people read is.
  CHECK(refused(
      imported(button("Discard", "wrong", "id=a"), {by(SelectorType::text, "Save"), css("#a")})));
  CHECK(refused(imported("<input aria-label=Fax id=a data-is=wrong>",
                         {by(SelectorType::placeholder, "Email"), css("#a")})));
  CHECK(imported(button("Save", "right", "id=a"), {by(SelectorType::text, "Save"), css("#a")}) ==
        "");
  // A name that nobody reads there needs another sign.
  const std::string odd = button("Subscribe", "right", "aria-label=Send id=a");
  CHECK(refused(imported(odd, {by_role("button", "Send"), css("#go")})));
  CHECK(imported(odd, {by_role("button", "Send"), css("#a")}) == "");
  CHECK(imported(odd, {by_role("button", "Send")}) == "");
  const auto form = [](const char* mail, const char* fax) {
    return std::string("<form><input name=mail data-is=right placeholder='") + mail +
           "'><input name=fax data-is=wrong placeholder='" + fax + "'></form>";
  };
  RecordedWorld w(form("Email", "Fax"),
                  R"json({"kind":"fill","target":{"placeholder":"Email"},"value":"a"})json");
  w.refuses(form("Address", "Email"));
  w.refuses("<input name=fax data-is=wrong placeholder=Email>");
  // A button whose field is another one, and a number under another heading.
  const auto with = [](const char* field, const char* month, const char* is) {
    return std::string("<div><input aria-label='") + field + "'>" + button("Apply", is) +
           "</div><h2>" + month + "</h2>" + button("5", is);
  };
  RecordedWorld apply(with("Coupon", "May", "right"),
                      R"json({"kind":"click","target":{"text":"Apply"}})json");
  apply.refuses(with("Highest price", "May", "wrong"));
  apply.finds(with("Coupon code", "June", "right"));
  RecordedWorld day(with("Coupon", "May", "right"),
                    R"json({"kind":"click","target":{"text":"5"}})json");
  day.refuses(with("Coupon", "June", "wrong"));
  w.finds(form("Email", "Other"));
}

TEST_CASE("a drop meets its end, and a press all of itself", "[browser]") {
  NEEDS_BROWSER();
  const auto board = [](const std::string& over, const char* style = "") {
    const auto zone = [](const char* name, const char* is) {
      return "<div class=zone style='height:40px' data-is=" + std::string(is) +
             " onmouseup=\"document.title = this.dataset.is\">" + name + "</div>";
    };
    return "<style>p, div { user-select: none }</style><p class=card>Task</p>" +
           zone("To do", "wrong") + "<div id=done style='height:40px' data-is=right " + style +
           " onmouseup=\"document.title = 'right'\">Done</div>" + over;
  };
  const std::string trash =
      "<div style='position:absolute;left:0;right:0;top:0;height:400px;%' data-is=wrong"
      " onmouseup=\"document.title = 'wrong'\">Trash</div>";
  RecordedWorld w(board(""),
                  R"json({"kind":"drag","target":{"text":"Task"},"to":{"css":"#done"}})json");
  w.finds(board(""));
  w.refuses(board("<style>.card { position: relative; z-index: 2 }</style>" + trash));
  // What is dragged, or its copy, is under the mouse.
  w.finds(
      board("<script>document.querySelector('.card').onmousedown = (e) => { const c = e.target,"
            " g = c.cloneNode(true); g.style.cssText = 'position:fixed;pointer-events:none';"
            "document.body.append(g); onmousemove = (m) => { g.style.left = m.clientX - 5 +"
            " 'px'; g.style.top = m.clientY - 5 + 'px' } }</script>"));
  // A page that takes nothing there gets nothing.
  w.refuses(
      "<p class=card draggable=true>Task</p><div class=zone>To do</div><div id=done>Done</div>");
  // A card that has got a button where it is pressed.
  const auto pressed = [](const std::string& more) {
    return "<div id=card data-is=right style='width:200px;height:60px;text-align:center'>"
           "<span>Buy milk</span>" +
           more + "</div>";
  };
  RecordedWorld c(pressed(""), R"json({"kind":"click","target":{"css":"#card"}})json");
  c.finds(pressed("<p>" + button("Archive", "wrong", "style='width:80px;height:30px'") + "</p>"));
  c.refuses(
      pressed("<p>" + button("Archive", "wrong", "style='width:100%;height:100%'") + "</p>") +
      "<style>#card { position: relative } #card p { position: absolute; inset: 0; margin: 0 }"
      "</style>");
  // An element that is elsewhere when the button of the mouse comes up.
  const std::string moves = "<div style='position:relative;height:200px'>" +
                            button("Go", "right", "id=go style='position:absolute;left:0;top:0'") +
                            "</div>";
  const auto moving = [&](const char* times) {
    return moves + "<script>let n = 0; go.onmousedown = () => { if (n++ < " + times +
           ") go.style.top = n * 40 + 'px' }</script>";
  };
  RecordedWorld m(moves, R"json({"kind":"click","target":{"text":"Go"}})json");
  m.finds(moving("1"));
  m.refuses(moving("1e9"));
}

TEST_CASE("rivals are compared by role, whatever tag makes them", "[browser]") {
  NEEDS_BROWSER();
  const char* save = R"json({"kind":"click","target":{"text":"Save"}})json";
  RecordedWorld w("<form id=f onsubmit='return false'>" + button("Save", "right") + "</form>",
                  save);
  for (const std::string decoy :
       {"<input type=button value=Save data-is=wrong>",
        "<div role=button tabindex=0 data-is=wrong>Save</div>", "<a href=#x data-is=wrong>Save</a>",
        "<a role=button data-is=wrong href=#x>Save</a>"}) {
    w.refuses("<form id=f onsubmit='return false'>" + button("Save changes") + "</form>" + decoy);
  }
  w.refuses("<div role=button data-is=wrong aria-label=Save><form id=f onsubmit='return false'>" +
            button("Save changes") + "</form></div>");
}

TEST_CASE("a frame is known by its address and title as well", "[browser]") {
  NEEDS_BROWSER();
  RecordedWorld w("<h1>Pay</h1>", R"json({"kind":"hover","target":{"css":"h1"}})json");
  const auto form = [](const char* title, const char* is) {
    return page(std::string("<title>") + title +
                "</title><input aria-label=Name oninput=\"(opener || top)."
                "document.title = '" +
                is + "'\">");
  };
  w.site.put("/pay", form("Your card", "right"));
  w.site.put("/ad", form("Win a car", "wrong"));
  const std::string pay = "<iframe class=box src=/pay></iframe>",
                    ad = "<iframe class=box src=/ad></iframe>";
  w.site.put("/", telling(pay));
  w.options.capture = ReplayOptions::Capture::chains;
  w.skill.contract_id = std::nullopt;
  w.skill.elements.clear();
  w.options.step_timeout_ms = 4000;
  w.skill.artifact->steps = read_given_steps(
      R"json({"kind":"fill","target":{"text":"Name"},"value":"Ada","frame":".box"})json");
  const ReplayResult r = w.run();
  REQUIRE(r.ok);
  std::vector<std::string> slots;
  w.skill = with_captured(w.skill, r, slots);
  w.options.capture = ReplayOptions::Capture::nothing;
  w.refuses(ad);
  w.finds(pay);
  Step& fill = w.skill.artifact->steps[0];
  fill.frames.clear();
  fill.frame_ordinal = 1;
  w.refuses(ad + pay);
  w.finds(pay + ad);
  // So is another tab.
  const auto opens = [](const std::string& url) {
    return button("Open", "-", "onclick=\"window.open('" + url + "')\"");
  };
  RecordedWorld t(opens("/pay"), R"json({"kind":"hover","target":{"text":"Open"}})json");
  t.site.put("/pay", form("Your card", "right"));
  t.site.put("/ad", form("Win a car", "wrong"));
  t.options.capture = ReplayOptions::Capture::chains;
  t.options.step_timeout_ms = 4000;
  t.skill.elements.clear();
  t.skill.artifact->steps = read_given_steps(R"json({"kind":"click","target":{"text":"Open"}}
{"kind":"fill","target":{"text":"Name"},"value":"Ada","tab":1})json");
  const ReplayResult recorded = t.run();
  INFO(failure(recorded));
  REQUIRE(recorded.ok);
  t.skill = with_captured(t.skill, recorded, slots);
  t.options.capture = ReplayOptions::Capture::nothing;
  t.refuses(opens("/ad"));
  t.finds(opens("/pay"));
}

TEST_CASE("what a page draws anew is pressed as what it was found as", "[browser]") {
  NEEDS_BROWSER();
  const auto list = [](const char* first, const char* second) {
    return std::string("<ul id=l>") + entry(first, button("Pick", "right")) +
           entry(second, button("Pick")) + "</ul>";
  };
  RecordedWorld w(list("Ann", "Bob"),
                  R"json({"kind":"click","target":{"css":"li:nth-of-type(1) button"}})json");
  // Its nodes get other data when the mouse comes: once, and each time.
  const auto sorted = [&](const char* event) {
    return list("Ann", "Bob") +
           "<script>let n = 0; const all = [...l.children]; const turn = () => { ++n;"
           "for (const [i, e] of all.entries()) { const ann = (i + n) % 2 === 0; e.firstChild"
           ".textContent = ann ? 'Ann' : 'Bob'; e.lastElementChild.dataset.is = ann ? 'right' :"
           " 'wrong' } }; " +
           event + "</script>";
  };
  w.finds(sorted("addEventListener('pointermove', turn, {once: true})"));
  w.refuses(sorted("addEventListener('pointermove', turn)"));
  // New nodes when the mouse comes.
  const auto drawn = [&](const char* event) {
    return "<div id=d></div><script>const draw = () => d.innerHTML = `" + list("Ann", "Bob") +
           "`; draw(); addEventListener('pointermove', draw" + event + ")</script>";
  };
  w.finds(drawn(", {once: true}"));
  w.refuses(drawn(""));
  // What else stands there may change as it likes.
  const std::string log =
      "<dialog open id=g><h2>Log</h2><p>begun</p>" + button("Stop", "right") + "</dialog>";
  RecordedWorld r(log, R"json({"kind":"click","target":{"text":"Stop"}})json");
  r.finds(log +
          "<script>setInterval(() => { const p = document.createElement('p'); p.textContent ="
          " 'line ' + performance.now(); g.append(p) }, 20)</script>");
  // A button that becomes another one while it is pressed.
  const auto becomes = [](const char* what, const char* is) {
    return button("Keep", "right", "id=k") + "<script>k.onpointerdown = () => { k.textContent = '" +
           what + "'; k.dataset.is = '" + is + "' }</script>";
  };
  RecordedWorld keep(button("Keep", "right"),
                     R"json({"kind":"click","target":{"text":"Keep"}})json");
  keep.refuses(becomes("Delete", "wrong"));
  keep.finds(becomes("Keeping", "right"));
  // A button that is another one for a moment.
  RecordedWorld toggle(button("Start", "right"),
                       R"json({"kind":"click","target":{"text":"Start"}})json");
  toggle.finds(button("Start", "right", "id=b") +
               "<script>const is = (text, what) => { b.textContent = text; b.dataset.is = what };"
               "addEventListener('pointermove', () => { is('Stop', 'wrong');"
               "setTimeout(is, 200, 'Start', 'right') }, {once: true})</script>");
}

TEST_CASE("no key presses what no step names, and no dialog is answered for another", "[browser]") {
  NEEDS_BROWSER();
  const auto opens = [](const std::string& focus) {
    return telling(button("Open", "-", "onclick=\"d.showModal(); " + focus + "\"") +
                   "<dialog id=d>" + button("Discard all", "wrong", "id=x") +
                   button("Keep", "right", "id=k") + "</dialog>");
  };
  ReplayWorld w(opens(""), {click("Open"), step(Kind::press, {}, {{"key", "Enter"}})});
  w.options.step_timeout_ms = 500;
  CHECK(refused(failure(w.run())));
  // A good run has told what had the focus.
  ElementTraits keep;
  keep.tag = "button";
  keep.role = "button";
  keep.accessible_name = "Keep";
  w.skill.elements = {std::nullopt, keep};
  CHECK(refused(failure(w.run())));
  w.contract("right", R"({"assertions":[{"title":"right"}]})");
  w.skill.contract_id = "right";
  w.site.put("/", opens("k.focus()"));
  CHECK(failure(w.run()) == "");

  // While a person records, a key may go where another key has led.
  RecordedWorld tick("<input aria-label=User><label><input type=checkbox data-is=right>Me</label>",
                     R"json({"kind":"fill","target":{"text":"User"},"value":"kim"}
{"kind":"press","key":"Tab"}
{"kind":"press","key":"Space"})json");
  tick.refuses("<input aria-label=User>" + button("Wipe") +
               "<label><input type=checkbox>Me</label>");

  const auto asks = [](const char* what) {
    return telling(button(
        "Save", "-",
        "onclick=\"this.dataset.is = confirm('" + std::string(what) + "') ? 'yes' : 'no'\""));
  };
  ReplayWorld d(asks("Save changes?"), {click("Save"), step(Kind::dialog, {}, {{"accept", true}})});
  d.options.capture = ReplayOptions::Capture::traits;
  const ReplayResult r = d.run();
  REQUIRE(r.ok);
  d.skill = with_traits(d.skill, r);
  d.options.capture = ReplayOptions::Capture::nothing;
  d.options.allow_risky = true;
  CHECK(failure(d.run()) == "");
  d.site.put("/", asks("Erase the whole account?"));
  CHECK(refused(failure(d.run())));
  d.skill.elements.clear();
  d.options.allow_risky = false;
  CHECK(refused(failure(d.run())));
}

TEST_CASE("what has changed harmlessly is found", "[browser]") {
  NEEDS_BROWSER();
  // A row by its name, as Playwright has it.
  Selector in_row = by_role("button", "Ship");
  Selector named = by_role("row", "Order 1 Open");
  named.exact = false;
  in_row.within = {named};
  const std::string orders = table(row({"Order 1", "Open"}, button("Ship", "right")) +
                                   row({"Order 10", "Open"}, button("Ship")));
  Selector whole = named;
  whole.value = "Order 1 Open Ship";
  in_row.within = {whole};
  CHECK(imported(orders, {in_row}) == "");
  // A page that is called as its button is.
  CHECK(imported("<script>document.title = 'Save'</script>" + button("Save", "right"),
                 {by_role("button", "Save"), by(SelectorType::accessible_name, "Save")}) == "");
  // A button before one that has no id.
  RecordedWorld w("<p>" + button("Save", "right") + button("Cancel") + "</p>",
                  R"json({"kind":"click","target":{"text":"Save"}})json");
  w.finds("<p>" + button("New") + button("Save", "right") + button("Cancel") + "</p>");
  w.refuses("<p>" + button("Save changes") + button("Cancel") + "</p>" + button("Save"));
  // A good run has told what an id alone had found.
  const auto people = [](const std::string& id, const char* is) {
    return "<ul>" + entry("Bob", button("Pay")) + entry("Ann", button("Pay", is, "id=" + id)) +
           "</ul>" + button("Save", is, "id=save-" + id) + button("Drop");
  };
  for (const char* id : {"#ann", "#save-ann"}) {
    ReplayWorld taught(telling(people("ann", "right")), {step(Kind::click, {css(id)})});
    taught.options.allow_risky = true;
    taught.options.step_timeout_ms = 500;
    taught.contract("right", R"({"assertions":[{"title":"right"}]})");
    taught.skill.contract_id = "right";
    taught.options.capture = ReplayOptions::Capture::traits;
    const ReplayResult r = taught.run();
    REQUIRE(r.ok);
    taught.site.put("/", telling(people("other", "right")));
    CHECK(refused(failure(taught.run())));
    taught.skill = with_traits(taught.skill, r);
    CHECK(failure(taught.run()) == "");
    taught.site.put("/", telling("<ul>" + entry("Bob", button("Pay")) + "</ul>" + button("Drop")));
    CHECK(refused(failure(taught.run())));
  }
  // Of two of a name that nothing tells apart, a place says nothing.
  CHECK(refused(imported(table(row({"500 g"}, button("Add")) + row({"750 g"}, button("Add"))),
                         {css("tr:nth-of-type(1) button")})));
  CHECK(imported(button("Add", "right") + button("Drop"), {css("button:nth-of-type(1)")}) == "");
  // One of two of a name, which nothing but its id told apart, is not the other one.
  const std::string two =
      "<p>" + button("Save", "right", "id=a") + "</p><p>" + button("Save") + "</p>";
  ReplayWorld one(telling(two), {step(Kind::click, {css("#a")})});
  one.options.step_timeout_ms = 500;
  one.options.capture = ReplayOptions::Capture::traits;
  const ReplayResult r = one.run();
  REQUIRE(r.ok);
  one.skill = with_traits(one.skill, r);
  one.site.put("/", telling("<p>" + button("Save") + "</p>"));
  CHECK(refused(failure(one.run())));
}

TEST_CASE("a part of a word or of a name is not the name", "[browser]") {
  NEEDS_BROWSER();
  for (const SelectorType type : {SelectorType::text, SelectorType::accessible_name}) {
    Selector loose = by(type, "Save");
    loose.exact = false;
    for (const char* other : {"Do not save", "Save and delete", "Unsaved", "Saved"})
      CHECK(refused(imported(button(other), {loose})));
    for (const char* same : {"save", "Save (3)", "✓ Save", "Save…"})
      CHECK(imported(button(same, "right"), {loose}) == "");
  }
  // An option is what people read, whatever its value is.
  const auto list = [](const char* one, const char* two) {
    return std::string(
               "<select aria-label=Way onchange=\"document.title = this.selectedOptions[0].label =="
               " 'Express' ? 'right' : 'wrong'\"><option value=0>-</option><option value=1>") +
           one + "</option><option value=2>" + two + "</option></select>";
  };
  RecordedWorld w(list("Express", "Pickup"),
                  R"json({"kind":"select","target":{"text":"Way"},"value":"1"})json");
  w.finds(list("Pickup", "Express"));
  w.refuses(list("Drone", "Pickup"));
  const auto in_group = [&](const char* one, const char* two) {
    return list(one, two) +
           "<script>const s = document.querySelector('select'), g ="
           " document.createElement('optgroup'); g.label = 'By ' + s.options[2].label;"
           "g.append(s.options[1]); s.append(g)</script>";
  };
  RecordedWorld g(in_group("Express", "ship"),
                  R"json({"kind":"select","target":{"text":"Way"},"value":"1"})json");
  g.refuses(in_group("Express", "air"));
  g.finds(in_group("Express", "ship"));
}

}  // namespace hebb::skill::test
