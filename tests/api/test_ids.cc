// The text of a node in a request: a whole id, the exact name of one task, or, at the command line,
// the beginning of an id that hebb made.
#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/api/session.h"

namespace hebb::api {
namespace {

// What the session answers, or the text of what is wrong.
std::string state_after_outcome(MemorySession& session, const std::string& id) {
  try {
    const Json answer = ask(session, "outcome", {{"id", id}, {"outcome", "success"}});
    return answer.at("id").get<std::string>();
  } catch (const std::exception& e) {
    return e.what();
  }
}

std::string state_of(MemorySession& session, const std::string& id) {
  return ask(session, "node_get", {{"id", id}}).at("node").at("state").get<std::string>();
}

TEST_CASE("a report touches the task that it names, and no task whose id begins so") {
  MemorySession session(kNow);
  ask(session, "add", {{"name", "Issue twelve"}, {"id", "issue-12"}});
  for (const char* text :
       {"issue-1", "is", "i", "Issue", "issue twelve", "ISSUE-12", " issue-12"}) {
    CAPTURE(text);
    CHECK_THAT(state_after_outcome(session, text), Catch::Contains("there is no node"));
    CHECK(state_of(session, "issue-12") == "OPEN");
  }
  CHECK(session.engine(Access::read).dead_letters().empty());
  CHECK(state_after_outcome(session, "Issue twelve") == "issue-12");
  CHECK(state_of(session, "issue-12") == "CLOSED");
}

TEST_CASE("an id goes before a name, and a name of two tasks is refused with both") {
  MemorySession session(kNow);
  ask(session, "add", {{"name", "docs"}, {"id", "a"}});
  ask(session, "add", {{"name", "Write"}, {"id", "docs"}});
  ask(session, "add", {{"name", "twice"}, {"id", "b"}});
  ask(session, "add", {{"name", "twice"}, {"id", "c"}});
  ask(session, "add", {{"name", "other"}, {"id", "docs-12"}, {"labels", {"twice", "only"}}});
  CHECK(state_after_outcome(session, "docs") == "docs");
  const std::string both = state_after_outcome(session, "twice");
  CHECK_THAT(both, Catch::Contains("b (OPEN)") && Catch::Contains("c (OPEN)"));
  // A label has a name, too, but is no task.
  CHECK_THAT(state_after_outcome(session, "only"), Catch::Contains("there is no node \"only\""));
  for (const char* id : {"a", "b", "c", "docs-12"}) CHECK(state_of(session, id) == "OPEN");
}

TEST_CASE("a label that is taken away is the one that is named") {
  MemorySession session(kNow);
  ask(session, "add", {{"name", "Write"}, {"id", "t"}, {"labels", {"Bug", "bug"}}});
  const auto labels_without = [&](const char* label) {
    return ask(session, "edit", {{"id", "t"}, {"remove_labels", {label}}}).at("task").at("labels");
  };
  CHECK_THROWS_WITH(labels_without("BUG"), Catch::Contains("2 labels"));
  CHECK(labels_without("bug") == Json{"Bug"});
  ask(session, "add", {{"name", "Another"}, {"id", "label-docs"}});
  CHECK_THROWS_WITH(ask(session, "edit", {{"id", "t"}, {"labels", {"docs"}}}),
                    Catch::Contains("label-docs"));
  CHECK(ask(session, "node_get", {{"id", "label-docs"}}).at("node").at("type") == "TASK");
}

// As the command line, where people type.
class TypingSession : public Session {
 public:
  explicit TypingSession(MemorySession& session) : session_(session) {}
  Engine& engine(Access access) override { return session_.engine(access); }
  sql::Database& tables(Access access) override { return session_.tables(access); }
  TimeMs now() const override { return session_.now(); }
  std::optional<TimeMs> given_now() const override { return session_.given_now(); }
  bool takes_beginnings() const override { return true; }
  void note(const std::string& text) override { session_.note(text); }
  Progress progress(const std::string&) override { return {}; }
  std::string path() const override { return session_.path(); }

 private:
  MemorySession& session_;
};

TEST_CASE(
    "the beginning of an id that hebb made is taken where people type, from three characters") {
  MemorySession session(kNow);
  TypingSession typing(session);
  const std::string id =
      ask(session, "add", {{"name", "Call the plumber"}}).at("task").at("id").get<std::string>();
  ask(session, "add", {{"name", "By hand"}, {"id", "qythabc"}});
  const auto found = [&](Session& in, const std::string& text) -> std::string {
    try {
      return ask(in, "show", {{"id", text}}).at("task").at("id").get<std::string>();
    } catch (const Problem& problem) {
      return problem.what();
    }
  };
  CHECK(found(typing, id.substr(0, 3)) == id);
  CHECK(found(typing, id.substr(0, 2)) != id);
  CHECK(found(session, id.substr(0, 3)) != id);
  CHECK(found(typing, "qyt") != "qythabc");  // which a person made
  ask(session, "add", {{"name", "Another"}, {"id", id.substr(0, 3) + "-2"}});
  CHECK(found(typing, id.substr(0, 3)) != id);  // another id begins so
  CHECK(found(typing, id) == id);
}

TEST_CASE("a request adds at most so many labels and links, and else nothing") {
  MemorySession session(kNow);
  Json labels = Json::array();
  for (int i = 0; i < 2'000; ++i) labels.push_back(fmt::format("l{}", i));
  try {
    ask(session, "add", {{"name", "x"}, {"labels", labels}});
    FAIL("it was taken");
  } catch (const Problem& problem) {
    CHECK_THAT(problem.what(), Catch::Contains("1000 new labels and links at once"));
  }
  CHECK(session.engine(Access::read).ledger().last_position() == 0);
}

}  // namespace
}  // namespace hebb::api
