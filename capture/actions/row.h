// One tool call, as stored in action_log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hebb::capture {

struct ActionRow {
  std::int64_t position = 0;  // order of arrival; 0: not stored yet
  std::string id;             // UUIDv7; empty: not stored yet
  std::string agent_id, session_id;
  std::string sequence_id;     // agent_id + '_' + turn
  std::int64_t timestamp = 0;  // of the request, epoch ms
  std::string tool;
  std::string args = "{}";  // masked JSON; cut where args_bytes is larger
  std::int64_t args_bytes = 2;
  std::optional<std::string> result;  // the result or JSON-RPC error; masked, perhaps cut
  std::int64_t result_bytes = 0;
  bool success = false;  // a result without isError
  std::optional<std::string>
      failure;  // why it failed: tool_error, "error CODE: MESSAGE", cancelled, server_exit …
  double duration_ms = 0;
  std::string app_name;          // the server's own name; empty: not known
  std::optional<double> reward;  // of its sequence, once scored
  std::optional<std::string> trace_parent;
  std::optional<bool> read_only;          // the tool's readOnlyHint; nullopt: the server gives none
  std::optional<std::string> request_id;  // the request's JSON-RPC id, as text
  std::optional<std::string> protocol_version;  // of MCP
  std::string transport = "stdio";              // or "http"
  std::optional<std::string> mcp_session_id;    // the protocol's own session id
  std::optional<std::string> server_address;    // host:port of an HTTP server

  bool args_cut() const { return args_bytes > static_cast<std::int64_t>(args.size()); }
  bool result_cut() const {
    return result && result_bytes > static_cast<std::int64_t>(result->size());
  }
};

// Calls `use` with the columns of an insert, in its order (sql/queries/action_insert.sql); a query
// has the position, the reward and then these columns.
template <class Row, class Use>
void stored_columns(Row& row, const Use& use) {
  use(row.id, row.agent_id, row.session_id, row.sequence_id, row.timestamp, row.tool, row.args,
      row.args_bytes, row.result, row.result_bytes, row.success, row.failure, row.duration_ms,
      row.app_name, row.trace_parent, row.read_only, row.request_id, row.protocol_version,
      row.transport, row.mcp_session_id, row.server_address);
}

}  // namespace hebb::capture
