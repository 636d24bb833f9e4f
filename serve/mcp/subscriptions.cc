#include "serve/mcp/subscriptions.h"

#include "api/common.h"
#include "api/problem.h"
#include "serve/mcp/answer.h"
#include "serve/mcp/resources.h"

namespace hebb::serve::mcp {

namespace {

constexpr std::size_t kMost = 1000;  // resources that are watched
constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";

Json notification(const char* method, const Json& listener, Json params) {
  if (!listener.is_null()) params["_meta"][kSubscriptionKey] = listener;
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

// The resource's text; empty if it does not exist now.
std::string text_of(api::Session& session, const std::string& uri) {
  try {
    return read_resource(session, uri).at("text").get<std::string>();
  } catch (const RpcError&) {
    return {};
  }
}

}  // namespace

void Subscriptions::watch(api::Session& session, const Json& listener, const std::string& uri) {
  forget(listener, &uri);
  if (watched_.size() >= kMost)
    throw RpcError(kInvalidParams, "no more than 1000 resources can be subscribed to");
  position_ = api::ledger_position(session);
  watched_.push_back({listener, uri, read_resource(session, uri).at("text")});
}

void Subscriptions::forget(const Json& listener, const std::string* uri) {
  std::erase_if(watched_, [&](const Watched& w) {
    return w.listener == listener && (!uri || w.uri == *uri);
  });
}

std::vector<Json> Subscriptions::listen(api::Session& session, const Json& message) {
  const Json& id = message["id"];
  const Json filter = message["params"].value("notifications", Json::object());
  if (!filter.is_object()) throw RpcError(kInvalidParams, "\"notifications\" has to be an object");
  Json agreed = Json::object();
  if (const auto uris = filter.find("resourceSubscriptions"); uris != filter.end()) {
    if (!uris->is_array()) throw RpcError(kInvalidParams, "\"resourceSubscriptions\" is a list");
    for (const Json& uri : *uris) watch(session, id, uri_of({{"uri", uri}}));
    agreed["resourceSubscriptions"] = *uris;
  }
  return {notification("notifications/subscriptions/acknowledged", id,
                       {{"notifications", std::move(agreed)}})};
}

bool Subscriptions::are_asked(const Json& message) {
  const Json method = message.value("method", Json());
  return modern_version(message)
             ? method == "subscriptions/listen"
             : method == "resources/subscribe" || method == "resources/unsubscribe";
}

std::optional<std::vector<Json>> Subscriptions::take(api::Session& session, const Json& message) {
  const std::lock_guard lock(mutex_);
  if (!message.is_object() || !message.contains("method")) return std::nullopt;
  const Json& method = message["method"];
  if (method == "notifications/cancelled") {
    const Json params = message.value("params", Json::object());
    if (params.is_object() && params.contains("requestId")) forget(params["requestId"], nullptr);
    return std::vector<Json>{};
  }
  const bool modern = modern_version(message).has_value();
  if (!are_asked(message) || !message.contains("id")) return std::nullopt;
  try {
    require_request(message);
    if (modern) return listen(session, message);
    const std::string uri = uri_of(message.value("params", Json::object()));
    if (method == "resources/subscribe") {
      watch(session, nullptr, uri);
    } else {
      forget(nullptr, &uri);
    }
    return std::vector<Json>{
        {{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", Json::object()}}};
  } catch (const RpcError& e) {
    const bool renamed = modern && e.code == kResourceNotFound;
    return std::vector<Json>{
        error_reply(message["id"], renamed ? RpcError(kInvalidParams, e.what(), e.data) : e)};
  } catch (...) {
    return std::vector<Json>{thrown_reply(message["id"], kInternalError)};
  }
}

std::vector<Json> Subscriptions::changes(api::Session& session) {
  const std::lock_guard lock(mutex_);
  std::vector<Json> out;
  if (watched_.empty()) return out;
  const auto position = api::ledger_position(session);
  if (position == position_) return out;
  // All are read before one counts as told: reading may throw.
  std::vector<std::string> texts;
  for (const Watched& watched : watched_) texts.push_back(text_of(session, watched.uri));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Watched& watched = watched_[i];
    if (texts[i] == watched.text) continue;
    watched.text = std::move(texts[i]);
    out.push_back(
        notification("notifications/resources/updated", watched.listener, {{"uri", watched.uri}}));
  }
  position_ = position;
  return out;
}

}  // namespace hebb::serve::mcp
