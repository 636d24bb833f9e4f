// Outcomes: what is taken, what is refused and why, and every limit from both sides.
#include <catch2/catch.hpp>

#include "engine/input/outcome_report.h"
#include "engine/values/canonical_json.h"
#include "tests/engine/input_support.h"

using namespace hebb;

namespace {

// A plain success with further members, such as R"(,"score":0.5)".
std::string outcome_with(const std::string& members, const std::string& kind = "success") {
  return R"({"taskId":"t","outcome":")" + kind + "\"" + members + "}";
}
std::string reason_with(const std::string& members, const std::string& kind = "success") {
  return reason_of(read_outcomes, outcome_with(members, kind) + "\n");
}
std::string nested(int depth) {  // as the value of a field of the item: the item is the first level
  return R"(,"x":)" + std::string(static_cast<std::size_t>(depth - 1), '[') +
         std::string(static_cast<std::size_t>(depth - 1), ']');
}

}  // namespace

TEST_CASE("an outcome with everything") {
  const auto all = read_all(read_outcomes, R"({"taskId":"t1","outcome":"success","id":"o1",
    "metrics":{"testsPassed":3,"testsTotal":4,"filesModified":2,"commitSha":"abc","executionTimeMs":1.5},
    "relatedNodes":["a","b"],"agentId":"me","sessionId":"s","timestamp":1600000000000,"extra":[1.0]})");
  REQUIRE(all.size() == 1);
  const Event& event = event_of(all[0]);
  CHECK(event.subject == "t1");
  CHECK(event.at == 1600000000000);
  CHECK(event.key == "5:o1");
  const auto& signal = payload_of<OutcomeSignal>(all[0]);
  CHECK(signal.outcome == OutcomeKind::success);
  CHECK(signal.score == 0.75);
  CHECK(signal.related == std::vector<std::string>{"a", "b"});
  CHECK(
      signal.input ==
      R"({"agentId":"me","extra":[1],"id":"o1","metrics":{"commitSha":"abc","executionTimeMs":1.5,)"
      R"("filesModified":2,"testsPassed":3,"testsTotal":4},"outcome":"success",)"
      R"("relatedNodes":["a","b"],"sessionId":"s","taskId":"t1","timestamp":1600000000000})");
}

TEST_CASE("the score: given, else passed of total, else 1") {
  const auto score = [](const std::string& members, const std::string& kind = "success") {
    return payload_of<OutcomeSignal>(read_all(read_outcomes, outcome_with(members, kind))[0]).score;
  };
  CHECK(score("") == 1);
  CHECK(score(R"(,"score":0.25,"metrics":{"testsPassed":3,"testsTotal":4})") == 0.25);
  CHECK(score(R"(,"metrics":{"testsPassed":3,"testsTotal":4})") == 0.75);
  CHECK(score(R"(,"metrics":{"testsPassed":0,"testsTotal":0})") == 1);
  CHECK(score(R"(,"metrics":{"testsPassed":0,"testsTotal":4})", "failure") == 0);
  CHECK(score(R"(,"score":1)") == 1);
  CHECK(score(R"(,"score":5e-324)") == 5e-324);
}

TEST_CASE("fields that are null are absent") {
  CHECK(reason_with(
            R"(,"id":null,"score":null,"metrics":null,"relatedNodes":null,"timestamp":null)") ==
        "");
  CHECK(reason_of(read_outcomes, R"({"taskId":null,"outcome":"success"})") == "missing_field");
}

TEST_CASE("the key of an outcome") {
  const auto key = [](const std::string& text) {
    return event_of(read_all(read_outcomes, text + "\n")[0]).key;
  };
  SECTION("is its id") { CHECK(key(outcome_with(R"(,"id":"run 7")")) == "5:run 7"); }
  SECTION("or else the hash of its canonical text, if it has a time") {
    const std::string one = key(R"({"taskId":"t","outcome":"success","timestamp":1600000000000})");
    CHECK(one.size() == 2 + 32);
    CHECK(one ==
          "5:" + content_hash(R"({"outcome":"success","taskId":"t","timestamp":1600000000000})"));
    CHECK(one == key(R"( {"timestamp" : 1.6e12,  "outcome":"success","taskId":"\u0074"} )"));
    CHECK(one != key(R"({"taskId":"t","outcome":"success","timestamp":1600000000001})"));
  }
  SECTION("or else there is none: it always counts, now") {
    CHECK(key(outcome_with("")).empty());
    CHECK(event_of(read_all(read_outcomes, outcome_with(""))[0]).at == kTestNow);
  }
}

TEST_CASE("what an outcome must have and be") {
  CHECK(reason_of(read_outcomes, R"({"outcome":"success"})") == "missing_field");
  CHECK(reason_of(read_outcomes, R"({"taskId":"t"})") == "missing_field");
  CHECK(reason_of(read_outcomes, R"({"taskId":7,"outcome":"success"})") == "wrong_type");
  CHECK(reason_of(read_outcomes, R"({"taskId":"t","outcome":1})") == "wrong_type");
  CHECK(reason_with("", "SUCCESS") == "bad_outcome");
  CHECK(reason_of(read_outcomes, "[1]") == "wrong_type");
  CHECK(reason_of(read_outcomes, "\"text\"\n") == "wrong_type");
  CHECK(reason_with(R"(,"agentId":1)") == "wrong_type");
  CHECK(reason_with(R"(,"sessionId":["s"])") == "wrong_type");
  CHECK(reason_with(R"(,"metrics":[])") == "wrong_type");
  CHECK(reason_with(R"(,"metrics":{"commitSha":1})") == "wrong_type");
  CHECK(reason_with(R"(,"metrics":{"filesModified":"3"})") == "wrong_type");
  CHECK(reason_with(R"(,"metrics":{"executionTimeMs":-1})") == "out_of_range");
}

TEST_CASE("scores and tests out of range") {
  for (const char* const score : {"0", "-0.1", "1.0000001", "2"}) {
    CAPTURE(score);
    CHECK(reason_with(std::string(R"(,"score":)") + score) == "score_out_of_range");
  }
  CHECK(reason_with(R"(,"score":"0.5")") == "wrong_type");
  CHECK(reason_with(R"(,"metrics":{"testsPassed":0,"testsTotal":4})") == "score_out_of_range");
  CHECK(reason_with(R"(,"metrics":{"testsPassed":5,"testsTotal":4})") == "out_of_range");
  CHECK(reason_with(R"(,"metrics":{"testsPassed":-1,"testsTotal":4})") == "out_of_range");
  CHECK(reason_with(R"(,"metrics":{"testsTotal":-1})") == "out_of_range");
  CHECK(reason_with(R"(,"metrics":{"testsPassed":1.5,"testsTotal":4})") == "out_of_range");
  CHECK(reason_with(R"(,"metrics":{"testsPassed":4,"testsTotal":4})") == "");
}

TEST_CASE("numbers that JSON or a double cannot hold are refused") {
  CHECK(reason_with(R"(,"score":NaN)") == "not_json");
  CHECK(reason_with(R"(,"score":Infinity)") == "not_json");
  CHECK(reason_with(R"(,"score":1e999)") == "not_finite");
  CHECK(reason_with(R"(,"extra":[1e999])") == "not_finite");
  CHECK(reason_with(R"(,"extra":18446744073709551615)") == "");
  CHECK(reason_with(R"(,"extra":18446744073709551616)") == "out_of_range");
}

TEST_CASE("times") {
  const auto time = [](const std::string& timestamp) {
    const auto all = read_all(read_outcomes, outcome_with(R"(,"timestamp":)" + timestamp));
    return reason_of(all[0]).empty() ? std::to_string(event_of(all[0]).at) : reason_of(all[0]);
  };
  CHECK(time("100000000000") == "100000000000");
  CHECK(time("253402300799999") == "253402300799999");
  CHECK(time(R"("2020-09-13T12:26:40Z")") == "1600000000000");
  CHECK(time(R"("1973-03-03T09:46:40Z")") == "100000000000");
  CHECK(time("0") == "bad_time");
  CHECK(time("-1") == "bad_time");
  CHECK(time("99999999999") == "bad_time");
  CHECK(time("253402300800000") == "bad_time");
  CHECK(time("1.5") == "bad_time");
  CHECK(time("1600000000000.5") == "bad_time");
  CHECK(time(R"("1973-03-03T09:46:39Z")") == "bad_time");
  CHECK(time(R"("1970-01-01T00:00:00Z")") == "bad_time");
  CHECK(time(R"("1969-12-31T23:59:59Z")") == "bad_time");
  CHECK(time(R"("1600000000000")") == "bad_time");
  CHECK(time(R"("yesterday")") == "bad_time");
  CHECK(time("true") == "wrong_type");
}

TEST_CASE("ids: 1 to 512 bytes without control characters") {
  const auto with_task = [](const std::string& id) {
    return reason_of(read_outcomes, R"({"outcome":"success","taskId":")" + id + "\"}");
  };
  CHECK(with_task(std::string(512, 'x')) == "");
  CHECK(with_task(std::string(513, 'x')) == "id_too_long");
  CHECK(with_task("") == "bad_id");
  CHECK(with_task(R"(a\u0000b)") == "bad_id");
  CHECK(with_task(R"(a\nb)") == "bad_id");
  CHECK(with_task("a\x7f") == "bad_id");
  CHECK(with_task("\xc2\x85") == "bad_id");
  CHECK(with_task("\xc2\xa0") == "");
  CHECK(with_task("caf\xc3\xa9") == "");
  CHECK(reason_with(R"(,"id":"")") == "bad_id");
  CHECK(reason_with(R"(,"id":")" + std::string(513, 'x') + "\"") == "id_too_long");
}

TEST_CASE("related nodes: up to 1024 ids") {
  const auto related = [](std::size_t count) {
    std::string members = R"(,"relatedNodes":["n")";
    for (std::size_t i = 1; i < count; ++i) members += R"(,"n")";
    return members + "]";
  };
  CHECK(reason_with(related(1024)) == "");
  CHECK(reason_with(related(1025)) == "too_many_related");
  CHECK(reason_with(R"(,"relatedNodes":"n")") == "wrong_type");
  CHECK(reason_with(R"(,"relatedNodes":["n",3])") == "wrong_type");
  CHECK(reason_with(R"(,"relatedNodes":["n",""])") == "bad_id");
  const auto none = read_all(read_outcomes, outcome_with(R"(,"relatedNodes":[])"));
  REQUIRE(payload_of<OutcomeSignal>(none[0])
              .related.has_value());  // given, and empty: nothing to reward
  CHECK(payload_of<OutcomeSignal>(none[0]).related->empty());
}

TEST_CASE("depth: up to 64, the item counted") {
  CHECK(reason_with(nested(64)) == "");
  CHECK(reason_with(nested(65)) == "too_deep");
  CHECK(reason_with(nested(100'000)) == "too_deep");
}

TEST_CASE("length: up to 1 MiB") {
  const std::size_t around = outcome_with(R"(,"x":"")").size();
  const auto of_size = [&](std::size_t size) {
    return outcome_with(R"(,"x":")" + std::string(size - around, 'y') + "\"");
  };
  REQUIRE(of_size(1 << 20).size() == 1 << 20);
  CHECK(reason_of(read_outcomes, of_size(1 << 20) + "\n") == "");
  CHECK(reason_of(read_outcomes, of_size((1 << 20) + 1) + "\n") == "too_long");
  CHECK(reason_of(read_outcomes, "[" + of_size((1 << 20) + 1) + "]") == "too_long");
}

TEST_CASE("keys that are there twice, at any level") {
  CHECK(reason_with(R"(,"taskId":"u")") == "duplicate_key");
  CHECK(reason_with(R"(,"metrics":{"testsTotal":1,"testsTotal":1})") == "duplicate_key");
  CHECK(reason_with(R"(,"x":[{"a":1,"b":2,"\u0061":3}])") == "duplicate_key");
  const auto all = read_all(read_outcomes, outcome_with(R"(,"x":{"y":[{"a":1,"a":3}]})"));
  CHECK(detail_of(all[0]) == R"(x.y.[]: has the key "a" twice)");
}

TEST_CASE("text that is not UTF-8") {
  CHECK(reason_with(",\"x\":\"\xff\"") == "not_utf8");
  CHECK(reason_with(",\"x\":\"\xc3\"") == "not_utf8");
  CHECK(reason_with(",\"x\":\"\xed\xa0\x80\"") == "not_utf8");  // a surrogate
  CHECK(reason_with(R"(,"x":"\ud800")") == "not_json");
}

TEST_CASE("refusals say where and what is allowed") {
  const auto detail = [](const std::string& members) {
    return detail_of(read_all(read_outcomes, outcome_with(members) + "\n")[0]);
  };
  CHECK(detail(R"(,"metrics":{"testsPassed":7,"testsTotal":5})") ==
        "metrics.testsPassed: is 7; at most testsTotal (5) is allowed");
  CHECK(detail(R"(,"relatedNodes":["a",3])") == "relatedNodes[1]: must be a string, is a number");
  CHECK(detail(R"(,"score":2)") == "score: is 2; allowed is more than 0, at most 1");
  CHECK(detail(",").find("column") != std::string::npos);
}

TEST_CASE("what a command reports is the event that its object makes in a file") {
  OutcomeReport report;
  report.task = "t\"1";
  report.outcome = OutcomeKind::failure;
  report.score = 0.1;
  report.token = 7;
  report.agent = "me";
  report.because = "the page\nchanged";
  report.id = "o1";
  report.at = 1600000000000;
  const auto read = [](const std::string& line) {
    return event_of(read_all(read_outcomes, line)[0]);
  };
  const auto check_same = [](const Parsed& reported, const Event& expected) {
    const Event& event = std::get<Event>(reported);
    CHECK(event.subject == expected.subject);
    CHECK(event.key == expected.key);
    CHECK(event.at == expected.at);
    CHECK(event.dated == expected.dated);
    CHECK(event.json == expected.json);
    CHECK(encode_payload(event.payload) == encode_payload(expected.payload));
  };
  check_same(event_of(report, 5),
             read(R"({"because":"the page\nchanged","taskId":"t\"1","outcome":"failure","id":"o1",)"
                  R"("score":0.1,"token":7,"agentId":"me","timestamp":1600000000000})"));
  CHECK(std::get<Event>(event_of(report, 5)).json == JsonText::canonical);
  OutcomeReport least;
  least.task = "t";
  least.outcome = OutcomeKind::success;
  check_same(event_of(least, kTestNow), read(R"({"taskId":"t","outcome":"success"})"));
  CHECK(std::get<Event>(event_of(least, kTestNow)).json == JsonText::names_only);
}

TEST_CASE("a report is refused for the same reasons, whoever makes it") {
  const auto reason = [](const std::function<void(OutcomeReport&)>& change) {
    OutcomeReport report;
    report.task = "t";
    report.outcome = OutcomeKind::success;
    change(report);
    const Parsed parsed = event_of(report, kTestNow);
    const auto* refusal = std::get_if<Refusal>(&parsed);
    return refusal ? refusal->reason : "";
  };
  CHECK(reason([](OutcomeReport&) {}).empty());
  CHECK(reason([](OutcomeReport& r) { r.task = ""; }) == "bad_id");
  CHECK(reason([](OutcomeReport& r) { r.agent = "a\nb"; }) == "bad_id");
  CHECK(reason([](OutcomeReport& r) { r.id = std::string(513, 'x'); }) == "id_too_long");
  CHECK(reason([](OutcomeReport& r) { r.because = "\xff"; }) == "not_utf8");
  CHECK(reason([](OutcomeReport& r) { r.score = 0; }) == "score_out_of_range");
  CHECK(reason([](OutcomeReport& r) { r.token = 0; }) == "out_of_range");
  CHECK(reason([](OutcomeReport& r) { r.metrics.tests_total = 1.5; }) == "out_of_range");
}

TEST_CASE("an outcome without an id gets one from the request's key, by its place") {
  ReadOptions options;
  options.now = kTestNow;
  options.key = "k";
  const auto texts = [&](const std::string& content) {
    std::vector<std::string> out;
    Input input(content);
    read_outcomes(input, options, [&](Item item) {
      const auto* event = std::get_if<Event>(&item.parsed);
      out.push_back(event ? std::get<OutcomeSignal>(event->payload).input : "refused");
      if (event && event->key != "5:own") CHECK(item.text == out.back());
    });
    return out;
  };
  const std::string x = R"("outcome":"success","taskId":"t")";
  CHECK(texts("{" + x + "}\nnonsense\n{" + x +
              R"(,"a":1,"id2":2})"
              "\n{\"id\":null," +
              x + "}\n{\"i\":1," + x + ",\"id\":null}\n{\"id\":\"own\"," + x + "}\n{\"id!\":1," +
              x + "}\n") ==
        std::vector<std::string>{R"({"id":"k/1",)" + x + "}", "refused",
                                 R"({"a":1,"id":"k/3","id2":2,)" + x + "}",
                                 R"({"id":"k/4",)" + x + "}", R"({"i":1,"id":"k/5",)" + x + "}",
                                 R"({"id":"own",)" + x + "}", R"({"id":"k/7","id!":1,)" + x + "}"});
}
