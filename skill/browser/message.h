// Messages of the Chrome DevTools Protocol as they come through a pipe: JSON, each ended by a NUL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skill/artifact/fields.h"

namespace hebb::skill {

struct Message {
  std::optional<std::int64_t> id;  // of the command that it answers
  std::string session;             // empty: the browser itself
  std::string method;              // of an event
  Json body;                       // params of an event, result of an answer
  std::string error;               // of a command that was refused
  bool too_long = false;           // left out: it was longer than can be taken
};

// nullopt: no message, whatever it is.
std::optional<Message> parse_message(std::string_view text);

// Puts pieces together. Memory: one message of at most `limit` bytes; of a longer one only the id
// is told, so that who waits for the answer hears of it.
class MessageReader {
 public:
  static constexpr std::size_t kBytes = std::size_t{32} << 20;
  explicit MessageReader(std::size_t limit = kBytes) : limit_(limit) {}

  // The messages that are complete now. What is none is left out.
  std::vector<Message> feed(std::string_view piece);

 private:
  const std::size_t limit_;
  std::string text_;
  bool skipping_ = false;
};

}  // namespace hebb::skill
