// The user's own rules of what is a secret (docs/tools.md), for all that is stored from then on.
#pragma once

#include <string>

namespace hebb::api {

// Adds the rules of a file to those of hebb. Call it once, before anything is stored. Throws
// Problem: no_file; unreadable, with the line of what is wrong.
void use_secret_rules(const std::string& path);

}  // namespace hebb::api
