// The code that Playwright MCP says it ran, as code that may stand in a test.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hebb::capture {

// A JavaScript expression whose value is this text; what was masked in it comes from the
// environment, under a name made of `field`. Printable ASCII.
std::string text_literal(std::string_view text, std::string_view field);

// A JavaScript literal of printable ASCII.
std::string literal(const nlohmann::json& value);

// The statements under "### Ran Playwright code" of a result's text, each as an expression to
// await; nullopt where there are none, or one that is not a chain of known calls on `page` with
// literals: a result is not trusted, so each is read and written anew.
std::optional<std::vector<std::string>> replayed_code(std::string_view text);

}  // namespace hebb::capture
