// Responses to requests that come again and again. They are made once after each change of the
// database rather than at each request.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "serve/message.h"

namespace hebb::serve {

// May be used by several threads.
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
  // Makes all responses that were asked for since the last call anew, then moves to the position.
  // Does nothing unless the position is after the current one.
  void renew(std::int64_t position, const Make& make);

  // The ledger's position that the responses are of; it only grows.
  std::int64_t position() const { return position_; }

 private:
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kLongestTarget = 512;

  struct Answer {
    std::shared_ptr<const Response> response;
    std::uint64_t asked = 0;  // how often since it was made
  };

  std::mutex renewing_;
  std::mutex mutex_;  // of answers_
  std::map<std::string, Answer> answers_;
  std::atomic<std::int64_t> position_ = 0;
};

}  // namespace hebb::serve
