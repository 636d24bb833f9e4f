#include "capture/record/mcp_outgoing.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/record/mcp_message.h"
#include "text/ascii.h"
#include "text/header_value.h"

namespace hebb::capture {
namespace {

using nlohmann::json;

constexpr int kServerError = -32000;  // in JSON-RPC's range for server errors
constexpr std::size_t kVersionBytes = 64;
constexpr std::size_t kMirrored = 10'000;
constexpr std::int64_t kSafeInteger = (std::int64_t{1} << 53) - 1;

void read_request(std::string_view text, ClientMessage& out, bool single) {
  LineScanner scanned(text.size());
  scanned.feed(text);
  if (!scanned.finish()) return;
  const std::string method = scanned.string(Field::method).value_or("");
  if (method.empty()) return;
  std::string key = request_key(scanned[Field::id]);
  if (!key.empty()) {
    out.requests.push_back({std::move(key), scanned[Field::id].text, method, false});
  }
  if (!single) return;
  out.method = method;
  out.version = scanned.string(Field::protocol_meta).value_or("");
  out.tool = scanned.string(Field::tool).value_or("");
  out.uri = scanned.string(Field::uri).value_or("");
  out.arguments = scanned[Field::arguments].text;
  if (method == "notifications/cancelled") out.cancels = request_key(scanned[Field::request_id]);
}

// The text if it can be a header's value; else empty.
std::string plain_version(std::string version) {
  const bool plain = std::all_of(version.begin(), version.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7f;
  });
  return plain && version.size() <= kVersionBytes ? version : std::string();
}

void read_answer(std::string_view text, ServerMessage& out) {
  LineScanner scanned(kRequestIdBytes);
  scanned.feed(text);
  if (!scanned.finish() || scanned[Field::method].present) return;
  if (!scanned[Field::result].present && !scanned[Field::error].has_value()) return;
  std::string key = request_key(scanned[Field::id]);
  if (!key.empty()) out.answers.push_back(std::move(key));
  out.version = plain_version(scanned.string(Field::protocol).value_or(""));
}

bool is_header_name(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_alnum(c) || kMarks.find(c) != std::string_view::npos;
  });
}

// An argument's text in a header; nullopt if arguments of its type are not sent in headers.
std::optional<std::string> argument_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number_float()) {  // 42.0 is an integer, too
    const double number = value.get<double>();
    const auto limit = static_cast<double>(kSafeInteger);
    if (number >= -limit && number <= limit &&
        number == static_cast<double>(static_cast<std::int64_t>(number))) {
      return fmt::format("{}", static_cast<std::int64_t>(number));
    }
  }
  return std::nullopt;
}

// Whether the value is an error of JSON-RPC. A proxy or a log-in page may answer with an `error` of
// another form, which a client of JSON-RPC would refuse.
bool is_rpc_error(std::string_view text) {
  const json error = json::parse(text, nullptr, false);
  if (!error.is_object()) return false;
  const auto code = error.find("code");
  const auto message = error.find("message");
  return code != error.end() && code->is_number_integer() && message != error.end() &&
         message->is_string();
}

}  // namespace

ClientMessage client_message(std::string line) {
  ClientMessage out;
  const bool single = !trim(line).starts_with('[');
  for (const std::string_view message : messages_of(line)) read_request(message, out, single);
  out.line = std::move(line);
  return out;
}

std::string one_line(std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  message += '\n';
  return message;
}

ServerMessage server_message(std::string message) {
  ServerMessage out;
  out.line = one_line(std::move(message));
  for (const std::string_view text : messages_of(out.line)) read_answer(text, out);
  return out;
}

void MirroredArguments::learn(std::string_view tools_list_answer) {
  const json answer = json::parse(tools_list_answer, nullptr, false);
  if (!answer.is_object() || !answer.contains("result")) return;
  const json& result = answer["result"];
  if (!result.is_object() || !result.contains("tools") || !result["tools"].is_array()) return;
  for (const json& tool : result["tools"]) {
    if (!tool.is_object() || !tool.contains("name") || !tool["name"].is_string()) continue;
    std::vector<Argument> found;
    std::set<std::string> names;
    bool sound = true;
    // Only schemas reached through `properties` alone.
    std::vector<std::pair<const json*, std::vector<std::string>>> todo;
    if (tool.contains("inputSchema"))
      todo.emplace_back(&tool["inputSchema"], std::vector<std::string>{});
    while (!todo.empty()) {
      const auto [schema, path] = std::move(todo.back());
      todo.pop_back();
      if (!schema->is_object()) continue;
      if (const auto header = schema->find("x-mcp-header"); header != schema->end()) {
        const std::string name = header->is_string() ? header->get<std::string>() : "";
        sound = sound && is_header_name(name) && names.insert(to_lower(name)).second;
        found.push_back({path, "Mcp-Param-" + name});
      }
      const auto properties = schema->find("properties");
      if (properties == schema->end() || !properties->is_object()) continue;
      for (const auto& [name, property] : properties->items()) {
        std::vector<std::string> below = path;
        below.push_back(name);
        todo.emplace_back(&property, std::move(below));
      }
    }
    const auto name = tool["name"].get<std::string>();
    by_tool_.erase(name);
    // If the definition breaks the rules, none of its arguments is sent in a header.
    if (sound && !found.empty() && by_tool_.size() < kMirrored) by_tool_[name] = std::move(found);
  }
}

HttpHeaders MirroredArguments::headers(const std::string& tool, std::string_view arguments) const {
  const auto known = by_tool_.find(tool);
  if (known == by_tool_.end()) return {};
  const json values = json::parse(arguments, nullptr, false);
  HttpHeaders headers;
  for (const Argument& argument : known->second) {
    const json* value = &values;
    for (const std::string& step : argument.path) {
      const bool there = value->is_object() && value->contains(step);
      value = there ? &(*value)[step] : nullptr;
      if (value == nullptr) break;
    }
    const auto text = value == nullptr ? std::nullopt : argument_text(*value);
    if (text) headers.emplace_back(argument.header, header_value(*text));
  }
  return headers;
}

HttpHeaders stateless_headers(const ClientMessage& message, const MirroredArguments& mirrored) {
  HttpHeaders headers{{"MCP-Protocol-Version", header_value(message.version)},
                      {"Mcp-Method", header_value(message.method)}};
  if (message.method == "tools/call" || message.method == "prompts/get") {
    headers.emplace_back("Mcp-Name", header_value(message.tool));
  }
  if (message.method == "resources/read") {
    headers.emplace_back("Mcp-Name", header_value(message.uri));
  }
  if (message.method == "tools/call") {
    const HttpHeaders more = mirrored.headers(message.tool, message.arguments);
    headers.insert(headers.end(), more.begin(), more.end());
  }
  return headers;
}

std::string error_answer(std::string_view id, std::string_view message, int http_status) {
  json error = {{"code", kServerError}, {"message", message}};
  if (http_status != 0) error["data"] = {{"httpStatus", http_status}};
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{}}})", id,
                     error.dump(-1, ' ', false, json::error_handler_t::replace));
}

std::string error_answer_from(const ClientRequest& request, std::string_view body) {
  LineScanner scanned(body.size());
  scanned.feed(body);
  if (!scanned.finish() || !is_rpc_error(scanned[Field::error].text)) return {};
  if (request_key(scanned[Field::id]) == request.key) return std::string(body);
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{}}})", request.id,
                     scanned[Field::error].text);
}

}  // namespace hebb::capture
