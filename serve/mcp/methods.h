// The Model Context Protocol: methods and tools in tables, a server's reply to a message, and what
// it is over HTTP. No state is kept between messages but subscriptions, so the same serves a pipe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/session.h"
#include "serve/mcp/message.h"
#include "serve/message.h"

namespace hebb::serve::mcp {

class Sessions;
class Subscriptions;

// Who sent a message.
struct Client {
  api::Session& session;
  Subscriptions* subscriptions = nullptr;  // where changes are told; null: nowhere
  // Sessions of this kind may open pages, if their owner allows it: skills can be replayed. All
  // others list skill_replay, too, which gives DISABLED.
  bool replay = true;
  api::Tool tools = api::Tool::core;  // the list that it gets, and may call
};

struct Method {
  enum class Era : std::uint8_t { handshake, stateless, both };
  // What the result is; of the last two, the session is told of changes, or it is a stream of them.
  enum class Gives : std::uint8_t { answer, list, contents, subscription, stream };

  std::string_view name;
  Era era;
  Gives gives;
  Json (*result)(const Client&, const Message&);  // throws RpcError
  std::string_view named = {};  // the member of params that the header Mcp-Name repeats

  bool tells_changes() const { return gives == Gives::subscription || gives == Gives::stream; }
};

// Null: there is none of that name in the message's era, or the message is no request.
const Method* method_of(const Message& message);
// Whether it calls a tool that there is, and that may change the database.
bool writes(const Input& input);

// nullopt for a notification or a response. Throws nothing. Where the method tells changes on a
// stream, the first message of that stream.
std::optional<Json> reply_to(const Client& client, const Message& message);
// The replies to a batch are a batch, too. As many of its messages are answered as its length and
// that of the answer allow; the others get an error.
std::optional<Json> reply_to(const Client& client, const Input& input);

// A result for a model to read: JSON without empty values, vectors and the version of its schema,
// numbers with four digits.
std::string short_text(const Json& result);

// --- over HTTP: by POST one message in and one reply out, and streams of notifications -----------

// Whether the message in a request may change the database, and so is the writer's. It is read here
// unless it is long: then the request counts as one that writes. Any thread.
bool may_write(Request& request);

// The response, or a stream, as long as which the session has to live. `tools`: those it lists.
// Throws api::Problem and std::bad_alloc.
Response answer_http(api::Session& session, Request& request, Sessions& sessions,
                     api::Tool tools = api::Tool::core);

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
