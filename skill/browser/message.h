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
  std::string method;              // for an event
  Json body;                       // params of an event, result of an answer
  std::string error;               // for an answer that refuses the command
};

// nullopt: the text is no message.
std::optional<Message> parse_message(std::string_view text);

// Assembles messages from pieces. Memory: one message of at most `limit` bytes. Of a longer message
// it returns only the id, so that the caller that waits for the answer gets an error.
class MessageReader {
 public:
  static constexpr std::size_t kBytes = std::size_t{32} << 20;
  explicit MessageReader(std::size_t limit = kBytes) : limit_(limit) {}

  // The messages that are now complete. Leaves out texts that are no messages.
  std::vector<Message> feed(std::string_view piece);

 private:
  const std::size_t limit_;
  std::string text_;
  bool skipping_ = false;
};

}  // namespace hebb::skill
