// A replay presses the recorded element or none: on pages that have changed so that something else
// looks like it. Skipped without a Chromium.
#include <catch2/catch.hpp>

#include "tests/skill/recorded_world.h"

namespace hebb::skill::test {

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
    ReplayWorld taught(telling(people("ann", "right")), {step(StepKind::click, {css(id)})});
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
  ReplayWorld one(telling(two), {step(StepKind::click, {css("#a")})});
  one.options.step_timeout_ms = 500;
  one.learn();
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

TEST_CASE("a row is found again on the page it was recorded on", "[browser]") {
  NEEDS_BROWSER();
  // Boxes whose classes say only how they look, in boxes of the same class.
  const auto people = [](const char* first) {
    std::string all;
    for (const char* who : {first, "Bob"})
      all += "<div class='flex row'><div>" + std::string(who) + "</div><div class='flex gap'>" +
             button("Edit", who == first ? "right" : "wrong") + "</div></div>";
    return all;
  };
  RecordedWorld w(people("Ann"),
                  R"json({"kind":"click","target":{"css":"div.row:nth-of-type(1) button"}})json");
  w.finds(people("Ann"));
  w.refuses(people("Joann"));
  // A row that only mentions the text by which another one was known.
  const std::string add = button("Add", "right");
  RecordedWorld fruit(table(row({"Apples"}, button("Add")) + row({"Pears"}, add)),
                      R"json({"kind":"click","target":{"css":"tr:nth-of-type(2) button"}})json");
  fruit.finds(table(row({"No. 7", "Pears"}, add) + row({"Plums"}, button("Add"))));
  fruit.refuses(table(row({"Apples and <b>Pears</b>"}, button("Add"))));
  const auto mail = [](const std::string& subject, const std::string& last, const char* is) {
    return "<ul><li><b>" + subject + "</b> <span>from Eve</span> <small>" + last + "</small>" +
           button("Archive", is) + "</li>" + entry("Ann", button("Archive")) + "</ul>";
  };
  RecordedWorld eve(mail("Plans", "", "right"),
                    R"json({"kind":"click","target":{"css":"li:nth-of-type(1) button"}})json");
  eve.finds(mail("Plans", "seen", "right"));
  eve.refuses(mail("Re: photos", "Plans", "wrong"));
  eve.refuses(mail("<h3>Report</h3>re: <a href=#x>Plans</a>", "", "wrong"));
  // An entry that stands in another one.
  const auto groups = [](const char* name) {
    return std::string("<ul><li>") + name + "<ul><li>" + button("Edit", "right") +
           "</li></ul></li><li>Group B<ul><li>" + button("Edit") + "</li></ul></li></ul>";
  };
  RecordedWorld g(
      groups("Group A"),
      R"json({"kind":"click","target":{"css":"body > ul > li:nth-of-type(1) button"}})json");
  g.finds(groups("Group A"));
  g.refuses(groups("Group C"));
}

TEST_CASE("what was seen holds for a selector that is not exact, and for two options",
          "[browser]") {
  NEEDS_BROWSER();
  RecordedWorld w(button("Delete all my documents (3)", "right"),
                  R"json({"kind":"click","target":{"css":"button"}})json");
  Selector loose = by(SelectorType::text, "Delete all my documents");
  loose.exact = false;
  w.skill.artifact->steps[0].selectors = {loose};
  w.finds(button("Delete all my documents (4)", "right"));
  w.refuses(button("Delete all my documents and account"));
  const std::string list =
      "<select multiple aria-label=Days data-is=right><option>Mon<option>Tue<option>Wed</select>"
      "<script>const s = document.querySelector('select'); s.onchange = () => { document.title ="
      " s.selectedOptions.length === 2 ? 'right' : 'wrong' }</script>";
  RecordedWorld days(
      list, R"json({"kind":"select","target":{"text":"Days"},"values":["Mon","Wed"]})json");
  days.finds(list);
}

}  // namespace hebb::skill::test
