// Responses that are kept: to requests that come again and again, and to those that are sent again
// and count once.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "serve/message.h"

namespace hebb::serve {

// Responses that are made once after each change of the database rather than at each request. May
// be used by several threads.
class Prepared {
 public:
  static constexpr std::size_t kLongestBody = 1 << 20;  // bytes; longer responses are not kept

  // Makes the response for a target.
  using Make = std::function<Response(const std::string& target)>;

  // The response for a target; null if there is none.
  std::shared_ptr<const Response> find(const std::string& target, std::int64_t now_ms);
  // Keeps a response that was made at a position, if that is the current one and there is room.
  // It holds until the time that it names.
  void keep(const std::string& target, std::int64_t position, const Response& response);
  // Makes all responses anew that were asked for within the last kRenewals calls, then moves to the
  // position.
  // Does nothing unless the position is after the current one.
  void renew(std::int64_t position, const Make& make);

  void drop();  // those that there are: requests are to get what keeps others from being made

  // The ledger's position that the responses are of; it only grows.
  std::int64_t position() const { return position_; }

 private:
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kLongestTarget = 512;
  static constexpr int kRenewals = 16;  // of some a second: whoever asks each second finds it

  struct Answer {
    std::shared_ptr<const Response> response;
    int renewals = 0;  // since it was last asked for
  };

  std::mutex renewing_;
  std::mutex mutex_;  // of answers_
  std::map<std::string, Answer> answers_;
  std::atomic<std::int64_t> position_ = 0;
};

// Throws Problem for an Idempotency-Key that cannot be one.
void require_key(const std::string& key);

// The method, the target and the body of a request, in a few bytes. Throws Problem if the file with
// the body cannot be read.
std::string digest_of(const Request& request);

// The responses to the last requests with a key.
class KeyedResponses {
 public:
  // The response to the request of that digest, or a refusal if the key came with another one;
  // nullopt: the key is new, or forgotten.
  std::optional<Response> find(const std::string& key, const std::string& digest) const;
  void keep(const std::string& key, const std::string& digest, const Response& response);
  bool has(const std::string& key) const { return done_.contains(key); }
  void forget(const std::string& key);  // it was not done after all

 private:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostBytes = 16 << 20;  // of all of them

  struct Done {
    std::string digest;
    Response response;
  };
  std::map<std::string, Done> done_;  // by key
  std::deque<std::string> keys_;      // the oldest first
  std::size_t bytes_ = 0;             // of the responses
};

}  // namespace hebb::serve
