// RFC 3339, and what numbers may be.
#include <catch2/catch.hpp>

#include "engine/input/input.h"

using hebb::parse_rfc3339;

namespace {

std::string read(std::string_view text) {  // the time, or the beginning of why it is none
  const hebb::ReadTime time = hebb::read_time(text);
  if (const auto* ms = std::get_if<hebb::TimeMs>(&time)) return std::to_string(*ms);
  return std::get<std::string>(time).substr(0, 69);
}

}  // namespace

TEST_CASE("a time is read from milliseconds or RFC 3339") {
  CHECK(read("1795347164000") == "1795347164000");
  CHECK(read("1.795347164e12") == "1795347164000");
  CHECK(read("100000000000") == "100000000000");
  CHECK(read("253402300799999") == "253402300799999");
  CHECK(read("2020-09-13T12:26:40Z") == "1600000000000");
  CHECK(hebb::format_rfc3339(1600000000999) == "2020-09-13T12:26:40Z");
}

TEST_CASE("a number that is no time in milliseconds is told in which unit it would be one") {
  CHECK(read("1795347164") == "1795347164 looks like seconds; in milliseconds it is 1795347164000");
  CHECK(read("1795347164.25") ==
        "1795347164.25 looks like seconds; in milliseconds it is 1795347164250");
  CHECK(read("100000000") == "100000000 looks like seconds; in milliseconds it is 100000000000");
  CHECK(read("99999999999") ==
        "99999999999 looks like seconds; in milliseconds it is 99999999999000");
  CHECK(read("1795347164000000").starts_with("1795347164000000 looks like microseconds; in mill"));
  CHECK(
      read("1795347164123456789").starts_with("1795347164123456789 looks like nanoseconds; in m"));
  for (const char* const text : {"0", "-1", "-1795347164000", "1", "99999999", "1795347164000.5",
                                 "inf", "nan", "1e999", "", "soon", "0x10", "17953471640001 "}) {
    CAPTURE(text);
    CHECK(read(text).starts_with("allowed are integer milliseconds since 1970, of the years 1973"));
  }
  CHECK(read("1970-01-01T00:20:34Z").starts_with("1970-01-01T00:20:34Z is before March 1973"));
}

TEST_CASE("texts that are RFC 3339 times") {
  CHECK(parse_rfc3339("1970-01-01T00:00:00Z") == 0);
  CHECK(parse_rfc3339("2020-09-13T12:26:40Z") == 1600000000000);
  CHECK(parse_rfc3339("2020-09-13t12:26:40z") == 1600000000000);
  CHECK(parse_rfc3339("2020-09-13 12:26:40Z") == 1600000000000);
  CHECK(parse_rfc3339("2020-09-13T12:26:40.5Z") == 1600000000500);
  CHECK(parse_rfc3339("2020-09-13T12:26:40.123999999Z") == 1600000000123);
  CHECK(parse_rfc3339("2020-09-13T14:26:40+02:00") == 1600000000000);
  CHECK(parse_rfc3339("2020-09-13T06:56:40-05:30") == 1600000000000);
  CHECK(parse_rfc3339("2016-12-31T23:59:60Z") == 1483228800000);  // a leap second
  CHECK(parse_rfc3339("2024-02-29T00:00:00Z") == 1709164800000);
  CHECK(parse_rfc3339("1969-12-31T23:59:59Z") == -1000);
  CHECK(parse_rfc3339("9999-12-31T23:59:59.999Z") == 253402300799999);
}

TEST_CASE("texts that are not RFC 3339 times") {
  for (const char* const text : {"",
                                 "2020",
                                 "2020-09-13",
                                 "2020-09-13T12:26:40",
                                 "2020-09-13T12:26Z",
                                 "2020-9-13T12:26:40Z",
                                 "2020-13-13T12:26:40Z",
                                 "2020-00-13T12:26:40Z",
                                 "2023-02-29T00:00:00Z",
                                 "2020-09-31T00:00:00Z",
                                 "2020-09-13T24:00:00Z",
                                 "2020-09-13T12:60:00Z",
                                 "2020-09-13T12:26:61Z",
                                 "2020-09-13T12:26:40.Z",
                                 "2020-09-13T12:26:40Zx",
                                 "2020-09-13T12:26:40+2:00",
                                 "2020-09-13T12:26:40+24:00",
                                 "2020-09-13T12:26:40+02:60",
                                 "2020-09-13X12:26:40Z",
                                 " 2020-09-13T12:26:40Z",
                                 "+020-09-13T12:26:40Z",
                                 "20200913T122640Z"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_rfc3339(text));
  }
}
