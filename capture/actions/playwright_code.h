// Turns the code that Playwright MCP reports it ran into code for a test.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hebb::capture {

// A JavaScript expression whose value is this text. Masked parts are read from an environment
// variable with a name made from `field`. Printable ASCII.
std::string text_literal(std::string_view text, std::string_view field);

// A JavaScript literal of printable ASCII.
std::string literal(const nlohmann::json& value);

// The statements under "### Ran Playwright code" of a result's text, each as an expression to
// await. A result is not trusted, so each statement is parsed and written anew. nullopt if there
// are none, or if one is not a chain of known calls on `page` with literals.
std::optional<std::vector<std::string>> replayed_code(std::string_view text);

}  // namespace hebb::capture
