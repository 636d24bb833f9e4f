#include "api/room.h"

#include <fmt/format.h>

namespace hebb::api {

bool Room::fits_bytes(std::size_t bytes) {
  const bool fits = bytes <= left_;
  if (fits) left_ -= bytes;
  return fits;
}

void Room::fail() const { throw too_long(most_); }

std::function<void(std::size_t)> room_for_rows(const Session& session, std::size_t fields) {
  return [room = Room(session), fields](std::size_t bytes) mutable {
    room.take(fields);
    room.take_bytes(bytes);
  };
}

Problem too_long(std::size_t most_bytes) {
  return Problem(
      ProblemType::invalid_argument,
      fmt::format("the answer would have more than {} bytes; ask for less at a time", most_bytes));
}

}  // namespace hebb::api
