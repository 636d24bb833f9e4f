// The Model Context Protocol: methods and tools in tables, a server's reply to a message, and what
// it is over HTTP. No state is kept between messages but the subscriptions of a pipe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/session.h"
#include "serve/mcp/message.h"
#include "serve/message.h"

namespace hebb::serve::mcp {

class Subscriptions;

// Who sent a message.
struct Client {
  api::Session& session;
  Subscriptions* subscriptions = nullptr;  // null: it cannot subscribe
  // Sessions of this kind may open pages, if their owner allows it: skills can be replayed. All
  // others list skill_replay, too, which gives DISABLED.
  bool replay = true;
  api::Tool tools = api::Tool::core;  // the list that it gets, and may call
};

struct Method {
  enum class Era : std::uint8_t { handshake, stateless, both };
  // What result() gives; `notification`: no result, but the first of the notifications asked for.
  enum class Gives : std::uint8_t { answer, list, contents, notification };

  std::string_view name;
  Era era;
  Gives gives;
  Json (*result)(const Client&, const Message&);  // throws RpcError
  std::string_view named = {};  // the member of params that the header Mcp-Name repeats
};

// Fills in Message::calls and tool.
void find_called(Message& message);
// Whether it calls a tool that there is, and that may change the database.
bool writes(const Message& message);

// nullopt for a notification or a response. Throws nothing.
std::optional<Json> reply_to(const Client& client, const Message& message);

// A result for a model to read: JSON without empty values, vectors and the version of its schema,
// numbers with four digits.
std::string short_text(const Json& result);

// --- over HTTP: a POST has one message, its response the reply --------------------------------

// Whether the message in a request may change the database, and so is the writer's. It is read here
// unless it is long: then the request counts as one that writes. Any thread.
bool may_write(Request& request);

// `tools`: those it lists. Throws api::Problem and std::bad_alloc.
Response answer_http(api::Session& session, Request& request, api::Tool tools = api::Tool::core);

// --- the resources hebb://rank and hebb://task/ID, and the prompt "what_next" --------------------

inline constexpr std::string_view kRankUri = "hebb://rank";

Json resources();
Json resource_templates();
// The uri of a request. Throws RpcError.
std::string uri_of(const Json& params);
// What a uri names: the id of a task, or kRankResource. Throws RpcError if it names no resource.
std::string resource_of(const std::string& uri);
inline constexpr std::string_view kRankResource = "";
// Its contents: uri, mimeType, text. Throws RpcError if there is no such resource.
Json read_resource(api::Session& session, const std::string& uri);

Json prompts();
Json get_prompt(api::Session& session, const Json& params);

}  // namespace hebb::serve::mcp
