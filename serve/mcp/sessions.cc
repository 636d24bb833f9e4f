#include "serve/mcp/sessions.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/random.h>

namespace hebb::serve::mcp {

namespace {

std::string random_id() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the system gives no random numbers");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace

std::string Sessions::begin() {
  std::string id = random_id();
  const std::lock_guard lock(mutex_);
  if (ids_.size() >= kMost) {  // forget the oldest that has no stream
    const auto idle = std::find_if(ids_.begin(), ids_.end(),
                                   [&](const auto& one) { return all_[one].use_count() <= 1; });
    if (idle == ids_.end()) throw std::runtime_error("too many sessions have a stream");
    all_.erase(*idle);
    ids_.erase(idle);
  }
  all_[id] = std::make_shared<Subscriptions>();
  ids_.push_back(id);
  return id;
}

std::shared_ptr<Subscriptions> Sessions::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto it = all_.find(id);
  return it == all_.end() ? nullptr : it->second;
}

bool Sessions::end(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto it = all_.find(id);
  if (it == all_.end() || !it->second) return false;
  it->second = nullptr;
  return true;
}

bool Sessions::ended(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto it = all_.find(id);
  return it != all_.end() && !it->second;
}

}  // namespace hebb::serve::mcp
