#include "serve/route.h"

#include <optional>
#include <span>

#include <fmt/format.h>

#include "serve/decode.h"
#include "serve/message.h"
#include "serve/page.h"

namespace hebb::serve {

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;
using Segments = std::span<const std::string>;

constexpr std::size_t kBody = 1 << 20, kImport = 64 << 20;  // bytes

struct Place {
  std::string_view path, method;  // no method: the site looks at it
  Site site;
};
constexpr Place kPlaces[] = {
    {"mcp", "", Site::mcp},
    {"v1/events", "GET", Site::events},
    {"healthz", "GET", Site::healthz},
    {"readyz", "GET", Site::readyz},
    {"metrics", "GET", Site::metrics},
    {"openapi.json", "GET", Site::openapi},
};

// "/v1/nodes/a%2Fb" as "v1", "nodes", "a/b".
std::optional<std::vector<std::string>> segments_of(std::string_view path) {
  std::vector<std::string> segments;
  for (const auto segment : split(path.substr(1), '/')) {
    auto decoded = percent_decoded(segment);
    if (!decoded) return std::nullopt;
    segments.push_back(std::move(*decoded));
  }
  return segments;
}

std::optional<Fields> query_of(std::string_view text) {
  Fields fields;
  for (const auto pair : split(text, '&')) {
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    auto name = percent_decoded(pair.substr(0, equals), true);
    auto value = percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!name || !value) return std::nullopt;
    fields.emplace_back(std::move(*name), std::move(*value));
  }
  return fields;
}

// The fields of a path that fits the pattern, "nodes/{id}".
std::optional<Fields> fields_in(std::string_view pattern, Segments segments) {
  const auto parts = split(pattern, '/');
  if (segments.size() != parts.size()) return std::nullopt;
  Fields fields;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].starts_with('{') && !segments[i].empty()) {
      fields.emplace_back(parts[i].substr(1, parts[i].size() - 2), segments[i]);
    } else if (parts[i] != segments[i]) {
      return std::nullopt;
    }
  }
  return fields;
}

void take(Route& route, Site site, std::string_view method, const Request& request) {
  if (method.empty() || method == request.method) {
    route.site = site;
  } else {
    route.methods += fmt::format("{}{}", route.methods.empty() ? "" : ", ", method);
  }
}

void find_operation(Route& route, Segments segments, const Request& request) {
  for (const api::Operation& operation : api::operations()) {
    const bool offered = (operation.doors & api::kHttp) && !operation.path.empty();
    auto fields = offered ? fields_in(operation.path.substr(1), segments) : std::nullopt;
    if (!fields) continue;
    const std::string method(operation.method);
    take(route, Site::operation, method, request);
    if (method != request.method) continue;
    route.operation = &operation;
    route.traits = traits_of(operation.about.name);
    route.fields = std::move(*fields);
  }
}

void find_site(Route& route, Segments segments, const Request& request) {
  if (segments.front() == "v1") find_operation(route, segments.subspan(1), request);
  for (const Place& place : kPlaces) {
    if (fields_in(place.path, segments)) take(route, place.site, place.method, request);
  }
  const bool folder = segments.size() == 2 && segments[0] == "page";
  if (segments.size() == 1 && segments[0].empty()) route.file = page_file("index.html");
  if (folder) route.file = page_file(segments[1]);
  if (route.file) take(route, Site::page, "GET", request);
}

}  // namespace

Route find_route(const Request& request) {
  Route route;
  const std::string_view target = request.target;
  if (!target.starts_with('/') || target.find('#') != std::string_view::npos) return route;
  const auto question = std::min(target.find('?'), target.size());
  const auto segments = segments_of(target.substr(0, question));
  auto query = query_of(target.substr(std::min(question + 1, target.size())));
  if (!segments || !query) return route;
  route.site = Site::none;
  find_site(route, *segments, request);
  route.fields.insert(route.fields.end(), std::make_move_iterator(query->begin()),
                      std::make_move_iterator(query->end()));
  const std::string type = request.media_type();
  // A form on another web page cannot send these content types.
  route.body_is_file =
      route.traits.takes_file && (type == "application/x-ndjson" || type == "application/xml");
  route.body_limit = route.body_is_file ? kImport : kBody;
  return route;
}

}  // namespace hebb::serve
