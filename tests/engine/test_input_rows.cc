// todo.txt and CSV, read without a graph.
#include <algorithm>
#include <array>
#include <map>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/input/recognise.h"
#include "engine/values/checks.h"
#include "tests/engine/input_support.h"

using namespace hebb;

namespace {

// What was made of an input: a line for each event, or for a refusal, sorted.
std::vector<std::string> rows_of(std::string_view format, std::string_view content,
                                 ReadOptions options = {kTestNow, ""}) {
  std::vector<std::string> lines;
  for (const Got& got : read_all(find_format(format)->read, content, options)) {
    if (!reason_of(got).empty()) {
      lines.push_back(fmt::format("{}: {}: {}", got.line, reason_of(got), detail_of(got)));
      continue;
    }
    const Event& e = event_of(got);
    std::string line = fmt::format("{}: {}", got.line, kind_name(e.payload));
    if (const auto* node = std::get_if<NodeUpsert>(&e.payload)) {
      if (node->type != "TASK") continue;  // labels and projects
      line += fmt::format(" \"{}\" {}", node->name.value_or("-"), node->state.value_or("-"));
      if (node->priority.value_or(-1) >= 0) line += fmt::format(" P{}", *node->priority);
      for (const auto& time : {node->due_at, node->snoozed_until})
        if (time && *time != graph::kNever) line += " " + format_rfc3339(*time);
      if (node->project && !node->project->empty()) line += " in " + *node->project;
      if (node->estimate && *node->estimate > 0)
        line += fmt::format(" {} min", *node->estimate / 60'000);
    } else if (const auto* link = std::get_if<Link>(&e.payload)) {
      line += fmt::format(" {} {}", link->type, link->target);
    } else if (const auto* state = std::get_if<StateChange>(&e.payload)) {
      line += " " + state->state;
    } else if (std::holds_alternative<OutcomeSignal>(e.payload)) {
      line += " " + format_rfc3339(e.at);
    }
    lines.push_back(std::move(line));
  }
  std::ranges::sort(lines);
  return lines;
}

std::string why_unreadable(std::string_view format, std::string_view content,
                           ReadOptions options = {kTestNow, ""}) {
  try {
    read_all(find_format(format)->read, content, options);
  } catch (const UnreadableInput& e) {
    return e.what();
  }
  return "it was read";
}

// Sorted, too.
struct RowLines : std::vector<std::string> {
  RowLines(std::initializer_list<std::string> lines) : vector(lines) { std::ranges::sort(*this); }
};

}  // namespace

TEST_CASE("todo.txt: priority, dates, projects, contexts and keys of a line") {
  CHECK(rows_of("todotxt",
                "(A) 2020-01-02 Call Mom +Family @phone due:2020-01-09 t:2020-01-05\n"
                "\n"
                "@shop Buy milk for +Home party\r\n"
                "(F) Ask http://a.b/c:7 note:x (B) x\n") ==
        RowLines{"1: node \"Call Mom\" OPEN P0 2020-01-09T23:59:00Z 2020-01-05T00:00:00Z in Family",
                 "1: edge IN_CATEGORY project-Family", "1: edge LABELED_AS label-phone",
                 "1: edge LABELED_AS prio-A", "3: node \"Buy milk for +Home party\" OPEN in Home",
                 "3: edge IN_CATEGORY project-Home", "3: edge LABELED_AS label-shop",
                 "4: node \"Ask http://a.b/c:7 note:x (B) x\" OPEN P4",
                 "4: edge LABELED_AS prio-E"});
}

TEST_CASE("todo.txt: a done line is a success of its completion date") {
  const auto done = rows_of("todotxt",
                            "x 2020-01-03 2020-01-01 Call Mom pri:B\n"
                            "x Buy milk\n"
                            "xylophone lesson\n");
  CHECK(done == RowLines{"1: node \"Call Mom\" OPEN P1", "1: edge LABELED_AS prio-B",
                         "1: outcome 2020-01-03T00:00:00Z", "2: node \"Buy milk\" OPEN",
                         "2: outcome 2023-11-14T22:13:20Z", "3: node \"xylophone lesson\" OPEN"});
}

TEST_CASE("todo.txt: a line keeps its id when it is prioritised, tagged and done") {
  const auto id_of = [](std::string_view line) {
    for (const Got& got : read_all(find_format("todotxt")->read, line)) {
      const auto* node = std::get_if<NodeUpsert>(&event_of(got).payload);
      if (node && node->type == "TASK") return event_of(got).subject;
    }
    return std::string();
  };
  const std::string id = id_of("2020-01-01 Call Mom");
  CHECK(id.starts_with("todotxt-"));
  CHECK(id_of("(A) 2020-01-01 Call Mom @phone due:2020-02-01") == id);
  CHECK(id_of("x 2020-01-03 2020-01-01 Call Mom +Family") == id);
  CHECK(id_of("2020-01-02 Call Mom") != id);
  CHECK(id_of("Call Mom id:mom") == "mom");
}

TEST_CASE("rows of one name: those that are over are numbered first, by their times") {
  const auto ids_of = [](std::string_view text, ReadOptions options = {kTestNow, ""}) {
    std::map<std::int64_t, std::string> ids;
    for (const Got& got : read_all(find_format("todotxt")->read, text, options))
      ids[got.line] = event_of(got).subject;
    std::string all;
    for (const auto& [line, id] : ids) all += (line == 1 ? "" : " ") + id.substr(18);
    return all;
  };
  CHECK(ids_of("Water\nWater\n") == " -2");
  CHECK(ids_of("Water\nx Water\n") == "-2 ");
  CHECK(ids_of("Water\nx 2020-01-09 Water\nx 2020-01-02 Water\nx Water") == "-4 -3 -2 ");
  const std::string id = event_of(read_all(find_format("todotxt")->read, "Water\n")[0]).subject;
  CHECK(ids_of("Water id:" + id + "-2\nWater\nWater\n") == "-2  -3");
  CHECK(ids_of("2020-01-01 Water\n2020-01-02 Water\n") == " ");  // other names
}

TEST_CASE("rows of one name in several inputs are numbered together") {
  RowNumbers numbers;
  ReadOptions options{kTestNow, ""};
  options.rows = &numbers;
  const std::array texts{"Water\nRing\n", "x Water\nx 2020-01-01 Ring\n"};
  for (const bool counts : {true, false}) {
    options.counts_rows = counts;
    std::map<std::string, std::string> ids;
    for (const char* text : texts)
      for (const Got& got : read_all(find_format("todotxt")->read, text, options))
        if (const auto* node = std::get_if<NodeUpsert>(&event_of(got).payload))
          ids[fmt::format("{} {}", text[0], *node->name)] = event_of(got).subject;
    if (counts) CHECK(ids.empty());
    if (counts) continue;
    CHECK(ids["W Water"] == ids["x Water"] + "-2");
    CHECK(ids["W Ring"] == ids["x Ring"] + "-2");
  }
}

TEST_CASE("a row without an id keeps its id in another zone") {
  ReadOptions elsewhere{kTestNow, ""};
  elsewhere.utc_of_local = [](TimeMs local) { return local - 3'600'000; };
  for (const auto& [format, text] : {std::pair("todotxt", "2020-01-01 Ring\n"),
                                     std::pair("csv", "name,created\nRing,2020-01-01\n")}) {
    const Reader& read = find_format(format)->read;
    CHECK(event_of(read_all(read, text)[0]).subject ==
          event_of(read_all(read, text, elsewhere)[0]).subject);
  }
}

TEST_CASE("todo.txt: a line without a name is refused") {
  CHECK(rows_of("todotxt", "Ring\ndue:2026-12-09\n(A)\nx 2020-01-01\n") ==
        RowLines{"1: node \"Ring\" OPEN", "2: missing_field: name: is required",
                 "3: missing_field: name: is required", "4: missing_field: name: is required"});
  CHECK(rows_of("csv", "name,due\n,2020-01-09\n") ==
        RowLines{"2: missing_field: name: is required"});
}

TEST_CASE("todo.txt: what is no date is refused, and recurrence is named") {
  CHECK(rows_of("todotxt", "One\nTwo due:soon\n").back() ==
        "2: bad_time: due: \"soon\" is no date; write one such as 2026-12-01");
  CHECK(rows_of("todotxt", "One id:a\nTwo id:a\n").back() ==
        "2: conflict: the id a is that of line 1, too");
  ReadOptions options{kTestNow, ""};
  std::string note;
  options.note = [&](const std::string& text) { note = text; };
  CHECK(rows_of("todotxt", "Water rec:1w\n", options) == RowLines{"1: node \"Water\" OPEN"});
  CHECK(note == "1 task recurs (rec:), which is not read: add the next one when it is due");
}

TEST_CASE("days of a text are those of its zone") {
  ReadOptions options{kTestNow, ""};
  options.utc_of_local = [](TimeMs local) { return local - 3'600'000; };
  CHECK(rows_of("todotxt", "One due:2020-01-09\n", options) ==
        RowLines{"1: node \"One\" OPEN 2020-01-09T22:59:00Z"});
  CHECK(rows_of("csv", "name,due\nOne,2020-01-09 9:30\n", options) ==
        RowLines{"2: node \"One\" OPEN 2020-01-09T08:30:00Z"});
}

TEST_CASE("CSV: quotes, separators, line ends and a byte order mark") {
  const std::string one = "2: node \"a \"b\", c\nd\" OPEN";
  CHECK(rows_of("csv", "\xef\xbb\xbfid,Title\r\nA,\"a \"\"b\"\", c\nd\"\r\nB,x\r\n") ==
        RowLines{one, "4: node \"x\" OPEN"});
  CHECK(rows_of("csv", "id;title\nA;\"a \"\"b\"\", c\nd\"\n;;\n\nB;5\" pipe") ==
        RowLines{one, "6: node \"5\" pipe\" OPEN"});
  CHECK(rows_of("csv", "sep=|\nid|title\nA|x, y; z\n") == RowLines{"3: node \"x, y; z\" OPEN"});
  CHECK(rows_of("csv", "id\ttitle\nA\t\"x\ty\"\n") == RowLines{"2: node \"x\ty\" OPEN"});
  CHECK(rows_of("csv", "id,title\nA,\"x\r\ny\rz\"\r\n") == RowLines{"2: node \"x\ny\rz\" OPEN"});
  for (const char separator : {',', ';', '\t'}) {
    std::string text = "\"Title\",\"Due, or; not\",\"Status\"\n\"a, b; c\",,\"done\"\n";
    for (const std::string_view between : {"\",\"", "\",,\""})
      for (std::size_t at = 0; (at = text.find(between, at)) != text.npos; ++at)
        for (std::size_t i = 1; between[i] == ','; ++i) text[at + i] = separator;
    CAPTURE(text);
    for (const char* mark : {"", "\xef\xbb\xbf"}) {
      CHECK(rows_of("csv", mark + text) ==
            RowLines{"2: node \"a, b; c\" OPEN", "2: outcome 2023-11-14T22:13:20Z"});
      const std::string marked = mark + text;
      Input input{std::string_view(marked)};
      CHECK(recognised(input) == find_format("csv"));
    }
  }
  CHECK(why_unreadable("csv", "\"Title\"x,Due\n") ==
        "line 1: behind the quote that ends a cell stands more of it; a quote within is written "
        "twice");
}

TEST_CASE("CSV: the header says what the columns are") {
  CHECK(rows_of("csv",
                "ID;Title;Status;Priority;Due date;Tags;Project;Assigned to;Estimate;Blocked by\n"
                "A;One;In Progress;high;9.1.2020;\"ui, web\";Home.Garden;ada;1h60m;\n"
                "B;Two;done;P4;2020-01-09T12:00:00+01:00;;;;;A\n") ==
        RowLines{"2: node \"One\" OPEN P1 2020-01-09T23:59:00Z in Home.Garden 120 min",
                 "2: edge ASSIGNED_TO user-ada", "2: edge IN_CATEGORY project-Home.Garden",
                 "2: edge LABELED_AS label-ui", "2: edge LABELED_AS label-web",
                 "2: edge LABELED_AS prio-P1", "2: state IN_PROGRESS",
                 "3: node \"Two\" OPEN P4 2020-01-09T11:00:00Z", "3: edge BLOCKS B",
                 "3: edge LABELED_AS prio-P4", "3: outcome 2023-11-14T22:13:20Z"});
  CHECK(rows_of("csv", "name,completed\nOne,2020-01-03\n") ==
        RowLines{"2: node \"One\" OPEN", "2: outcome 2020-01-03T00:00:00Z"});
  CHECK(rows_of("csv", "name,state\nOne,cancelled\n") ==
        RowLines{"2: node \"One\" OPEN", "2: state CLOSED"});
}

TEST_CASE("CSV: a mapping file names columns and values") {
  ReadOptions options{kTestNow, ""};
  options.columns =
      "name = \"Aufgabe\"\ndue = \"Fällig\"\nstate = \"Status\"\n"
      "[values]\nErledigt = \"done\"\n";
  const std::string text = "Aufgabe;Name;Fällig;Status\nKlempner;x;4.12.2026;\nMalen;y;;Erledigt\n";
  std::string note;
  options.note = [&](const std::string& text) { note = text; };
  CHECK(rows_of("csv", text, options) == RowLines{"2: node \"Klempner\" OPEN 2026-12-04T23:59:00Z",
                                                  "3: node \"Malen\" OPEN",
                                                  "3: outcome 2023-11-14T22:13:20Z"});
  CHECK(note == "not read: the columns Name; --columns FILE says what they are");
  const auto wrong = [&](const std::string& columns) {
    options.columns = columns;
    return why_unreadable("csv", text, options);
  };
  CHECK(wrong("\nname = \"Titel\"") ==
        "--columns: line 2: there is no column \"Titel\"; the file has Aufgabe, Name, Fällig, "
        "Status");
  CHECK(wrong("title = \"Aufgabe\"")
            .starts_with("--columns: line 1: title is no field; there are id, name,"));
  CHECK(wrong("name = ").starts_with("--columns: line 1: "));
  CHECK(wrong("[values]\nx = 1") == "--columns: line 2: a value is a text");
  CHECK(wrong("due = 3") == "--columns: line 1: a column is a text, such as due = \"Aufgabe\"");
  CHECK(wrong("\nname = [\"Aufgabe\", \"Name\"]") ==
        "--columns: line 2: a column is a text, such as name = \"Aufgabe\"");
  CHECK(wrong("name = \"Aufgabe\"\ndescription = \"Aufgabe\"") ==
        "--columns: line 1: the column \"Aufgabe\" cannot be two fields, description and name");
  CHECK(
      wrong("name = \"\"").starts_with("the header: none of the columns Aufgabe, Name, Fällig, "));
  options.columns = "created = \"\"\ndue = \"\"";
  note.clear();
  CHECK(rows_of("csv", "name,Created,due,hue\nOne,05/Mar/26 10:00 AM,x,red\n", options) ==
        RowLines{"2: node \"One\" OPEN"});
  CHECK(note == "not read: the columns hue; --columns FILE says what they are");
}

TEST_CASE("CSV: what is wrong is refused with its line") {
  CHECK(rows_of("csv",
                "name,due,state,priority,estimate\n"
                "One,,,,\n"
                "Two,1/2/2020,,,\n"
                "Three,,started?,,\n"
                "Four,,,top,\n"
                "Five,,,,soon\n"
                "Six,\n") ==
        RowLines{
            "3: bad_time: due: \"1/2/2020\" is no time: write 2026-12-01, 1.12.2026, 2026-12-01 "
            "13:05 or RFC 3339; due = \"\" in a --columns FILE leaves the column out",
            "4: bad_value: state: \"started?\" is no state such as open, in progress, blocked, "
            "done or cancelled: --columns FILE says what others mean; state = \"\" in a --columns "
            "FILE leaves the column out",
            "5: bad_value: priority: \"top\" is no priority: there are " + priorities_taken() +
                "; --columns FILE says what others mean; priority = \"\" in a --columns FILE "
                "leaves the "
                "column out",
            "6: bad_value: estimate: \"soon\" is no span of time; write numbers with w, d, h, m, s "
            "or ms, such as 14d or 3h30m, of no more than 46000000 days; estimate = \"\" in a "
            "--columns FILE leaves the column out",
            "7: bad_value: the row has 2 cells, and the header 5", "2: node \"One\" OPEN"});
  CHECK(rows_of("csv", "id,name\nA,One\nA,Two\n").back() ==
        "3: conflict: the id A is that of line 2, too");
  CHECK(why_unreadable("csv", "name,due\nOne,\"x\n\n") ==
        "line 2: a quote begins a cell and none ends it");
  CHECK(why_unreadable("csv", "name,due\n\"One\"x,\n") ==
        "line 2: behind the quote that ends a cell stands more of it; a quote within is written "
        "twice");
  CHECK(
      why_unreadable("csv", "name,title\nOne,x\n") ==
      "the header: the columns name and title both are the name: --columns FILE says which one is");
  CHECK(why_unreadable("csv", "sep=;\n\n") == "it has no header");
  CHECK(rows_of("csv", "\n\r\nid;name\nA;One\n") == RowLines{"4: node \"One\" OPEN"});
  CHECK(
      why_unreadable("csv", "Aufgabe;Wann\nOne;x\n") ==
      "the header: none of the columns Aufgabe, Wann is the name of a task, such as name or title: "
      "--columns FILE says which one is, name = \"Aufgabe\"");
  CHECK(why_unreadable("csv",
                       "name\nOne\nF\xfc"
                       "nf\n") ==
        "line 3 is not UTF-8: save it as UTF-8, which Excel calls CSV UTF-8");
  CHECK(why_unreadable("csv", std::string_view("n\0a\0,\0", 6)) ==
        "it is UTF-16: save it as UTF-8");
  CHECK(why_unreadable("todotxt", "Ring\rSing\r") ==
        "its lines end with CR alone: save it with LF");
  CHECK(rows_of("todotxt", "Ring\r") == RowLines{"1: node \"Ring\" OPEN"});
  CHECK(why_unreadable("csv", "\xff\xfen\0a\0") == "it is UTF-16: save it as UTF-8");
}

TEST_CASE("texts that are no JSON are recognised by a header or by the name of the file") {
  const auto format_of = [](std::string_view text, std::string_view file = {}) {
    Input input(text);
    const Format* found = recognised(input, file);
    return found ? std::string(found->name) : "";
  };
  CHECK(format_of("id;Title\n1;x\n") == "csv");
  CHECK(format_of("title\nx\n") == "");
  CHECK(format_of("", "todo.txt") == "todotxt");
  CHECK(format_of("title\nx\n", "/tmp/tasks.CSV") == "csv");
  CHECK(format_of("Buy milk\n", "todo.txt") == "todotxt");
  CHECK(format_of("x Buy milk\n", "work/Done.txt") == "todotxt");
  CHECK(format_of("Buy milk\n", "notes.txt") == "");
  CHECK(format_of(R"([{"number":1,"title":"T","state":"open"}])", "a.csv") == "github");
  CHECK(format_of(R"({"csv":1})", "a.csv") == "");
}

TEST_CASE("a row whose id is that of a label or a project of the same list is refused") {
  CHECK(
      rows_of("todotxt", "Ring id:label-x\nSing @x\n") ==
      RowLines{"1: conflict: the id label-x is that of a LABEL of the same list; give these ids a "
               "beginning, as --prefix web- does",
               "2: edge LABELED_AS label-x", "2: node \"Sing\" OPEN"});
}
