// A replay presses the recorded element or none: at the moment of each event, in frames, by keys
// and in dialogs. Skipped without a Chromium.
#include <catch2/catch.hpp>

#include "tests/skill/recorded_world.h"

namespace hebb::skill::test {

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

TEST_CASE("what has no name is told from another that has none", "[browser]") {
  NEEDS_BROWSER();
  const auto photo = [](const std::string& in) {
    return "<style>#p { width: 200px; height: 100px; background: silver } #p * { width: 100%;"
           " height: 100%; display: block }</style><div id=p data-is=right>" +
           in + "</div>";
  };
  RecordedWorld w(photo(""), R"json({"kind":"click","target":{"css":"#p"}})json");
  w.finds(photo("<svg></svg>"));
  w.refuses(photo("<button title=Delete data-is=wrong><svg></svg></button>"));
  w.refuses(photo("<label for=x data-is=wrong></label>") + "<input type=checkbox id=x>");
  // What was pressed in it when it was recorded, also where that was not in the window.
  const std::string far = "<p style='height:3000px'></p>",
                    inner = photo("<button data-is=right><svg></svg></button>");
  RecordedWorld in(far + inner, R"json({"kind":"click","target":{"css":"#p"}})json");
  in.finds(far + inner);
  in.refuses(photo("<a href=#x data-is=wrong><svg></svg></a>"));
}

TEST_CASE("a half of a press, of a drag or of a text is none", "[browser]") {
  NEEDS_BROWSER();
  // The first click draws something over the element.
  const auto rename = [](const std::string& more) {
    return "<b id=b data-is=- ondblclick=\"document.title = 'right'\">Notes</b>" + more;
  };
  RecordedWorld twice(rename(""),
                      R"json({"kind":"click","count":2,"target":{"text":"Notes"}})json");
  twice.finds(rename(""));
  const std::string cover =
      "<div id=c hidden data-is=wrong style='position:fixed;inset:0'>Menu</div>"
      "<script>b.onclick = () => { c.hidden = false }</script>";
  twice.refuses(rename(cover));
  // A label that says something else when it is pressed still ticks its box.
  const std::string box = "<input type=checkbox id=x data-is=right><label for=x id=l>Show</label>";
  RecordedWorld label(box, R"json({"kind":"click","target":{"css":"#l"}})json");
  label.finds(box + "<script>l.onclick = () => { l.textContent = 'Hide' }</script>");
  // A box that the page ticks a little later is not pressed twice.
  const auto later = [](const char* script) {
    return "<label><input type=checkbox id=x data-is=->Me</label>" + std::string(script);
  };
  RecordedWorld tick(later(""), R"json({"kind":"check","target":{"text":"Me"}})json");
  tick.finds(
      later("<script>let on = false; x.onclick = (e) => { e.preventDefault(); on = !on; setTimeout("
            "() => { x.checked = on; document.title = on ? 'right' : 'wrong' }, 200) }</script>"));
  // What is drawn anew as another one before the button of the mouse comes up has not been pressed.
  RecordedWorld save(button("Save", "right", "id=s"),
                     R"json({"kind":"click","target":{"text":"Save"}})json");
  save.refuses(button("Save", "-", "id=s") +
               "<script>s.onmousedown = () => { s.outerHTML = '<button id=s>Save (1 error)"
               "</button>' }</script>");
  // A list that its control has opened over itself, and a menu under the mouse, have been opened.
  const auto opens = [](const char* when) {
    return std::string(
               "<button id=o data-is=- aria-expanded=false>Size</button>"
               "<div id=c hidden data-is=wrong style='position:fixed;inset:0'>S M L</div>"
               "<script>o.") +
           when +
           " = (e) => { e.preventDefault(); c.hidden = false; document.title = 'right';"
           " o.setAttribute('aria-expanded', e.type === 'mousedown') }</script>";
  };
  RecordedWorld list(opens("onmousedown"), R"json({"kind":"click","target":{"text":"Size"}})json");
  list.finds(opens("onmousedown"));
  RecordedWorld menu(opens("oncontextmenu"),
                     R"json({"kind":"click","button":"right","target":{"text":"Size"}})json");
  menu.finds(opens("oncontextmenu"));
  // A text that goes nowhere.
  const auto field = [](const char* more) {
    return "<input aria-label=Day data-is=right " + std::string(more) + ">";
  };
  RecordedWorld text(field(""),
                     R"json({"kind":"fill","target":{"text":"Day"},"value":"1 May"})json");
  text.refuses(field("onfocus='this.blur()'"));
  text.refuses(field("") + "<dialog id=d>Wait</dialog><script>d.showModal()</script>");
}

TEST_CASE("a drag begins on what is dragged and ends on what it was dropped on", "[browser]") {
  NEEDS_BROWSER();
  const char* style =
      "<style>* { user-select: none } #card, .zone { width: 100px; height: 60px; position: "
      "absolute;"
      " top: 0 } svg { width: 100%; height: 100% } #card { left: 0 } .zone { left: 300px }</style>";
  const auto board = [&](const std::string& in_card, const std::string& more) {
    return style + ("<div id=card><svg id=a></svg>" + in_card + "</div>") +
           "<div class=zone id=z data-is=right onmouseup=\"document.title = 'right'\">Done</div>" +
           more;
  };
  RecordedWorld w(board("", ""),
                  R"json({"kind":"drag","target":{"css":"#card"},"to":{"css":"#z"}})json");
  w.finds(board("", ""));
  // A tool in its middle takes the beginning.
  w.refuses(board("<button id=t hidden style='position:absolute;inset:0'>Archive</button>",
                  "<script>card.onmouseover = () => { t.hidden = false }</script>"));
  // What has no text is not taken for a copy of what is dragged.
  w.refuses(board("",
                  "<div class=zone data-is=wrong onmouseup=\"document.title = 'wrong'\">"
                  "<svg id=b></svg></div>"));
  // The end takes what is dragged in before it is let go.
  w.finds(board("",
                "<script>let on = false; card.onmousedown = () => { on = true };"
                "z.onmousemove = () => { if (on) z.append(' (1)', card) };"
                "card.style.pointerEvents = 'auto'</script>"));
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
  w.options.step_timeout_ms = 4000;
  w.skill.artifact->steps = read_given_steps(
      R"json({"kind":"fill","target":{"text":"Name"},"value":"Ada","frame":".box"})json");
  w.record();
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
  t.options.step_timeout_ms = 4000;
  t.skill.artifact->steps = read_given_steps(R"json({"kind":"click","target":{"text":"Open"}}
{"kind":"fill","target":{"text":"Name"},"value":"Ada","tab":1})json");
  t.record();
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
  const auto becomes = [](const char* when, const char* what, const char* is) {
    return button("Keep", "right", "id=k") + "<script>k.on" + when +
           " = () => { k.textContent = '" + what + "'; k.dataset.is = '" + is + "' }</script>";
  };
  RecordedWorld keep(button("Keep", "right"),
                     R"json({"kind":"click","target":{"text":"Keep"}})json");
  for (const char* when : {"pointerdown", "mouseup"})
    keep.refuses(becomes(when, "Delete", "wrong"));
  keep.finds(becomes("pointerdown", "Keeping", "right"));
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
  ReplayWorld w(opens(""), {click("Open"), step(StepKind::press, {}, {{"key", "Enter"}})});
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
  ReplayWorld d(asks("Save changes?"),
                {click("Save"), step(StepKind::dialog, {}, {{"accept", true}})});
  d.learn();
  d.options.allow_risky = true;
  CHECK(failure(d.run()) == "");
  d.site.put("/", with(asks("Save changes?"), "confirm(", "!alert("));
  CHECK(refused(failure(d.run())));
  d.site.put("/", asks("Erase the whole account?"));
  CHECK(refused(failure(d.run())));
  d.skill.elements.clear();
  d.options.allow_risky = false;
  CHECK(refused(failure(d.run())));

  // Of two dialogs of one press each is its own.
  const auto asks_twice = [](const std::string& first, const std::string& second) {
    return telling(button("Save", "-",
                          "onclick=\"const a = confirm('" + first + "'), b = confirm('" + second +
                              "'); document.title = a && !b ? 'right' : 'wrong'\""));
  };
  ReplayWorld two(asks_twice("Save?", "Print?"),
                  {click("Save"), step(StepKind::dialog, {}, {{"accept", true}}),
                   step(StepKind::dialog, {}, {{"accept", false}})});
  two.contract("right", R"({"assertions":[{"title":"right"}]})");
  two.skill.contract_id = "right";
  two.learn();
  CHECK(failure(two.run()) == "");
  two.site.put("/", asks_twice("Send?", "Print?"));
  CHECK(refused(failure(two.run())));
}

}  // namespace hebb::skill::test
