// Against programs from npm: the official MCP client, the protocol's inspector and its conformance
// tests, and a linter of OpenAPI.
#include <catch2/catch.hpp>

#include "tests/support/script.h"

using hebb::test::run_in_node;

TEST_CASE("mcp: the official client, and both eras of the protocol", "[node]") {
  run_in_node("capture", "server.mjs");
}

TEST_CASE("mcp: the protocol's inspector", "[node]") { run_in_node("serve", "inspector.mjs"); }

TEST_CASE("mcp: the protocol's conformance tests", "[node]") {
  run_in_node("serve", "conformance.mjs");
}

TEST_CASE("mcp: the configurations of docs/agents.md start a server", "[node]") {
  run_in_node("serve", "clients.mjs");
}

TEST_CASE("api: openapi.json passes a linter", "[node]") { run_in_node("capture", "openapi.mjs"); }
