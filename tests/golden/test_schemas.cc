// The JSON of the golden sessions against its schemas, with ajv; see
// tests/capture/test_record_node.cc.
#include <catch2/catch.hpp>

#include "tests/support/script.h"

TEST_CASE("JSON of the sessions: as its schemas say, by ajv") {
  hebb::test::ProcessOptions options;
  options.env = {{"SESSIONS", HEBB_SOURCE_DIR "/tests/golden"}};
  hebb::test::run_in_node("capture", "schemas.mjs", options);
}
