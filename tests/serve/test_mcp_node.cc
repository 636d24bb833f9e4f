// Against programs from npm: the official MCP client, the protocol's inspector and its conformance
// tests, and a linter of OpenAPI.
#include <catch2/catch.hpp>

#include "tests/support/script.h"

using hebb::test::run_in_node;

TEST_CASE("mcp: the official client, and both eras of the protocol") {
  run_in_node("capture", "node-oracles", "server.mjs");
}

TEST_CASE("mcp: the protocol's inspector") { run_in_node("serve", "mcp-oracles", "inspector.mjs"); }

TEST_CASE("mcp: the protocol's conformance tests") {
  run_in_node("serve", "mcp-oracles", "conformance.mjs");
}

TEST_CASE("mcp: the configurations of docs/agents.md start a server") {
  run_in_node("serve", "mcp-oracles", "clients.mjs");
}

TEST_CASE("api: openapi.json passes a linter") {
  run_in_node("capture", "node-oracles", "openapi.mjs");
}
