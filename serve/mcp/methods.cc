#include "serve/mcp/methods.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/describe.h"
#include "serve/mcp/resources.h"
#include "serve/mcp/subscriptions.h"
#include "serve/mcp/tools.h"
#include "serve/message.h"

namespace hebb::serve::mcp {

namespace {

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
constexpr std::string_view kOfReplay = ", which hebb_skill_replay does again in one call";

Json server_info() {
  return {{"name", "hebb"}, {"title", "hebb: what next?"}, {"version", HEBB_VERSION}};
}

std::string instructions(const Client& client) {
  return fmt::format("{}{}.", kInstructions, client.replay ? kOfReplay : "");
}

Json capabilities() {
  return {
      {"tools", Json::object()}, {"resources", {{"subscribe", true}}}, {"prompts", Json::object()}};
}

Json initialize(const Client& client, const Message& message) {
  const auto it = message.params.find("protocolVersion");
  if (it == message.params.end() || !it->is_string())
    throw RpcError(kInvalidParams, "initialize needs a protocolVersion");
  const auto asked = it->get<std::string>();
  const std::string version(is_handshake_version(asked) ? asked : kHandshakeVersions.front());
  return {{"protocolVersion", version},
          {"capabilities", capabilities()},
          {"serverInfo", server_info()},
          {"instructions", instructions(client)}};
}

Json server_discover(const Client& client, const Message&) {
  return {{"supportedVersions", versions()},
          {"capabilities", capabilities()},
          {"instructions", instructions(client)}};
}

// Every list has one page, so the server never gave out a cursor.
Json one_page(const Message& message, const char* name, Json items) {
  if (message.params.contains("cursor")) throw RpcError(kInvalidParams, "there is no such cursor");
  return {{name, std::move(items)}};
}

Json tools_list(const Client& client, const Message& message) {
  return one_page(message, "tools", tools(client.replay));
}
Json resources_list(const Client&, const Message& message) {
  return one_page(message, "resources", resources());
}
Json templates_list(const Client&, const Message& message) {
  return one_page(message, "resourceTemplates", resource_templates());
}
Json prompts_list(const Client&, const Message& message) {
  return one_page(message, "prompts", prompts());
}

Json tools_call(const Client& client, const Message& message) {
  return call_tool(client.session, message.params);
}
Json resources_read(const Client& client, const Message& message) {
  return {{"contents", Json::array({read_resource(client.session, uri_of(message.params))})}};
}
Json prompts_get(const Client& client, const Message& message) {
  return get_prompt(client.session, message.params);
}
Json ping(const Client&, const Message&) { return Json::object(); }

Json resources_subscribe(const Client& client, const Message& message) {
  client.subscriptions->subscribe(client.session, uri_of(message.params));
  return Json::object();
}
Json resources_unsubscribe(const Client& client, const Message& message) {
  client.subscriptions->unsubscribe(uri_of(message.params));
  return Json::object();
}
Json subscriptions_listen(const Client& client, const Message& message) {
  return client.subscriptions->listen(client.session, message.id, message.params);
}

using Era = Method::Era;
using Cached = Method::Cached;
using Changes = Method::Changes;

constexpr Method kMethods[] = {
    {"initialize", Era::handshake, initialize},
    {"ping", Era::handshake, ping},
    {"server/discover", Era::stateless, server_discover, "", Cached::lists},
    {"tools/list", Era::both, tools_list, "", Cached::lists},
    {"tools/call", Era::both, tools_call, "name", Cached::unsaid, Changes::untold, tool_writes},
    {"resources/list", Era::both, resources_list, "", Cached::lists},
    {"resources/templates/list", Era::both, templates_list, "", Cached::lists},
    {"resources/read", Era::both, resources_read, "uri", Cached::never},
    {"resources/subscribe", Era::handshake, resources_subscribe, "", Cached::unsaid,
     Changes::session},
    {"resources/unsubscribe", Era::handshake, resources_unsubscribe, "", Cached::unsaid,
     Changes::session},
    {kListen, Era::stateless, subscriptions_listen, "", Cached::unsaid, Changes::stream},
    {"prompts/list", Era::both, prompts_list, "", Cached::lists},
    {"prompts/get", Era::both, prompts_get, "name"},
};

// What the stateless era adds to a result.
void complete(Json& result, const Method& method) {
  if (method.cached != Cached::unsaid) {
    const bool lists = method.cached == Cached::lists;
    result["ttlMs"] = lists ? kListTtlMs : 0;
    result["cacheScope"] = lists ? "public" : "private";
  }
  result["resultType"] = "complete";
  result["_meta"][kServerInfoKey] = server_info();
}

Json answer(const Client& client, const Message& message) {
  if (message.error) throw RpcError(*message.error);
  const Method* method = method_of(message);
  const bool can = method && (method->changes == Changes::untold || client.subscriptions);
  if (!can) throw RpcError(kMethodNotFound, fmt::format("there is no method {}", message.method));
  Json result = method->result(client, message);
  if (method->changes == Changes::stream) return result;
  if (message.stateless()) complete(result, *method);
  return {{"jsonrpc", "2.0"}, {"id", message.id}, {"result", std::move(result)}};
}

// Why a message of a batch is not done; empty: it is. Over HTTP the headers of a stateless request
// repeat what it says, which those of a batch cannot.
std::string_view refusal_in_batch(const Message& message, std::size_t answered_bytes) {
  if (message.kind != Message::Kind::request) return {};
  if (message.stateless()) return "a stateless request cannot be in a batch";
  if (answered_bytes <= kBatchBytes) return {};
  return "this was not done: the answers to the batch are too long already; send it again";
}

std::optional<Json> replies_to(const Client& client, const std::vector<Message>& batch) {
  Json replies = Json::array();
  std::size_t bytes = 0;
  for (const Message& message : batch) {
    const std::string_view refusal = refusal_in_batch(message, bytes);
    if (!refusal.empty()) {
      replies.push_back(error_reply(message.id, RpcError(kInvalidRequest, std::string(refusal))));
    } else if (auto reply = reply_to(client, message)) {
      bytes += text_of(*reply).size();
      replies.push_back(std::move(*reply));
    }
  }
  return replies.empty() ? std::nullopt : std::optional(std::move(replies));
}

}  // namespace

const Method* method_of(const Message& message) {
  if (message.kind != Message::Kind::request || message.error) return nullptr;
  const Era other = message.stateless() ? Era::handshake : Era::stateless;
  const auto* const it = std::find_if(
      std::begin(kMethods), std::end(kMethods),
      [&](const Method& method) { return method.name == message.method && method.era != other; });
  return it == std::end(kMethods) ? nullptr : it;
}

bool writes(const Input& input) {
  return std::any_of(input.messages.begin(), input.messages.end(), [](const Message& message) {
    const Method* method = method_of(message);
    return method && method->writes && method->writes(message.params);
  });
}

std::optional<Json> reply_to(const Client& client, const Message& message) {
  using Kind = Message::Kind;
  if (message.kind == Kind::notification || message.kind == Kind::response) return std::nullopt;
  try {
    return answer(client, message);
  } catch (const RpcError& e) {
    // Since the stateless era a resource that is not there is an invalid parameter.
    const bool renamed = message.stateless() && e.code == kResourceNotFound;
    return error_reply(message.id, renamed ? RpcError(kInvalidParams, e.what(), e.data) : e);
  } catch (...) {
    return error_reply(message.id, thrown_error(kInternalError));
  }
}

std::optional<Json> reply_to(const Client& client, const Input& input) {
  if (input.error) return error_reply(nullptr, *input.error);
  if (!input.batch) return reply_to(client, input.messages.front());
  const auto refused = [](const std::string& why) {
    return error_reply(nullptr, RpcError(kInvalidRequest, why));
  };
  if (input.messages.empty()) return refused("there is nothing in this batch");
  if (input.messages.size() > kMostInBatch)
    return refused(fmt::format("a batch has at most {} messages", kMostInBatch));
  // Changes are told to whoever asks for them by itself.
  return replies_to({client.session, nullptr, client.replay}, input.messages);
}

}  // namespace hebb::serve::mcp
