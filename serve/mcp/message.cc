#include "serve/mcp/message.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "api/problem.h"
#include "serve/mcp/methods.h"

namespace hebb::serve::mcp {

namespace {

using Kind = Message::Kind;

constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

// The member of that name; null: there is none.
const Json* member(const Json* object, std::string_view name) {
  if (!object || !object->is_object()) return nullptr;
  const auto it = object->find(name);
  return it == object->end() ? nullptr : &*it;
}

// Why an object is no request of its era; nullopt: it is one. The other fields of the message are
// set.
std::optional<RpcError> error_in(const Json& request, const Message& message) {
  const Json* jsonrpc = member(&request, "jsonrpc");
  if (!jsonrpc || *jsonrpc != "2.0")
    return RpcError(kInvalidRequest, "\"jsonrpc\" has to be \"2.0\"");
  if (!text_in(request, "method")) return RpcError(kInvalidRequest, "\"method\" has to be a text");
  if (message.id.is_null())
    return RpcError(kInvalidRequest, "\"id\" has to be a text or a whole number");
  const Json* params = member(&request, "params");
  if (params && !params->is_null() && !params->is_object())
    return RpcError(kInvalidParams, "\"params\" has to be an object");
  if (!message.stateless()) return std::nullopt;
  if (*message.version != kStatelessVersion) return unsupported_version(*message.version);
  const Json* client = member(member(params, "_meta"), kCapabilitiesKey);
  if (client && client->is_object()) return std::nullopt;
  return RpcError(kInvalidParams,
                  fmt::format("params._meta has to carry {}, an object", kCapabilitiesKey));
}

Message message_of(Json json) {
  Message message;
  if (!json.is_object()) {
    message.error = RpcError(kInvalidRequest,
                             json.is_array() ? "batches are not taken; send one message at a time"
                                             : "a message is a JSON object");
    return message;
  }
  const Json* id = member(&json, "id");
  if (json.contains("method")) {
    message.kind = id ? Kind::request : Kind::notification;
  } else if (json.contains("result") || json.contains("error")) {
    message.kind = Kind::response;
  }
  if (const std::string* method = text_in(json, "method")) message.method = *method;
  if (id && (id->is_string() || id->is_number_integer())) message.id = *id;
  const auto params = json.find("params");
  const bool has_params = params != json.end() && params->is_object();
  if (const Json* version = has_params ? member(member(&*params, "_meta"), kVersionKey) : nullptr)
    message.version = version->is_string() ? version->get<std::string>() : version->dump();
  if (message.kind == Kind::request || message.kind == Kind::none)
    message.error = error_in(json, message);
  if (has_params) message.params = std::move(*params);
  find_called(message);
  return message;
}

}  // namespace

const std::string* text_in(const Json& object, std::string_view name) {
  const Json* text = member(&object, name);
  return text ? text->get_ptr<const std::string*>() : nullptr;
}

bool is_handshake_version(std::string_view version) {
  return version != kStatelessVersion &&
         std::find(std::begin(kVersions), std::end(kVersions), version) != std::end(kVersions);
}

RpcError unsupported_version(const std::string& version) {
  return {kUnsupportedVersion,
          "Unsupported protocol version",
          {{"supported", kVersions}, {"requested", version}}};
}

Message read_message(std::string_view text) {
  try {
    return message_of(api::parse_json(text, "message"));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    Message unreadable;
    unreadable.error = thrown_error(kParseError);
    unreadable.id = api::name_in_text(text, "id");
    return unreadable;
  }
}

Json error_reply(const Json& id, const RpcError& error) {
  Json body{{"code", static_cast<int>(error.code)}, {"message", error.what()}};
  if (!error.data.is_null()) body["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(body)}};
}

RpcError thrown_error(Code code) {
  const api::Problem problem = api::problem_of(std::current_exception());
  const bool internal = code == kInternalError;
  if (internal && problem.type == api::ProblemType::invalid_argument) code = kInvalidParams;
  return {code, problem.what(), internal ? Json(problem.json()) : Json()};
}

}  // namespace hebb::serve::mcp
