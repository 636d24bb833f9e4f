// Exports of recorded calls. A format is one function and one line in export_formats().
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "capture/actions/store.h"

namespace hebb::capture {

using TextSink = std::function<void(std::string_view)>;

// Each row is written when read: memory does not grow with their number.
//
// jsonl: a line a call, for training: {id, sequence_id, step, steps, agent_id, session_id,
// timestamp, app_name, prior: [tools that its session called before, the last 64], tool, args,
// result, success, failure, duration_ms, reward}. A payload that was cut is a string, and
// `args_bytes` or `result_bytes` says how long it was.
void export_jsonl(ActionSource& source, const TextSink& out);

// OTLP/JSON: each line is an ExportTraceServiceRequest, as collectors read them from a file. A line
// ends with the call that takes it beyond 2 MiB. A sequence is a span with one child for each call;
// a call that had a traceparent belongs to that trace instead. Ids are computed from the rows, so
// that exporting twice gives the same spans. Names follow OpenTelemetry's conventions for
// generative AI and MCP.
inline constexpr std::size_t kOtlpRequestBytes = std::size_t{2} << 20;
void export_otlp(ActionSource& source, const TextSink& out);

struct ExportFormat {
  std::string_view name;  // as in --format
  void (*write)(ActionSource&, const TextSink&);
};
std::span<const ExportFormat> export_formats();  // all formats

}  // namespace hebb::capture
