// policy: the constants of the arithmetic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

// A note for a report of tests that records each test, if the policy closes each test that passes,
// or treats every task as a test. O(1).
std::optional<std::string> note_on_tests(Session& session);

// Settings as KEY=VALUE texts. Throws Problem, invalid_argument, naming the field.
std::vector<reward::Setting> parse_settings(const std::vector<std::string>& assignments,
                                            const std::string& field);
// The value of a setting as JSON, and back; "inf" is null.
Json setting_value(const std::string& text);
std::string setting_text(const Json& value);

}  // namespace hebb::api
