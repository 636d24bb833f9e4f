#include "serve/log.h"

#include <algorithm>

#include "secrets/secrets.h"

namespace hebb::serve {

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./:%+").find(c) != std::string_view::npos;
}

}  // namespace

std::string loggable(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (!target.starts_with('/') && scheme != std::string_view::npos) {
    const std::size_t path = target.find_first_of("/?#;", scheme + 3);
    target = path == std::string_view::npos ? "/" : target.substr(path);
  }
  return secrets::Secrets().text(target.substr(0, target.find_first_of("?#;")));
}

std::string log_line(LogFormat format, const api::Json& fields) {
  // ASCII alone, and control characters escaped, in both.
  const auto text = [](const api::Json& json) {
    return json.dump(-1, ' ', true, api::Json::error_handler_t::replace);
  };
  if (format == LogFormat::json) return text(fields);
  std::string line;
  for (const auto& [name, value] : fields.items()) {
    if (!line.empty()) line += ' ';
    line += name + '=';
    const auto* words = value.get_ptr<const std::string*>();
    const bool plain =
        words && !words->empty() && std::all_of(words->begin(), words->end(), is_plain);
    line += plain ? *words : text(value);
  }
  return line;
}

}  // namespace hebb::serve
