#include "serve/mcp/subscriptions.h"

#include <utility>

#include <fmt/format.h>

#include "serve/mcp/methods.h"

namespace hebb::serve::mcp {

namespace {

constexpr std::size_t kMost = 1000;           // resources that are watched
constexpr std::int64_t kMostEvents = 10'000;  // events that are read one by one
constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";

Json notification(const char* method, const Json& listener, Json params) {
  if (!listener.is_null()) params["_meta"][kSubscriptionKey] = listener;
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

// The nodes whose fields an event changes; false: any may.
bool add_changed(const Ledger& ledger, const Event& e, std::set<std::string>& ids) {
  if (const auto* undo = std::get_if<Undo>(&e.payload)) {
    auto position = undo->event;
    do {
      const auto undone = undo->damage.empty() ? ledger.event(position) : std::nullopt;
      if (!undone || position >= e.position || !add_changed(ledger, *undone, ids)) return false;
    } while (++position <= undo->last);
    return true;
  }
  if (const auto* forget = std::get_if<Forget>(&e.payload))
    ids.insert(forget->nodes.begin(), forget->nodes.end());
  if (changes_subject(e.payload) || is_claim(e.payload)) ids.insert(e.subject);
  return true;
}

}  // namespace

void Subscriptions::look(api::Session& session) {
  const Ledger& ledger = session.engine(api::Access::read).ledger();
  const auto last = ledger.last_position();
  if (last == position_) return;
  std::set<std::string> changed;
  bool all = last < position_ || last - position_ > kMostEvents;
  if (!watches_.empty() && !all) {
    ledger.events_after(position_, [&](Event&& e) {
      all = all || (e.position <= last && !add_changed(ledger, e, changed));
    });
  }
  if (watches_.contains(kRankResource)) {
    std::string rank = read_resource(session, std::string(kRankUri)).at("text");
    if (rank != rank_) changed.emplace(kRankResource);
    rank_ = std::move(rank);
  }
  for (const auto& [resource, watch] : watches_)
    if (all || changed.contains(resource)) changed_.insert(resource);
  position_ = last;
}

void Subscriptions::watch(api::Session& session, const Json& listener, const std::string& uri) {
  const std::string resource = resource_of(uri);
  look(session);  // earlier events are no change for this listener
  const Json text = read_resource(session, uri).at("text");
  const bool is_watched = watches_.contains(resource);
  std::erase_if(watches_, [&](const auto& entry) {
    return entry.first == resource && entry.second.listener == listener;
  });
  if (watches_.size() >= kMost)
    throw RpcError(kInvalidParams,
                   fmt::format("no more than {} resources can be subscribed to", kMost));
  if (resource == kRankResource && !is_watched) rank_ = text.get<std::string>();
  watches_.emplace(resource, Watch{uri, listener});
}

void Subscriptions::subscribe(api::Session& session, const std::string& uri) {
  watch(session, nullptr, uri);
}

void Subscriptions::unsubscribe(const std::string& uri) {
  std::erase_if(watches_, [resource = resource_of(uri)](const auto& entry) {
    return entry.first == resource && entry.second.listener.is_null();
  });
}

Json Subscriptions::listen(api::Session& session, const Json& id, const Json& params) {
  const Json filter = params.value("notifications", Json::object());
  if (!filter.is_object()) throw RpcError(kInvalidParams, "\"notifications\" has to be an object");
  Json agreed = Json::object();
  if (const auto uris = filter.find("resourceSubscriptions"); uris != filter.end()) {
    if (!uris->is_array()) throw RpcError(kInvalidParams, "\"resourceSubscriptions\" is a list");
    for (const Json& uri : *uris) watch(session, id, uri_of({{"uri", uri}}));
    agreed["resourceSubscriptions"] = *uris;
  }
  return notification("notifications/subscriptions/acknowledged", id,
                      {{"notifications", std::move(agreed)}});
}

void Subscriptions::cancel(const Json& id) {
  std::erase_if(watches_, [&](const auto& entry) { return entry.second.listener == id; });
}

std::vector<Json> Subscriptions::changes(api::Session& session) {
  std::vector<Json> out;
  if (watches_.empty()) return out;
  look(session);
  for (const std::string& resource : std::exchange(changed_, {})) {
    const auto [begin, end] = watches_.equal_range(resource);
    for (auto it = begin; it != end; ++it) {
      out.push_back(notification("notifications/resources/updated", it->second.listener,
                                 {{"uri", it->second.uri}}));
    }
  }
  return out;
}

}  // namespace hebb::serve::mcp
