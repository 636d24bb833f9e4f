#include "capture/actions/export.h"

#include <deque>
#include <unordered_map>

#include "engine/values/read_json.h"

namespace hebb::capture {
namespace {

using Json = nlohmann::ordered_json;

constexpr ExportFormat kFormats[] = {{"jsonl", export_jsonl}, {"otlp", export_otlp}};

constexpr std::size_t kPriorTools = 64;

// The text as JSON if complete, else (it was cut) as a string.
Json payload(const std::string& text) {
  Json value = json_or_discarded(text);
  return value.is_discarded() ? Json(text) : value;
}

}  // namespace

std::span<const ExportFormat> export_formats() { return kFormats; }

void export_jsonl(ActionSource& source, const TextSink& out) {
  std::unordered_map<std::string, std::deque<std::string>> sessions;
  source.each([&](const ActionRow& row, std::int64_t step, std::int64_t steps) {
    std::deque<std::string>& prior = sessions[row.session_id];
    Json line;
    line["id"] = row.id;
    line["sequence_id"] = row.sequence_id;
    line["step"] = step;
    line["steps"] = steps;
    line["agent_id"] = row.agent_id;
    line["session_id"] = row.session_id;
    line["timestamp"] = row.timestamp;
    line["app_name"] = row.app_name.empty() ? Json(nullptr) : Json(row.app_name);
    line["prior"] = prior;
    line["tool"] = row.tool;
    line["args"] = payload(row.args);
    if (row.args_cut()) line["args_bytes"] = row.args_bytes;
    line["result"] = row.result ? payload(*row.result) : Json(nullptr);
    if (row.result_cut()) line["result_bytes"] = row.result_bytes;
    line["success"] = row.success;
    line["failure"] = row.failure ? Json(*row.failure) : Json(nullptr);
    line["duration_ms"] = row.duration_ms;
    line["reward"] = row.reward ? Json(*row.reward) : Json(nullptr);
    prior.push_back(row.tool);
    if (prior.size() > kPriorTools) prior.pop_front();
    out(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  });
}

}  // namespace hebb::capture
