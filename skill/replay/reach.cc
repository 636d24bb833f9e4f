#include "skill/replay/reach.h"

#include <algorithm>

#include <fmt/format.h>

#include "skill/artifact/fields.h"
#include "skill/store/contract.h"
#include "text/ascii.h"

namespace hebb::skill {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kAny = "*";

bool has_only(std::string_view text, std::string_view a, std::string_view b,
              std::string_view c = "") {
  return std::all_of(text.begin(), text.end(), [&](char each) {
    return a.find(each) != a.npos || b.find(each) != b.npos || c.find(each) != c.npos;
  });
}

// The scheme in lower case, without the colon; empty: none, or one that browsers might read
// differently.
std::string scheme_of(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos) return "";
  const std::string scheme = to_lower(url.substr(0, colon));
  return has_only(scheme, kLetters, "+-.", kDigits) ? scheme : "";
}

bool is_blank_page(std::string_view url) {
  return url.empty() || url == "about:blank" || url == "about:srcdoc" ||
         url.starts_with("about:blank#") || url.starts_with("about:blank?");
}

struct Authority {
  std::string host, port;  // empty port: none was written
};

std::optional<Authority> read_authority(std::string_view text, bool pattern) {
  if (const std::size_t user = text.rfind('@'); user != std::string_view::npos) {
    if (pattern ||
        !has_only(to_lower(text.substr(0, user)), kLetters, "-._~%!$&'()*+,;=:", kDigits))
      return std::nullopt;
    text.remove_prefix(user + 1);
  }
  Authority out;
  const std::size_t bracket = text.rfind(']'), colon = text.rfind(':');
  const bool port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  out.host = to_lower(text.substr(0, port ? colon : text.size()));
  if (port) out.port = text.substr(colon + 1);
  const std::string_view star = pattern ? kAny : "";
  if (out.host.starts_with('[')) {
    if (!out.host.ends_with(']') ||
        !has_only(std::string_view(out.host).substr(1, out.host.size() - 2), "abcdef:.", kDigits))
      return std::nullopt;
  } else if (out.host.empty() ||
             !has_only(out.host, kLetters, kDigits, fmt::format("._-{}", star))) {
    return std::nullopt;
  }
  if (out.port == star && pattern) return out;
  constexpr std::size_t kPortDigits = 5;
  if (!has_only(out.port, kDigits, "") || out.port.size() > kPortDigits) return std::nullopt;
  if (!out.port.empty()) out.port = std::to_string(std::stoi(out.port));
  return out;
}

// Whether `outer` includes all origins of `inner`.
bool covers(const OpenOrigin& outer, const OpenOrigin& inner) {
  return outer.scheme == inner.scheme && matches_pattern(inner.host, outer.host) &&
         (outer.port == kAny || outer.port == inner.port);
}

bool any_covers(const std::vector<OpenOrigin>& outer, const OpenOrigin& inner) {
  return std::any_of(outer.begin(), outer.end(),
                     [&](const OpenOrigin& o) { return covers(o, inner); });
}

std::vector<OpenOrigin> require_origin(const std::string& address, bool pattern,
                                       const char* member) {
  auto origins = read_origin(address, pattern);
  if (origins.empty()) {
    invalid(member, fmt::format("\"{}\" names no origin, such as http://localhost:8080{}", address,
                                pattern ? " or https://*.example.com" : ""));
  }
  return origins;
}

}  // namespace

std::vector<OpenOrigin> read_origin(std::string_view address, bool pattern) {
  std::size_t end = address.find("://");
  std::string scheme = to_lower(address.substr(0, end));
  if (end == std::string_view::npos) {
    if (!pattern || !address.starts_with(kAny)) return {};
    scheme = kAny;
  } else {
    address.remove_prefix(end + 3);
  }
  const auto authority = read_authority(address.substr(0, address.find_first_of("/?#\\")), pattern);
  if (!authority) return {};
  std::vector<OpenOrigin> origins;
  for (const std::string known : {"http", "https"}) {
    if (scheme != known && !(pattern && matches_pattern(known, scheme))) continue;
    const std::string own = authority->host.ends_with(kAny) ? "*" : known == "http" ? "80" : "443";
    origins.push_back({known, authority->host, authority->port.empty() ? own : authority->port});
  }
  return origins;
}

bool is_place(std::string_view url) {
  const std::string scheme = scheme_of(url);
  return scheme == "http" || scheme == "https" || scheme == "file";
}

Reach::Reach(const std::vector<std::string>& own, const std::vector<std::string>& others,
             const std::optional<std::vector<std::string>>& limits) {
  if (limits) {
    limits_.emplace();
    for (const std::string& pattern : *limits) {
      for (OpenOrigin& o : require_origin(pattern, true, "replay"))
        limits_->push_back(std::move(o));
    }
  }
  const auto first = std::find_if(own.begin(), own.end(), is_place);
  files_ = first != own.end() && scheme_of(*first) == "file" && !limits;
  for (const std::string& address : own) {
    if (!files_ && is_place(address) && scheme_of(address) != "file")
      add(require_origin(address, false, "url"));
  }
  for (const std::string& pattern : others) add(require_origin(pattern, true, "allow_origin"));
  std::sort(open_.begin(), open_.end());
  open_.erase(std::unique(open_.begin(), open_.end()), open_.end());
}

void Reach::add(const std::vector<OpenOrigin>& origins) {
  for (const OpenOrigin& o : origins) {
    if (!limits_ || any_covers(*limits_, o)) open_.push_back(o);
  }
}

bool Reach::within_limits(std::string_view address, bool pattern) const {
  if (!limits_) return true;
  const auto origins = read_origin(address, pattern);
  return !origins.empty() && std::all_of(origins.begin(), origins.end(), [&](const OpenOrigin& o) {
    return any_covers(*limits_, o);
  });
}

std::string Reach::why_not(std::string_view url) const {
  if (is_blank_page(url)) return "";
  const std::string scheme = scheme_of(url);
  if (scheme == "blob" && scheme_of(url.substr(url.find(':') + 1)).starts_with("http"))
    return why_not(url.substr(url.find(':') + 1));
  if (scheme == "file") {
    return files_ ? "" : fmt::format("{} is a file, and the skill does not begin with one", url);
  }
  if (scheme != "http" && scheme != "https")
    return fmt::format("{} is no address that a skill may open", url);
  const auto origins = read_origin(url, false);
  if (origins.size() == 1 && any_covers(open_, origins.front())) return "";
  return fmt::format("{} is of another origin than the skill", url);
}

}  // namespace hebb::skill
