// Finds the operation or site that answers a request, and makes the operation's request.

#include <algorithm>
#include <new>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "serve/message.h"

namespace hebb::serve {

using api::Json, api::Problem, api::ProblemType;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;
using Segments = std::span<const std::string>;

constexpr std::size_t kBody = 1 << 20, kImport = 64 << 20;  // bytes

struct Place {
  std::string_view path, method, name;  // method: empty if the site checks it
  Site site;
};
constexpr Place kPlaces[] = {
    {"mcp", "", "mcp", Site::mcp},
    {"mcp/", "", "mcp", Site::mcp},
    {"v1/events", "GET", "events", Site::events},
    {"healthz", "GET", "healthz", Site::healthz},
    {"readyz", "GET", "readyz", Site::readyz},
    {"metrics", "GET", "metrics", Site::metrics},
    {"openapi.json", "GET", "openapi", Site::openapi},
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

// For a path that exists: sets the route if the method is right; else adds the place's method to
// the ones to suggest.
bool take(Route& route, const Place& place, const Request& request) {
  if (!place.method.empty() && place.method != request.method) {
    route.methods += fmt::format("{}{}", route.methods.empty() ? "" : ", ", place.method);
    return false;
  }
  route.site = place.site;
  route.name = place.name;
  return true;
}

// The file at that path; null: there is none.
const PageFile* page_file(std::string_view name) {
  const auto files = page_files();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const PageFile& f) { return f.name == name; });
  return file == files.end() ? nullptr : &*file;
}

void find_site(Route& route, std::vector<std::string> path, const Request& request) {
  // The name of /v1/rank up to 0.2; only this version accepts it.
  if (path.size() == 2 && path[0] == "v1" && path[1] == "path") path[1] = "rank";
  const Segments segments(path);
  for (const api::Operation& operation : api::operations()) {
    if (segments.front() != "v1" || !(operation.doors & api::kHttp) || operation.path.empty())
      continue;
    auto fields = fields_in(operation.path.substr(1), segments.subspan(1));
    const Place place{operation.path, operation.method, operation.about.name, Site::operation};
    if (!fields || !take(route, place, request)) continue;
    route.operation = &operation;
    route.fields = std::move(*fields);
  }
  for (const Place& place : kPlaces) {
    if (fields_in(place.path, segments)) take(route, place, request);
  }
  const bool folder = segments.size() == 2 && segments[0] == "page";
  if (segments.size() == 1 && segments[0].empty()) route.file = page_file("index.html");
  if (folder) route.file = page_file(segments[1]);
  if (route.file) take(route, {"", "GET", "page", Site::page}, request);
}

void add(Json& json, const api::Operation& operation, const std::string& name,
         const std::string& text) {
  const api::Field* field = api::find_field(operation.request(), name);
  if (!field) {
    json[name] = text;  // unknown: the operation refuses it and lists the names that exist
  } else if (field->list) {
    if (!json.contains(name)) json[name] = Json::array();
    json[name].push_back(value_of_text(*field, text));
  } else if (json.contains(name)) {
    throw Problem(ProblemType::invalid_argument, api::named(name) + " is there twice", name);
  } else {
    json[name] = value_of_text(*field, text);
  }
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
  route.body_is_file = route.operation && route.operation->about.takes_file &&
                       (type == "application/x-ndjson" || type == "application/xml");
  route.body_limit = route.body_is_file ? kImport : kBody;
  return route;
}

// In OpenAPI a span is a whole number of milliseconds. People type a unit.
Json value_of_text(const api::Field& field, const std::string& text) {
  const bool ms = field.kind == api::Kind::duration &&
                  text.find_first_not_of("0123456789") == std::string::npos;
  const Json number = ms ? json_or_discarded(text) : Json();
  return number.is_number() ? number : api::from_text(field, text);
}

Json asked_by(const Request& request) {
  Json asked = Json::object();
  if (!request.body.empty()) {
    // A form on another web page cannot send this content type.
    if (request.media_type() != "application/json")
      throw Problem(ProblemType::invalid_argument, "the body has to be application/json");
    asked = api::parse_json(request.body, "body");
    if (!asked.is_object())
      throw Problem(ProblemType::invalid_argument, "the body has to be a JSON object", "body");
  }
  for (const auto& [name, text] : request.route.fields)
    add(asked, *request.route.operation, name, text);
  for (const char* field : {"outcomes", "content"}) {
    if (!request.route.body_is_file || !asked.contains(field)) continue;
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("\"{}\" cannot be given in the query", field), field);
  }
  return asked;
}

void require_offered(const api::Fields& fields, const Json& asked) {
  if (!asked.is_object()) return;
  for (const api::Field& field : fields) {
    if (!field.bounds.local || !asked.contains(field.name)) continue;
    throw Problem(ProblemType::invalid_argument,
                  api::named(field.name) + " can be given on the command line alone", field.name);
  }
}

Json call(const api::Operation& operation, api::Session& session, const Json& asked) {
  require_offered(operation.request(), asked);
  try {
    return operation.call(session, asked);
  } catch (const Problem& problem) {
    if (problem.type == ProblemType::no_memory) session.lacked_memory();
    throw;
  } catch (const std::bad_alloc&) {  // no memory for the Problem either
    session.lacked_memory();
    throw;
  }
}

}  // namespace hebb::serve
