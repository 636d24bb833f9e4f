// What search finds, in which order; and that any text may be searched for.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include "capture/recall.h"
#include "capture/search_query.h"
#include "engine/engine.h"

using namespace hebb;
using namespace hebb::capture;
using Ids = std::vector<std::string>;

namespace {

constexpr TimeMs kT0 = 1'700'000'000'000;

class Nodes {
 public:
  Nodes() : engine_({":memory:"}) {}
  void put(const std::string& id, const std::string& name, const std::string& description = {},
           const std::string& type = "TASK", const std::string& project = {}) {
    NodeUpsert upsert;
    upsert.type = type;
    upsert.state = type == "TASK" ? "OPEN" : "";
    upsert.name = name;
    upsert.description = description;
    upsert.project = project;
    engine_.append(Event{0, kT0, id, "", upsert});
  }
  Ids find(const std::string& text, const NodeFilter& filter = {}, std::size_t limit = 20) {
    engine_.sync();
    Ids ids;
    for (const auto& n : search_nodes(engine_.store().database(), {text, filter, limit}, kT0)) {
      ids.push_back(n.id);
    }
    return ids;
  }

 private:
  Engine engine_;
};

}  // namespace

TEST_CASE("words are found in id, name and description, whatever their case and accents") {
  Nodes nodes;
  nodes.put("fs:read_file", "Lecture", "Reads a file");
  nodes.put("t2", "Caf\xc3\xa9 terminal");
  CHECK(nodes.find("read") == Ids{"fs:read_file"});
  CHECK(nodes.find("LECTURE") == Ids{"fs:read_file"});
  CHECK(nodes.find("cafe") == Ids{"t2"});
  CHECK(nodes.find("CAF\xc3\x89") == Ids{"t2"});
  CHECK(nodes.find("absent").empty());
}

TEST_CASE("the last word may be the beginning of one") {
  Nodes nodes;
  nodes.put("t1", "payment gateway");
  CHECK(nodes.find("payment gate") == Ids{"t1"});
  CHECK(nodes.find("paym") == Ids{"t1"});
}

TEST_CASE("the node of that very id comes first") {
  Nodes nodes;
  nodes.put("task-10", "task task task 1 1 1 1", "task 1 1 1");
  nodes.put("task-1", "something else");
  CHECK(nodes.find("task-1").front() == "task-1");
}

TEST_CASE(
    "a word in the name is worth more than in the id, and that more than in the description") {
  Nodes nodes;
  nodes.put("a", "words of no matter here", "fix the login soon");
  nodes.put("b", "fix the login soon", "words of no matter here");
  nodes.put("login", "fix that for us soon", "words of no matter here");
  for (int i = 0; i < 10; ++i) nodes.put("x" + std::to_string(i), "filler", "filler");
  CHECK(nodes.find("login soon") == Ids{"b", "login", "a"});
}

TEST_CASE("all words come before some words, a rare word before a common one") {
  Nodes nodes;
  nodes.put("some", "deploy deploy deploy deploy");
  nodes.put("all", "a long name in which there is a word like deploy and also one like rollback");
  for (int i = 0; i < 20; ++i) nodes.put("c" + std::to_string(i), "deploy it");
  nodes.put("rare", "rollback it");
  const auto ids = nodes.find("deploy rollback");
  REQUIRE(ids.size() == 20);
  CHECK(ids[0] == "all");
  CHECK(ids[1] == "rare");
  CHECK(nodes.find("deploy rollback", {}, 1) == Ids{"all"});
}

TEST_CASE("filters") {
  Nodes nodes;
  nodes.put("a", "word", "", "TASK", "shop");
  nodes.put("b", "word", "", "NOTE", "shop");
  nodes.put("c", "word", "", "TASK", "bank");
  NodeFilter filter;
  filter.project = "shop";
  CHECK(nodes.find("word", filter) == Ids{"a", "b"});
  filter.type = "TASK";
  CHECK(nodes.find("word", filter) == Ids{"a"});
  filter.state = "CLOSED";
  CHECK(nodes.find("word", filter).empty());
}

TEST_CASE("nothing typed is syntax") {
  using namespace std::string_literals;
  Nodes nodes;
  nodes.put("n", "alpha AND beta NEAR gamma \xe2\x80\x94 dash");
  for (const std::string& text : {
           "\""s,
           "alpha\""s,
           "\"alpha"s,
           "alpha AND"s,
           "AND"s,
           "NOT alpha"s,
           "OR OR"s,
           "NEAR(alpha, 2)"s,
           "alpha*"s,
           "*"s,
           "^alpha"s,
           "name:alpha"s,
           "{id name}: x"s,
           "-alpha"s,
           "(alpha"s,
           "alpha)"s,
           "+"s,
           "'"s,
           "alpha; DROP TABLE node"s,
           "\0"s,
           "alpha\0beta"s,
           "\xff\xfe"s,
           "\xe2\x80\x94"s,
           "alpha \xe2\x80\x94"s,
           "\xe2\x80\x94 alpha"s,
           ""s,
           " "s,
           std::string(100'000, 'a'),
           std::string(100'000, ' ') + "alpha",
           std::string("a ") + std::string(10'000, '('),
       }) {
    INFO("text: " << text.substr(0, 50));
    CHECK_NOTHROW(nodes.find(text));
  }
  CHECK(nodes.find("NEAR(alpha, 2)") == Ids{"n"});
  CHECK(nodes.find("alpha \xe2\x80\x94") == Ids{"n"});
  CHECK(nodes.find("alpha\0beta"s) == Ids{"n"});
  CHECK(nodes.find("!!!").empty());
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "w" + std::to_string(i) + " ";
  CHECK_NOTHROW(nodes.find("alpha " + many));
  CHECK(rc::check([&](const std::string& text) { nodes.find(text); }));
}

TEST_CASE("the expressions that are made of a text") {
  CHECK(search_expressions("fs:read file").all == "\"fs\" \"read\" \"file\"*");
  CHECK(search_expressions("fs:read").any == "\"fs\"* OR \"read\"*");
  CHECK(search_expressions("?!").all.empty());
  CHECK(search_expressions("?!").any.empty());
}
