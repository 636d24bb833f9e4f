#include "capture/record/mcp_scan.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "text/ascii.h"

namespace hebb::capture {
namespace {

constexpr int kNoField = -1;
constexpr std::size_t kKeyBytes = 64;       // longer than any known key (unescaped)
constexpr std::size_t kScalarBytes = 4096;  // no real client sends longer numbers

struct Path {
  int parent;
  std::string_view name;
  int field;
};
constexpr int at(Field field) { return static_cast<int>(field); }

// The paths as a tree: a row's index is its node; row 0 is the line itself.
constexpr std::array kPaths{
    Path{-1, "", kNoField},
    Path{0, "id", at(Field::id)},
    Path{0, "method", at(Field::method)},
    Path{0, "error", at(Field::error)},
    Path{3, "code", at(Field::error_code)},
    Path{3, "message", at(Field::error_message)},
    Path{0, "params", kNoField},
    Path{6, "name", at(Field::tool)},
    Path{6, "arguments", at(Field::arguments)},
    Path{6, "requestId", at(Field::request_id)},
    Path{6, "inputResponses", at(Field::responses)},
    Path{6, "requestState", at(Field::request_state)},
    Path{6, "_meta", kNoField},
    Path{12, "hebb/turn", at(Field::turn)},
    Path{12, "traceparent", at(Field::trace_parent)},
    Path{0, "result", at(Field::result)},
    Path{15, "isError", at(Field::is_error)},
    Path{15, "resultType", at(Field::result_type)},
    Path{15, "requestState", at(Field::result_state)},
    Path{15, "serverInfo", kNoField},
    Path{19, "name", at(Field::server_name)},
    Path{15, "_meta", kNoField},
    Path{21, "io.modelcontextprotocol/serverInfo", kNoField},
    Path{22, "name", at(Field::server_name_meta)},
    Path{6, "taskId", at(Field::task_id)},
    Path{15, "task", kNoField},
    Path{25, "taskId", at(Field::result_task)},
    Path{6, "task", at(Field::as_task)},
    Path{6, "status", at(Field::task_status)},
    Path{15, "taskId", at(Field::result_task_id)},
    Path{15, "status", at(Field::result_status)},
    Path{8, "sessionId", at(Field::session)},
    Path{8, "session_id", at(Field::session_snake)},
    Path{12, "sessionId", at(Field::meta_session)},
    Path{12, "session_id", at(Field::meta_session_snake)},
    Path{12, "io.modelcontextprotocol/protocolVersion", at(Field::protocol_meta)},
    Path{15, "protocolVersion", at(Field::protocol)},
    Path{6, "reason", at(Field::reason)},
    Path{6, "uri", at(Field::uri)},
};

int child(int node, std::string_view name) {
  if (node < 0) return -1;
  for (std::size_t i = 1; i < kPaths.size(); ++i) {
    if (kPaths[i].parent == node && kPaths[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool ends_scalar(char c) { return is_blank(c) || c == ',' || c == '}' || c == ']'; }

bool is_number(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - from;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const bool zero = i < text.size() && text[i] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

bool is_scalar(std::string_view text) {
  return text == "true" || text == "false" || text == "null" || is_number(text);
}

std::optional<std::string> unquote(std::string_view raw) {
  const auto value = nlohmann::json::parse(raw, nullptr, false);
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

}  // namespace

void LineScanner::feed(std::string_view piece) {
  piece_ = piece;
  for (Open& open : open_) open.from = 0;
  for (std::size_t i = 0; i < piece.size() && state_ != State::invalid; ++i) {
    if (state_ == State::string && !in_key_) i = skip_string(piece, i);
    if (i < piece.size()) step(piece[i], i);
  }
  if (state_ != State::invalid) {
    for (const Open& open : open_) append(open.field, piece.substr(open.from));
  }
}

bool LineScanner::finish() { return state_ == State::done; }

std::size_t LineScanner::kept_bytes() const {
  std::size_t bytes = 0;
  for (const CapturedValue& captured : captured_) bytes += captured.text.capacity();
  return bytes;
}

std::optional<std::string> LineScanner::string(Field field) const {
  const CapturedValue& captured = (*this)[field];
  if (!captured.present || !captured.whole()) return std::nullopt;
  return unquote(captured.text);
}

void LineScanner::step(char c, std::size_t at) {
  switch (state_) {
    case State::first_value:
      if (c == ']') return close(false, at + 1);
      [[fallthrough]];
    case State::value:
      if (!is_blank(c)) begin_value(c, at);
      return;
    case State::batch:
      if (is_blank(c)) return;
      gave_up_ = c == '{';
      state_ = State::invalid;
      return;
    case State::first_key:
      if (c == '}') return close(true, at + 1);
      [[fallthrough]];
    case State::key:
      if (is_blank(c)) return;
      key_.clear();
      in_key_ = true;
      state_ = c == '"' ? State::string : State::invalid;
      return;
    case State::colon:
      if (is_blank(c)) return;
      state_ = c == ':' ? State::value : State::invalid;
      return;
    case State::after_value:
      if (is_blank(c)) return;
      if (c == ',') {
        const Frame& frame = frames_.back();
        pending_ = -1;
        state_ = frame.object ? State::key : State::value;
      } else if (c == '}' || c == ']') {
        close(c == '}', at + 1);
      } else {
        state_ = State::invalid;
      }
      return;
    case State::string:
      if (c == '"') {
        if (in_key_) return end_key();
        return end_value(at + 1);
      }
      if (static_cast<unsigned char>(c) < 0x20) {
        state_ = State::invalid;
        return;
      }
      if (in_key_ && key_.size() < 6 * kKeyBytes) key_ += c;
      if (c == '\\') state_ = State::escape;
      return;
    case State::escape:
      if (in_key_ && key_.size() < 6 * kKeyBytes) key_ += c;
      hex_ = 4;
      state_ = c == 'u'                                                           ? State::unicode
               : std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos ? State::string
                                                                                  : State::invalid;
      return;
    case State::unicode:
      if (in_key_ && key_.size() < 6 * kKeyBytes) key_ += c;
      if (!is_hex_digit(c)) {
        state_ = State::invalid;
      } else if (--hex_ == 0) {
        state_ = State::string;
      }
      return;
    case State::scalar:
      if (ends_scalar(c)) {
        end_scalar(at);
        if (state_ != State::invalid) step(c, at);
      } else if (scalar_.size() < kScalarBytes) {
        scalar_ += c;
      } else {
        state_ = State::invalid;
      }
      return;
    case State::done:
      if (!is_blank(c)) state_ = State::invalid;
      return;
    case State::invalid:
      return;
  }
}

void LineScanner::begin_value(char c, std::size_t at) {
  if (frames_.empty() && c != '{') {  // a message is an object
    state_ = c == '[' ? State::batch : State::invalid;
    return;
  }
  if (pending_ >= 0 && kPaths[static_cast<std::size_t>(pending_)].field != kNoField) {
    const auto field = static_cast<Field>(kPaths[static_cast<std::size_t>(pending_)].field);
    captured_[static_cast<std::size_t>(field)] =
        CapturedValue{.present = true, .text = {}, .length = 0};
    open_.push_back({field, frames_.size(), at});
  }
  if (c == '{' || c == '[') {
    if (frames_.size() >= kDepth) {
      gave_up_ = true;
      state_ = State::invalid;
      return;
    }
    frames_.push_back({c == '{', c == '{' ? pending_ : -1});
    pending_ = -1;
    state_ = c == '{' ? State::first_key : State::first_value;
  } else if (c == '"') {
    in_key_ = false;
    state_ = State::string;
  } else {
    scalar_.assign(1, c);
    state_ = State::scalar;
  }
}

void LineScanner::end_value(std::size_t end) {
  while (!open_.empty() && open_.back().depth == frames_.size()) {
    append(open_.back().field, piece_.substr(open_.back().from, end - open_.back().from));
    open_.pop_back();
  }
  pending_ = -1;
  state_ = frames_.empty() ? State::done : State::after_value;
}

void LineScanner::end_key() {
  if (key_.find('\\') != std::string::npos) key_ = unquote('"' + key_ + '"').value_or("");
  in_key_ = false;
  pending_ = child(frames_.back().node, key_);
  state_ = State::colon;
}

void LineScanner::end_scalar(std::size_t end) {
  if (is_scalar(scalar_)) {
    end_value(end);
  } else {
    state_ = State::invalid;
  }
}

void LineScanner::close(bool object, std::size_t end) {
  if (frames_.empty() || frames_.back().object != object) {
    state_ = State::invalid;
    return;
  }
  frames_.pop_back();
  end_value(end);
}

// Most bytes of a huge line are in one string, so this loop takes most of the time.
std::size_t LineScanner::skip_string(std::string_view piece, std::size_t at) {
  while (at < piece.size()) {
    const auto c = static_cast<unsigned char>(piece[at]);
    if (c == '"' || c == '\\' || c < 0x20) break;
    ++at;
  }
  return at;
}

void LineScanner::append(Field field, std::string_view bytes) {
  CapturedValue& captured = captured_[static_cast<std::size_t>(field)];
  captured.length += bytes.size();
  const std::size_t room = keep_ - std::min(keep_, captured.text.size());
  captured.text.append(bytes.substr(0, std::min(room, bytes.size())));
}

}  // namespace hebb::capture
