#include "capture/record/http.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "secrets/names.h"
#include "text/ascii.h"

namespace hebb::capture {

std::pair<std::string, std::string> parse_http_header(std::string_view text) {
  constexpr std::array<std::string_view, 8> kOurs{
      "accept", "accept-encoding", "connection",       "content-length", "content-type",
      "host",   "last-event-id",   "transfer-encoding"};
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string lower = to_lower(name);
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_word_char(c) || c == '-';
  });
  if (colon == std::string_view::npos || !is_name) {
    throw std::invalid_argument("a header is written as \"Name: value\", or @FILE with such lines");
  }
  if (among(kOurs, lower) || lower.starts_with("mcp-")) {
    throw std::invalid_argument(fmt::format("the header {} is the protocol's own", name));
  }
  std::string_view value = text.substr(colon + 1);
  while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
  while (value.ends_with(' ') || value.ends_with('\t') || value.ends_with('\r')) {
    value.remove_suffix(1);
  }
  if (!is_header_value(value)) {
    throw std::invalid_argument(fmt::format("the header {} has a control character", name));
  }
  return {std::string(name), std::string(value)};
}

std::vector<std::string> credentials(const HttpServer& server) {
  std::vector<std::string> found;
  for (const auto& [name, value] : server.headers) {
    if (!secrets::is_secret_name(name)) continue;
    found.push_back(value);
    const std::size_t space = value.find(' ');  // after a scheme such as Bearer
    if (space != std::string::npos) found.push_back(value.substr(space + 1));
  }
  const std::string& path = server.url.path;
  for (std::size_t at = path.find('?'); at < path.size();) {
    const std::size_t next = std::min(path.find('&', at + 1), path.size());
    const std::string_view pair = std::string_view(path).substr(at + 1, next - at - 1);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && secrets::is_secret_name(pair.substr(0, equals))) {
      found.emplace_back(pair.substr(equals + 1));
    }
    at = next;
  }
  return found;
}

}  // namespace hebb::capture
