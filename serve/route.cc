#include "serve/route.h"

#include "serve/percent.h"

namespace hebb::serve {

namespace {

using api::Json, api::Problem, api::ProblemType;

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool parse_query(std::string_view text, Target& target) {
  for (const auto pair : split(text, '&')) {
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    auto name = percent_decoded(pair.substr(0, equals), true);
    auto value = percent_decoded(
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!name || !value) return false;
    target.query.emplace_back(std::move(*name), std::move(*value));
  }
  return true;
}

// Whether the target's path fits an operation's path (below /v1); if so, appends the path's fields.
bool matches(std::string_view pattern, const Target& target,
             std::vector<std::pair<std::string, std::string>>& fields) {
  const auto parts = split(pattern.substr(1), '/');
  if (target.segments.size() != parts.size() + 1) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& segment = target.segments[i + 1];
    if (parts[i].starts_with('{')) {
      if (segment.empty()) return false;
      fields.emplace_back(parts[i].substr(1, parts[i].size() - 2), segment);
    } else if (parts[i] != segment) {
      return false;
    }
  }
  return true;
}

void add(Json& json, const api::Operation& operation, const std::string& name,
         const std::string& text) {
  const api::Field* field = api::find_field(operation.request(), name);
  if (!field) {
    json[name] = text;  // unknown: the operation refuses it and lists the names that exist
  } else if (field->list) {
    if (!json.contains(name)) json[name] = Json::array();
    json[name].push_back(api::from_text(*field, text));
  } else if (json.contains(name)) {
    throw Problem(ProblemType::invalid_argument, api::named(name) + " is there twice", name);
  } else {
    json[name] = api::from_text(*field, text);
  }
}

}  // namespace

std::optional<Target> parse_target(const std::string& text) {
  if (!text.starts_with('/') || text.find('#') != std::string::npos) return std::nullopt;
  const auto question = text.find('?');
  Target target;
  for (const auto segment : split(std::string_view(text).substr(1, question - 1), '/')) {
    auto decoded = percent_decoded(segment);
    if (!decoded) return std::nullopt;
    target.segments.push_back(std::move(*decoded));
  }
  if (question != std::string::npos &&
      !parse_query(std::string_view(text).substr(question + 1), target))
    return std::nullopt;
  return target;
}

Route find_route(const std::string& method, const Target& target) {
  Route route;
  if (target.segments.empty() || target.segments[0] != "v1") return route;
  for (const api::Operation& operation : api::operations()) {
    const bool offered = (operation.doors & api::kHttp) && !operation.path.empty();
    std::vector<std::pair<std::string, std::string>> fields;
    if (!offered || !matches(operation.path, target, fields)) continue;
    route.methods.emplace_back(operation.method);
    if (method != operation.method) continue;
    route.operation = &operation;
    route.fields = std::move(fields);
  }
  return route;
}

api::Json request_of(const Route& route, const Target& target, const Request& request) {
  Json json = Json::object();
  if (!request.body.empty()) {
    // A form on another web page cannot send this content type.
    if (request.media_type() != "application/json")
      throw Problem(ProblemType::invalid_argument, "the body has to be application/json");
    json = api::parse_json(request.body, "body");
    if (!json.is_object())
      throw Problem(ProblemType::invalid_argument, "the body has to be a JSON object", "body");
  }
  for (const auto& [name, text] : route.fields) add(json, *route.operation, name, text);
  for (const auto& [name, text] : target.query) add(json, *route.operation, name, text);
  return json;
}

}  // namespace hebb::serve
