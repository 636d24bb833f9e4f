#include "capture/record/call_tracker.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "capture/actions/payload.h"
#include "capture/record/mcp_message.h"
#include "engine/input/input.h"
#include "engine/values/checks.h"

namespace hebb::capture {
namespace {

using nlohmann::json;

constexpr std::size_t kNameBytes = Limits::kIdBytes;  // of a tool, a turn, a server
constexpr std::size_t kOtherRequests = 256;
constexpr std::size_t kTools = 10000;
constexpr std::size_t kTightBytes = 256;  // limit for arguments if open calls hold too much memory

// Makes text from a client or server fit for a column: bounded, without control characters or bad
// UTF-8.
std::string clean(std::string text) {
  text = cut(escape_invalid_utf8(text), kNameBytes);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

std::string name(const LineScanner& scanned, Field field) {
  return clean(scanned.string(field).value_or(""));
}

bool is_lower_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The trace id in a W3C traceparent (version-traceid-parentid-flags); empty if it is not one.
std::string trace_id(std::string_view parent) {
  const bool shaped = parent.size() >= 55 && parent[2] == '-' && parent[35] == '-' &&
                      parent[52] == '-' && is_lower_hex(parent.substr(0, 2)) &&
                      is_lower_hex(parent.substr(3, 32)) && is_lower_hex(parent.substr(36, 16)) &&
                      is_lower_hex(parent.substr(53, 2));
  if (!shaped || parent.starts_with("ff")) return {};
  // Version 00 ends here; later versions may have more after a dash.
  if (parent.size() > 55 && (parent.starts_with("00") || parent[55] != '-')) return {};
  const auto is_zero = [&](std::size_t from, std::size_t count) {
    return parent.substr(from, count).find_first_not_of('0') == std::string_view::npos;
  };
  return is_zero(3, 32) || is_zero(36, 16) ? std::string() : std::string(parent.substr(3, 32));
}

// The session that a call names in its arguments or else in its _meta; not used if masking would
// treat it as a secret.
std::string named_session(const LineScanner& scanned) {
  for (const Field field :
       {Field::session, Field::session_snake, Field::meta_session, Field::meta_session_snake}) {
    const std::string text = name(scanned, field);
    if (text.empty()) continue;
    const std::string& raw = scanned[field].text;
    if (secrets::mask_secrets(raw) == raw) return text;
  }
  return {};
}

// The id as text, as in OpenTelemetry's jsonrpc.request.id.
std::string id_text(const LineScanner& scanned) {
  const std::string text = name(scanned, Field::id);
  return text.empty() ? clean(scanned[Field::id].text) : text;
}

}  // namespace

CallTracker::CallTracker(Identity identity, Sink sink, std::int64_t turn_grace_ms)
    : identity_(std::move(identity)), sink_(std::move(sink)), turns_(turn_grace_ms) {
  for (const std::string& credential : identity_.credentials) secrets_.know(credential);
}

void CallTracker::line(Direction direction, std::string_view text, LineTime time) {
  for (const std::string_view message : messages_of(text)) {
    LineScanner scanner(message.size());
    scanner.feed(message);
    if (scanner.finish()) {
      line(direction, scanner, time);
    } else if (scanner.gave_up()) {
      ++unread_;
      lines_lost();
    }
  }
}

void CallTracker::line(Direction direction, const LineScanner& scanned, LineTime time) {
  if (direction == Direction::to_server) {
    if (scanned[Field::method].present) request(scanned, time);
  } else if (!scanned[Field::method].present) {
    response(scanned, time);
  } else if (scanned.string(Field::method) == "notifications/tasks/status") {
    task_status(name(scanned, Field::task_id), name(scanned, Field::task_status), time);
  }
}

void CallTracker::set_mcp_session(std::string id) { mcp_session_ = clean(std::move(id)); }

void CallTracker::lines_lost() {
  for (Call& call : calls_) call.may_be_answered = true;
}

void CallTracker::finish(std::string_view failure, LineTime time) {
  while (!calls_.empty()) {
    const Call& call = calls_.front();
    const bool is_task = !call.task.empty();
    // If the client never requested a task's result, the end of the call is unknown.
    if (call.may_be_answered || (is_task && call.key.empty())) {
      ++unrecorded_;
      by_id_.erase(call.key);
      calls_.pop_front();
    } else {
      close(calls_.begin(), call.waiting && !is_task ? "input_required" : failure, time);
    }
  }
}

void CallTracker::request(const LineScanner& scanned, LineTime time) {
  const std::string method = scanned.string(Field::method).value_or("");
  if (method == "notifications/cancelled") return cancel(scanned, time);
  const CapturedValue& id = scanned[Field::id];
  std::string key = request_key(id);
  if (key.empty()) {
    if (method == "tools/call" && id.present && too_long(id)) ++unrecorded_;
    return;
  }
  if (method == "tools/call") return start(scanned, std::move(key), time);
  if (method == "tasks/result") {
    const auto call = find_task(name(scanned, Field::task_id));
    if (call == calls_.end() || !call->key.empty() || by_id_.contains(key)) return;
    call->key = key;
    by_id_[std::move(key)] = call;
    return;
  }
  if (method == "initialize" || method == "server/discover" || method == "tools/list" ||
      method == "tasks/get" || method == "tasks/cancel") {
    if (other_requests_.size() < kOtherRequests)
      other_requests_.insert_or_assign(std::move(key), method);
  }
}

void CallTracker::start(const LineScanner& scanned, std::string key, LineTime time) {
  const std::string tool = name(scanned, Field::tool);
  if (tool.empty()) return;  // not a valid call: the server must refuse it
  const CapturedValue& arguments = scanned[Field::arguments];
  const std::uint64_t args_hash = XXH3_64bits(arguments.text.data(), arguments.text.size());
  if (const auto same = by_id_.find(key); same != by_id_.end()) {
    if (same->second->waiting && resume(scanned, key, tool, args_hash)) return;
    close(same->second, "id_reused", time);
  } else if (resume(scanned, key, tool, args_hash)) {
    return;
  }
  if (calls_.size() >= kOpenCalls) {
    ++unrecorded_;
    return;
  }
  const std::size_t room = kOpenBytes - std::min(kOpenBytes, open_bytes_);
  const std::size_t limit = arguments.text.size() > room ? kTightBytes : kPayloadBytes;
  const auto mask = [&](std::string_view json, bool cut) {
    return secrets_.arguments(tool, json, cut);
  };
  Payload args{"{}", 2};
  if (arguments.present) args = stored_payload(arguments.text, arguments.length, mask, limit);
  Call call;
  call.row.agent_id = identity_.agent_id;
  call.row.session_id = named_session(scanned);
  if (call.row.session_id.empty()) call.row.session_id = identity_.session_id;
  call.row.request_id = id_text(scanned);
  if (auto version = name(scanned, Field::protocol_meta); !version.empty()) {
    call.row.protocol_version = std::move(version);
  } else if (!mcp_session_.empty()) {
    call.row.mcp_session_id = mcp_session_;
  }
  call.row.transport = identity_.transport;
  call.row.server_address = identity_.server_address;
  call.row.timestamp = time.wall_us / 1000;
  call.row.tool = tool;
  call.row.args = std::move(args.text);
  call.row.args_bytes = args.bytes;
  call.args_hash = args_hash;
  call.secrets_version = secrets_.version();
  call.started_ns = time.mono_ns;
  call.key = key;
  call.as_task = scanned[Field::as_task].has_value();
  call.row.sequence_id = identity_.agent_id + '_' + turn(scanned, call, time);
  open_bytes_ += call.row.args.size();
  by_id_[std::move(key)] = calls_.insert(calls_.end(), std::move(call));
}

// After an input_required result the client sends the call again, usually under a new id. True:
// this is such a repeat, and the same call goes on.
bool CallTracker::resume(const LineScanner& scanned, const std::string& key,
                         const std::string& tool, std::uint64_t args_hash) {
  if (!scanned[Field::responses].present && !scanned[Field::request_state].present) return false;
  const std::string state = scanned.string(Field::request_state).value_or("");
  const auto call = std::find_if(calls_.begin(), calls_.end(), [&](const Call& waiting) {
    return waiting.waiting && waiting.task.empty() && waiting.row.tool == tool &&
           waiting.state == state && waiting.args_hash == args_hash;
  });
  if (call == calls_.end()) return false;
  by_id_.erase(call->key);
  call->key = key;
  call->waiting = false;
  if (!call->own_turn) turns_.resume();
  by_id_[key] = call;
  return true;
}

// The turn of a call: the one the client names, else its trace, else the current one.
std::string CallTracker::turn(const LineScanner& scanned, Call& call, LineTime time) {
  const std::string parent = name(scanned, Field::trace_parent);
  const std::string trace = trace_id(parent);
  if (!trace.empty()) call.row.trace_parent = parent;
  const std::string named = name(scanned, Field::turn);
  call.own_turn = !named.empty() || !trace.empty();
  if (!named.empty()) return named;
  if (!trace.empty()) return trace;
  return fmt::format("{}", turns_.begin(time));
}

CallTracker::Calls::iterator CallTracker::find_task(const std::string& task) {
  return std::find_if(calls_.begin(), calls_.end(),
                      [&](const Call& call) { return !task.empty() && call.task == task; });
}

// The answer was a task: the id may be reused, the turn does not wait, and the answer to
// tasks/result will end the call.
void CallTracker::become_task(Calls::iterator call, std::string task, LineTime time) {
  if (!call->waiting && !call->own_turn) turns_.end(time);
  call->waiting = true;
  call->task = std::move(task);
  by_id_.erase(std::exchange(call->key, {}));
  if (++open_tasks_ <= kOpenTasks) return;
  const auto oldest = std::find_if(calls_.begin(), calls_.end(), [](const Call& other) {
    return !other.task.empty() && other.key.empty();
  });
  ++unrecorded_;
  --open_tasks_;
  open_bytes_ -= oldest->row.args.size();
  calls_.erase(oldest);
}

// Needed because a client that sees a task fail does not ask for its result.
void CallTracker::task_status(const std::string& task, std::string_view status, LineTime time) {
  const auto call = find_task(task);
  if (call == calls_.end() || !call->key.empty()) return;
  if (status == "failed") close(call, "task_failed", time);
  if (status == "cancelled") close(call, "cancelled", time);
}

void CallTracker::response(const LineScanner& scanned, LineTime time) {
  const bool has_result = scanned[Field::result].has_value();
  if (!has_result && !scanned[Field::error].has_value()) return;
  const std::string key = request_key(scanned[Field::id]);
  if (key.empty()) return;
  const auto other = other_requests_.find(key);
  const std::string method = other == other_requests_.end() ? "" : other->second;
  if (other != other_requests_.end()) other_requests_.erase(other);
  if (has_result) {
    std::string app = name(scanned, Field::server_name_meta);
    if (app.empty() && (method == "initialize" || method == "server/discover")) {
      app = name(scanned, Field::server_name);
    }
    if (!app.empty()) app_name_ = app;
    if (method == "initialize") protocol_version_ = name(scanned, Field::protocol);
    if (method == "tools/list" && scanned[Field::result].whole())
      learn_tools(scanned[Field::result].text);
    if (method == "tasks/get" || method == "tasks/cancel") {
      task_status(name(scanned, Field::result_task_id), name(scanned, Field::result_status), time);
    }
  }
  if (const auto call = by_id_.find(key); call != by_id_.end()) answer(call->second, scanned, time);
}

void CallTracker::answer(Calls::iterator call, const LineScanner& scanned, LineTime time) {
  ActionRow& row = call->row;
  const bool failed = scanned[Field::error].has_value();
  if (!failed && scanned.string(Field::result_type) == "input_required") {
    // The turn does not wait for the call, because the client may never repeat it.
    if (!call->waiting && !call->own_turn) turns_.end(time);
    call->waiting = true;
    call->state = scanned.string(Field::result_state).value_or("");
    return;
  }
  if (!failed && call->as_task && call->task.empty()) {
    std::string task = name(scanned, Field::result_task);
    if (!task.empty()) return become_task(call, std::move(task), time);
  }
  const CapturedValue& answer = scanned[failed ? Field::error : Field::result];
  const auto mask = [&](std::string_view json, bool cut) { return secrets_.result(json, cut); };
  Payload payload = stored_payload(answer.text, answer.length, mask);
  row.result = std::move(payload.text);
  row.result_bytes = payload.bytes;
  if (failed) {
    const CapturedValue& code = scanned[Field::error_code];
    const std::string reason =
        fmt::format("error {}: {}", code.present ? clean(code.text) : "without code",
                    text_of(scanned, Field::error_message));
    return close(call, reason, time);
  }
  close(call, scanned[Field::is_error].text == "true" ? "tool_error" : "", time);
}

// The reason is kept, because it may say whether the client timed out or a user cancelled.
void CallTracker::cancel(const LineScanner& scanned, LineTime time) {
  const auto found = by_id_.find(request_key(scanned[Field::request_id]));
  if (found == by_id_.end()) return;
  if (found->second->task.empty()) {
    const std::string reason = text_of(scanned, Field::reason);
    const std::string failure = reason.empty() ? "cancelled" : "cancelled: " + reason;
    return close(found->second, failure, time);
  }
  // The client no longer waits for the task's result, but the task goes on.
  found->second->key.clear();
  by_id_.erase(found);
}

// A message text, without secrets and fit for a column.
std::string CallTracker::text_of(const LineScanner& scanned, Field field) {
  return clean(secrets_.text(escape_invalid_utf8(scanned.string(field).value_or(""))));
}

// Masks the call again if the session knows more secrets by now, for example from the answer.
void CallTracker::mask_again(Call& call) {
  if (call.secrets_version == secrets_.version()) return;
  ActionRow& row = call.row;
  mask_payload_again(row.args, row.args_bytes, [&](std::string_view json, bool cut) {
    return secrets_.arguments_again(json, cut);
  });
  if (!row.result) return;
  mask_payload_again(*row.result, row.result_bytes, [&](std::string_view json, bool cut) {
    return secrets_.result_again(json, cut);
  });
}

// Ends the call and hands its row to the sink. An empty failure means success.
void CallTracker::close(Calls::iterator call, std::string_view failure, LineTime time) {
  open_bytes_ -= call->row.args.size();
  mask_again(*call);
  ActionRow row = std::move(call->row);
  if (!call->own_turn && !call->waiting) turns_.end(time);
  if (!call->task.empty()) --open_tasks_;
  row.success = failure.empty();
  if (!row.success) row.failure = std::string(failure);
  row.duration_ms = static_cast<double>(time.mono_ns - call->started_ns) / 1e6;
  row.app_name = app_name_;
  if (!row.protocol_version && !protocol_version_.empty()) row.protocol_version = protocol_version_;
  if (const auto hint = read_only_.find(row.tool); hint != read_only_.end())
    row.read_only = hint->second;
  by_id_.erase(call->key);
  calls_.erase(call);
  sink_(std::move(row));
}

void CallTracker::learn_tools(std::string_view result) {
  const json list = json::parse(result, nullptr, false);
  if (!list.is_object() || !list.contains("tools") || !list["tools"].is_array()) return;
  for (const json& tool : list["tools"]) {
    if (!tool.is_object() || !tool.contains("name") || !tool["name"].is_string()) continue;
    const auto annotations = tool.find("annotations");
    if (annotations == tool.end() || !annotations->is_object()) continue;
    const auto hint = annotations->find("readOnlyHint");
    if (hint == annotations->end() || !hint->is_boolean()) continue;
    if (read_only_.size() < kTools) {
      read_only_.insert_or_assign(clean(tool["name"].get<std::string>()), hint->get<bool>());
    }
  }
}

}  // namespace hebb::capture
