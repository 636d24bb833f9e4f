// policy: the constants of the arithmetic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct PolicyGetRequest {
  std::vector<std::string> keys;
  bool as_toml = false;
  static const Fields& fields();
};
struct PolicyResult {
  Json settings = Json::object();   // a number, true or false, or null where there is no bound
  std::optional<std::string> toml;  // of all of them, if asked for
  static const Fields& fields();
};
PolicyResult policy_get(Session& session, const PolicyGetRequest& request);
Operation policy_get_operation();

struct PolicySetRequest {
  Json settings = Json::object();
  bool from_the_beginning = false;
  static const Fields& fields();
};
PolicyResult policy_set(Session& session, const PolicySetRequest& request);
Operation policy_set_operation();

struct PolicyLoadRequest {
  std::string toml, file;
  bool from_the_beginning = false;
  static const Fields& fields();
};
PolicyResult policy_load(Session& session, const PolicyLoadRequest& request);
Operation policy_load_operation();

struct PolicyUseRequest {
  std::string preset;
  bool from_the_beginning = false;
  static const Fields& fields();
};
PolicyResult policy_use(Session& session, const PolicyUseRequest& request);
Operation policy_use_operation();

struct PolicySaveRequest {
  std::string file;
  static const Fields& fields();
};
struct PolicySaveResult {
  std::string file;
  static const Fields& fields();
};
PolicySaveResult policy_save(Session& session, const PolicySaveRequest& request);
Operation policy_save_operation();

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
