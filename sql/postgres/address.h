// The address of a ledger on a PostgreSQL server, which people give in place of a path.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hebb::postgres {

// postgresql://user@host:port/database?ledger=NAME&behind=SECONDS&… ; parameters that are not
// hebb's are libpq's.
struct Address {
  std::string conninfo;  // for libpq, with the password if there is one
  std::string ledger;
  std::string shown;  // the URL without the password
  // How long ago the copy may have been brought up to date, for readers; nullopt: as they decide.
  std::optional<double> behind_s;
  std::string copy;  // the path of the copy on this machine
};

struct BadAddress : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Whether the text begins like a URL of PostgreSQL, or is a connection string of libpq (host=…
// password=…). read_address() refuses the latter; it may hold a password, so it must not be shown
// as the name of a file.
bool is_address(std::string_view text);
// Throws BadAddress, whose message holds no password.
Address read_address(std::string_view url);

}  // namespace hebb::postgres
