// Recorded calls for others to read. One format is one function and one line in export_formats().
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/actions_row.h"

namespace hebb::capture {

using TextSink = std::function<void(std::string_view)>;

// Rows come in the order they happened.
//
// jsonl: a line a call, for training: {id, sequence_id, step, steps, agent_id, session_id,
// timestamp, app_name, prior: [tools before it in the sequence, the last 64], tool, args, result,
// success, failure, duration_ms, reward}. A payload that was cut is a string, and `args_bytes` or
// `result_bytes` says how long it was.
void export_jsonl(std::span<const ActionRow> rows, const TextSink& out);

// OTLP/JSON, one ExportTraceServiceRequest: a sequence is a span with a child a call; a call that
// carried a traceparent belongs to that trace instead. Ids are made of the rows, so that exporting
// twice gives the same spans. Names are those of OpenTelemetry's conventions for generative AI and
// MCP.
void export_otlp(std::span<const ActionRow> rows, const TextSink& out);

// A test for node:test and playwright-core: one test a session that changed something, with the
// browser calls of that session up to its last scored change as steps. Needs `hebb actions score`
// first.
void export_playwright(std::span<const ActionRow> rows, const TextSink& out);

struct ExportFormat {
  std::string_view name;  // of --format
  void (*write)(std::span<const ActionRow>, const TextSink&);
};
std::span<const ExportFormat> export_formats();  // the visible list

}  // namespace hebb::capture
