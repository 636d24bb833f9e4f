// CloudEvents 1.0 with an outcome as data.
#include <catch2/catch.hpp>

#include "tests/engine/input_support.h"

using namespace hebb;

namespace {

const std::string kData = R"({"taskId":"t","outcome":"success"})";

std::string cloudevent(const std::string& data = kData, const std::string& more = "") {
  return R"({"specversion":"1.0","id":"7","source":"/ci","type":"done","data":)" + data + more +
         "}";
}
std::string reason_for_cloudevent(const std::string& text) {
  return reason_of(read_cloudevents, text + "\n");
}

}  // namespace

TEST_CASE("an event's source and id are its outcome's id, its time the outcome's") {
  const auto all =
      read_all(read_cloudevents, cloudevent(kData, R"(,"time":"2020-09-13T12:26:40Z")") + "\n");
  REQUIRE(all.size() == 1);
  CHECK(event_of(all[0]).key == "5:/ci 7");
  CHECK(event_of(all[0]).at == 1600000000000);
  CHECK(event_of(all[0]).subject == "t");
  CHECK(payload_of<OutcomeSignal>(all[0]).input ==
        R"({"id":"/ci 7","outcome":"success","taskId":"t"})");
}

TEST_CASE("what the data says itself wins") {
  const auto all = read_all(
      read_cloudevents,
      cloudevent(
          R"({"taskId":"t","outcome":"success","id":"mine","timestamp":1600000000005})",
          R"(,"time":"2020-09-13T12:26:40Z","datacontenttype":"application/json; charset=utf-8")"));
  REQUIRE(all.size() == 1);
  CHECK(event_of(all[0]).key == "5:mine");
  CHECK(event_of(all[0]).at == 1600000000005);
}

TEST_CASE("batches and lines of events") {
  CHECK(read_all(read_cloudevents, "[" + cloudevent() + ",\n" + cloudevent() + "]").size() == 2);
  const auto all =
      read_all(read_cloudevents, cloudevent() + "\n" + kData + "\n" + cloudevent() + "\n");
  REQUIRE(all.size() == 3);
  CHECK(reason_of(all[0]) == "");
  CHECK(reason_of(all[1]) == "missing_field");
  CHECK(reason_of(all[2]) == "");
}

TEST_CASE("envelopes that are refused") {
  CHECK(reason_for_cloudevent(R"({"id":"7","source":"/ci","type":"done","data":{}})") ==
        "missing_field");
  CHECK(reason_for_cloudevent(
            R"({"specversion":"0.3","id":"7","source":"/ci","type":"done","data":{}})") ==
        "bad_value");
  CHECK(reason_for_cloudevent(
            R"({"specversion":1.0,"id":"7","source":"/ci","type":"done","data":{}})") ==
        "wrong_type");
  CHECK(reason_for_cloudevent(R"({"specversion":"1.0","source":"/ci","type":"done","data":{}})") ==
        "missing_field");
  CHECK(reason_for_cloudevent(R"({"specversion":"1.0","id":"7","type":"done","data":{}})") ==
        "missing_field");
  CHECK(reason_for_cloudevent(R"({"specversion":"1.0","id":"7","source":"/ci","data":{}})") ==
        "missing_field");
  CHECK(reason_for_cloudevent(
            R"({"specversion":"1.0","id":"","source":"/ci","type":"done","data":{}})") ==
        "bad_value");
  CHECK(reason_for_cloudevent(R"({"specversion":"1.0","id":"7","source":"/ci","type":"done"})") ==
        "missing_field");
  CHECK(reason_for_cloudevent(cloudevent("[]")) == "wrong_type");
  CHECK(reason_for_cloudevent(cloudevent(kData, R"(,"datacontenttype":"text/xml")")) ==
        "bad_value");
  CHECK(reason_for_cloudevent(cloudevent(kData, R"(,"datacontenttype":"application/x+json")")) ==
        "");
  CHECK(reason_for_cloudevent(cloudevent(kData, R"(,"time":"soon")")) == "bad_time");
  CHECK(reason_for_cloudevent(cloudevent(kData, R"(,"id":"8")")) == "duplicate_key");
  CHECK(reason_for_cloudevent(cloudevent(R"({"taskId":"t","outcome":"win"})")) == "bad_outcome");
  CHECK(reason_for_cloudevent(cloudevent("{}")) == "missing_field");
  CHECK(reason_for_cloudevent(cloudevent(R"({"taskId":"t","outcome":"success","id":null})")) ==
        "bad_value");
}

TEST_CASE("source and id together are an id: at most 512 bytes") {
  const auto with_source = [](std::size_t size) {
    return reason_for_cloudevent(R"({"specversion":"1.0","id":"7","source":")" +
                                 std::string(size, 's') + R"(","type":"done","data":)" + kData +
                                 "}");
  };
  CHECK(with_source(510) == "");
  CHECK(with_source(511) == "id_too_long");
}

TEST_CASE("source and id cannot be taken for those of another event") {
  const auto key = [](const std::string& source, const std::string& id) {
    const auto all =
        read_all(read_cloudevents, R"({"specversion":"1.0","id":")" + id + R"(","source":")" +
                                       source + R"(","type":"done","data":)" + kData + "}");
    REQUIRE(all.size() == 1);
    return event_of(all[0]).key;
  };
  CHECK(key("/ci", "build/7") != key("/ci/build", "7"));
  CHECK(key("a b", "c") != key("a", "b c"));
  CHECK(key("/ci", "7") == key("/ci", "7"));
}
