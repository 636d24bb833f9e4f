// The bytes of an input: a text, or what comes from a file or a pipe a piece at a time.
//
// A reader looks at the bytes ahead(), asks for more() if they are not enough, and skips those it
// is done with. So an input of any length needs only the memory of the longest part that a reader
// looks at as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/values/canonical_json.h"

namespace hebb {

// The input as a whole is not of its format, or is longer than allowed (exit 65).
class UnreadableInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// No item of the input has a field that the format requires; perhaps it has another format.
class LacksField : public UnreadableInput {
 public:
  using UnreadableInput::UnreadableInput;
};

class Input {
 public:
  // Bytes into `to`, at most `room`; 0: the end. May throw.
  using Read = std::function<std::size_t(char* to, std::size_t room)>;

  explicit Input(std::string_view text);  // which must outlive it
  Input(Read read, std::uint64_t most);   // more() throws UnreadableInput beyond `most` bytes
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::string_view ahead() const;  // until the next more() or skip()
  bool more();                     // adds to ahead(); false: there is no more
  // Adds until more than so many bytes are ahead, or to the end; true: all that is left is ahead.
  bool all_within(std::size_t bytes);
  void skip(std::size_t bytes);  // of ahead()
  // So many bytes are there in all. Throws what more() would, if that is too long.
  void expect(std::uint64_t bytes);
  double share() const;  // of these, how much was read so far; 1: how many there are is not known

  // All that is left. Throws UnreadableInput where it has more than `most` bytes.
  std::string_view rest(std::size_t most);

  std::uint64_t bytes() const { return bytes_; }  // read so far
  std::string hash() const;                       // content_hash() of them

 private:
  void require_within(std::uint64_t bytes) const;

  Read read_;  // empty: the whole input is in text_
  std::uint64_t most_, expected_ = 0;
  std::uint64_t bytes_ = 0;
  std::string_view text_;  // without read_: the bytes ahead
  std::string buffer_;     // with read_: bytes from begin_ to end_ are ahead
  std::size_t begin_ = 0, end_ = 0;
  ContentHash hash_;
};

std::string size_text(std::uint64_t bytes);  // "1 GiB", "64 KiB", "1000001 bytes"

}  // namespace hebb
