// A press goes to the element in the recorded surroundings, or nowhere: the named boxes that it
// stands in, what a dialog says, the title above a row, and the popup. Skipped without a Chromium.
#include <catch2/catch.hpp>

#include "tests/skill/recorded_world.h"

namespace hebb::skill::test {
namespace {

std::string click(const std::string& css) {
  return R"({"kind":"click","target":{"css":")" + css + "\"}}";
}
const std::string kClick = click("[data-is=right]");

// What is recorded on one page is refused on the others, and found on those that say the same.
void told_apart(const std::string& before, const std::vector<std::string>& others,
                const std::vector<std::string>& same) {
  RecordedWorld w(before, kClick);
  w.finds(before);
  for (const std::string& page : same) w.finds(page);
  for (const std::string& page : others) w.refuses(page);
}

std::string dialog(const std::string& body, const std::string& is, const std::string& how) {
  return "<div " + how + ">" + body + "<div class=footer>" + button("Cancel") + button("OK", is) +
         "</div></div>";
}

}  // namespace

TEST_CASE("a dialog that says something else is another dialog", "[browser]") {
  NEEDS_BROWSER();
  for (const std::string how : {"role=dialog", "role=alertdialog aria-label=Confirm",
                                "class='modal fade'", "class=confirm-box"}) {
    INFO(how);
    const auto says = [&](const std::string& text, const std::string& is = "wrong") {
      return dialog("<h2>Confirm</h2><p>" + text + "</p>", is, how);
    };
    told_apart(says("Archive <b>Ann Lee</b>?", "right"),
               {says("Wipe all accounts?"), says("Archive <b>Bob Ray</b>?"),
                says("Archive <b>Ann Lee</b>?</p><p>All accounts are wiped as well."),
                says("Ann Lee <b>Archive</b>?")},
               {"<h1>People</h1>" + says("Archive <b>Ann Lee</b>?", "right")});
  }
  // What is long is compared as well, and an amount; a time is not.
  const std::string much(90, 'x');
  const auto longer = [&](const std::string& who, const std::string& cost, const std::string& is) {
    return dialog("<p>Really remove " + who + " " + much + " " + much + "?</p><p>" + cost + "</p>",
                  is, "role=dialog");
  };
  told_apart(longer("Ann", "€ 12.50", "right"), {longer("Bob", "€ 12.50", "wrong")},
             {longer("Ann", "€ 12.50", "right")});
  const auto when = [&](const std::string& amount, const std::string& time, const std::string& is) {
    return dialog("<p>Send " + amount + " to Ann?</p><p>" + time + "</p>", is, "popover=manual");
  };
  const char* open = "<script>document.querySelector('[popover]').showPopover()</script>";
  told_apart(when("10 EUR", "Saved a minute ago", "right") + open,
             {when("1000 EUR", "Saved a minute ago", "wrong") + open},
             {when("10 EUR", "Saved an hour ago", "right") + open});
  // What lies over the window, a picture, and what is filled in and cannot be changed.
  const auto over = [&](const std::string& who, const std::string& is) {
    return dialog("<img alt='" + who + "'><input readonly value='" + who + "'>", is,
                  "style='position: fixed; inset: 0'");
  };
  told_apart(over("Ann", "right"), {over("Mallory", "wrong")}, {over("Ann", "right")});
  // Of a dialog with fields, what is added does not count, nor do the entries of its lists.
  const auto form = [&](const std::string& head, const std::string& more, const std::string& is) {
    return dialog("<h2>Share</h2><p>" + head + "</p><input aria-label=Mail>" + more, is,
                  "role=dialog");
  };
  told_apart(form("With a person", "<ul><li>Ann</li></ul>", "right"),
             {form("With everyone", "<ul><li>Ann</li></ul>", "wrong")},
             {form("With a person", "<ul><li>Bob</li><li>Cy</li></ul><p>Checked</p>", "right")});
  // What stood on the page does not stand in a dialog, nor the other way round.
  told_apart("<p>Go on?</p>" + button("OK", "right"),
             {dialog("<p>Go on?</p>", "wrong", "role=dialog")}, {});
}

TEST_CASE("a box of another name is another box, also for what is alone of its name", "[browser]") {
  NEEDS_BROWSER();
  const auto box = [](const std::string& open, const std::string& close) {
    return [=](const std::string& name, const std::string& is) {
      std::string text = open;
      const std::string mark = "NAME";
      for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark))
        text.replace(at, mark.size(), name);
      return text + "<p>" + button("Save", is) + "</p>" + close;
    };
  };
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"<form onsubmit='return false'><h2>NAME</h2><input aria-label=Note>", "</form>"},
      {"<h1>NAME</h1><form onsubmit='return false'><input aria-label=Note>", "</form>"},
      {"<form onsubmit='return false' aria-label='NAME'>", "</form>"},
      {"<fieldset><legend>NAME</legend>", "</fieldset>"},
      {"<div role=group aria-labelledby=n><span id=n>NAME</span>", "</div>"},
      {"<div role=tablist><button role=tab aria-controls=p>NAME</button></div>"
       "<div role=tabpanel id=p>",
       "</div>"},
      {"<div><div role=tablist><button role=tab>Other</button>"
       "<button role=tab aria-selected=true>NAME</button></div><div role=tabpanel>",
       "</div></div>"},
      {"<nav aria-label='NAME'>", "</nav>"},
      {"<nav><h3>NAME</h3>", "</nav>"},
      {"<details open><summary>NAME</summary>", "</details>"},
      {"<section aria-label='NAME'>", "</section>"},
      {"<div role=menu aria-label='NAME'>", "</div>"},
      {"<button aria-controls=m aria-haspopup=menu>NAME</button><div role=menu id=m>", "</div>"},
      {"<div><div><span>NAME</span></div><button aria-expanded=true>NAME</button></div><div>",
       "</div>"},
      {"<ul><li><a href=#p0>NAME</a></ul><div id=p0>", "</div>"},
      {"<div><button>NAME</button><div class=dropdown-menu>", "</div></div>"},
      {"<div><div><h2>NAME</h2></div></div><div><div><form onsubmit='return false'>"
       "<input aria-label=Note>",
       "</form></div></div>"},
      {"<form onsubmit='return false'><div class=MuiTypography-h6>NAME</div>"
       "<input aria-label=Note>",
       "</form>"},
      {"<table><caption>NAME</caption><tr><td>", "</td></tr></table>"}};
  for (const auto& [open, close] : kinds) {
    INFO(open);
    const auto made = box(open, close);
    told_apart(made("Project Alpha", "right"),
               {made("Project Beta", "wrong"), made("Everything", "wrong")},
               {"<h1>More</h1><main><div>" + made("Project Alpha", "right") + "</div></main>",
                made("Project Alpha (3)", "right")});
  }
}

TEST_CASE("an option belongs to its list, a row to its title, a field to its fieldset",
          "[browser]") {
  NEEDS_BROWSER();
  const auto list = [](const std::string& label, const std::string& how, const std::string& is) {
    return "<label id=l>" + label +
           "</label><div role=combobox tabindex=0 aria-expanded=true "
           "aria-haspopup=listbox aria-labelledby=l " +
           how +
           ">Cy</div><div role=listbox id=b>"
           "<div role=option data-is=wrong>Bob Ray</div><div role=option data-is=" +
           is + ">Ann Lee</div></div>";
  };
  for (const char* how : {"aria-controls=b", ""}) {
    INFO(how);
    told_apart(list("Assignee", how, "right"), {list("Remove from team", how, "wrong")}, {});
  }
  const auto plain = [](const std::string& label, const std::string& is) {
    return "<span class=label>" + label +
           "</span><div role=listbox><div role=option data-is=" + is + ">Ann Lee</div></div>";
  };
  told_apart(plain("Owner", "right"), {plain("Blocked", "wrong")}, {});
  // A row is below the title of its group.
  const auto group = [](const std::string& title, const std::string& who, const std::string& is) {
    return "<tr><th colspan=2>" + title + "</th></tr>" + row({who}, button("Remove", is));
  };
  told_apart(table(group("Guests", "Ann", "right") + group("Owners", "Bob", "wrong")),
             {table(group("Guests", "Bob", "wrong") + group("Owners", "Ann", "wrong"))},
             {table(group("Owners", "Bob", "wrong") + group("Guests", "Ann", "right"))});
  const auto section = [](const std::string& title, const std::string& who, const std::string& is) {
    return "<h3>" + title + "</h3><ul>" + entry(who, button("Remove", is)) + "</ul>";
  };
  told_apart(section("Guests", "Ann", "right") + section("Owners", "Bob", "wrong"),
             {section("Guests", "Bob", "wrong") + section("Owners", "Ann", "wrong"),
              section("Owners", "Ann", "wrong")},
             {section("Owners", "Bob", "wrong") + section("Guests (4)", "Ann", "right"),
              "<h1>All</h1>" + section("Guests", "Ann", "right")});
  // Of titles that span rows, of subheaders in the list itself, and of cards, which are none.
  const auto span = [](const std::string& title, const std::string& is) {
    return "<table><tr><td rowspan=2>" + title + "</td><td>Ann</td><td>" + button("Run") +
           "</td></tr><tr><td>Bob</td><td>" + button("Run", is) + "</td></tr></table>";
  };
  told_apart(span("Staging", "right"), {span("Production", "wrong")}, {});
  const auto sub = [](const std::string& title, const std::string& is) {
    return "<ul><li class=MuiListSubheader-root>" + title + "</li>" +
           entry("Ann", button("Run", is)) + "</ul>";
  };
  told_apart(sub("Staging", "right"), {sub("Production", "wrong")}, {});
  const auto article = [](const std::string& name, const std::string& is) {
    return "<article class=card><h3>" + name + "</h3>" + button("Follow", is) + "</article>";
  };
  told_apart(article("Alpha", "wrong") + article("Beta", "wrong") + article("Gamma", "right"), {},
             {article("Beta", "wrong") + article("Alpha", "wrong") + article("Gamma", "right")});
  // A day, a state or a number is no title of a group.
  told_apart(section("Today", "Ann", "right"), {}, {section("Yesterday", "Ann", "right")});
  // A menu that is open in the navigation before it opens no panel.
  const std::string nav =
                        "<div><a href=#a>Start</a><button aria-expanded=true>Teams</button></div>",
                    main = "<main>" + button("Go on", "right") + "</main>";
  told_apart(nav + main, {}, {hebb::test::with(nav, "true", "false") + main, main});
  // A field, also where it is the only one of its name.
  const auto field = [](const std::string& legend, const std::string& is) {
    return "<fieldset><legend>" + legend + "</legend><label>Street <input data-is=" + is +
           "></label></fieldset>";
  };
  RecordedWorld f(field("Delivery address", "right"),
                  R"({"kind":"fill","target":{"text":"Street"},"value":"Main Street 1"})");
  f.finds(field("Delivery address", "right"));
  f.refuses(field("Emergency contact", "wrong"));
}

TEST_CASE("a new element of the old name beside the old one is refused", "[browser]") {
  NEEDS_BROWSER();
  const std::string cancel = button("Cancel");
  RecordedWorld w("<p>" + button("Save", "right") + cancel + "</p>", kClick);
  w.finds("<p>" + button("Save", "right") + button("Print") + cancel + "</p>");
  w.refuses("<p>" + button("Save") + button("Save draft", "right") + cancel + "</p>");
  w.refuses("<p>" + button("Save draft", "right") + button("Save") + cancel + "</p>");
  // What the code says of it decides.
  RecordedWorld c("<p>" + button("Save", "right", "id=save") + cancel + "</p>", kClick);
  c.finds("<p>" + button("Save", "right", "id=save") + button("Save draft") + cancel + "</p>");
  c.refuses("<p>" + button("Save") + button("Save draft", "right", "id=save") + cancel + "</p>");
}

TEST_CASE("a popup of another heading is another popup", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page("<a target=_blank href=/doc>Open</a>"));
  const auto doc = [&](const std::string& heading) {
    w.site.put("/doc", page("<h1>" + heading +
                            "</h1><button onclick=\"this.disabled = 1\">Send"
                            "</button>"));
  };
  doc("Offer 12 for Ann Lee");
  w.skill.artifact->steps = read_given_steps(
      R"({"kind":"click","target":{"text":"Open"}}
{"kind":"click","tab":1,"target":{"text":"Send"}})");
  w.options.allow_risky = true;
  w.record();
  doc("Offer 13 for Ann Lee");
  CHECK(failure(w.run()) == "");
  w.options.step_timeout_ms = 500;
  doc("Invoice for everyone");
  CHECK(refused(failure(w.run())));
}

}  // namespace hebb::skill::test
