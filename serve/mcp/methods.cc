#include "serve/mcp/methods.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/describe.h"
#include "serve/mcp/arguments.h"
#include "serve/mcp/subscriptions.h"

namespace hebb::serve::mcp {

namespace {

constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
constexpr std::int64_t kListTtlMs = 3'600'000;  // the lists change only with a new program

constexpr std::string_view kInstructions =
    "hebb holds a graph of tasks that learns from outcomes, and answers what to do next. Take a "
    "task with `next` (claim: true, agent: your name, lease: such as 2h), so that no other agent "
    "works on it; read it with `show`; do the work; say how it came out with `outcome` and the "
    "token that `next` gave, of a failure why (because), so that the ranking learns; then ask "
    "`next` again. What you could not even try (CI is down, no access) is no failure: give it back "
    "by `claim` with give_back, snoozed_until (such as 2h) and because. To look without taking, "
    "ask `next` without claim, or `list` and `show`. What else is to be done, `add`.";
// Added when tools beyond the core are listed.
constexpr std::string_view kOtherTools =
    " Connect tasks with `link`. Before work in a browser ask `skill_recall`: what was done there "
    "before may be known as a skill";
constexpr std::string_view kReplayTool = ", which `skill_replay` does again in one call";

// --- tools: the operations that are offered to models --------------------------------------------

// The prefix of tool names before 0.3. This version accepts such names but does not list them.
constexpr std::string_view kPrefix = "hebb_";
constexpr std::size_t kVectorLength = 16;  // a list of at least so many numbers is a vector

bool has_old_name(std::string_view name) { return name.starts_with(kPrefix); }

// The tool of that name in any list; null: there is none.
const api::Operation* find_tool(std::string_view name) {
  for (const api::Operation& operation : api::operations()) {
    if (!operation.listed(api::Tool::all)) continue;
    if (name == operation.about.name) return &operation;
    if (has_old_name(name) && name.substr(kPrefix.size()) == operation.about.name)
      return &operation;
  }
  return nullptr;
}

bool is_vector(const Json& value) {
  return value.is_array() && value.size() >= kVectorLength &&
         std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_number(); });
}

// The shortened value; nullopt: it is left out.
std::optional<Json> shortened(const Json& value) {
  if (value.is_null() || value == "" || is_vector(value)) return std::nullopt;
  if (value.is_number_float()) {
    Json rounded = Json::parse(fmt::format("{:.4g}", value.get<double>()), nullptr, false);
    return rounded.is_number() ? rounded : value;  // the largest may round to infinity
  }
  if (!value.is_structured()) return value;
  Json out(value.type());
  for (const auto& [name, item] : value.items()) {
    auto shorter = shortened(item);
    if (value.is_array()) {
      out.push_back(shorter.value_or(item));
    } else if (shorter) {
      // Keys are unique, so they need not be searched.
      out.get_ref<Json::object_t&>().emplace_back(name, std::move(*shorter));
    }
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

// If the tool fails, the result has isError and the Problem as its text.
Json call_tool(const Client& client, const Message& message) {
  const std::string* name = text_in(message.params, "name");
  if (!name) throw RpcError(kInvalidParams, "tools/call needs the name of a tool");
  const api::Operation* operation = message.tool;
  if (!operation) throw RpcError(kInvalidParams, fmt::format("Unknown tool: {}", *name));
  if (!operation->listed(client.tools) && !has_old_name(*name)) {
    throw RpcError(kInvalidParams,
                   fmt::format("the tool {} is not listed here: the server lists it when started "
                               "with --tools all",
                               *name));
  }
  const Json given = message.params.value("arguments", Json());
  const auto content = [](const std::string& text) {
    return Json::array({{{"type", "text"}, {"text", text}}});
  };
  try {
    const Json asked = read_arguments(operation->request(), given);
    Json result = call(*operation, client.session, asked.is_null() ? Json::object() : asked);
    Json text = content(short_text(result));
    return {{"content", std::move(text)}, {"structuredContent", std::move(result)}};
  } catch (const api::Problem& problem) {
    return {{"content", content(text_of(problem.json()))}, {"isError", true}};
  }
}

// --- methods -------------------------------------------------------------------------------------

Json server_info() {
  return {{"name", "hebb"}, {"title", "hebb: what next?"}, {"version", HEBB_VERSION}};
}

std::string instructions(const Client& client) {
  if (client.tools == api::Tool::core) return std::string(kInstructions);
  return fmt::format("{}{}{}.", kInstructions, kOtherTools, client.replay ? kReplayTool : "");
}

Json capabilities(const Client& client) {
  Json resources = Json::object();
  if (client.subscriptions) resources["subscribe"] = true;
  return {{"tools", Json::object()}, {"resources", resources}, {"prompts", Json::object()}};
}

Json initialize(const Client& client, const Message& message) {
  const std::string* asked = text_in(message.params, "protocolVersion");
  if (!asked) throw RpcError(kInvalidParams, "initialize needs a protocolVersion");
  return {{"protocolVersion", is_handshake_version(*asked) ? *asked : std::string(kVersions[1])},
          {"capabilities", capabilities(client)},
          {"serverInfo", server_info()},
          {"instructions", instructions(client)}};
}

using Era = Method::Era;
using Gives = Method::Gives;

// Every list has one page, so the server never issued a cursor.
Json list(const Message& message, const char* name, Json items) {
  const Json cursor = message.params.value("cursor", Json());
  if (!cursor.is_null() && cursor != "") throw RpcError(kInvalidParams, "there is no such cursor");
  return {{name, std::move(items)}};
}

RpcError no_method(const Message& message) {
  return {kMethodNotFound, fmt::format("there is no method {}", message.method)};
}

Subscriptions& subscriptions_of(const Client& client, const Message& message) {
  if (!client.subscriptions) throw no_method(message);
  return *client.subscriptions;
}

constexpr Method kMethods[] = {
    {"initialize", Era::handshake, Gives::answer, initialize},
    {"ping", Era::handshake, Gives::answer,
     [](const Client&, const Message&) { return Json::object(); }},
    {"server/discover", Era::stateless, Gives::list,
     [](const Client& client, const Message&) {
       return Json{{"supportedVersions", kVersions},
                   {"capabilities", capabilities(client)},
                   {"instructions", instructions(client)}};
     }},
    {"tools/list", Era::both, Gives::list,
     [](const Client& client, const Message& message) {
       return list(message, "tools", api::mcp_tools(client.tools));
     }},
    {"tools/call", Era::both, Gives::answer, call_tool, "name"},
    {"resources/list", Era::both, Gives::list,
     [](const Client&, const Message& message) { return list(message, "resources", resources()); }},
    {"resources/templates/list", Era::both, Gives::list,
     [](const Client&, const Message& message) {
       return list(message, "resourceTemplates", resource_templates());
     }},
    {"resources/read", Era::both, Gives::contents,
     [](const Client& client, const Message& message) {
       const Json contents = read_resource(client.session, uri_of(message.params));
       return Json{{"contents", Json::array({contents})}};
     },
     "uri"},
    {"resources/subscribe", Era::handshake, Gives::answer,
     [](const Client& client, const Message& message) {
       subscriptions_of(client, message).subscribe(client.session, uri_of(message.params));
       return Json::object();
     }},
    {"resources/unsubscribe", Era::handshake, Gives::answer,
     [](const Client& client, const Message& message) {
       subscriptions_of(client, message).unsubscribe(uri_of(message.params));
       return Json::object();
     }},
    {"subscriptions/listen", Era::stateless, Gives::notification,
     [](const Client& client, const Message& message) {
       return subscriptions_of(client, message).listen(client.session, message.id, message.params);
     }},
    {"prompts/list", Era::both, Gives::list,
     [](const Client&, const Message& message) { return list(message, "prompts", prompts()); }},
    {"prompts/get", Era::both, Gives::answer,
     [](const Client& client, const Message& message) {
       return get_prompt(client.session, message.params);
     },
     "name"},
};

// Adds the members that the stateless era requires in a result.
void complete(Json& result, const Method& method) {
  const bool lists = method.gives == Gives::list;
  if (lists || method.gives == Gives::contents) {
    result["ttlMs"] = lists ? kListTtlMs : 0;
    result["cacheScope"] = lists ? "public" : "private";
  }
  result["resultType"] = "complete";
  result["_meta"][kServerInfoKey] = server_info();
}

Json answer(const Client& client, const Message& message) {
  if (message.error) throw RpcError(*message.error);
  if (!message.calls) throw no_method(message);
  Json result = message.calls->result(client, message);
  if (message.calls->gives == Gives::notification) return result;
  if (message.stateless()) complete(result, *message.calls);
  return {{"jsonrpc", "2.0"}, {"id", message.id}, {"result", std::move(result)}};
}

}  // namespace

void find_called(Message& message) {
  if (message.kind != Message::Kind::request || message.error) return;
  const Era other = message.stateless() ? Era::handshake : Era::stateless;
  const auto* const method = std::find_if(
      std::begin(kMethods), std::end(kMethods),
      [&](const Method& one) { return one.name == message.method && one.era != other; });
  if (method == std::end(kMethods)) return;
  message.calls = method;
  const std::string* name = text_in(message.params, "name");
  if (method->result == call_tool && name) message.tool = find_tool(*name);
}

bool writes(const Message& message) {
  return message.tool && message.tool->effect != api::Effect::reads;
}

std::optional<Json> reply_to(const Client& client, const Message& message) {
  using Kind = Message::Kind;
  if (message.kind == Kind::notification || message.kind == Kind::response) return std::nullopt;
  try {
    return answer(client, message);
  } catch (const RpcError& e) {
    // In the stateless era a missing resource is an invalid parameter.
    const bool renamed = message.stateless() && e.code == kResourceNotFound;
    return error_reply(message.id, renamed ? RpcError(kInvalidParams, e.what(), e.data) : e);
  } catch (...) {
    return error_reply(message.id, thrown_error(kInternalError));
  }
}

std::string short_text(const Json& result) {
  Json text = shortened(result).value_or(Json::object());
  text.erase(api::kSchemaVersion);
  return text_of(text);
}

}  // namespace hebb::serve::mcp
