// Reads one JSON-RPC line of any length, in pieces and in bounded memory, and stores the values at
// the few paths needed to recognise and record tool calls.
//
// A line is not parsed into a tree: a result may be hundreds of megabytes, its `isError` comes
// after all of it, and the official clients write `id` last. It is strict about JSON's grammar (a
// line that a server would refuse must not look like a call) with two exceptions: bytes in strings
// need not be UTF-8, and escaped surrogates need not pair. O(length); memory: kept bytes plus one
// small frame per level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::capture {

enum class Field : std::uint8_t {
  id,
  method,
  error,
  error_code,
  error_message,
  tool,           // params.name
  arguments,      // params.arguments
  request_id,     // params.requestId, of notifications/cancelled
  reason,         // params.reason, of notifications/cancelled
  responses,      // params.inputResponses
  request_state,  // params.requestState
  turn,           // params._meta["hebb/turn"]
  trace_parent,   // params._meta.traceparent
  result,
  is_error,          // result.isError
  result_type,       // result.resultType
  result_state,      // result.requestState
  server_name,       // result.serverInfo.name
  server_name_meta,  // result._meta["io.modelcontextprotocol/serverInfo"].name
  as_task,           // params.task
  task_id,           // params.taskId
  task_status,       // params.status, of notifications/tasks/status
  result_task,       // result.task.taskId
  result_task_id,    // result.taskId, of tasks/get and tasks/cancel
  result_status,     // result.status
  // A call's session: params.arguments.sessionId, .session_id, params._meta.sessionId, .session_id
  session,
  session_snake,
  meta_session,
  meta_session_snake,
  protocol_meta,  // params._meta["io.modelcontextprotocol/protocolVersion"]
  protocol,       // result.protocolVersion, of initialize
  uri,            // params.uri
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Field::uri) + 1;

struct CapturedValue {
  bool present = false;
  std::string text;        // raw JSON, at most the scanner's bound
  std::size_t length = 0;  // of the whole value
  bool has_value() const { return present && text != "null"; }
  bool whole() const { return text.size() == length; }
};

class LineScanner {
 public:
  static constexpr std::size_t kDepth = 512;  // deeper lines are not read

  explicit LineScanner(std::size_t keep_bytes) : keep_(keep_bytes) {}

  void feed(std::string_view piece);
  bool finish();  // true: the line is one JSON object and nothing else; then the fields are valid
  // Whether the line may be a message that was not read: nested too deep, or a batch.
  bool gave_up() const { return gave_up_; }

  std::size_t kept_bytes() const;  // of all stored values

  const CapturedValue& operator[](Field field) const {
    return captured_[static_cast<std::size_t>(field)];
  }
  // The value as a string without escapes; nullopt if it is absent, not a string, or cut.
  std::optional<std::string> string(Field field) const;

 private:
  enum class State : std::uint8_t {
    value,        // expecting a value
    first_value,  // a value or ]
    batch,        // after the [ at the beginning of a line
    first_key,    // a key or }
    key,          // a key
    colon,
    after_value,  // , or the end of the container
    string,
    escape,
    unicode,
    scalar,  // number, true, false, null
    done,
    invalid,
  };
  struct Frame {
    bool object = false;
    int node = -1;  // row of the table of paths; -1: nothing below is stored
  };
  struct Open {  // a value being captured
    Field field;
    std::size_t depth;
    std::size_t from;  // in the current piece
  };

  void step(char c, std::size_t at);
  void begin_value(char c, std::size_t at);
  void end_value(std::size_t end);
  void end_key();
  void end_scalar(std::size_t end);
  void close(bool object, std::size_t end);
  std::size_t skip_string(std::string_view piece, std::size_t at);
  void append(Field field, std::string_view bytes);

  std::size_t keep_;
  State state_ = State::value;
  bool in_key_ = false;
  bool gave_up_ = false;
  int hex_ = 0;      // remaining digits of \u
  int pending_ = 0;  // path of the next value
  std::string key_;
  std::string scalar_;
  std::vector<Frame> frames_;
  std::vector<Open> open_;
  std::string_view piece_;
  std::array<CapturedValue, kFieldCount> captured_;
};

}  // namespace hebb::capture
