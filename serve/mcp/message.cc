#include "serve/mcp/message.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "api/problem.h"

namespace hebb::serve::mcp {

namespace {

constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

// The version that params._meta names.
std::optional<std::string> version_in(const Json& message) {
  const Json* at = &message;
  for (const std::string_view key : {std::string_view("params"), std::string_view("_meta")}) {
    const auto it = at->find(key);
    if (it == at->end() || !it->is_object()) return std::nullopt;
    at = &*it;
  }
  const auto version = at->find(kVersionKey);
  if (version == at->end()) return std::nullopt;
  return version->is_string() ? version->get<std::string>() : version->dump();
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

// Why an object is no request of its era; nullopt: it is one.
std::optional<RpcError> error_in(const Json& request, const std::optional<std::string>& version) {
  const auto jsonrpc = request.find("jsonrpc");
  if (jsonrpc == request.end() || *jsonrpc != "2.0")
    return RpcError(kInvalidRequest, "\"jsonrpc\" has to be \"2.0\"");
  const auto method = request.find("method");
  if (method == request.end() || !method->is_string())
    return RpcError(kInvalidRequest, "\"method\" has to be a text");
  const auto id = request.find("id");
  if (id == request.end() || !is_id(*id))
    return RpcError(kInvalidRequest, "\"id\" has to be a text or a whole number");
  const auto params = request.find("params");
  if (params != request.end() && !params->is_object())
    return RpcError(kInvalidParams, "\"params\" has to be an object");
  if (!version) return std::nullopt;
  if (*version != kStatelessVersion) return unsupported_version(*version);
  const Json& meta = (*params)["_meta"];
  const auto client = meta.find(kCapabilitiesKey);
  if (client != meta.end() && client->is_object()) return std::nullopt;
  return RpcError(kInvalidParams,
                  fmt::format("params._meta has to carry {}, an object", kCapabilitiesKey));
}

Message read_message(Json json) {
  using Kind = Message::Kind;
  Message message;
  if (!json.is_object()) {
    message.error = RpcError(kInvalidRequest, "a message is a JSON object");
    return message;
  }
  const auto method = json.find("method"), id = json.find("id"), params = json.find("params");
  if (method != json.end()) {
    message.kind = id == json.end() ? Kind::notification : Kind::request;
    if (method->is_string()) message.method = method->get<std::string>();
  } else if (json.contains("result") || json.contains("error")) {
    message.kind = Kind::response;
  }
  if (id != json.end() && is_id(*id)) message.id = *id;
  message.version = version_in(json);
  if (message.kind == Kind::request || message.kind == Kind::none)
    message.error = error_in(json, message.version);
  if (params != json.end() && params->is_object()) message.params = std::move(*params);
  return message;
}

}  // namespace

Json versions() {
  Json all = Json::array({kStatelessVersion});
  for (const auto version : kHandshakeVersions) all.push_back(version);
  return all;
}

bool is_handshake_version(std::string_view version) {
  return std::find(kHandshakeVersions.begin(), kHandshakeVersions.end(), version) !=
         kHandshakeVersions.end();
}

RpcError unsupported_version(const std::string& version) {
  return {kUnsupportedVersion,
          "Unsupported protocol version",
          {{"supported", versions()}, {"requested", version}}};
}

Input read_input(std::string_view text) {
  Input input;
  try {
    Json json = api::parse_json(text, "message");
    input.batch = json.is_array();
    if (!input.batch) {
      input.messages.push_back(read_message(std::move(json)));
    } else {
      for (Json& one : json) input.messages.push_back(read_message(std::move(one)));
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    input.error = thrown_error(kParseError);
  }
  return input;
}

Json error_reply(const Json& id, const RpcError& error) {
  Json body{{"code", static_cast<int>(error.code)}, {"message", error.what()}};
  if (!error.data.is_null()) body["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(body)}};
}

RpcError thrown_error(Code code) {
  const api::Problem problem = api::problem_of(std::current_exception());
  return {code, problem.what(), code == kInternalError ? Json(problem.json()) : Json()};
}

}  // namespace hebb::serve::mcp
