// OpenTelemetry's OTLP/JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
// (trace and span ids in hexadecimal, 64-bit integers as strings, enumerations as numbers).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "capture/actions/export.h"

namespace hebb::capture {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSpanKindInternal = 1;
constexpr int kSpanKindClient = 3;
constexpr int kStatusError = 2;

Json text_attribute(std::string_view key, std::string_view value) {
  return {{"key", key}, {"value", {{"stringValue", value}}}};
}

Json real_attribute(std::string_view key, double value) {
  return {{"key", key}, {"value", {{"doubleValue", value}}}};
}

Json integer_attribute(std::string_view key, std::int64_t value) {
  return {{"key", key}, {"value", {{"intValue", fmt::format("{}", value)}}}};
}

std::string nanos(double ms) {
  const double whole = std::floor(ms);
  return fmt::format("{}{:06}", static_cast<std::int64_t>(whole),
                     static_cast<int>((ms - whole) * 1e6));
}

std::string trace_of(std::string_view sequence) {
  const XXH128_hash_t hash = XXH3_128bits(sequence.data(), sequence.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64 | 1);  // never all zeros
}

std::string span_of(std::string_view what) {
  return fmt::format("{:016x}", XXH3_64bits(what.data(), what.size()) | 1);
}

// The trace and the parent span of a call's span.
struct Parent {
  std::string trace, span;
};

Parent parent_of(const ActionRow& row) {
  if (row.trace_parent && row.trace_parent->size() >= 55) {  // version-traceid-parentid-flags
    return {row.trace_parent->substr(3, 32), row.trace_parent->substr(36, 16)};
  }
  return {trace_of(row.sequence_id), span_of(row.sequence_id)};
}

// "error CODE: MESSAGE" is the server's JSON-RPC error; other failures are words of the recorder.
struct Failure {
  std::string type;                 // error.type
  std::optional<std::string> code;  // of a JSON-RPC error
  std::string message;              // empty: only the type is known
};

Failure failure_of(std::string_view failure) {
  const std::size_t colon = failure.find(": ");
  const std::string_view what = failure.substr(0, colon);
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : failure.substr(colon + 2);
  constexpr std::string_view kError = "error ";
  if (!what.starts_with(kError)) return {std::string(what), std::nullopt, std::string(rest)};
  const std::string code(what.substr(kError.size()));
  if (code == "without code") return {"_OTHER", std::nullopt, std::string(rest)};
  return {code, code, std::string(rest)};
}

void add_text(Json& attributes, std::string_view key, const std::optional<std::string>& value) {
  if (value && !value->empty()) attributes.push_back(text_attribute(key, *value));
}

// The span's status, unset if the call did not fail. Adds the failure to the attributes.
Json status_of(const ActionRow& row, Json& attributes) {
  if (row.success) return Json::object();
  Json status = {{"code", kStatusError}};
  const Failure failure = failure_of(row.failure.value_or("_OTHER"));
  attributes.push_back(text_attribute("error.type", failure.type));
  add_text(attributes, "rpc.response.status_code", failure.code);
  if (!failure.message.empty()) status["message"] = failure.message;
  return status;
}

// How the client reaches the server.
void add_transport(Json& attributes, const ActionRow& row) {
  if (row.transport != "http") {
    attributes.push_back(text_attribute("network.transport", "pipe"));
    return;
  }
  attributes.push_back(text_attribute("network.transport", "tcp"));
  attributes.push_back(text_attribute("network.protocol.name", "http"));
  if (!row.server_address) return;
  const std::size_t colon = row.server_address->rfind(':');
  add_text(attributes, "server.address", row.server_address->substr(0, colon));
  std::int64_t port = 0;
  const char* end = row.server_address->data() + row.server_address->size();
  if (colon != std::string::npos &&
      std::from_chars(row.server_address->data() + colon + 1, end, port).ptr == end) {
    attributes.push_back(integer_attribute("server.port", port));
  }
}

Json call_span(const ActionRow& row) {
  const Parent parent = parent_of(row);
  const auto start = static_cast<double>(row.timestamp);
  Json attributes = {text_attribute("mcp.method.name", "tools/call"),
                     text_attribute("gen_ai.operation.name", "execute_tool"),
                     text_attribute("gen_ai.tool.name", row.tool),
                     text_attribute("gen_ai.agent.id", row.agent_id)};
  add_text(attributes, "jsonrpc.request.id", row.request_id);
  add_text(attributes, "mcp.protocol.version", row.protocol_version);
  add_text(attributes, "mcp.session.id", row.mcp_session_id);
  add_transport(attributes, row);
  attributes.push_back(text_attribute("gen_ai.tool.call.arguments", row.args));
  add_text(attributes, "gen_ai.tool.call.result", row.result);
  Json status = status_of(row, attributes);
  attributes.push_back(text_attribute("hebb.action.id", row.id));
  attributes.push_back(text_attribute("hebb.session.id", row.session_id));
  attributes.push_back(text_attribute("hebb.sequence.id", row.sequence_id));
  if (row.reward) attributes.push_back(real_attribute("hebb.reward", *row.reward));
  return {{"traceId", parent.trace},
          {"spanId", span_of(row.id)},
          {"parentSpanId", parent.span},
          {"name", "tools/call " + row.tool},
          {"kind", kSpanKindClient},
          {"startTimeUnixNano", nanos(start)},
          {"endTimeUnixNano", nanos(start + row.duration_ms)},
          {"attributes", std::move(attributes)},
          {"status", std::move(status)}};
}

// The span of a sequence, the parent of its calls' spans that have no other trace.
struct SequenceSpan {
  double start = 0, end = 0;
  std::int64_t calls = 0;
  std::string app_name;  // of the first call; it decides to which resource the sequence belongs
  ActionRow last;        // the call that finished last, without its payloads
  double last_end = 0;
};

Json sequence_span(const SequenceSpan& sequence) {
  const ActionRow& last = sequence.last;
  Json attributes = {text_attribute("gen_ai.operation.name", "invoke_agent"),
                     text_attribute("gen_ai.agent.id", last.agent_id),
                     text_attribute("gen_ai.agent.name", last.agent_id),
                     text_attribute("hebb.sequence.id", last.sequence_id),
                     integer_attribute("hebb.sequence.calls", sequence.calls)};
  if (last.reward) attributes.push_back(real_attribute("hebb.reward", *last.reward));
  Json status = status_of(last, attributes);
  return {{"traceId", trace_of(last.sequence_id)},      {"spanId", span_of(last.sequence_id)},
          {"name", "invoke_agent " + last.agent_id},    {"kind", kSpanKindInternal},
          {"startTimeUnixNano", nanos(sequence.start)}, {"endTimeUnixNano", nanos(sequence.end)},
          {"attributes", std::move(attributes)},        {"status", std::move(status)}};
}

void add(SequenceSpan& sequence, const ActionRow& row) {
  const auto start = static_cast<double>(row.timestamp);
  const double end = start + row.duration_ms;
  if (sequence.calls == 0) {
    sequence.start = start;
    sequence.app_name = row.app_name;
  }
  sequence.start = std::min(sequence.start, start);
  sequence.end = std::max(sequence.end, end);
  if (end >= sequence.last_end) {
    sequence.last = row;
    sequence.last.args.clear();
    sequence.last.result.reset();
    sequence.last_end = end;
  }
  ++sequence.calls;
}

std::string text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Collects the spans of one request.
class Request {
 public:
  explicit Request(const TextSink& out) : out_(out) {}

  void add(const std::string& app_name, const Json& span) {
    const std::string one = text(span);
    std::string& spans = spans_[app_name];
    if (!spans.empty()) spans += ',';
    spans += one;
    bytes_ += one.size();
    if (bytes_ >= kOtlpRequestBytes) send();
  }

  void send() {
    if (spans_.empty()) return;
    std::string request;
    for (const auto& [app, spans] : spans_) {
      const std::string name(app.empty() ? "unknown_service" : app);
      const Json resource = {{"attributes", Json::array({text_attribute("service.name", name)})}};
      request += request.empty() ? R"({"resourceSpans":[)" : ",";
      request += R"({"resource":)" + text(resource);
      request += R"(,"scopeSpans":[{"scope":{"name":"hebb"},"spans":[)" + spans + "]}]}";
    }
    out_(request + "]}\n");
    spans_.clear();
    bytes_ = 0;
  }

 private:
  const TextSink& out_;
  std::map<std::string, std::string> spans_;  // by server, separated by commas
  std::size_t bytes_ = 0;
};

}  // namespace

void export_otlp(ActionSource& source, const TextSink& out) {
  Request request(out);
  std::unordered_map<std::string, SequenceSpan> open;  // sequences not read to their last call
  source.each([&](const ActionRow& row, std::int64_t step, std::int64_t steps) {
    request.add(row.app_name, call_span(row));
    if (!row.trace_parent) add(open[row.sequence_id], row);
    if (step < steps) return;
    if (const auto sequence = open.extract(row.sequence_id))
      request.add(sequence.mapped().app_name, sequence_span(sequence.mapped()));
  });
  request.send();
}

}  // namespace hebb::capture
