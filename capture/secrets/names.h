// Names of secrets: keys, labels, selectors and variables that say that what they hold is one.
#pragma once

#include <string>
#include <string_view>

namespace hebb::capture {

// Letters and digits of ASCII in lower case, nothing else: "X-Api-Key" and "xApiKey" are alike.
std::string fold_name(std::string_view name);

// password, token, secret, api_key, authorization, cookie, DB_PASS, "Passwort", "#user-password", …
// in any spelling. Not what is only about one: tokenType, password_policy, secretName,
// nextPageToken.
bool is_secret_name(std::string_view name);

// The same of a whole statement or sentence: whether a word for a secret stands in it anywhere.
bool mentions_secret(std::string_view text);

// A number under such a name that counts: max_tokens, token_count.
bool is_count(std::string_view name, std::string_view value);

// Whether a value says nothing: empty, true, null, a placeholder such as ${TOKEN} or <your key>,
// asterisks, or the mask itself.
bool says_nothing(std::string_view value);

// Whether a value is shaped as a secret rather than as a word of a language or of a program:
// letters and digits mixed, or signs among them, or six digits.
bool is_token_like(std::string_view value);

}  // namespace hebb::capture
