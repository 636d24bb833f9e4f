#include "serve/prepared.h"

#include <vector>

namespace hebb::serve {

std::shared_ptr<const Response> Prepared::find(const std::string& target, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto it = answers_.find(target);
  if (it == answers_.end()) return nullptr;
  ++it->second.asked;
  if (now_ms >= it->second.response->holds_until) return nullptr;
  return it->second.response;
}

void Prepared::keep(const std::string& target, std::int64_t position, const Response& response) {
  const std::lock_guard lock(mutex_);
  const bool room = answers_.size() < kMost || answers_.contains(target);
  if (position != position_ || target.size() > kLongestTarget || !room) return;
  if (response.body.size() > kLongestBody) return;
  answers_[target].response = std::make_shared<const Response>(response);
}

void Prepared::renew(std::int64_t position, const Make& make) {
  const std::lock_guard one_at_a_time(renewing_);
  if (position <= position_) return;
  std::vector<std::string> wanted;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [target, answer] : answers_) {
      if (answer.asked > 0) wanted.push_back(target);
    }
  }
  std::map<std::string, Answer> answers;
  for (const std::string& target : wanted) {
    Response response = make(target);
    if (response.status == 200 && response.body.size() <= kLongestBody)
      answers[target].response = std::make_shared<const Response>(std::move(response));
  }
  const std::lock_guard lock(mutex_);
  answers_ = std::move(answers);
  position_ = position;
}

}  // namespace hebb::serve
