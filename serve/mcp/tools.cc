#include "serve/mcp/tools.h"

#include <cmath>

#include <fmt/format.h>

#include "api/describe.h"
#include "api/operation.h"
#include "serve/call.h"
#include "serve/mcp/message.h"
#include "serve/message.h"
#include "serve/traits.h"

namespace hebb::serve::mcp {

namespace {

constexpr std::string_view kPrefix = "hebb_";
constexpr std::size_t kVectorLength = 16;  // a list of at least so many numbers is a vector

// The name of the operation that is offered as the tool of that name; empty: it cannot be one.
std::string_view operation_of(std::string_view tool) {
  return tool.starts_with(kPrefix) ? tool.substr(kPrefix.size()) : std::string_view();
}

// That the params of tools/call name. Null: there is none.
const api::Operation* find_tool(const Json& params) {
  const auto name = params.find("name");
  if (name == params.end() || !name->is_string()) return nullptr;
  const auto wanted = operation_of(name->get_ref<const std::string&>());
  for (const api::Operation& operation : api::operations()) {
    if ((operation.doors & api::kMcp) && operation.about.name == wanted) return &operation;
  }
  return nullptr;
}

bool is_vector(const Json& value) {
  if (!value.is_array() || value.size() < kVectorLength) return false;
  for (const Json& item : value) {
    if (!item.is_number()) return false;
  }
  return true;
}

// nullopt: leave it out.
std::optional<Json> shortened(const Json& value) {
  if (value.is_null() || is_vector(value)) return std::nullopt;
  if (value.is_string() && value.get_ref<const std::string&>().empty()) return std::nullopt;
  if (value.is_number_float()) {
    Json rounded = Json::parse(fmt::format("{:.4g}", value.get<double>()), nullptr, false);
    return rounded.is_number() ? rounded : value;  // the largest are rounded to what none can be
  }
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(shortened(item).value_or(item));
    return out.empty() ? std::nullopt : std::optional(out);
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [name, item] : value.items()) {
    if (auto said = shortened(item)) out[name] = std::move(*said);
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

Json text_content(const std::string& text) {
  return Json::array({{{"type", "text"}, {"text", text}}});
}

}  // namespace

std::string short_text(const Json& result) {
  return text_of(shortened(result).value_or(Json::object()));
}

Json tools(bool replay) {
  Json all = api::mcp_tools();
  if (replay) return all;
  Json out = Json::array();
  for (Json& tool : all) {
    const auto& name = tool.at("name").get_ref<const std::string&>();
    if (!traits_of(operation_of(name)).replays) out.push_back(std::move(tool));
  }
  return out;
}

bool tool_writes(const Json& params) {
  const api::Operation* operation = find_tool(params);
  return operation != nullptr && operation->effect != api::Effect::reads;
}

Json call_tool(api::Session& session, const Json& params) {
  const api::Operation* operation = find_tool(params);
  if (!operation) {
    const auto name = params.find("name");
    if (name == params.end() || !name->is_string())
      throw RpcError(kInvalidParams, "tools/call needs the name of a tool");
    throw RpcError(kInvalidParams, fmt::format("Unknown tool: {}", name->get<std::string>()));
  }
  const auto given = params.find("arguments");
  try {
    const Json result = call(*operation, session,
                             given == params.end() || given->is_null() ? Json::object() : *given);
    return {{"content", text_content(short_text(result))}, {"structuredContent", result}};
  } catch (const api::Problem& problem) {
    return {{"content", text_content(text_of(problem.json()))}, {"isError", true}};
  }
}

}  // namespace hebb::serve::mcp
