#include "sql/postgres/errors.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "text/ascii.h"
#include "text/percent.h"
#include "text/replace_all.h"

namespace hebb::postgres {
namespace {

bool is_sqlstate(std::string_view text) {
  return text.size() == 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_upper(c); });
}

// Whether an error ends a connection or prevents one, whatever its severity.
bool is_of_connection(std::string_view sqlstate) {
  if (sqlstate.starts_with("08")) return true;
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
  constexpr std::array<std::string_view, 4> kStates{"57P01", "57P02", "57P03", "53300"};
  return std::find(kStates.begin(), kStates.end(), sqlstate) != kStates.end();
}

std::string field(const pg_result* result, int code) {
  const char* const text = libpq().PQresultErrorField(result, code);
  return text ? text : "";
}

// An error of libpq in its verbose form: "FATAL:  28P01: password authentication failed …". Takes
// the state out of the message.
std::string take_sqlstate(std::string& message) {
  for (std::size_t at = message.find(":  "); at != message.npos; at = message.find(":  ", at + 1)) {
    const std::string state = message.substr(at + 3, 5);
    if (!is_sqlstate(state) || message.compare(at + 8, 2, ": ") != 0) continue;
    message.erase(at + 3, 7);
    message.erase(std::min(message.find("\nLOCATION:"), message.size()));
    return state;
  }
  return {};
}

bool has(std::string_view text, std::string_view word) { return text.find(word) != text.npos; }

// Whether a later attempt may connect, by libpq's message, since libpq gives no code.
bool may_come(const pg_conn* connection, std::string_view message, bool began) {
  if (libpq().PQconnectionNeedsPassword(connection)) return false;
  if (has(message, "certificate") || has(message, "does not support SSL")) return false;
  return began || has(message, "connection to server") || has(message, "translate host name");
}

// The password of a URL, or of a text like one: between the user's name and the host.
std::string_view password_of_url(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find('?'));
  const std::size_t colon = url.find(':'), at = url.rfind('@');
  if (colon == url.npos || at == url.npos || at < colon) return {};
  return url.substr(colon + 1, at - colon - 1);
}

// The values of password=…, sslpassword=… and the like in a URL or in a string of libpq.
std::vector<std::string> passwords_of(std::string_view conninfo) {
  std::vector<std::string> found;
  const auto add = [&found](std::string_view password) {
    if (password.empty()) return;
    found.emplace_back(password);
    // Where it cannot be decoded, libpq does not take it either.
    if (auto decoded = percent_decoded(password)) found.push_back(std::move(*decoded));
  };
  add(password_of_url(conninfo));
  constexpr std::string_view kKey = "password";
  for (std::size_t at = conninfo.find(kKey); at != conninfo.npos; at = conninfo.find(kKey, at)) {
    at += kKey.size();
    const std::size_t equal = conninfo.find_first_not_of(" ", at);
    if (equal == conninfo.npos || conninfo[equal] != '=') continue;
    std::size_t begin = std::min(conninfo.find_first_not_of(" ", equal + 1), conninfo.size());
    const bool quoted = begin < conninfo.size() && conninfo[begin] == '\'';
    begin += quoted;
    const std::size_t end = conninfo.find_first_of(quoted ? "'" : " &", begin);
    add(conninfo.substr(begin, end == conninfo.npos ? end : end - begin));
  }
  // The longest first, so that no part of one remains.
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return found;
}

}  // namespace

Error::Error(std::string sqlstate, bool lost, const std::string& what)
    : std::runtime_error(what), sqlstate_(std::move(sqlstate)), lost_(lost) {}

// lock_not_available, query_canceled
bool Error::waited() const { return sqlstate_ == "55P03" || sqlstate_ == "57014"; }

std::string one_line(std::string_view message) {
  std::string out;
  while (!message.empty()) {
    const std::string_view line = message.substr(0, message.find('\n'));
    message.remove_prefix(std::min(line.size() + 1, message.size()));
    if (line.empty() || line.starts_with('\t')) continue;
    if (!out.empty()) out += "; ";
    out += line;
  }
  return out;
}

std::string without_passwords(std::string message, const std::string& conninfo) {
  if (!conninfo.empty()) replace_all(message, conninfo, "…");
  // Also removes a word of the message that equals a password by chance: better than showing one.
  for (const std::string& password : passwords_of(conninfo)) replace_all(message, password, "…");
  return message;
}

Error error_of(const pg_result* result, const pg_conn* connection) {
  const Libpq& pq = libpq();
  const std::string sqlstate = field(result, kFieldSqlstate);
  const std::string severity = field(result, kFieldSeverity);
  const bool lost = severity == "FATAL" || severity == "PANIC" || is_of_connection(sqlstate) ||
                    pq.PQstatus(connection) == ConnectionStatus::bad;
  std::string message = field(result, kFieldPrimary);
  if (message.empty()) return {sqlstate, lost, one_line(pq.PQresultErrorMessage(result))};
  const std::string detail = field(result, kFieldDetail);
  if (!detail.empty()) message += ": " + detail.substr(0, detail.find('\n'));
  return {sqlstate, lost, message};
}

Error error_of_broken(const pg_conn* connection) {
  const std::string message = one_line(libpq().PQerrorMessage(connection));
  return {"", true, message.empty() ? "the connection to the server is lost" : message};
}

Error error_of_connecting(const pg_conn* connection, const std::string& conninfo, bool began) {
  std::string message = libpq().PQerrorMessage(connection);
  const std::string sqlstate = take_sqlstate(message);
  const bool lost =
      sqlstate.empty() ? may_come(connection, message, began) : is_of_connection(sqlstate);
  const std::string_view password = password_of_url(conninfo);
  if (password.find_first_of("@/:[]") != password.npos) {
    return {sqlstate, lost,
            "cannot connect; in the password of the URL, characters such as @ and / must be "
            "written as %40 and %2F"};
  }
  return {sqlstate, lost, without_passwords(one_line(message), conninfo)};
}

}  // namespace hebb::postgres
