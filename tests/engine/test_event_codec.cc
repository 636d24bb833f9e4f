// Payloads to JSON and back, and canonical JSON itself.
#include <cmath>
#include <cstring>
#include <limits>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "engine/input/input.h"
#include "engine/ledger/event.h"
#include "engine/values/canonical_json.h"

using namespace hebb;

namespace {

std::string round_trip(const Payload& payload, const std::vector<float>& vector = {}) {
  const std::string json = encode_payload(payload);
  CHECK(nlohmann::json::accept(json));
  const Payload decoded = decode_payload(kind_name(payload), json, vector);
  CHECK(decoded.index() == payload.index());
  CHECK(encode_payload(decoded) == json);
  return json;
}

std::string canonical(const std::string& json) {  // of a value, by way of an object
  const auto result = canonical_properties("{\"v\":" + json + "}", "p");
  if (const auto* refusal = std::get_if<Refusal>(&result)) return refusal->reason;
  const std::string text = std::get<std::string>(result);
  return text.substr(5, text.size() - 6);
}

std::string number(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

}  // namespace

TEST_CASE("each kind of payload: its JSON and back") {
  NodeUpsert node;
  node.type = "T";
  node.state = "";
  node.name = "a \"name\"\n";
  node.description = "d";
  node.project = "p";
  node.scope = "s";
  node.properties = R"({"a":[1,{"b":null}]})";
  node.embedder = "external";
  node.vector = {1, 2};
  CHECK(
      round_trip(node, {1, 2}) ==
      R"({"type":"T","state":"","name":"a \"name\"\n","description":"d","project":"p","scope":"s",)"
      R"("properties":{"a":[1,{"b":null}]},"embedder":"external"})");
  CHECK(round_trip(NodeUpsert{}) == "{}");
  NodeUpsert said;
  said.priority = 0;
  said.due_at = 1'700'000'000'000;
  said.snoozed_until = graph::kNever;  // taken back
  said.pinned = false;
  CHECK(round_trip(said) ==
        R"({"priority":0,"due_at":1700000000000,"snoozed_until":null,"pinned":false})");
  NodeUpsert snoozed;
  snoozed.snoozed_until = 1'700'000'000'000;
  snoozed.because = "CI is \"down\"";
  CHECK(round_trip(snoozed) == R"({"snoozed_until":1700000000000,"because":"CI is \"down\""})");
  CHECK(round_trip(NodeDelete{}) == "{}");
  CHECK(round_trip(Link{"b", "T", 0.1, "{}"}) ==
        R"({"target":"b","type":"T","weight":0.1,"properties":{}})");
  CHECK(round_trip(Link{"b", "T", 1, {}}) == R"({"target":"b","type":"T","weight":1})");
  CHECK(round_trip(Unlink{"b", "T"}) == R"({"target":"b","type":"T"})");
  CHECK(round_trip(StateChange{"OPEN"}) == R"({"state":"OPEN"})");
  CHECK(
      round_trip(OutcomeSignal{OutcomeKind::success, 0.5, {{"r"}}, {"c"}, R"({"taskId":"t"})"}) ==
      R"({"outcome":"success","score":0.5,"related":["r"],"contexts":["c"],"input":{"taskId":"t"}})");
  CHECK(round_trip(OutcomeSignal{OutcomeKind::failure, 0, {}, {}, ""}) ==
        R"({"outcome":"failure","score":0,"contexts":[]})");
  CHECK(round_trip(Pivot{2.5}) == R"({"weight":2.5})");
  CHECK(round_trip(Recalibration{{{"a", 1}, {"b", 1.0 / 3}}}) ==
        R"({"guides":[{"node":"a","x":1},{"node":"b","x":0.3333333333333333}]})");
  CHECK(round_trip(PolicyChange{true, {{"prior", "0.5"}, {"other.cap", "inf"}}}) ==
        R"({"replace":true,"settings":[["prior","0.5"],["other.cap","inf"]]})");
  CHECK(round_trip(Undo{1234567890123}) == R"({"event":1234567890123})");
  CHECK(round_trip(Forget{{{"a", "b", "T"}}, {"n"}}) ==
        R"({"edges":[["a","b","T"]],"nodes":["n"]})");
}

TEST_CASE("what decoding gives back, field by field") {
  const auto node = std::get<NodeUpsert>(
      decode_payload("node", R"({"name":"N","properties":{"a":1}})", {0.5F, -1.0F}));
  CHECK(node.name == "N");
  CHECK_FALSE(node.type);
  CHECK(node.properties == R"({"a":1})");
  CHECK(node.vector == std::vector<float>{0.5F, -1.0F});
  const auto outcome = std::get<OutcomeSignal>(decode_payload(
      "outcome", R"({"outcome":"partial","score":0.25,"related":[],"contexts":["x","y"]})", {}));
  CHECK(outcome.outcome == OutcomeKind::partial);
  CHECK(outcome.score == 0.25);
  REQUIRE(outcome.related);
  CHECK(outcome.related->empty());
  CHECK(outcome.contexts == std::vector<std::string>{"x", "y"});
}

TEST_CASE("a double comes back with the same bits") {
  rc::check([](std::uint64_t bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    value = std::abs(value);
    if (!std::isfinite(value) || value == 0) return;
    const auto pivot = std::get<Pivot>(decode_payload("pivot", encode_payload(Pivot{value}), {}));
    RC_ASSERT(pivot.weight == value);
  });
}

TEST_CASE("an input as deep as is allowed fits into its payload") {
  const std::string deep = "{\"x\":" + std::string(63, '[') + std::string(63, ']') + "}";
  REQUIRE(std::get<std::string>(canonical_properties(deep, "p")) == deep);
  NodeUpsert node;
  node.properties = deep;
  round_trip(node);
}

TEST_CASE("payloads that are not of their kind") {
  const auto decode = [](std::string_view kind, std::string_view json) {
    return decode_payload(kind, json, {});
  };
  CHECK_THROWS_AS(decode("nothing", "{}"), std::invalid_argument);
  CHECK_THROWS_AS(decode("edge", "{}"), std::invalid_argument);
  CHECK_THROWS_AS(decode("edge", "[]"), std::invalid_argument);
  CHECK_THROWS_AS(decode("edge", "{"), std::invalid_argument);
  CHECK_THROWS_AS(decode("outcome", R"({"outcome":"win","score":1,"contexts":[]})"),
                  std::invalid_argument);
  CHECK_THROWS_AS(decode("policy", R"({"replace":false,"settings":[["prior"]]})"),
                  std::invalid_argument);
  CHECK_THROWS_AS(decode("undo", R"({"event":1.5})"), std::invalid_argument);
}

TEST_CASE("keys sort causes before effects") {
  CHECK(event_key(NodeUpsert{}, "r") == "1:r");
  CHECK(event_key(Link{}, "r") == "2:r");
  CHECK(event_key(Unlink{}, "r") == "3:r");
  CHECK(event_key(StateChange{}, "r") == "4:r");
  CHECK(event_key(OutcomeSignal{}, "r") == "5:r");
  for (const Payload& other : {Payload(NodeDelete{}), Payload(Pivot{}), Payload(Recalibration{}),
                               Payload(PolicyChange{}), Payload(Undo{}), Payload(Forget{})}) {
    CHECK(event_key(other, "r") == "6:r");
  }
}

TEST_CASE("canonical JSON: one text for equal values") {
  CHECK(canonical(R"( { "b" : 1 , "a" : [ true , null ] } )") == R"({"a":[true,null],"b":1})");
  CHECK(canonical(R"({"\u00e9":1,"z":2,"":3})") == "{\"\":3,\"z\":2,\"\xc3\xa9\":1}");
  CHECK(canonical(R"("\u0041\/\u0001\u001f\n\"\\")") == R"("A/\u0001\u001f\n\"\\")");
  for (const char* const one : {"1", "1.0", "1e0", "10e-1", "0.1e1"}) CHECK(canonical(one) == "1");
  for (const char* const zero : {"0", "-0", "0.0", "-0.0", "0e5"}) CHECK(canonical(zero) == "0");
  for (const char* const big : {"100000", "1e5", "100000.0"}) CHECK(canonical(big) == "100000");
  CHECK(canonical("9223372036854775807") == "9223372036854775807");
  CHECK(canonical("18446744073709551615") == "18446744073709551615");
  CHECK(canonical("1e18") == "1000000000000000000");
  CHECK(canonical("1e19") == "10000000000000000000");
  CHECK(canonical("1e20") == "1e+20");
  CHECK(canonical("-1e19") == "-1e+19");
  CHECK(canonical("0.1") == "0.1");
  CHECK(number(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
  CHECK(number(std::numeric_limits<double>::denorm_min()) == "5e-324");
}

TEST_CASE("canonical text is a fixed point") {
  rc::check([](std::uint64_t bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) return;
    RC_ASSERT(canonical(number(value)) == number(value));
  });
  rc::check([](std::int64_t value) {
    RC_ASSERT(canonical(std::to_string(value)) == std::to_string(value));
    const double wide = static_cast<double>(value);
    RC_ASSERT(canonical(number(wide)) == number(wide));
  });
  rc::check([](const std::map<std::string, int>& object) {
    const std::string text =
        nlohmann::json(object).dump(2, ' ', true, nlohmann::json::error_handler_t::replace);
    const std::string once = canonical(text);
    RC_PRE(once != "duplicate_key");  // two keys made equal by replacement
    RC_ASSERT(canonical(once) == once);
    RC_ASSERT(nlohmann::json::parse(once) == nlohmann::json::parse(text));
  });
}

TEST_CASE("content hashes are XXH3-128 in hexadecimal") {
  CHECK(content_hash("") == "99aa06d3014798d86001c324468d497f");
  CHECK(content_hash("a") == "a96faf705af16834e6c632b61e964e1f");
}
