// The recorder and the exports against other people's programs: the official MCP client and
// servers, OpenTelemetry's parser. They are npm packages, pinned in node/.
#include <catch2/catch.hpp>

#include "tests/support/script.h"

TEST_CASE("record: official client and servers, with and without the recorder", "[node]") {
  hebb::test::run_in_node("capture", "sdk.mjs");
}

TEST_CASE("record: the stateless era of the protocol", "[node]") {
  hebb::test::run_in_node("capture", "modern.mjs");
}

TEST_CASE("record: the official SDK's server over streamable HTTP", "[node]") {
  hebb::test::run_in_node("capture", "http.mjs");
}

TEST_CASE("export: OpenTelemetry's own parser reads the spans", "[node]") {
  hebb::test::run_in_node("capture", "otlp.mjs");
}
