// Names of secrets: keys, labels, selectors and variables whose names say that the value is secret.
#pragma once

#include <string>
#include <string_view>

namespace hebb::secrets {

// The name's ASCII letters and digits in lower case: "X-Api-Key" and "xApiKey" become equal.
std::string fold_name(std::string_view name);

// password, token, secret, api_key, authorization, cookie, DB_PASS, "Passwort", "#user-password", …
// in any spelling. Not names of things that are only about a secret: tokenType, password_policy,
// secretName, nextPageToken.
bool is_secret_name(std::string_view name);

// The same if the value is known as well: a name that ends with "key" (mapsKey, X-Acme-Key) is a
// secret's name if the value looks random, or, as a parameter of an address (`parameter`), if the
// value has only the digits and letters of a key.
bool is_secret_pair(std::string_view name, std::string_view value, bool parameter = false);

// Whether a secret name is unambiguous, so that even a plain word under it is a secret: password,
// but not token or cookie, which also name other things.
bool is_password_name(std::string_view name);

// Whether a name includes the token's purpose: API_TOKEN, accessToken, but not token.
bool is_token_name(std::string_view name);

// Whether the name is of a session or its cookie, and the value identifies a session secretly: no
// word and no UUID.
bool is_session_pair(std::string_view name, std::string_view value);

// Whether a word for a secret occurs in a statement or sentence.
bool mentions_secret(std::string_view text);

// Whether the whole value is a number and a word of the name means a count: max_tokens,
// token_count; not ACCOUNT_TOKEN.
bool is_count(std::string_view name, std::string_view value);

// Whether a name means a secret number of few digits: pin, cvv, otp.
bool is_short_number_name(std::string_view name);

// Whether a value is hidden: empty, asterisks or dots, or the mask itself.
bool is_hidden(std::string_view value);

// Whether a value in running text cannot be a secret: hidden, true, null, or a placeholder such as
// ${TOKEN} or <your key>. A password that a client types may look like one of these.
bool is_placeholder_value(std::string_view value);

// Whether a login is an example: user:password, username:secret.
bool is_example_login(std::string_view user, std::string_view password);

// Whether a value looks like a secret rather than a word of a language or of a program: letters
// mixed with digits or signs, or six digits.
bool is_token_like(std::string_view value);

}  // namespace hebb::secrets
