// An MCP server on two pipes: one message per line, until the client closes its end.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "api/session.h"
#include "serve/mcp/message.h"
#include "serve/mcp/subscriptions.h"

namespace hebb::serve::mcp {

struct StdioOptions {
  int in = 0;    // the file descriptor to read from
  int out = -1;  // the descriptor of `write`, watched for a reader that is gone; -1: not watched
  // Writes a line, which ends in a newline; false: the client reads no more.
  std::function<bool(std::string_view line)> write;
  api::Tool tools = api::Tool::core;    // the tools that it lists
  std::size_t longest_line = 16 << 20;  // bytes; a longer one is refused and skipped
  int look_every_ms = 500;              // how often to look for changes of subscribed resources
};

struct Line {
  enum class Is : std::uint8_t { text, too_long, none_yet, end };
  Is is = Is::none_yet;
  std::string text = {};
  std::optional<Message> message = {};  // if it was parsed already
};

// Lines from a file descriptor.
class Lines {
 public:
  Lines(int fd, std::size_t longest) : fd_(fd), longest_(longest) {}

  // Waits for the next line, at most timeout_ms (-1: for ever).
  Line next(int timeout_ms);
  // Passes the lines that have arrived to `take`, without waiting; queues the lines for which it
  // returns false, for next(). Reads no more while the queue has as many bytes as the longest line.
  void look(const std::function<bool(Line& line)>& take);
  bool has_queued() const { return !queue_.empty(); }
  // Drops the line that is being read, for which there is no memory.
  void drop();

 private:
  Line complete();             // takes a line out of the buffer
  Line::Is fill(int timeout);  // text: there may be more in the buffer

  int fd_;
  std::size_t longest_;
  std::string buffer_;
  std::size_t searched_ = 0;
  bool skipping_ = false;
  std::deque<Line> queue_;
  std::size_t queued_bytes_ = 0;
};

class Stdio {
 public:
  explicit Stdio(StdioOptions options);

  // Answers one message after the other. Returns when the client has closed its end, or reads no
  // more.
  void serve(api::Session& session);

  // For long work within serve(): whether the client has cancelled the current request, or is gone.
  // Also answers pings.
  bool cancelled();

 private:
  // Handles one line, or sends notifications of changes. False: the client is gone.
  bool step();
  std::optional<Json> reply_to_line(Line& line);
  bool take_meanwhile(Line& line);
  bool send(const Json& message);
  bool send_changes();

  StdioOptions options_;
  Lines lines_;
  api::Session* session_ = nullptr;  // set by serve()
  Subscriptions subscriptions_;
  Json working_on_;       // the id of the current request; null: none
  bool reading_ = false;  // a line
  // Ids of the requests that were cancelled while another was running.
  std::vector<Json> cancelled_;
};

}  // namespace hebb::serve::mcp
