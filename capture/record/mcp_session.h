// What the lines between one MCP client and one MCP server say about tool calls: requests and their
// answers paired, turns told apart, the server's name learned. No I/O, no clock.
//
// Speaks the handshake era (2024-11-05 … 2025-11-25, batches of 2025-03-26 included) and the
// stateless era (2026-07-28); both may share a connection. What is no message of either is passed
// over.
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
#include "capture/record/mcp_scan.h"
#include "capture/record/mcp_stamp.h"
#include "capture/record/turns.h"
#include "capture/secrets/secrets.h"

namespace hebb::capture {

enum class Direction : std::uint8_t { to_server, to_client };

class Session {
 public:
  struct Identity {
    std::string agent_id, session_id;
    std::string transport = "stdio";                 // or "http"
    std::optional<std::string> server_address = {};  // host:port of an HTTP server
    std::vector<std::string> credentials = {};       // masked wherever they come
  };
  using Sink = std::function<void(ActionRow)>;

  static constexpr std::size_t kOpenCalls = 1 << 16;  // calls beyond are not recorded
  static constexpr std::size_t kOpenTasks = 4096;     // the oldest beyond are not recorded
  static constexpr std::size_t kOpenBytes = std::size_t{32}
                                            << 20;  // arguments beyond are kept as their length

  Session(Identity identity, Sink sink, std::int64_t turn_grace_ms = Turns::kGraceMs);

  void line(Direction direction, std::string_view text, Stamp stamp);
  void line(Direction direction, const LineScanner& scanned, Stamp stamp);  // finish() was true
  // The protocol's own session (Mcp-Session-Id) that calls are of from here on; empty: none.
  void set_mcp_session(std::string id);
  // Lines were lost here: a call that is open now and gets no answer later is not a failed call.
  void gap();
  // The connection is over; calls still open fail with this reason.
  void finish(std::string_view failure, Stamp stamp);

  std::size_t open() const { return calls_.size(); }
  std::int64_t unrecorded() const { return unrecorded_; }  // calls that became no row
  std::int64_t unread() const { return unread_; }  // messages nested too deep to be looked at

 private:
  struct Call {
    ActionRow row;
    std::int64_t started_ns = 0;
    std::string key;              // its id
    std::uint64_t args_hash = 0;  // of the arguments as they came
    std::uint64_t known = 0;  // the version of what was known to be secret when they were masked
    std::string state;        // requestState of the input_required result
    std::string task;         // the answer was a task; `key` is that of tasks/result, if pending
    bool as_task = false;     // asked for a task
    bool own_turn = false;    // named by the client: none of turns_
    bool waiting = false;     // answered, but not to the end: the client goes on
    bool doubtful = false;
  };
  using Calls = std::list<Call>;

  void request(const LineScanner& scanned, Stamp stamp);
  void response(const LineScanner& scanned, Stamp stamp);
  void start(const LineScanner& scanned, std::string key, Stamp stamp);
  bool resume(const LineScanner& scanned, const std::string& key, const std::string& tool,
              std::uint64_t args_hash);
  void answer(Calls::iterator call, const LineScanner& scanned, Stamp stamp);
  void cancel(const LineScanner& scanned, Stamp stamp);
  Calls::iterator find_task(const std::string& task);
  void become_task(Calls::iterator call, std::string task, Stamp stamp);
  void task_status(const std::string& task, std::string_view status, Stamp stamp);
  void close(Calls::iterator call, std::string_view failure, Stamp stamp);
  void mask_again(Call& call);
  std::string said(const LineScanner& scanned, Field field);
  std::string turn(const LineScanner& scanned, Call& call, Stamp stamp);
  void learn_tools(std::string_view result);

  Identity identity_;
  Sink sink_;
  Secrets secrets_;
  Calls calls_;  // open, in the order they began
  std::unordered_map<std::string, Calls::iterator> by_id_;
  std::unordered_map<std::string, std::string>
      asked_;  // id of initialize, server/discover, tools/list → method
  std::map<std::string, bool, std::less<>> read_only_;  // tool → readOnlyHint
  std::string app_name_;
  std::string protocol_version_;  // as initialize settled it
  std::string mcp_session_;
  std::size_t open_bytes_ = 0;
  std::size_t open_tasks_ = 0;
  Turns turns_;  // of calls whose turn the client does not name
  std::int64_t unrecorded_ = 0, unread_ = 0;
};

}  // namespace hebb::capture
