// The Model Context Protocol: methods and tools in tables, a server's reply to a message, and its
// form over HTTP. Between messages only the subscriptions of a pipe are stored.
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

// The sender of a message.
struct Client {
  api::Session& session;
  Subscriptions* subscriptions = nullptr;  // null: the client cannot subscribe
  // Whether the client may replay skills in a browser, if the session's owner allows it. Without it
  // skill_replay is listed too, and answers DISABLED.
  bool replay = true;
  api::Tool tools = api::Tool::core;  // the tools that the client sees and may call
};

struct Method {
  enum class Era : std::uint8_t { handshake, stateless, both };
  // The kind of value that result() returns; `notification`: the first of the requested
  // notifications, in place of a result.
  enum class Gives : std::uint8_t { answer, list, contents, notification };

  std::string_view name;
  Era era;
  Gives gives;
  Json (*result)(const Client&, const Message&);  // throws RpcError
  std::string_view named = {};  // the member of params that the header Mcp-Name repeats
};

// Fills in Message::calls and tool.
void find_called(Message& message);
// Whether the message calls an existing tool that may change the database.
bool writes(const Message& message);

// The reply; nullopt for a notification or a response. Throws nothing.
std::optional<Json> reply_to(const Client& client, const Message& message);

// A result as a short text for a model: JSON without empty values, vectors and the schema's
// version; numbers have four digits.
std::string short_text(const Json& result);

// --- over HTTP: a POST has one message, its response the reply --------------------------------

// Whether the message in a request may change the database, so that the writer must answer. A short
// message is parsed here; a long one counts as a write. Any thread.
bool may_write(Request& request);

// `tools`: the tools that it lists. Throws api::Problem and std::bad_alloc.
Response answer_http(api::Session& session, Request& request, api::Tool tools = api::Tool::core);

// --- the resources hebb://rank and hebb://task/ID, and the prompt "what_next" --------------------

inline constexpr std::string_view kRankUri = "hebb://rank";

Json resources();
Json resource_templates();
// The uri of a request. Throws RpcError.
std::string uri_of(const Json& params);
// The resource of a uri: the id of a task, or kRankResource. Throws RpcError if there is none.
std::string resource_of(const std::string& uri);
inline constexpr std::string_view kRankResource = "";
// The contents of a resource: uri, mimeType, text. Throws RpcError if it does not exist.
Json read_resource(api::Session& session, const std::string& uri);

Json prompts();
Json get_prompt(api::Session& session, const Json& params);

}  // namespace hebb::serve::mcp
