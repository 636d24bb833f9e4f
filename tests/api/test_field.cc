// Fields: which values they accept, and the JSON that they write.
#include <limits>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "api/field.h"
#include "api/operation.h"

namespace hebb::api {

struct Inner {
  std::string name;
};

RECORD(Inner, FIELD(name, "A name", {.required = true}))

struct Sample {
  std::string id, kind = "plain";
  std::int64_t top = 3;
  double weight = 1;
  bool deep = false;
  std::optional<Time> since;
  std::optional<Duration> age;
  std::vector<std::string> labels;
  std::optional<std::int64_t> event;
  std::optional<Inner> inner;
};
RECORD(Sample, FIELD(id, "The id", {.required = true}),
       FIELD(kind, "Its kind", {.choices = {"plain", "other"}}),
       FIELD(top, "How many", {.min = 1, .max = 10}), FIELD(weight, "How heavy"),
       FIELD(deep, "All the way"), FIELD(since, "From then on"), FIELD(age, "How old"),
       FIELD(labels, "Labels"), FIELD(event, "Which"), FIELD(inner, "More"))

struct Derived : Inner {
  std::string other;
};
struct Further : Derived {};

// What is derived from a record has to take over its fields: else they would vanish from requests
// and results without a word. RECORD() asserts it.
using fields::field;
using fields::HasFieldsOfBase;
using fields::Part;
using OwnFieldsAlone = decltype(field("other", std::string(), ""));
static_assert(!HasFieldsOfBase<Derived, OwnFieldsAlone>);
static_assert(!HasFieldsOfBase<Further, OwnFieldsAlone>);
static_assert(!HasFieldsOfBase<Derived, OwnFieldsAlone, Part<Sample>>);
static_assert(HasFieldsOfBase<Derived, OwnFieldsAlone, Part<Inner>>);
static_assert(HasFieldsOfBase<Sample, OwnFieldsAlone>);
// Without a RECORD() of its own it is none.
static_assert(Record<Inner> && !Record<Derived>);

namespace {

Sample read(const Json& json) {
  Sample sample;
  read_record(fields_of<Sample>(), json, &sample);
  return sample;
}

// The field that the error names.
std::string blamed(const Json& json) {
  try {
    read(json);
  } catch (const fields::Invalid& invalid) {
    return invalid.path;
  }
  return "none";
}

}  // namespace

TEST_CASE("a record is read and written with the names of its fields") {
  const Json json = {{"id", "a"},     {"kind", "other"},      {"top", 10},
                     {"weight", 0.5}, {"deep", true},         {"since", "2026-01-02T03:04:05.678Z"},
                     {"age", 90'000}, {"labels", {"x", "y"}}, {"inner", {{"name", "n"}}}};
  const Sample sample = read(json);
  CHECK(sample.since == 1767323045678);
  CHECK(sample.age->ms == 90'000);
  CHECK(sample.inner->name == "n");
  CHECK(write_record(fields_of<Sample>(), &sample) == json);
  CHECK(write_record(fields_of<Sample>(), &sample).dump() == json.dump());  // in the fields' order
  const Sample bare = read({{"id", "a"}, {"since", nullptr}});
  CHECK(write_record(fields_of<Sample>(), &bare) == Json{{"id", "a"},
                                                         {"kind", "plain"},
                                                         {"top", 3},
                                                         {"weight", 1.0},
                                                         {"deep", false},
                                                         {"labels", Json::array()}});
}

TEST_CASE("times and spans are read in every way that is allowed") {
  CHECK(read({{"id", "a"}, {"since", 1767323045678}}).since == 1767323045678);
  CHECK(read({{"id", "a"}, {"age", "1.5d"}}).age->ms == 129'600'000);
  CHECK(read({{"id", "a"}, {"age", "250ms"}}).age->ms == 250);
  CHECK(blamed({{"id", "a"}, {"since", 1767323045}}) == "since");  // seconds
  CHECK(blamed({{"id", "a"}, {"age", "7 days"}}) == "age");
  CHECK(blamed({{"id", "a"}, {"age", -1}}) == "age");
}

TEST_CASE("what a field cannot be is refused, and the field is named") {
  CHECK(blamed(Json::object()) == "id");
  CHECK(blamed({{"id", 7}}) == "id");
  CHECK(blamed({{"id", "a"}, {"kind", "third"}}) == "kind");
  CHECK(blamed({{"id", "a"}, {"top", 0}}) == "top");
  CHECK(blamed({{"id", "a"}, {"top", 11}}) == "top");
  CHECK(blamed({{"id", "a"}, {"top", 2.5}}) == "top");
  CHECK(blamed({{"id", "a"}, {"top", "3"}}) == "top");
  CHECK(blamed({{"id", "a"}, {"weight", "inf"}}) == "weight");
  CHECK(blamed({{"id", "a"}, {"deep", 1}}) == "deep");
  CHECK(blamed({{"id", "a"}, {"labels", "x"}}) == "labels");
  CHECK(blamed({{"id", "a"}, {"labels", {"x", 1}}}) == "labels");
  CHECK(blamed({{"id", "a"}, {"inner", {{"nam", "n"}}}}) == "inner.nam");
  CHECK(blamed({{"id", "a"}, {"inner", Json::object()}}) == "inner.name");
  CHECK(blamed({{"id", "a"}, {"colour", "red"}}) == "colour");
  CHECK_THROWS_AS(read(Json::array()), fields::Invalid);
}

TEST_CASE("a whole number that is too large is refused as it was given") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(read(parse_json(R"({"id":"a","event":9223372036854775807})", "body")).event == kMost);
  for (const std::string number : {"9223372036854775808", "18446744073709551615"}) {
    const Json json = parse_json(R"({"id":"a","event":)" + number + "}", "body");
    CHECK_THROWS_WITH(read(json),
                      "event: is " + number + " and has to be at most 9223372036854775807");
    const Field& event = fields_of<Sample>()[8];
    CHECK_FALSE(wrong_with(event, from_text(event, number)).empty());
  }
}

TEST_CASE("a long key in a message ends with a whole character") {
  const std::string key = "a" + std::string(40, 'x') + "ééééééééééééééé";
  const std::string member = '"' + key + "\":1";
  try {
    parse_json("{" + member + "," + member + "}", "body");
    FAIL("a key that is there twice was read");
  } catch (const Refused& refused) {
    CHECK(is_utf8(refused.refusal().detail));
    CHECK(refused.refusal().detail.find("é…") != std::string::npos);
  }
}

TEST_CASE("the operations of the list have names, fields and words of their own") {
  std::set<std::string_view> names;
  std::set<std::string> routes;
  for (const Operation& o : operations()) {
    INFO(o.about.name);
    CHECK(names.insert(o.about.name).second);
    CHECK(!o.command.empty());  // two may share one: `topology` with a node and without
    CHECK(!o.about.summary.empty());
    CHECK(!o.about.example.empty());
    if ((o.doors & kHttp) != 0) {
      CHECK(o.path.starts_with("/"));
      CHECK(routes.insert(std::string(o.method) + std::string(o.path)).second);
    }
    for (const auto* fields : {&o.request(), &o.result()}) {
      std::set<std::string> of_record;
      for (const Field& f : *fields) {
        INFO(f.name);
        CHECK(of_record.insert(f.name).second);
        CHECK(!f.description.empty());
        CHECK(f.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == f.name.npos);
      }
    }
    CHECK(schema_of(o.request(), Role::request)["type"] == "object");
  }
}

}  // namespace hebb::api
