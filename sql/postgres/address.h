// Where a ledger on a PostgreSQL server is: what people give in place of a path.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hebb::postgres {

// postgresql://user@host:port/database?ledger=NAME&behind=SECONDS&… ; what is not hebb's is
// libpq's.
struct Address {
  std::string conninfo;  // for libpq, with the password if there is one
  std::string ledger;
  std::string shown;  // the URL without the password
  std::optional<double>
      behind_s;      // how long ago the copy may have been brought up to date, for readers
  std::string copy;  // the path of the copy on this machine
};

struct BadAddress : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// It begins as a URL of PostgreSQL does, or is a connection string of libpq (host=… password=…),
// which read_address() refuses: it may hold a password, and is not shown as the name of a file.
bool is_address(std::string_view text);
// Throws BadAddress, which says what is missing, and holds no password.
Address read_address(std::string_view url);
// What a part of a URL says. nullopt: a % is not followed by two hex digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace hebb::postgres
