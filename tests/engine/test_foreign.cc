// A file of another kind is refused as a whole, and leaves no dead letters.
#include <catch2/catch.hpp>

#include "engine/input/recognise.h"
#include "tests/support/history.h"

namespace hebb {
namespace {

// Why it was refused as a whole; empty: it was not.
std::string refused(Engine& engine, const std::string& text, const std::string& format) {
  try {
    test::ingest(engine, text, format, test::kStart, "file");
  } catch (const UnreadableInput& e) {
    return e.what();
  }
  return "";
}

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

const std::vector<std::string> kForeign{
    repeated("(A) 2026-01-01 Call Mum +family @phone\n", 500),
    "id,amount,status\n1,5,open\n2,7,open\n",
    "# Plan\n\n- [ ] buy milk\n- [x] sell\n",
    "[ ] buy milk\n[x] sell\n",
    "---\ntitle: Plan\n---\n# Plan\n",
    "Buy milk.\n",
    R"([{"id":1,"iid":2,"project_id":3,"title":"T","state":"opened","labels":[]}])",
    "{\n  \"name\": \"x\",\n  \"version\": \"1.0.0\",\n  \"dependencies\": {\"a\": \"^1\"}\n}\n",
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}})",
    R"({"pytest_version": "8.0.0", "$report_type": "SessionStart"})"
    "\n"
    R"({"nodeid": "test_a.py::test_one", "outcome": "passed", "when": "call", )"
    R"("duration": 0.1, "$report_type": "TestReport"})"
    "\n",
    R"({"key":"a","fields":[1]})",
    "{}",
    "[1,2,3]",
    "[[1],[2]]",
    "null",
    "<project><a/></project>\n",
    "<!doctype html><html></html>",
    "\xef\xbb\xbf"
    "id,amount\n1,5\n",
    std::string("\xff\xfe{\0\"\0", 6),
    std::string("\x1f\x8b\x08\0\0\0", 6),
    std::string("SQLite format 3\0abc", 19),
    std::string("a\0b\nc\0d\n", 8),
    std::string((1 << 20) + 10, 'x'),
};

}  // namespace

TEST_CASE("what is of another kind is refused as a whole, with where the known kinds are listed") {
  for (const std::string& foreign : kForeign) {
    for (const char* format :
         {"outcome", "cloudevents", "history", "github", "beads", "taskwarrior"}) {
      INFO(format << ": " << foreign.substr(0, 80));
      Engine engine = test::open(":memory:");
      const std::string why = refused(engine, foreign, format);
      CHECK(engine.dead_letters().empty());
      CHECK(engine.ledger().last_position() == 0);
      const bool is_reported =
          format == std::string("outcome") || format == std::string("cloudevents");
      const bool says =
          why.find(is_reported ? "`hebb ingest --help`" : "`hebb import --help`") != why.npos;
      // Of some that begin as JSON a reader says what is wrong with the JSON.
      INFO(why);
      CHECK((says || why.find("(line ") != std::string::npos));
    }
  }
}

TEST_CASE("lists of others that have an id, a title and a status are not taken for beads") {
  for (const char* text :
       {R"([{"kind":"tasks#task","id":"a","title":"T","status":"needsAction","selfLink":"u"}])",
        R"([{"@odata.etag":"e","id":"a","title":"T","status":"notStarted","importance":"low"}])",
        R"([{"id":"1","shortId":"P-1","title":"T","culprit":"f","status":"unresolved"}])"}) {
    CAPTURE(text);
    Input input{std::string_view(text)};
    CHECK(recognised(input) == nullptr);
  }
}

TEST_CASE("what is of another of the formats is refused as a whole, and says which") {
  const std::vector<std::pair<std::string, std::string>> all{
      {"outcome", R"({"taskId":"a","outcome":"success"})"},
      {"history", R"({"kind":"node","id":"a","type":"TASK","at":1700000000000})"},
      {"github", R"([{"number":1,"title":"T","state":"OPEN"}])"},
      {"beads", R"({"id":"bd-1","title":"T","status":"open"})"},
      {"taskwarrior", R"([{"uuid":"u","entry":"20260101T000000Z","description":"T"}])"},
      {"csv", "id,title\n1,Buy\n"},
  };
  for (const auto& [of, text] : all) {
    for (const auto& [format, ignored] : all) {
      if (format == of || format == "csv") continue;
      INFO(of << " as " << format);
      Engine engine = test::open(":memory:");
      const std::string why = refused(engine, text, format);
      CHECK(why.find("its format is " + of) != std::string::npos);
      CHECK(engine.dead_letters().empty());
    }
  }
}

TEST_CASE("bad lines of the right kind are dead letters, even where all are bad") {
  const std::vector<std::pair<std::string, std::string>> all{
      {"outcome", R"({"taskId":"a","outcome":"maybe"})"},
      {"outcome", R"({"taskId":"a","outcome":"succ)"},
      {"outcome", R"({"outcome":"success"})"},
      {"history", R"({"kind":"node","id":"a","at":1700000000000})"},
      {"history", R"({"kind":"nodes","id":"a","at":1700000000000})"},
      {"github", R"([{"number":0,"title":"T","state":"OPEN"}])"},
      {"github", R"([{"number":1,"title":"T","state":"LOST"}])"},
      {"beads", R"({"id":"bd-1","title":5,"status":"open"})"},
      {"beads", R"({"id":"bd-1","status":"open"})"},
      {"taskwarrior", R"([{"uuid":"u","description":"D","entry":"x","status":"lost"}])"},
  };
  for (const auto& [format, text] : all) {
    INFO(format << ": " << text);
    Engine engine = test::open(":memory:");
    CHECK(refused(engine, text, format).empty());
    CHECK(engine.dead_letters().size() == 1);
  }
  Engine engine = test::open(":memory:");
  const std::string mixed =
      "(A) buy milk\n"
      R"({"taskId":"a","outcome":"success"})"
      "\nid,title\n";
  CHECK(refused(engine, mixed, "outcome").empty());
  CHECK(engine.dead_letters().size() == 3);  // there is no task "a"
}

TEST_CASE("an empty list of a tracker is no error, and closes nothing") {
  for (const char* format : {"github", "beads", "taskwarrior"}) {
    INFO(format);
    Engine engine = test::open(":memory:");
    const std::string bead = R"({"id":"bd-1","title":"T","status":"open"})";
    test::ingest(engine, bead, "beads", test::kStart, "file");
    IngestRequest request;
    request.content = "[]\n";
    request.file = "file";
    for (const Format& f : formats()) {
      if (f.name == format) request.format = &f;
    }
    const IngestSummary summary = engine.ingest(request);
    CHECK(engine.find_gone({request.format, "", summary.listed, test::kStart, {}}, true).pruned ==
          0);
    CHECK(summary.items == 0);
    REQUIRE(summary.notes.size() == 1);
    CHECK(summary.notes[0].find("lists no tasks") != std::string::npos);
    CHECK(test::state_of(engine.state(), "bd-1") == "OPEN");
  }
}

TEST_CASE("a list of which an item cannot be read closes nothing that it lacks") {
  Engine engine = test::open(":memory:");
  const auto bead = [](int n) {
    return R"({"id":"bd-)" + std::to_string(n) +
           R"(","title":"T","status":"open"})"
           "\n";
  };
  test::ingest(engine, bead(1) + bead(2), "beads", test::kStart, "file");
  IngestRequest request;
  const std::string text = "<<<<<<< HEAD\n" + bead(1);
  request.content = text;
  request.file = "file";
  for (const Format& f : formats()) {
    if (f.name == "beads") request.format = &f;
  }
  const IngestSummary summary = engine.ingest(request);
  CHECK(summary.refused == 1);
  const Gone gone = engine.find_gone({request.format, "", summary.listed, test::kStart, {}}, true);
  CHECK(gone.pruned == 0);
  CHECK(gone.ids.empty());
  CHECK(gone.unknown == "some of its items cannot be read");
  CHECK(test::state_of(engine.state(), "bd-2") == "OPEN");
}

}  // namespace hebb
