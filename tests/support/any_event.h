// Makes events of every kind from arbitrary bytes: many are valid, many are hostile. For the
// property test and the fuzzer of appending.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/input/input.h"
#include "engine/ledger/event.h"

namespace hebb::test {

class AnyEvent {
 public:
  explicit AnyEvent(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }

  Event next() {
    Event e;
    e.position = integer();
    e.at = time();
    e.payload = payload();
    e.subject = subject(e.payload);
    if (one_in(3)) e.key = key(e);
    return e;
  }

 private:
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t b = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return b;
  }
  std::size_t below(std::size_t n) { return byte() % n; }
  // Rarely where the bytes have run out, so that what has no bytes left is plain.
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  template <class T, std::size_t N>
  const T& pick(const std::array<T, N>& values) {
    return values[below(N)];
  }

  std::string text() {
    static const std::array<std::string, 16> texts{
        "a",           "b",       "c",     "OPEN",     "CLOSED",
        "TASK",        "RELATES", "x\xff", "BLOCKS",   std::string("n\0l", 3),
        "l\ni\n",      "",        "\x1b[", "frontier", "\xc2\x85",
        "\xed\xa0\x80"};
    switch (below(24)) {
      case 21:
        return std::string(512 + below(2), 'i');
      case 22:
        return std::string(1, static_cast<char>(byte()));
      case 23:
        return one_in(40) ? std::string((1 << 20) + 1, 'l') : "l";
      default:
        return texts[below(below(3) == 2 ? texts.size() : 3)];
    }
  }
  std::string type() {
    static const std::array<std::string, 4> types{"RELATES", "BLOCKS", "LABELED_AS", "PARENT_OF"};
    return one_in(8) ? text() : pick(types);
  }
  std::string properties() {
    static const std::array<std::string, 10> jsons{
        "{}",          R"({"a":1})",       "not json", "[1]",          R"({"a":1,"a":2})",
        R"({ "a":1})", R"({"b":1,"a":2})", "null",     R"({"a":1.0})", "{\"a\":\"\xff\"}"};
    if (one_in(60)) return "{\"x\":" + std::string(64, '[') + std::string(64, ']') + "}";
    if (one_in(60)) return "{\"x\":\"" + std::string(64 << 10, 'x') + "\"}";
    return jsons[below(below(2) == 1 ? jsons.size() : 2)];
  }
  double number() {
    static const std::array<double, 14> numbers{1,
                                                0.5,
                                                0.25,
                                                1,
                                                1e-300,
                                                1e300,
                                                5e-324,
                                                0,
                                                -0.0,
                                                -1,
                                                7,
                                                std::numeric_limits<double>::quiet_NaN(),
                                                std::numeric_limits<double>::infinity(),
                                                -std::numeric_limits<double>::infinity()};
    return numbers[below(below(3) == 2 ? numbers.size() : 4)];
  }
  std::int64_t integer() { return static_cast<std::int64_t>(byte()) - 3; }
  TimeMs time() {
    static const std::array<TimeMs, 6> odd{-1,
                                           std::numeric_limits<TimeMs>::min(),
                                           std::numeric_limits<TimeMs>::max(),
                                           0,
                                           Limits::kLatestTime,
                                           Limits::kLatestTime + 1};
    if (one_in(12)) return pick(odd);
    return 1'700'000'000'000 + TimeMs{3'600'000} * byte();
  }
  std::vector<float> vector() {
    static const std::array<float, 4> odd{0, 1e38F, std::numeric_limits<float>::infinity(),
                                          std::numeric_limits<float>::quiet_NaN()};
    if (one_in(200)) return std::vector<float>(Limits::kVectorDimension + 1, 1.0F);
    std::vector<float> v(one_in(12) ? below(4) : 2, 0.5F);
    for (float& x : v) x = one_in(10) ? pick(odd) : static_cast<float>(byte());
    return v;
  }

  NodeUpsert node() {
    NodeUpsert n;
    n.type = "TASK";
    if (one_in(8)) n.type = text();
    if (one_in(20)) n.type.reset();
    if (below(2) == 0) n.state = "OPEN";
    if (one_in(8)) n.state = text();
    if (one_in(6)) n.name = text();
    if (one_in(6)) n.description = text();
    if (one_in(8)) n.project = text();
    if (one_in(8)) n.scope = text();
    if (one_in(4)) n.properties = properties();
    if (one_in(4)) n.vector = vector();
    if (one_in(10)) n.embedder = text();
    return n;
  }
  Link link() {
    Link l{text(), type(), number(), {}};
    if (one_in(3)) l.properties = properties();
    return l;
  }
  OutcomeSignal outcome() {
    OutcomeSignal o;
    o.outcome = static_cast<OutcomeKind>(below(one_in(20) ? 5 : 3));
    o.score = number();
    if (one_in(3)) o.related = {text(), text()};
    if (one_in(100)) o.related = std::vector<std::string>(Limits::kRelatedNodes + 1, "a");
    if (one_in(4)) o.contexts = {text()};
    if (one_in(4)) o.input = properties();
    return o;
  }
  PolicyChange policy() {
    static const std::array<std::string, 6> keys{
        "prior", "top_k", "other.cap", "type.\xff.cap", "type.RELATES.cap", "nothing"};
    static const std::array<std::string, 5> values{"1", "0.5", "nan", "many", "\xff"};
    return {one_in(4), {{pick(keys), pick(values)}, {"prior", one_in(5) ? text() : "1"}}};
  }

  Payload payload() {
    switch (below(23)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return node();
      case 5:
      case 6:
      case 7:
      case 8:
        return link();
      case 9:
        return Unlink{text(), type()};
      case 10:
        return StateChange{one_in(3) ? text() : "CLOSED"};
      case 11:
      case 12:
      case 13:
        return outcome();
      case 14:
        return Pivot{number()};
      case 15:
        return Recalibration{{{text(), number()}, {"a", number()}}};
      case 16:
        return policy();
      case 17:
        return Undo{integer()};
      case 18:
        return Forget{{{text(), text(), type()}},
                      one_in(2) ? std::vector{text()} : std::vector<std::string>{}};
      case 19:
        return Claim{text(), time(), one_in(2)};
      case 20:
        return Renew{integer(), time()};
      case 21:
        return Release{integer()};
      default:
        return NodeDelete{};
    }
  }
  std::string subject(const Payload& payload) {
    if (one_in(12)) return text();
    if (std::holds_alternative<Recalibration>(payload)) return "frontier";
    if (std::holds_alternative<PolicyChange>(payload)) return "policy";
    if (std::holds_alternative<Undo>(payload) || std::holds_alternative<Forget>(payload))
      return "ledger";
    return text();
  }
  std::string key(const Event& e) {
    switch (below(8)) {
      case 5:
        return text();
      case 6:  // the one that the ledger gives to the next, or to one after it
        return "7:0000000000000000000" + std::to_string(below(10));
      case 7:
        return event_key(e.payload, "recalibrate/" + std::to_string(one_in(2) ? e.at : 5));
      default:
        return event_key(e.payload, std::to_string(byte()));
    }
  }

  std::span<const std::uint8_t> bytes_;
};

}  // namespace hebb::test
