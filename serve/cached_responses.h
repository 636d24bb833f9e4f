// Cached responses: to frequent requests, and to repeated requests that must have one effect.
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

#include "serve/message.h"

namespace hebb::serve {

// Responses that are made once after each change of the database rather than for each request. For
// several threads.
class CachedResponses {
 public:
  static constexpr std::size_t kLongestBody = 1 << 20;  // bytes; longer responses are not stored

  // Makes the response for a target.
  using Make = std::function<Response(const std::string& target)>;

  // The response for a target; null if there is none.
  std::shared_ptr<const Response> find(const std::string& target, std::int64_t now_ms);
  // Stores a response that was made at a position, if that is the current one and there is room.
  // The response is valid until its holds_until.
  void store(const std::string& target, std::int64_t position, const Response& response);
  // Makes the responses anew that were requested within the last kRenewals calls, then moves to the
  // position. Does nothing unless the position is after the current one.
  void renew(std::int64_t position, const Make& make);

  void drop();  // drops all: the next requests then report the error that prevents new ones

  // The ledger's position of the responses; it only grows.
  std::int64_t position() const { return position_; }

 private:
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kLongestTarget = 512;
  static constexpr int kRenewals = 16;  // enough for a request each second

  struct Entry {
    std::shared_ptr<const Response> response;
    int renewals = 0;  // since the last request for it
  };

  std::mutex renewing_;
  std::mutex mutex_;  // guards entries_
  std::map<std::string, Entry> entries_;
  std::atomic<std::int64_t> position_ = 0;
};

// Throws Problem for an invalid Idempotency-Key.
void require_key(const std::string& key);

// A digest of a request's method, target and body. Throws Problem if the file with the body cannot
// be read.
std::string digest_of(const Request& request);

// The responses to the last requests with a key.
class KeyedResponses {
 public:
  // The response to the request with that digest, or a refusal if the key came with another
  // request; nullopt: the key is new, or forgotten.
  std::optional<Response> find(const std::string& key, const std::string& digest) const;
  void store(const std::string& key, const std::string& digest, const Response& response);
  bool has(const std::string& key) const { return by_key_.contains(key); }
  void forget(const std::string& key);  // after a failed commit

 private:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostBytes = 16 << 20;  // of all responses

  struct Keyed {
    std::string digest;
    Response response;
  };
  std::map<std::string, Keyed> by_key_;
  std::deque<std::string> keys_;  // the oldest first
  std::size_t bytes_ = 0;         // of the responses
};

}  // namespace hebb::serve
