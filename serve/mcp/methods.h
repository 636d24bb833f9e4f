// The methods and the tools of the Model Context Protocol, in tables, and a server's reply to a
// message. No state is kept between messages but subscriptions, so the same serves a pipe and HTTP.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/session.h"
#include "serve/mcp/message.h"

namespace hebb::serve::mcp {

class Subscriptions;

// Who sent a message.
struct Client {
  api::Session& session;
  Subscriptions* subscriptions = nullptr;  // where changes are told; null: nowhere
  // Sessions of this kind may open pages, if their owner allows it: skills can be replayed.
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

}  // namespace hebb::serve::mcp
