#include "capture/record/exchanges.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace hebb::capture {

Exchange::Exchange(Outgoing m)
    : message(std::move(m)), unanswered(message.requests), unsent(message.line.size()) {}

bool Exchange::all_cancelled() const {
  return std::all_of(unanswered.begin(), unanswered.end(),
                     [](const AskedRequest& request) { return request.cancelled; });
}

bool Exchange::awaited() const {
  return !asks() || (message.method != "subscriptions/listen" && !all_cancelled());
}

std::string Exchanges::add(const ExchangePtr& exchange, const BridgeLimits& limits) {
  std::size_t unsent = 0;
  for (const ExchangePtr& one : open_) unsent += one->unsent;
  if (unsent > 0 && unsent + exchange->unsent > limits.unsent_bytes) {
    return fmt::format("the server does not read: {} bytes wait to be sent already", unsent);
  }
  if (open_.size() >= limits.at_once) {
    const auto answered = std::find_if(open_.begin(), open_.end(), [](const ExchangePtr& one) {
      return one->asks() && one->unanswered.empty();
    });
    if (answered == open_.end()) {
      return fmt::format("{} messages wait for their answers already", open_.size());
    }
    (*answered)->call.stop();
    open_.erase(answered);
  }
  open_.push_back(exchange);
  return {};
}

bool Exchanges::cancel(const Outgoing& message) {
  for (const ExchangePtr& one : open_) {
    const auto meant =
        std::find_if(one->unanswered.begin(), one->unanswered.end(),
                     [&](const AskedRequest& request) { return request.key == message.cancels; });
    if (meant == one->unanswered.end()) continue;
    meant->cancelled = true;
    const bool stateless = one->message.stateless();
    if (!one->all_cancelled() || (one->unsent == 0 && !stateless)) continue;
    one->unanswered.clear();  // the client wants no answer
    one->call.stop();
    if (stateless) return true;
  }
  return message.stateless();
}

void Exchanges::stop_all() {
  for (const ExchangePtr& one : open_) one->call.stop();
}

std::vector<ExchangePtr> Exchanges::awaited() const {
  std::vector<ExchangePtr> found;
  std::copy_if(open_.begin(), open_.end(), std::back_inserter(found),
               [](const ExchangePtr& one) { return one->awaited(); });
  return found;
}

}  // namespace hebb::capture
