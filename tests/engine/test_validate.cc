// Events that are refused before they reach the ledger, and that nothing is left of them.
#include <limits>

#include <catch2/catch.hpp>

#include "engine/values/refusals.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Event with_properties(std::string json) {
  Event e = node(kStart, "n");
  std::get<NodeUpsert>(e.payload).properties = std::move(json);
  return e;
}

Event with_key(Event e, std::string key) {
  e.key = std::move(key);
  return e;
}

Event undo(std::int64_t position) {
  Event e = forget(kStart, {}, {});
  e.payload = Undo{position};
  return e;
}

Event of_subject(Event e, std::string subject) {
  e.subject = std::move(subject);
  return e;
}

struct Hostile {
  Event event;
  std::string_view reason;
};

std::vector<Hostile> hostile_events() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  return {
      {success(kStart, "a", {}, 0), refusal::kScoreOutOfRange},
      {success(kStart, "a", {}, kNan), refusal::kScoreOutOfRange},
      {success(kStart, "a", {}, 7), refusal::kScoreOutOfRange},
      {success(kStart, "a", {"\xff"}), refusal::kNotUtf8},
      {with_properties("not json"), refusal::kNotJson},
      {with_properties("[1]"), refusal::kWrongType},
      {with_properties("null"), refusal::kWrongType},
      {with_properties(R"({"a":1,"a":2})"), refusal::kDuplicateKey},
      {with_properties(R"({ "a":1})"), refusal::kBadValue},
      {with_properties("{\"a\":\"\xff\"}"), refusal::kNotUtf8},
      {with_properties("{\"x\":\"" + std::string(64 << 10, 'x') + "\"}"),
       refusal::kPropertiesTooLarge},
      {named(kStart, "n", "\xff"), refusal::kNotUtf8},
      {named(kStart, "n", std::string((1 << 20) + 1, 'x')), refusal::kTooLong},
      {node(kStart, ""), refusal::kBadId},
      {node(kStart, "a\nb"), refusal::kBadId},
      {node(kStart, std::string("a\0b", 3)), refusal::kBadId},
      {node(kStart, "\xff"), refusal::kNotUtf8},
      {node(kStart, std::string(513, 'x')), refusal::kIdTooLong},
      {node(kStart, "n", ""), refusal::kBadId},
      {node(kStart, "n", "TASK", "OPEN", {1, nan}), refusal::kNotFinite},
      {node(kStart, "n", "TASK", "OPEN", std::vector<float>(4097, 1)), refusal::kVectorTooLong},
      {node(-1, "n"), refusal::kBadTime},
      {node(std::numeric_limits<TimeMs>::max(), "n"), refusal::kBadTime},
      {test::state(kStart, "a", ""), refusal::kBadId},
      {link(kStart, "a", "", "b"), refusal::kBadId},
      {link(kStart, "a", "RELATES", "b", kInf), refusal::kOutOfRange},
      {link(kStart, "a", "RELATES", "b", kNan), refusal::kOutOfRange},
      {link(kStart, "a", "RELATES", "b", -1), refusal::kOutOfRange},
      {unlink(kStart, "a", "\xff", "b"), refusal::kNotUtf8},
      {pivot(kStart, "a", 0), refusal::kOutOfRange},
      {pivot(kStart, "a\nb"), refusal::kBadId},
      {guide(kStart, {{"a", -1}}), refusal::kOutOfRange},
      {guide(kStart, {{"ghost", 1}}), refusal::kUnknownNode},
      {of_subject(guide(kStart, {{"a", 1}}), "a"), refusal::kBadValue},
      {forget(kStart, {{"a", "ghost", "RELATES"}}, {}), refusal::kUnknownNode},
      {forget(kStart, {}, {"frontier"}), refusal::kReserved},
      {forget(kStart, {}, {"b"}), refusal::kUnknownNode},  // a later link needs it
      {policy(kStart, {{"type.\xff.cap", "1"}}), refusal::kNotUtf8},
      {undo(99), refusal::kCannotUndo},
      {undo(0), refusal::kOutOfRange},
      {undo(1), refusal::kCannotUndo},  // a link needs it
      // Keys of another kind, or that the ledger gives itself.
      {with_key(node(kStart, "n"), "n"), refusal::kBadValue},
      {with_key(node(kStart, "n"), "5:n"), refusal::kBadValue},
      {with_key(node(kStart, "n"), "7:00000000000000000005"), refusal::kBadValue},
      {with_key(node(kStart, "n"), "1:"), refusal::kBadId},
      {with_key(test::remove(kStart, "a"), recalibration_key(kStart)), refusal::kReserved},
      {with_key(guide(kStart, {{"a", 1}}), recalibration_key(kStart + 1)), refusal::kReserved},
  };
}

TEST_CASE("the library's caller is refused what a file would be, and nothing is left of it") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b"), link(kStart + 1, "a", "RELATES", "b")});
  engine.sync();
  const std::string before = dump(engine.state()) + dump_mirror(engine);
  for (std::size_t i = 0; i < hostile_events().size(); ++i) {
    const auto [event, reason] = hostile_events()[i];
    CAPTURE(i, reason, event.subject);
    std::string got = "taken";
    try {
      engine.append(event);
    } catch (const Refused& refused) {
      got = refused.refusal().reason;
    }
    CHECK(got == reason);
    const auto offered = offer(engine, {event, test::state(kStart, "a", "OPEN")});
    const auto* refusal = std::get_if<Refusal>(&offered.front());
    CHECK((refusal && refusal->reason == reason));
    CHECK(std::get<Applied>(offered.back()) == Applied::applied);  // the others stand
    engine.undo(engine.ledger().last_position(), kStart);
  }
  engine.rebuild();
  CHECK(engine.verify() == std::vector<std::string>{});
  engine.sync();
  CHECK(difference(dump(engine.state()) + dump_mirror(engine), before) == "");
}

TEST_CASE("an undo by hand takes effect like any other") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b"), link(kStart, "a", "RELATES", "b")});
  CHECK(engine.append(undo(3)) == Applied::applied);
  CHECK_FALSE(engine.state().find_edge({"a", "b", "RELATES"}));
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("the engine's own events are validated, too") {
  Engine engine = open(":memory:");
  engine.append(node(kStart, "a"));
  const TimeMs never = std::numeric_limits<TimeMs>::max();
  CHECK_THROWS_AS(engine.recalibrate(never), Refused);
  CHECK_THROWS_AS(engine.undo(1, -5), Refused);
  CHECK(engine.ledger().last_position() == 1);
  CHECK(engine.verify() == std::vector<std::string>{});
}

}  // namespace
}  // namespace hebb::test
