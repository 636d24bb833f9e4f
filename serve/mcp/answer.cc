#include "serve/mcp/answer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "api/describe.h"
#include "api/problem.h"
#include "serve/mcp/resources.h"
#include "serve/mcp/tools.h"

namespace hebb::serve::mcp {

namespace {

// Newest first.
constexpr std::array<std::string_view, 4> kLegacyVersions{"2025-11-25", "2025-06-18", "2025-03-26",
                                                          "2024-11-05"};
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
constexpr std::size_t kMostInBatch = 32;        // messages
constexpr std::size_t kBatchBytes = 1 << 20;    // of answers, after which no more is done
constexpr std::int64_t kListTtlMs = 3'600'000;  // the lists change only with a new program

constexpr std::string_view kInstructions =
    "hebb holds a graph of tasks that learns from outcomes, and answers what to do next. Take a "
    "task with hebb_next (claim: true, agent: your name), so that no other agent works on it; do "
    "the work; say how it came out with hebb_outcome and the token that hebb_next gave, so that "
    "the ranking learns; then ask hebb_next again. To look without taking, ask hebb_rank. Make "
    "tasks with hebb_node_set (type TASK, state OPEN) and connect them with hebb_link. Before work "
    "in a browser ask hebb_skill_recall: what was done there before may be known as a skill";
constexpr std::string_view kReplay = "hebb_skill_replay";

Json server_info() {
  return {{"name", "hebb"}, {"title", "hebb: what next?"}, {"version", HEBB_VERSION}};
}

std::string instructions(const AnswerOptions& options) {
  return fmt::format(
      "{}{}.", kInstructions,
      options.replay ? fmt::format(", which {} does again in one call", kReplay) : "");
}

// Without the tool that could only end with DISABLED.
Json tools(const AnswerOptions& options) {
  Json all = api::mcp_tools();
  if (options.replay) return all;
  Json out = Json::array();
  for (Json& tool : all) {
    if (tool.at("name") != kReplay) out.push_back(std::move(tool));
  }
  return out;
}

Json capabilities(const AnswerOptions& options) {
  Json resources = Json::object();
  if (options.subscribe) resources["subscribe"] = true;
  return {
      {"tools", Json::object()}, {"resources", std::move(resources)}, {"prompts", Json::object()}};
}

Json initialize(const Json& params, const AnswerOptions& options) {
  const auto it = params.find("protocolVersion");
  if (it == params.end() || !it->is_string())
    throw RpcError(kInvalidParams, "initialize needs a protocolVersion");
  const auto asked = it->get<std::string>();
  return {
      {"protocolVersion", is_legacy_version(asked) ? asked : std::string(kLegacyVersions.front())},
      {"capabilities", capabilities(options)},
      {"serverInfo", server_info()},
      {"instructions", instructions(options)}};
}

// Newest first.
Json versions() {
  Json all = Json::array({kModernVersion});
  for (const auto version : kLegacyVersions) all.push_back(version);
  return all;
}

Json discover(const AnswerOptions& options) {
  return {{"supportedVersions", versions()},
          {"capabilities", capabilities(options)},
          {"instructions", instructions(options)},
          {"ttlMs", kListTtlMs},
          {"cacheScope", "public"}};
}

// Every list has one page, so the server never gave out a cursor.
void require_no_cursor(const Json& params) {
  if (params.contains("cursor")) throw RpcError(kInvalidParams, "there is no such cursor");
}

Json list(const Json& params, const char* name, Json items) {
  require_no_cursor(params);
  return {{name, std::move(items)}, {"ttlMs", kListTtlMs}, {"cacheScope", "public"}};
}

// The result of a method that both eras have. nullopt: there is no such method.
std::optional<Json> common_result(api::Session& session, const std::string& method,
                                  const Json& params, const AnswerOptions& options) {
  if (method == "tools/list") return list(params, "tools", tools(options));
  if (method == "tools/call") return call_tool(session, params);
  if (method == "resources/list") return list(params, "resources", resources());
  if (method == "resources/templates/list")
    return list(params, "resourceTemplates", resource_templates());
  if (method == "resources/read") {
    Json result{{"contents", Json::array({read_resource(session, uri_of(params))})}};
    result["ttlMs"] = 0;
    result["cacheScope"] = "private";
    return result;
  }
  if (method == "prompts/list") return list(params, "prompts", prompts());
  if (method == "prompts/get") return get_prompt(session, params);
  return std::nullopt;
}

std::optional<Json> legacy_result(api::Session& session, const std::string& method,
                                  const Json& params, const AnswerOptions& options) {
  if (method == "initialize") return initialize(params, options);
  if (method == "ping") return Json::object();
  auto result = common_result(session, method, params, options);
  if (result) {
    result->erase("ttlMs");
    result->erase("cacheScope");
  }
  return result;
}

std::optional<Json> modern_result(api::Session& session, const std::string& method,
                                  const Json& params, const AnswerOptions& options) {
  auto result = method == "server/discover" ? std::optional(discover(options))
                                            : common_result(session, method, params, options);
  if (!result) return result;
  (*result)["resultType"] = "complete";
  (*result)["_meta"][kServerInfoKey] = server_info();
  return result;
}

Json reply_to(api::Session& session, const Json& message, const AnswerOptions& options) {
  const auto method = message.at("method").get<std::string>();
  const Json params = message.value("params", Json::object());
  const bool modern = modern_version(message).has_value();
  std::optional<Json> result;
  try {
    result = modern ? modern_result(session, method, params, options)
                    : legacy_result(session, method, params, options);
  } catch (const RpcError& e) {
    if (modern && e.code == kResourceNotFound) throw RpcError(kInvalidParams, e.what(), e.data);
    throw;
  }
  if (!result) throw RpcError(kMethodNotFound, fmt::format("there is no method {}", method));
  return {{"jsonrpc", "2.0"}, {"id", message.at("id")}, {"result", std::move(*result)}};
}

std::optional<Json> answer_one(api::Session& session, const Json& message,
                               const AnswerOptions& options) {
  Json id;  // null unless the message has a valid one
  try {
    if (!message.is_object()) throw RpcError(kInvalidRequest, "a message is a JSON object");
    if (!message.contains("method") && (message.contains("result") || message.contains("error")))
      return std::nullopt;  // a response, which gets no reply
    if (message.contains("method") && !message.contains("id")) return std::nullopt;
    if (message.contains("id") && is_id(message["id"])) id = message["id"];
    require_request(message);
    return reply_to(session, message, options);
  } catch (const RpcError& e) {
    return error_reply(id, e);
  } catch (...) {
    return thrown_reply(id, kInternalError);
  }
}

// Why a message of a batch is not done; empty: it is. Over HTTP the headers of a stateless request
// repeat what it says, which those of a batch cannot.
std::string_view refusal_in_batch(const Json& message, std::size_t answered_bytes) {
  if (!message.is_object() || !message.contains("id")) return {};
  if (modern_version(message)) return "a stateless request cannot be in a batch";
  if (answered_bytes <= kBatchBytes) return {};
  return "this was not done: the answers to the batch are too long already; send it again";
}

std::optional<Json> answer_batch(api::Session& session, const Json& batch,
                                 const AnswerOptions& options) {
  Json replies = Json::array();
  std::size_t bytes = 0;
  for (const Json& message : batch) {
    const std::string_view refusal = refusal_in_batch(message, bytes);
    std::optional<Json> reply;
    if (refusal.empty()) {
      reply = answer_one(session, message, options);
      if (reply) bytes += reply->dump(-1, ' ', false, Json::error_handler_t::replace).size();
    } else {
      const Json id = is_id(message["id"]) ? message["id"] : Json();
      reply = error_reply(id, RpcError(kInvalidRequest, std::string(refusal)));
    }
    if (reply) replies.push_back(std::move(*reply));
  }
  if (replies.empty()) return std::nullopt;
  return replies;
}

}  // namespace

std::optional<std::string> modern_version(const Json& message) {
  if (!message.is_object()) return std::nullopt;
  const Json* at = &message;
  for (const std::string_view key :
       {std::string_view("params"), std::string_view("_meta"), kVersionKey}) {
    const auto it = at->find(key);
    if (it == at->end()) return std::nullopt;
    at = &*it;
    if (!at->is_object() && key != kVersionKey) return std::nullopt;
  }
  return at->is_string() ? at->get<std::string>() : at->dump();
}

bool is_legacy_version(std::string_view version) {
  return std::find(kLegacyVersions.begin(), kLegacyVersions.end(), version) !=
         kLegacyVersions.end();
}

RpcError unsupported_version(const std::string& version) {
  return {kUnsupportedVersion,
          "Unsupported protocol version",
          {{"supported", versions()}, {"requested", version}}};
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

void require_request(const Json& message) {
  const auto version = message.find("jsonrpc");
  if (version == message.end() || *version != "2.0")
    throw RpcError(kInvalidRequest, "\"jsonrpc\" has to be \"2.0\"");
  const auto method = message.find("method");
  if (method == message.end() || !method->is_string())
    throw RpcError(kInvalidRequest, "\"method\" has to be a text");
  const auto id = message.find("id");
  if (id == message.end() || !is_id(*id))
    throw RpcError(kInvalidRequest, "\"id\" has to be a text or a whole number");
  const auto params = message.find("params");
  if (params != message.end() && !params->is_object())
    throw RpcError(kInvalidParams, "\"params\" has to be an object");
  const auto modern = modern_version(message);
  if (!modern) return;
  if (*modern != kModernVersion) throw unsupported_version(*modern);
  const Json& meta = (*params)["_meta"];
  const auto client = meta.find(kCapabilitiesKey);
  if (client == meta.end() || !client->is_object()) {
    throw RpcError(kInvalidParams,
                   fmt::format("params._meta has to carry {}, an object", kCapabilitiesKey));
  }
}

Json error_reply(const Json& id, const RpcError& error) {
  Json body{{"code", static_cast<int>(error.code)}, {"message", error.what()}};
  if (!error.data.is_null()) body["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(body)}};
}

Json thrown_reply(const Json& id, Code code) {
  const api::Problem problem = api::problem_of(std::current_exception());
  return error_reply(
      id, RpcError(code, problem.what(), code == kInternalError ? Json(problem.json()) : Json()));
}

std::optional<Json> answer(api::Session& session, const Json& message,
                           const AnswerOptions& options) {
  if (!message.is_array()) return answer_one(session, message, options);
  // A batch of messages, as 2025-03-26 allows, is answered with a batch.
  if (message.empty())
    return error_reply(nullptr, RpcError(kInvalidRequest, "there is nothing in this batch"));
  if (message.size() > kMostInBatch) {
    return error_reply(
        nullptr,
        RpcError(kInvalidRequest, fmt::format("a batch has at most {} messages", kMostInBatch)));
  }
  return answer_batch(session, message, options);
}

std::optional<Json> answer_text(api::Session& session, std::string_view text,
                                const AnswerOptions& options) {
  Json message;
  try {
    message = api::parse_json(text, "message");
  } catch (...) {
    return thrown_reply(nullptr, kParseError);
  }
  return answer(session, message, options);
}

}  // namespace hebb::serve::mcp
