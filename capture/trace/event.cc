// Reads a trace line with simdjson's DOM, which checks the whole text (UTF-8 and grammar) and not
// only the needed fields: a line that is not valid JSON is ordinary output of the program.
#include "capture/trace/event.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <simdjson.h>

#include "engine/values/checks.h"

namespace hebb::capture {
namespace {

constexpr double kMaxTime = 8.64e15;  // the end of JavaScript's time; also fits int64 by far

struct Fields {
  std::optional<std::string_view> type, tool, trace_id, parent_trace_id, key, error;
  std::optional<double> ts, duration_ms;
  std::optional<bool> success;
};

// Whether it can be the id of a node.
bool is_id(const std::optional<std::string_view>& text) { return text && !check_name(*text, ""); }

template <typename T>
bool read_value(simdjson::dom::element value, std::optional<T>& field) {
  return value.get(field.emplace()) == simdjson::SUCCESS;
}

template <typename T>
bool read_or_null(simdjson::dom::element value, std::optional<T>& field) {
  if (!value.is_null()) return read_value(value, field);
  field.reset();
  return true;
}

// If a field is repeated the last one counts, as in JSON.parse. False: it has the wrong type.
bool take_field(std::string_view name, simdjson::dom::element value, Fields& fields) {
  if (name == "type") return read_value(value, fields.type);
  if (name == "tool") return read_value(value, fields.tool);
  if (name == "trace_id") return read_value(value, fields.trace_id);
  if (name == "ts") return read_or_null(value, fields.ts);
  if (name == "success") return read_value(value, fields.success);
  if (name == "duration_ms") return read_or_null(value, fields.duration_ms);
  if (name == "key") return read_value(value, fields.key);
  if (name == "parent_trace_id") return read_or_null(value, fields.parent_trace_id);
  if (name == "error" && !read_value(value, fields.error)) fields.error.reset();  // of any type
  return true;
}

std::optional<TraceEvent> start_event(const Fields& f) {
  if (!is_id(f.tool)) return std::nullopt;
  if (f.ts && (*f.ts < 0 || *f.ts > kMaxTime)) return std::nullopt;
  TraceEvent event;
  event.kind = TraceEvent::Kind::start;
  event.trace_id = *f.trace_id;
  event.tool = *f.tool;
  if (f.ts) event.ts = static_cast<TimeMs>(*f.ts);
  if (f.parent_trace_id && !f.parent_trace_id->empty()) {
    if (!is_id(f.parent_trace_id)) return std::nullopt;
    // A call cannot be inside itself.
    if (*f.parent_trace_id != *f.trace_id) event.parent_trace_id = *f.parent_trace_id;
  }
  return event;
}

std::optional<TraceEvent> end_event(const Fields& f) {
  if (!f.success || (f.duration_ms && *f.duration_ms > kMaxTime)) return std::nullopt;
  TraceEvent event;
  event.kind = TraceEvent::Kind::end;
  event.trace_id = *f.trace_id;
  event.success = *f.success;
  if (f.duration_ms) event.duration_ms = std::max(0.0, *f.duration_ms);
  event.error = f.error.value_or(std::string_view());
  return event;
}

}  // namespace

struct TraceParser::Impl {
  std::string key;
  simdjson::dom::parser parser;
  std::vector<std::uint8_t> padded;  // simdjson reads past the end of the text
};

TraceParser::TraceParser(std::string key) : impl_(std::make_unique<Impl>()) {
  impl_->key = std::move(key);
}
TraceParser::~TraceParser() = default;
TraceParser::TraceParser(TraceParser&&) noexcept = default;
TraceParser& TraceParser::operator=(TraceParser&&) noexcept = default;

std::optional<TraceEvent> TraceParser::parse(std::string_view json) {
  auto& padded = impl_->padded;
  if (padded.size() < json.size() + simdjson::SIMDJSON_PADDING) {
    padded.resize(2 * json.size() + simdjson::SIMDJSON_PADDING);
  }
  std::copy(json.begin(), json.end(), padded.begin());
  simdjson::dom::object object;
  if (impl_->parser.parse(padded.data(), json.size(), false).get(object) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  Fields fields;
  for (const simdjson::dom::key_value_pair field : object) {
    if (!take_field(field.key, field.value, fields)) return std::nullopt;
  }
  if (!is_id(fields.trace_id) || !fields.type) return std::nullopt;
  if (!impl_->key.empty() && fields.key != impl_->key) return std::nullopt;
  if (*fields.type == "tool_start") return start_event(fields);
  if (*fields.type == "tool_end") return end_event(fields);
  return std::nullopt;
}

}  // namespace hebb::capture
