// Interned names: numbering, limits, copies.
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include "graph/names.h"

using hebb::graph::Names;

TEST_CASE("names are numbered by first use, and 0 is the empty one", "[graph][names]") {
  Names names;
  CHECK(names.size() == 1);
  CHECK(names.intern("") == 0);
  CHECK(names.intern("BLOCKS") == 1);
  CHECK(names.intern("GUIDES") == 2);
  CHECK(names.intern("BLOCKS") == 1);
  CHECK(names.size() == 3);
  CHECK(names.name(0).empty());
  CHECK(names.name(1) == "BLOCKS");
  CHECK(names.name(2) == "GUIDES");
  CHECK(names.find("GUIDES") == 2);
  CHECK(names.find("") == 0);
  CHECK_FALSE(names.find("guides"));
  CHECK_FALSE(names.find("BLOCK"));
}

TEST_CASE("a name with a zero byte is its own name", "[graph][names]") {
  Names names;
  const std::string with_zero("A\0B", 3);
  const auto id = names.intern(with_zero);
  CHECK(names.intern("A") != id);
  CHECK(names.name(id) == with_zero);
}

TEST_CASE("names hold 65 535 beside the empty one and refuse the next", "[graph][names]") {
  Names names;
  const std::string& first = names.name(names.intern("0"));
  for (int i = 1; i < 65535; ++i) {
    if (names.intern(std::to_string(i)) != i + 1) FAIL("wrong id for " << i);
  }
  CHECK(names.size() == 65536);
  CHECK(names.find("65534") == 65535);
  CHECK_THROWS_AS(names.intern("one too many"), std::length_error);
  CHECK(names.size() == 65536);
  CHECK_FALSE(names.find("one too many"));
  CHECK(names.intern("0") == 1);
  CHECK(&first == &names.name(1));
  CHECK(first == "0");
}

TEST_CASE("a copy of names is independent", "[graph][names]") {
  Names names;
  names.intern("a");
  Names copy = names;
  copy.intern("b");
  CHECK(copy.find("a") == 1);
  CHECK(copy.find("b") == 2);
  CHECK_FALSE(names.find("b"));
}
