#include "capture/record/exchanges.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace hebb::capture {

Exchange::Exchange(ClientMessage m)
    : message(std::move(m)), unanswered(message.requests), unsent(message.line.size()) {}

bool Exchange::all_cancelled() const {
  return std::all_of(unanswered.begin(), unanswered.end(),
                     [](const ClientRequest& request) { return request.cancelled; });
}

bool Exchange::awaited() const {
  return !asks() || (message.method != "subscriptions/listen" && !all_cancelled());
}

ClientRequest* Exchange::next_unanswered() {
  const auto next = std::find_if(unanswered.begin(), unanswered.end(),
                                 [](const ClientRequest& request) { return !request.answering; });
  return next == unanswered.end() ? nullptr : &*next;
}

void Exchange::settle(const std::string& key, bool answered) {
  const auto meant = [&](const ClientRequest& request) { return request.key == key; };
  if (answered) std::erase_if(unanswered, meant);
  for (ClientRequest& request : unanswered) {
    if (meant(request)) request.answering = false;
  }
}

std::string Exchanges::add(const ExchangePtr& exchange, std::size_t at_once,
                           std::size_t unsent_bytes) {
  std::size_t unsent = 0;
  for (const ExchangePtr& one : open_) unsent += one->unsent;
  if (unsent > 0 && unsent + exchange->unsent > unsent_bytes) {
    return fmt::format("the server does not read: {} bytes wait to be sent already", unsent);
  }
  if (open_.size() >= at_once) {
    // The client may have read an answer before its delivery returns.
    const auto answered = std::find_if(open_.begin(), open_.end(), [](const ExchangePtr& one) {
      return one->asks() && one->next_unanswered() == nullptr;
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

bool Exchanges::cancel(const ClientMessage& notice) {
  for (const ExchangePtr& one : open_) {
    const auto meant =
        std::find_if(one->unanswered.begin(), one->unanswered.end(),
                     [&](const ClientRequest& request) { return request.key == notice.cancels; });
    if (meant == one->unanswered.end()) continue;
    meant->cancelled = true;
    const bool stateless = one->message.stateless();
    if (!one->all_cancelled() || (one->unsent == 0 && !stateless)) continue;
    one->unanswered.clear();  // the client wants no answer
    one->call.stop();
    if (stateless) return true;
  }
  return notice.stateless();
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

std::vector<ClientRequest> Exchanges::take_awaited() {
  std::vector<ClientRequest> taken;
  for (const ExchangePtr& one : awaited()) {
    while (ClientRequest* const next = one->next_unanswered()) {
      taken.push_back(*next);
      next->answering = true;
    }
  }
  return taken;
}

std::vector<Exchanges::Unanswered> Exchanges::unanswered(const std::vector<std::string>& keys) {
  std::vector<Unanswered> found;
  for (const ExchangePtr& one : open_) {
    for (ClientRequest& request : one->unanswered) {
      if (std::find(keys.begin(), keys.end(), request.key) == keys.end()) continue;
      found.push_back({&request, one->message.stateless()});
    }
  }
  return found;
}

}  // namespace hebb::capture
