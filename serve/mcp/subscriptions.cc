#include "serve/mcp/subscriptions.h"

#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <sys/random.h>

#include "api/problem.h"
#include "api/values.h"
#include "serve/guard.h"
#include "serve/mcp/methods.h"

namespace hebb::serve::mcp {

namespace {

constexpr std::size_t kMost = 1000;           // resources that a client watches
constexpr std::size_t kMostOfAll = 100'000;   // that all clients watch
constexpr std::int64_t kMostEvents = 10'000;  // that are looked at one by one
constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";

Json notification(const char* method, const Json& listener, Json params) {
  if (!listener.is_null()) params["_meta"][kSubscriptionKey] = listener;
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

// The nodes whose fields an event changes; false: that cannot be told.
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

void Watched::look(api::Session& session) {
  const Ledger& ledger = session.engine(api::Access::read).ledger();
  const auto last = ledger.last_position();
  if (last == position_) return;
  std::set<std::string> changed;
  bool all = last < position_ || last - position_ > kMostEvents;
  if (!by_resource_.empty() && !all) {
    ledger.events_after(position_, [&](Event&& e) {
      all = all || (e.position <= last && !add_changed(ledger, e, changed));
    });
  }
  if (by_resource_.contains(kRankResource)) {
    std::string rank = read_resource(session, std::string(kRankUri)).at("text");
    if (rank != rank_) changed.emplace(kRankResource);
    rank_ = std::move(rank);
  }
  const auto tell = [&](const auto& entry) {
    for (Subscriptions* one : entry.second) one->changed_.insert(entry.first);
  };
  if (all) {
    for (const auto& entry : by_resource_) tell(entry);
  } else {
    for (const std::string& resource : changed) {
      if (const auto it = by_resource_.find(resource); it != by_resource_.end()) tell(*it);
    }
  }
  position_ = last;
}

void Watched::leave(const std::string& resource, Subscriptions* one) {
  const auto it = by_resource_.find(resource);
  if (it == by_resource_.end()) return;  // it has left, where two of its listeners were told
  it->second.erase(one);
  if (it->second.empty()) by_resource_.erase(it);
}

Subscriptions::~Subscriptions() {
  const std::lock_guard lock(all_->mutex_);
  all_->count_ -= watches_.size();
  for (const auto& [resource, watch] : watches_) all_->leave(resource, this);
}

void Subscriptions::watch(api::Session& session, const Json& listener, const std::string& uri) {
  const std::string resource = resource_of(uri);
  all_->look(session);  // what was before is no change to this one
  Json text = read_resource(session, uri).at("text");
  forget(listener, &resource);
  if (watches_.size() >= kMost)
    throw RpcError(kInvalidParams, "no more than 1000 resources can be subscribed to");
  if (all_->count_ >= kMostOfAll) {
    throw RpcError(kInvalidParams,
                   "the clients of this server have subscribed to as much as they can");
  }
  watches_.emplace(resource, Watch{uri, listener});
  ++all_->count_;
  auto& watchers = all_->by_resource_[resource];
  if (resource == kRankResource && watchers.empty()) all_->rank_ = text.get<std::string>();
  watchers.insert(this);
}

// resource: nullptr for all of the listener's.
void Subscriptions::forget(const Json& listener, const std::string* resource) {
  auto it = resource ? watches_.lower_bound(*resource) : watches_.begin();
  const auto end = resource ? watches_.upper_bound(*resource) : watches_.end();
  while (it != end) {
    if (it->second.listener != listener) {
      ++it;
      continue;
    }
    const std::string forgotten = it->first;
    it = watches_.erase(it);
    --all_->count_;
    if (watches_.contains(forgotten)) continue;
    changed_.erase(forgotten);
    all_->leave(forgotten, this);
  }
}

void Subscriptions::subscribe(api::Session& session, const std::string& uri) {
  const std::lock_guard lock(all_->mutex_);
  watch(session, nullptr, uri);
}

void Subscriptions::unsubscribe(const std::string& uri) {
  const std::lock_guard lock(all_->mutex_);
  const std::string resource = resource_of(uri);
  forget(nullptr, &resource);
}

Json Subscriptions::listen(api::Session& session, const Json& id, const Json& params) {
  const std::lock_guard lock(all_->mutex_);
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
  const std::lock_guard lock(all_->mutex_);
  forget(id, nullptr);
}

std::vector<Json> Subscriptions::changes(api::Session& session) {
  const std::lock_guard lock(all_->mutex_);
  std::vector<Json> out;
  if (watches_.empty()) return out;
  all_->look(session);
  for (const std::string& resource : changed_) {
    const auto [begin, end] = watches_.equal_range(resource);
    for (auto it = begin; it != end; ++it) {
      out.push_back(notification("notifications/resources/updated", it->second.listener,
                                 {{"uri", it->second.uri}}));
    }
  }
  changed_.clear();
  return out;
}

// --- sessions ------------------------------------------------------------------------------------

namespace {

constexpr auto kKept = std::chrono::hours(1);
constexpr std::size_t kDigits = 32;  // of the random part of an id, and of its signature

std::string random_digits() {
  std::array<unsigned char, kDigits / 2> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the system gives no random numbers");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

// It shows that an id was given out here, no more: who may ask at all is decided before.
std::string signature(const std::string& secret, const std::string& text) {
  return content_hash(secret + text);
}

}  // namespace

Sessions::Sessions() : secret_(random_digits()) {}

std::string Sessions::begin() const {
  std::string id = random_digits();
  return id + signature(secret_, id);
}

bool Sessions::is_ours(const std::string& id) const {
  return id.size() == 2 * kDigits &&
         same_secret(signature(secret_, id.substr(0, kDigits)), id.substr(kDigits));
}

// Those without a stream that have no subscription, or were not heard of for a while.
void Sessions::forget_unused() {
  const auto long_ago = std::chrono::steady_clock::now() - kKept;
  std::erase_if(used_, [&](const auto& entry) {
    const auto& [subscriptions, last] = entry.second;
    return subscriptions.use_count() == 1 && (subscriptions->empty() || last < long_ago);
  });
}

std::shared_ptr<Subscriptions> Sessions::find(const std::string& id) {
  if (!is_ours(id)) return nullptr;
  const std::lock_guard lock(mutex_);
  if (ended_.contains(id)) return nullptr;
  const auto now = std::chrono::steady_clock::now();
  if (const auto it = used_.find(id); it != used_.end()) {
    it->second.last = now;
    return it->second.subscriptions;
  }
  if (used_.size() >= kMost) forget_unused();
  if (used_.size() >= kMost) {
    throw api::Problem(api::ProblemType::busy,
                       fmt::format("{} sessions have subscriptions, which is the most", kMost));
  }
  auto subscriptions = std::make_shared<Subscriptions>(watched_);
  used_[id] = {subscriptions, now};
  return subscriptions;
}

bool Sessions::end(const std::string& id) {
  if (!is_ours(id)) return false;
  const std::lock_guard lock(mutex_);
  if (!ended_.insert(id).second) return false;
  ended_in_order_.push_back(id);
  if (ended_in_order_.size() > kMostEnded) {
    ended_.erase(ended_in_order_.front());
    ended_in_order_.pop_front();
  }
  if (const auto it = used_.find(id); it != used_.end()) {
    it->second.subscriptions->end();  // and its stream
    used_.erase(it);
  }
  return true;
}

bool Sessions::ended(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return ended_.contains(id);
}

}  // namespace hebb::serve::mcp
