#include "sql/postgres/address.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include "text/ascii.h"
#include "text/percent.h"

namespace hebb::postgres {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSchemes[] = {"postgresql://", "postgres://"};
constexpr std::size_t kLongestName = 200;
// Parts of the names of libpq's parameters that hold secrets.
constexpr std::string_view kSecretNames[] = {"password", "secret", "client_key", "server_key",
                                             "passwd",   "pwd",    "token"};

std::string decoded(std::string_view text) {
  if (auto out = percent_decoded(text)) return std::move(*out);
  // Does not name the part: it may be a password.
  throw BadAddress("in a URL, a % is followed by two hex digits; % itself is written %25");
}

// Whether a parameter of the URL's query holds a secret, by its name.
bool is_secret_name(std::string_view name) {
  const std::string small = to_lower(name);
  return std::any_of(std::begin(kSecretNames), std::end(kSecretNames),
                     [&](std::string_view one) { return small.find(one) != small.npos; });
}

void require_name(const std::string& name) {
  if (name.empty()) {
    throw BadAddress("the URL names no ledger: add ?ledger=NAME, any name, one for each project");
  }
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      throw BadAddress("the name of a ledger has no control characters");
  }
  if (is_secret_name(name) && name.find('=') != name.npos)
    throw BadAddress(
        "the ledger's name holds a password: & stands between the parts of a URL's query");
  if (name.size() > kLongestName)
    throw BadAddress(fmt::format("the name of a ledger has at most {} bytes", kLongestName));
}

double seconds(std::string_view text) {
  std::size_t end = 0;
  double value = -1;
  try {
    value = std::stod(std::string(text), &end);
  } catch (const std::exception&) {
  }
  if (end != text.size() || !(value >= 0))
    throw BadAddress(fmt::format("behind={}: give a number of seconds", text));
  return value;
}

// A connection string of libpq, "host=… password=…". A path with "=" in it can be written with ./
// before it.
bool is_connection_string(std::string_view text) {
  if (text.substr(0, text.find('=')).find('/') != text.npos) return false;
  constexpr std::string_view kBlanks = " \t\n";
  for (const std::string_view key : {"host", "hostaddr", "dbname", "user", "password", "service"}) {
    for (auto at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
      const auto behind = text.find_first_not_of(kBlanks, at + key.size());
      const bool begins = at == 0 || kBlanks.find(text[at - 1]) != kBlanks.npos;
      if (begins && behind != text.npos && text[behind] == '=') return true;
    }
  }
  return false;
}

bool has_scheme(std::string_view text) {
  return std::any_of(std::begin(kSchemes), std::end(kSchemes),
                     [&](std::string_view scheme) { return text.starts_with(scheme); });
}

// Whether a text looks like a URL of a server in another program's spelling, and may hold a
// password: "jdbc:postgresql://…", "PGSQL://…".
bool is_like_url(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\"'";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  const std::size_t end = text.find(":/");
  if (end == text.npos || text.find_first_of(kBlanks) != text.npos) return false;
  // In a text that begins with file:, the last scheme counts.
  const std::string small = to_lower(text);
  if (small.find("postgresql://") != small.npos && text.find('@') != text.npos) return true;
  const std::string scheme = small.substr(0, end);
  const auto names = [&](std::string_view word) { return scheme.find(word) != scheme.npos; };
  return scheme.find('/') == scheme.npos &&
         (names("postgres") || names("pgsql") || names("jdbc")) &&
         (text.find('@') != text.npos || is_secret_name(text));
}

// The variables in the environment by which libpq finds the server, with their values.
std::string environment_of_libpq() {
  std::string variables;
  for (const char* name : {"PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGSERVICE"}) {
    const char* value = std::getenv(name);
    if (value && *value) variables += fmt::format("\n{}={}", name, value);
  }
  return variables;
}

std::string copy_path(const std::string& identity, const std::string& ledger) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (!(cache && *cache) && !(home && *home)) {
    throw BadAddress(
        "a copy of the ledger is kept in $XDG_CACHE_HOME or $HOME/.cache, and neither is set");
  }
  const fs::path folder = cache && *cache ? fs::path(cache) : fs::path(home) / ".cache";
  std::string readable;
  for (const char c : ledger) {
    const bool plain = is_alnum(c) || c == '-' || c == '_';
    readable += plain ? c : '_';
  }
  const auto hash = XXH3_128bits(identity.data(), identity.size());
  return (folder / "hebb" /
          fmt::format("{}-{:016x}.db", readable.substr(0, 40), hash.high64 ^ hash.low64))
      .string();
}

}  // namespace

bool is_address(std::string_view text) {
  return has_scheme(text) || is_like_url(text) || is_connection_string(text);
}

Address read_address(std::string_view url) {
  if (!has_scheme(url) && is_like_url(url)) {
    throw BadAddress(
        "the URL of a server begins with postgresql:// in small letters, and nothing stands before "
        "it");
  }
  if (is_connection_string(url)) {
    throw BadAddress(
        "a server is named by a URL, postgresql://USER@HOST/DATABASE?ledger=NAME, with the "
        "password in ~/.pgpass, and not by host=… and the like (a file of that name: put ./ "
        "before it)");
  }
  Address address;
  const auto question = url.find('?');
  std::string server(url.substr(0, question));
  std::string_view rest = question == url.npos ? "" : url.substr(question + 1);
  std::vector<std::string_view> given, of_libpq, of_copy;  // parts of the query
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::string given_name(part.substr(0, part.find('='))), name = decoded(given_name);
    const bool is_secret = is_secret_name(name);
    const std::string value = decoded(part.substr(std::min(given_name.size() + 1, part.size())));
    if (name == "ledger") address.ledger = value;
    if (name == "behind") address.behind_s = seconds(value);
    if (name != "ledger" && name != "behind") of_libpq.push_back(part);
    if (!is_secret) given.push_back(part);
    if (!is_secret && name != "behind") of_copy.push_back(part);
  }
  require_name(address.ledger);
  const auto with = [](const std::string& before, const std::vector<std::string_view>& parts) {
    return parts.empty() ? before : fmt::format("{}?{}", before, fmt::join(parts, "&"));
  };
  address.conninfo = with(server, of_libpq);
  const auto begin = server.find("//") + 2;
  const auto slash = server.find('/', begin);
  if (slash != std::string::npos && server.find('@', slash) != std::string::npos) {
    throw BadAddress(
        "in a user's name, a password or the name of a database, / and @ are written %2F and %40");
  }
  const auto at = server.substr(0, slash).rfind('@');  // user:password@
  const auto colon = server.find(':', begin);
  if (at != std::string::npos && colon < at) server.erase(colon, at - colon);
  address.shown = with(server, given);
  address.copy = copy_path(with(server, of_copy) + environment_of_libpq(), address.ledger);
  return address;
}

}  // namespace hebb::postgres
