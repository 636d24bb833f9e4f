// Judges a value by itself, whatever its name: a path, a version or words are no secrets.
#pragma once

#include <string_view>

namespace hebb::secrets {

// Whether a value is no secret under any name: a path, a version, a date, a time, the name or
// address of a host, an image of a container, an address without a login, a digest of a file, the
// source of a package.
bool is_plain(std::string_view value);

// Whether a value is made of words, each perhaps with a number behind it: page12, next-page,
// IDENT_2, parse.error.
bool is_words(std::string_view value);

// Whether a value looks made by a machine or chosen to be secret: of a token's length, with letters
// and digits or signs, and neither plain nor words.
bool is_generated(std::string_view value);

// Whether a value is the hexadecimal or UUID form of a key, or letters and digits at random.
bool is_key_like(std::string_view value);

// Whether a value under a secret's name may be the secret. Under an unmistakable name a word may be
// the secret, and under a name such as API_TOKEN a word with a number: hunter2.
bool may_hold(std::string_view name, std::string_view value);

// Whether a person may have chosen the word as a password: lower-case letters, and not common in
// programs and their documentation; or several words, as in correct-horse-battery; and whether the
// name also means a password.
bool is_chosen_word(std::string_view value);
bool is_passphrase(std::string_view value);
bool is_chosen_under(std::string_view name, std::string_view value);

bool is_uuid(std::string_view value);

// Whether a value looks like a password in any place: letters and digits with a sign that no name
// or path has, or letters and digits at random.
bool is_strong(std::string_view value);

}  // namespace hebb::secrets
