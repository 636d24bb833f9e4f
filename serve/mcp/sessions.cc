#include "serve/mcp/sessions.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/random.h>

#include "api/digest.h"
#include "api/problem.h"
#include "serve/guard.h"

namespace hebb::serve::mcp {

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
  return api::digest(secret + text);
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
