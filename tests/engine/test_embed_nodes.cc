// Nodes and the vectors of their words: which embedder makes them, what an edit does, and what is
// reported if none can be made.

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/current/embed_nodes.h"
#include "engine/embed/embedder.h"
#include "tests/support/history.h"

using namespace hebb;
using namespace hebb::test;

namespace {

using Floats = std::vector<float>;

// A text's length, and how many texts it was asked for.
class Lengths : public Embedder {
 public:
  std::vector<Floats> embed(std::span<const std::string> texts) override {
    std::vector<Floats> vectors;
    for (const auto& text : texts) vectors.push_back({static_cast<float>(text.size()), 1});
    asked += texts.size();
    return vectors;
  }
  std::string name() const override { return "openai:lengths"; }
  std::size_t asked = 0;
};

Floats vector_of(Engine& engine, std::string_view id) {
  const auto row = engine.state().vectors().row(*engine.state().find(id));
  return {row.begin(), row.end()};
}

std::string task_line(TimeMs at, const std::string& id, const std::string& rest) {
  return fmt::format(R"({{"kind":"node","at":{},"id":"{}","type":"TASK",{}}})", at, id, rest) +
         "\n";
}

std::string issue_titled(const std::string& title, const std::string& updated) {
  return fmt::format(R"([{{"number":1,"title":"{}","body":"","state":"OPEN","labels":[],)"
                     R"("createdAt":"2023-11-01T00:00:00Z","updatedAt":"{}"}}])",
                     title, updated);
}

IngestSummary take_in(Engine& engine, std::string_view content, std::string_view format,
                      Embedder* embedder = nullptr, bool strict = false) {
  IngestRequest request;
  request.content = content;
  request.format = find_format(format);
  request.read.now = kStart;
  request.embedder = embedder;
  request.strict = strict;
  return engine.ingest(request);
}

MissingVectors rename(Engine& engine, const std::string& id, const std::string& name,
                      Embedder* embedder = nullptr) {
  MissingVectors missing;
  AppendOptions options;
  options.missing = &missing;
  Event event = named(kStart + kDay, id, name);
  if (embedder) embed(engine, {&event, 1}, *embedder);
  engine.append(std::move(event), options);
  return missing;
}

}  // namespace

TEST_CASE("given again without its embedder, an input leaves nobody without a vector") {
  Engine engine = open(":memory:");
  Lengths lengths;
  const std::string lines =
      task_line(kStart, "a", R"("name":"one")") + task_line(kStart + 1, "b", R"("name":"three")");
  CHECK(take_in(engine, lines, "history", &lengths).missing_vectors.none == 0);
  const auto again = take_in(engine, lines, "history");
  CHECK(again.duplicates == 2);
  CHECK(again.missing_vectors.none == 0);
  CHECK(again.missing_vectors.outdated == 0);
  // The same words at another time are another event; their vector is there.
  const auto later = take_in(engine, task_line(kStart + 2, "a", R"("name":"one")"), "history");
  CHECK(later.applied == 1);
  CHECK(later.missing_vectors.none == 0);
  CHECK(later.missing_vectors.outdated == 0);
  CHECK(
      take_in(engine, task_line(kStart, "c", R"("name":"two")"), "history").missing_vectors.none ==
      1);
  take_in(engine, lines, "history", &lengths);
  CHECK(lengths.asked == 2);  // nobody is asked for what is there
}

TEST_CASE("an edited title gets a vector of its own, or it is said that it keeps the old one") {
  const std::string before = issue_titled("Parser fails", "2023-11-02T00:00:00Z");
  const std::string after = issue_titled("Print a summary", "2023-11-03T00:00:00Z");
  SECTION("the built-in embedder is always there") {
    Engine engine = open(":memory:");
    take_in(engine, before, "github");
    const auto edited = take_in(engine, after, "github");
    CHECK(vector_of(engine, "issue-1") == embed(folded_of(engine), "Print a summary", nullptr));
    CHECK(edited.missing_vectors.outdated == 0);
    CHECK(rename(engine, "issue-1", "Third").outdated == 0);
    CHECK(vector_of(engine, "issue-1") == embed(folded_of(engine), "Third", nullptr));
  }
  SECTION("another one is there where it is given") {
    Engine engine = open(":memory:");
    Lengths lengths;
    take_in(engine, before, "github", &lengths);
    const auto edited = take_in(engine, after, "github");
    CHECK(edited.missing_vectors.none == 0);
    CHECK(edited.missing_vectors.outdated == 1);
    CHECK(vector_of(engine, "issue-1") == Floats{12, 1});
    CHECK(rename(engine, "issue-1", "Third").outdated == 1);
    CHECK(rename(engine, "issue-1", "Fourth", &lengths).outdated == 0);
    CHECK(vector_of(engine, "issue-1") == Floats{6, 1});
  }
}

TEST_CASE("a title without a word takes the vector of the one before with it") {
  Engine engine = open(":memory:");
  engine.append(named(kStart, "a", "Parser"));
  CHECK_FALSE(vector_of(engine, "a").empty());
  rename(engine, "a", "!!!");
  CHECK(vector_of(engine, "a").empty());
  engine.sync();
  CHECK(engine.verify().empty());
}

TEST_CASE("a vector that the sender gives is never replaced by one made from a name") {
  Engine engine = open(":memory:");
  const auto given = take_in(engine,
                             task_line(kStart, "a", R"("name":"one")") +
                                 task_line(kStart + 1, "a", R"("vector":[1,2,3])") +
                                 task_line(kStart + 2, "b", R"("name":"two","vector":[3,2,1])"),
                             "history");
  CHECK(given.refused == 0);
  CHECK(given.missing_vectors.none == 0);  // it came a line later
  CHECK(vector_of(engine, "a") == Floats{1, 2, 3});
  CHECK(vector_of(engine, "b") == Floats{3, 2, 1});
  CHECK(rename(engine, "b", "three").outdated == 1);
  CHECK(vector_of(engine, "b") == Floats{3, 2, 1});
  const auto both = take_in(engine,
                            task_line(kStart + 2 * kDay, "b", R"("name":"four")") +
                                task_line(kStart + 3 * kDay, "b", R"("vector":[5,5,5])"),
                            "history");
  CHECK(both.missing_vectors.outdated == 0);
  CHECK(vector_of(engine, "b") == Floats{5, 5, 5});
}

TEST_CASE("nothing is said of nodes that an input was refused for") {
  Engine engine = open(":memory:");
  Lengths lengths;
  take_in(engine, task_line(kStart, "a", R"("name":"one")"), "history", &lengths);
  const std::string edit = task_line(kStart + 1, "a", R"("name":"other")");
  const std::string fresh = task_line(kStart + 1, "b", R"("name":"two")");
  const auto refused = take_in(engine, edit + fresh + "{}\n", "history", nullptr, true);
  CHECK(refused.refused == 1);
  CHECK(refused.missing_vectors.none == 0);
  CHECK(refused.missing_vectors.outdated == 0);
}

TEST_CASE("words that the ledger has already say nothing about the words that come after them") {
  Engine engine = open(":memory:");
  const std::string first = task_line(kStart, "a", R"("name":"old")");
  take_in(engine, first, "history");
  rename(engine, "a", "new");
  take_in(engine, first + task_line(kStart + 2 * kDay, "a", R"("description":"text")"), "history");
  CHECK(vector_of(engine, "a") == embed(folded_of(engine), "new\ntext", nullptr));
}
