#include "engine/input/bytes.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace hebb {

namespace {

constexpr std::size_t kPieceBytes = 256 << 10;

}  // namespace

Input::Input(std::string_view text) : most_(text.size()), bytes_(text.size()), text_(text) {
  hash_.add(text);
}

Input::Input(Read read, std::uint64_t most) : read_(std::move(read)), most_(most) {}

std::string_view Input::ahead() const {
  return read_ ? std::string_view(buffer_).substr(begin_, end_ - begin_) : text_;
}

bool Input::more() {
  if (!read_) return false;
  if (begin_ >= end_ - begin_) {  // at least half has been read: move the rest to the front
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < kPieceBytes) {
    buffer_.resize(std::max(2 * buffer_.size(), end_ + kPieceBytes));
  }
  const std::size_t got = read_(buffer_.data() + end_, kPieceBytes);
  if (got == 0) return false;
  hash_.add(std::string_view(buffer_).substr(end_, got));
  end_ += got;
  bytes_ += got;
  require_within(bytes_);
  return true;
}

void Input::expect(std::uint64_t bytes) {
  require_within(bytes);
  expected_ = bytes;
}

void Input::require_within(std::uint64_t bytes) const {
  if (bytes <= most_) return;
  throw UnreadableInput(
      fmt::format("this is longer than {}; --max-size allows more", size_text(most_)));
}

double Input::share() const {
  return expected_ > bytes_ ? static_cast<double>(bytes_) / static_cast<double>(expected_) : 1;
}

void Input::skip(std::size_t bytes) {
  if (read_) {
    begin_ += bytes;
  } else {
    text_.remove_prefix(bytes);
  }
}

bool Input::all_within(std::size_t bytes) {
  while (ahead().size() <= bytes) {
    if (!more()) return true;
  }
  return false;
}

std::string_view Input::rest(std::size_t most) {
  if (!all_within(most)) {
    throw UnreadableInput(fmt::format(
        "this is longer than {}, which is the most that is read as a whole (an array, a "
        "report); give fewer items at a time, or one object a line",
        size_text(most)));
  }
  return ahead();
}

std::string Input::hash() const { return hash_.hex(); }

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits{"bytes", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

}  // namespace hebb
