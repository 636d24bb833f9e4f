// Finds the tool calls in the lines between one MCP client and one MCP server: pairs requests with
// answers, groups calls into turns, notes the server's name. No I/O, no clock.
//
// Understands the handshake era (2024-11-05 … 2025-11-25, batches of 2025-03-26 included) and the
// stateless era (2026-07-28); both may be used on one connection. Ignores lines that are no
// messages of either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/actions/row.h"
#include "capture/record/line_time.h"
#include "capture/record/mcp_scan.h"
#include "capture/record/turns.h"
#include "secrets/secrets.h"

namespace hebb::capture {

enum class Direction : std::uint8_t { to_server, to_client };

class CallTracker {
 public:
  struct Identity {
    std::string agent_id, session_id;
    std::string transport = "stdio";                 // or "http"
    std::optional<std::string> server_address = {};  // host:port of an HTTP server
    std::vector<std::string> credentials = {};       // secrets to mask everywhere
  };
  using Sink = std::function<void(ActionRow)>;

  static constexpr std::size_t kOpenCalls = 1 << 16;  // more calls are not recorded
  static constexpr std::size_t kOpenTasks = 4096;     // with more, the oldest is not recorded
  static constexpr std::size_t kOpenBytes = std::size_t{32}
                                            << 20;  // beyond it, arguments are cut short

  CallTracker(Identity identity, Sink sink, std::int64_t turn_grace_ms = Turns::kGraceMs);

  void line(Direction direction, std::string_view text, LineTime time);
  // Precondition: scanned.finish() returned true.
  void line(Direction direction, const LineScanner& scanned, LineTime time);
  // Sets the protocol's own session (Mcp-Session-Id) for the calls from now on; empty: none.
  void set_mcp_session(std::string id);
  // Lines were lost here: an open call without an answer does not count as failed.
  void lines_lost();
  // The connection has ended; calls that are still open fail with this reason.
  void finish(std::string_view failure, LineTime time);

  std::size_t open() const { return calls_.size(); }
  std::int64_t unrecorded() const { return unrecorded_; }  // calls that became no row
  std::int64_t unread() const { return unread_; }          // messages nested too deep to be read

 private:
  struct Call {
    ActionRow row;
    std::int64_t started_ns = 0;
    std::string key;                    // its id
    std::uint64_t args_hash = 0;        // of the received arguments
    std::uint64_t secrets_version = 0;  // Redactor::version() when it was masked
    std::string state;                  // requestState of the input_required result
    std::string task;              // id, if the answer was a task; `key`: of a pending tasks/result
    bool as_task = false;          // the client asked for a task
    bool own_turn = false;         // the client named the turn, so turns_ does not count the call
    bool waiting = false;          // answered with a task or input_required: the call goes on
    bool may_be_answered = false;  // lines were lost since it began
  };
  using Calls = std::list<Call>;

  void request(const LineScanner& scanned, LineTime time);
  void response(const LineScanner& scanned, LineTime time);
  void start(const LineScanner& scanned, std::string key, LineTime time);
  bool resume(const LineScanner& scanned, const std::string& key, const std::string& tool,
              std::uint64_t args_hash);
  void answer(Calls::iterator call, const LineScanner& scanned, LineTime time);
  void cancel(const LineScanner& scanned, LineTime time);
  Calls::iterator find_task(const std::string& task);
  void become_task(Calls::iterator call, std::string task, LineTime time);
  void task_status(const std::string& task, std::string_view status, LineTime time);
  void close(Calls::iterator call, std::string_view failure, LineTime time);
  void mask_again(Call& call);
  std::string text_of(const LineScanner& scanned, Field field);
  std::string turn(const LineScanner& scanned, Call& call, LineTime time);
  void learn_tools(std::string_view result);

  Identity identity_;
  Sink sink_;
  secrets::Redactor secrets_;
  Calls calls_;  // open calls, in the order they began
  std::unordered_map<std::string, Calls::iterator> by_id_;
  // Of requests other than calls whose answers are read: id → method.
  std::unordered_map<std::string, std::string> other_requests_;
  std::map<std::string, bool, std::less<>> read_only_;  // tool → readOnlyHint
  std::string app_name_;
  std::string protocol_version_;  // from the answer to initialize
  std::string mcp_session_;
  std::size_t open_bytes_ = 0;
  std::size_t open_tasks_ = 0;
  Turns turns_;  // for calls whose turn the client does not name
  std::int64_t unrecorded_ = 0, unread_ = 0;
};

}  // namespace hebb::capture
