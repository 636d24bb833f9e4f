// History logs: each kind, its limits, and keys that sort causes before effects.
#include <limits>

#include <catch2/catch.hpp>

#include "engine/ledger/event.h"
#include "engine/values/canonical_json.h"
#include "tests/engine/input_support.h"

using namespace hebb;

namespace {

Got read_one(const std::string& line) {
  auto all = read_all(read_history, line + "\n");
  REQUIRE(all.size() == 1);
  return all.front();
}
std::string reason_for(const std::string& line) { return reason_of(read_one(line)); }
std::string node_with(const std::string& members) {
  return R"({"kind":"node","at":1600000000005,"id":"n","type":"T")" + members + "}";
}
std::string edge_with(const std::string& members) {
  return R"({"kind":"edge","at":1600000000005,"source":"a","target":"b","type":"T")" + members +
         "}";
}
std::string vector_of_size(std::size_t size) {
  std::string members = R"(,"vector":[)";
  for (std::size_t i = 0; i < size; ++i) members += i == 0 ? "0.5" : ",1";
  return members + "]";
}

}  // namespace

TEST_CASE("a node with everything") {
  const Got got = read_one(node_with(
      R"(,"state":"OPEN","name":"N","description":"D","project":"P","scope":"S","properties":{"b":1.0,"a":[]},"vector":[1,-0.5])"));
  CHECK(event_of(got).subject == "n");
  CHECK(event_of(got).at == 1600000000005);
  const auto& node = payload_of<NodeUpsert>(got);
  CHECK(node.type == "T");
  CHECK(node.state == "OPEN");
  CHECK(node.name == "N");
  CHECK(node.description == "D");
  CHECK(node.project == "P");
  CHECK(node.scope == "S");
  CHECK(node.properties == R"({"a":[],"b":1})");
  CHECK(node.vector == std::vector<float>{1, -0.5});
  CHECK(node.embedder == "external");
}

TEST_CASE("a node with the least: what is absent stays absent") {
  const auto node = payload_of<NodeUpsert>(read_one(node_with("")));
  CHECK_FALSE((node.state || node.name || node.description || node.project || node.scope));
  CHECK_FALSE(node.properties);
  CHECK(node.vector.empty());
  CHECK(node.embedder.empty());
}

TEST_CASE("edges, unlinks and states") {
  const Got edge = read_one(edge_with(R"(,"weight":2.5,"properties":{"p":1})"));
  CHECK(event_of(edge).subject == "a");
  CHECK(payload_of<Link>(edge).target == "b");
  CHECK(payload_of<Link>(edge).type == "T");
  CHECK(payload_of<Link>(edge).weight == 2.5);
  CHECK(payload_of<Link>(edge).properties == R"({"p":1})");
  CHECK(payload_of<Link>(read_one(edge_with(""))).weight == 1.0);

  const Got unlink =
      read_one(R"({"kind":"unlink","at":1600000000005,"source":"a","target":"b","type":"T"})");
  CHECK(event_of(unlink).subject == "a");
  CHECK(payload_of<Unlink>(unlink).target == "b");
  CHECK(payload_of<Unlink>(unlink).type == "T");

  const Got state = read_one(R"({"kind":"state","at":1600000000005,"id":"a","state":"OPEN"})");
  CHECK(event_of(state).subject == "a");
  CHECK(payload_of<StateChange>(state).state == "OPEN");
}

TEST_CASE("an outcome line: its time defaults to that of the line") {
  const std::string head =
      R"({"kind":"outcome","at":1600000000005,"taskId":"t","outcome":"failure")";
  CHECK(event_of(read_one(head + "}")).at == 1600000000005);
  CHECK(event_of(read_one(head + R"(,"timestamp":1600000000007})")).at == 1600000000007);
  CHECK(event_of(read_one(head + "}")).key.size() == 2 + 32);
  const auto other_door = read_all(
      read_outcomes, R"({"taskId":"t","outcome":"failure","id":"o","timestamp":1600000000005})");
  CHECK(event_of(read_one(head + R"(,"id":"o"})")).key == event_of(other_door[0]).key);
  CHECK(reason_for(head + R"(,"score":2})") == "score_out_of_range");
}

TEST_CASE("keys: the same line the same key, and causes before effects") {
  const std::string line = edge_with("");
  CHECK(event_of(read_one(line)).key ==
        "2:0174876e8005" +
            content_hash(
                R"({"at":1600000000005,"kind":"edge","source":"a","target":"b","type":"T"})"));
  CHECK(
      event_of(read_one(line)).key ==
      event_of(
          read_one(R"({"type":"T", "target":"b","source":"a","at":1600000000005.0,"kind":"edge"})"))
          .key);
  CHECK(event_of(read_one(line)).key != event_of(read_one(edge_with(R"(,"weight":2)"))).key);
  const std::vector<std::string> in_order = {
      event_of(read_one(node_with(""))).key, event_of(read_one(line)).key,
      event_of(
          read_one(R"({"kind":"unlink","at":1600000000005,"source":"a","target":"b","type":"T"})"))
          .key,
      event_of(read_one(R"({"kind":"state","at":1600000000005,"id":"a","state":"OPEN"})")).key,
      event_of(
          read_one(R"({"kind":"outcome","at":1600000000005,"taskId":"t","outcome":"success"})"))
          .key};
  CHECK(std::is_sorted(in_order.begin(), in_order.end()));
}

TEST_CASE("history lines that are refused") {
  CHECK(reason_for(R"({"at":1600000000005,"id":"n","type":"T"})") == "missing_field");
  CHECK(reason_for(R"({"kind":"node","id":"n","type":"T"})") == "missing_field");
  CHECK(reason_for(R"({"kind":"node","at":1600000000005,"type":"T"})") == "missing_field");
  CHECK(reason_for(R"({"kind":"node","at":1600000000005,"id":"n"})") == "missing_field");
  CHECK(reason_for(R"({"kind":"edge","at":1600000000005,"source":"a","target":"b"})") ==
        "missing_field");
  CHECK(reason_for(R"({"kind":"edge","at":1600000000005,"source":"a","type":"T"})") ==
        "missing_field");
  CHECK(reason_for(R"({"kind":"unlink","at":1600000000005,"target":"b","type":"T"})") ==
        "missing_field");
  CHECK(reason_for(R"({"kind":"state","at":1600000000005,"id":"n"})") == "missing_field");
  CHECK(reason_for(R"({"kind":"explode","at":1600000000005})") == "unknown_kind");
  CHECK(reason_for(R"({"kind":5,"at":1600000000005})") == "wrong_type");
  CHECK(reason_for(R"({"kind":"state","at":-5,"id":"n","state":"S"})") == "bad_time");
  CHECK(reason_for(R"({"kind":"state","at":[],"id":"n","state":"S"})") == "wrong_type");
  CHECK(reason_for(node_with(R"(,"name":5)")) == "wrong_type");
  CHECK(reason_for(node_with(R"(,"state":"")")) == "bad_id");
  CHECK(reason_for(node_with(R"(,"type":"U")")) == "duplicate_key");
  CHECK(reason_for(R"({"kind":"node","at":1600000000005,"id":"n","type":")" +
                   std::string(513, 'T') + "\"}") == "id_too_long");
}

TEST_CASE("a line of an export whose kind is not known says so") {
  ReadOptions options{kTestNow, ""};
  options.of_ledger = true;
  const auto got = read_all(read_history,
                            R"({"kind":"party","at":1600000000005,"key":"6:k","id":"n"})", options);
  REQUIRE(got.size() == 1);
  CHECK(detail_of(got[0]) == "its kind \"party\" is not known");
}

TEST_CASE("weights: more than 0") {
  CHECK(reason_for(edge_with(R"(,"weight":1e-300)")) == "");
  CHECK(reason_for(edge_with(R"(,"weight":0)")) == "out_of_range");
  CHECK(reason_for(edge_with(R"(,"weight":-1)")) == "out_of_range");
  CHECK(reason_for(edge_with(R"(,"weight":1e999)")) == "not_finite");
  CHECK(reason_for(edge_with(R"(,"weight":"1")")) == "wrong_type");
}

TEST_CASE("vectors: 1 to 4096 finite floats") {
  CHECK(reason_for(node_with(vector_of_size(1))) == "");
  CHECK(reason_for(node_with(vector_of_size(4096))) == "");
  CHECK(reason_for(node_with(vector_of_size(4097))) == "vector_too_long");
  CHECK(reason_for(node_with(R"(,"vector":[])")) == "out_of_range");
  CHECK(reason_for(node_with(R"(,"vector":[3e38])")) == "");
  CHECK(reason_for(node_with(R"(,"vector":[1,4e38])")) == "not_finite");
  CHECK(detail_of(read_one(node_with(R"(,"vector":[1,"2"])"))) ==
        "vector[1]: must be a number, is a string");
  CHECK(reason_for(node_with(R"(,"vector":{"0":1})")) == "wrong_type");
}

TEST_CASE("properties: an object of up to 64 KiB") {
  const auto of_size = [](std::size_t size) {
    return node_with(R"(,"properties": { "p" : ")" + std::string(size - 8, 'x') + "\" }");
  };
  CHECK(reason_for(of_size(64 << 10)) == "");
  CHECK(reason_for(of_size((64 << 10) + 1)) == "properties_too_large");
  CHECK(reason_for(node_with(R"(,"properties":[])")) == "wrong_type");
  CHECK(reason_for(edge_with(R"(,"properties":"{}")")) == "wrong_type");
}

TEST_CASE("a history is lines, whatever it begins with") {
  const auto all = read_all(read_history, "[\n" + node_with("") + "\n");
  REQUIRE(all.size() == 2);
  CHECK(reason_of(all[0]) == "not_json");
  CHECK(reason_of(all[1]) == "");
}

TEST_CASE("checks for events that are made by hand") {
  CHECK_FALSE(check_name(std::string(512, 'x'), "id"));
  CHECK(check_name(std::string(513, 'x'), "id")->reason == "id_too_long");
  CHECK(check_name("", "id")->detail == "id: must not be empty");
  CHECK(check_name("\xff", "id")->reason == "not_utf8");
  CHECK(std::get<std::string>(canonical_properties(R"({ "b":2, "a":1e0 })", "p")) ==
        R"({"a":1,"b":2})");
  CHECK(std::get<Refusal>(canonical_properties("[]", "p")).reason == "wrong_type");
  CHECK(std::get<Refusal>(canonical_properties("{", "p")).reason == "not_json");
  const std::vector<float> bad = {1, std::numeric_limits<float>::infinity()};
  CHECK(check_vector(bad, "v")->detail == "v[1]: is not a finite 32-bit float");
}
