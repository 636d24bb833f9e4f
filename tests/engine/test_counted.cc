// Counts in words.
#include <catch2/catch.hpp>

#include "engine/values/counted.h"

namespace hebb {

TEST_CASE("one of something is named in the singular") {
  CHECK(counted(0, "task") == "0 tasks");
  CHECK(counted(1, "task") == "1 task");
  CHECK(counted(2, "task") == "2 tasks");
  CHECK(counted(1, "task waits", "tasks wait") == "1 task waits");
  CHECK(counted(7, "task waits", "tasks wait") == "7 tasks wait");
}

}  // namespace hebb
