// The room that an answer has. An operation takes from it with each row that it adds, so that no
// answer is held that is longer than what its door sends.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "api/problem.h"
#include "api/session.h"

namespace hebb::api {

class Room {
 public:
  explicit Room(const Session& session) : most_(session.longest_answer()), left_(most_) {}

  // Takes what a row of so many fields with these texts needs; false: it has no room.
  template <class... Text>
  bool fits(std::size_t fields, const Text&... texts) {
    return fits_bytes(fields * kFieldBytes +
                      (std::size_t{0} + ... + std::string_view(texts).size()));
  }
  // The same; throws too_long() if it has no room.
  template <class... Text>
  void take(std::size_t fields, const Text&... texts) {
    if (!fits(fields, texts...)) fail();
  }
  void take_bytes(std::size_t bytes) {
    if (!fits_bytes(bytes)) fail();
  }

 private:
  static constexpr std::size_t kFieldBytes = 16;  // of JSON, for a name and a short value, at least

  bool fits_bytes(std::size_t bytes);
  [[noreturn]] void fail() const;

  std::size_t most_, left_;
};

// Takes the room for rows of so many fields, whose texts have the bytes that it is told.
std::function<void(std::size_t)> room_for_rows(const Session& session, std::size_t fields = 10);
// invalid_argument: the answer would have more bytes than that.
Problem too_long(std::size_t most_bytes);

}  // namespace hebb::api
