#include "capture/record/sse.h"

#include <charconv>
#include <utility>

namespace hebb::capture {

bool SseReader::feed(std::string_view piece) {
  while (!piece.empty()) {
    if (std::exchange(after_cr_, false) && piece.front() == '\n') {
      piece.remove_prefix(1);  // the \n of a \r\n split between two pieces
      continue;
    }
    const std::size_t end = piece.find_first_of("\r\n");
    line_ += piece.substr(0, end);
    too_long_ = line_.size() + event_.data.size() > bound_;
    if (too_long_) return false;
    if (end == std::string_view::npos) return true;
    after_cr_ = piece[end] == '\r';
    piece.remove_prefix(end + 1);
    if (!end_line()) return false;
  }
  return true;
}

bool SseReader::end_line() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view line = line_;
  if (std::exchange(first_line_, false) && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (line.empty()) {
    line_.clear();
    return end_event();
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    field(line, "");
  } else if (colon > 0) {  // a line that begins with a colon is a comment
    std::string_view value = line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    field(line.substr(0, colon), value);
  }
  line_.clear();
  return true;
}

void SseReader::field(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (std::exchange(has_data_, true)) event_.data += '\n';
    event_.data += value;
  } else if (name == "event") {
    event_.type = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) id_ = value;
  } else if (name == "retry") {
    std::int64_t ms = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ms);
    const bool whole = end == value.data() + value.size();
    if (error == std::errc() && whole && ms >= 0) retry_ms_ = ms;
  }
}

bool SseReader::end_event() {
  last_id_ = id_;
  Event event = std::exchange(event_, {});
  if (!std::exchange(has_data_, false) || event.data.empty()) return true;
  return sink_(std::move(event));
}

}  // namespace hebb::capture
