// policy: the constants of the arithmetic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

// What to say with a report of tests, each of which counts, of a policy that closes each test that
// passes, or that takes every task for a test. O(1).
std::optional<std::string> note_on_tests(Session& session);

// KEY=VALUE each. Throws Problem, invalid_argument, naming the field.
std::vector<reward::Setting> parse_settings(const std::vector<std::string>& assignments,
                                            const std::string& field);
// The value of a setting as JSON, and back; "inf" is null.
Json setting_value(const std::string& text);
std::string setting_text(const Json& value);

}  // namespace hebb::api
