#include "api/secret_rules.h"

#include <fmt/format.h>

#include "api/files.h"
#include "api/problem.h"
#include "secrets/rules.h"

namespace hebb::api {

void use_secret_rules(const std::string& path) {
  const std::string text = read_file(path);
  try {
    secrets::use_rules(text, path);
  } catch (const secrets::BadRules& e) {
    throw Problem(ProblemType::unreadable, fmt::format("HEBB_SECRETS: {}", e.what()));
  }
}

}  // namespace hebb::api
