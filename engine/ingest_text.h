// What reading an input and retrying a dead letter share. Only for engine/.
#pragma once

#include <optional>
#include <string_view>

#include "engine/batch.h"
#include "engine/current/embed_nodes.h"

namespace hebb {

inline constexpr std::size_t kBatchItems = 1000;   // of one transaction
inline constexpr std::size_t kRefusalsKept = 100;  // in a summary

void note_refusal(IngestSummary& summary, std::int64_t line, const Refusal& refusal);

// Reads one item's text and appends its events. Returns why, if any of it is refused; else counts
// it.
std::optional<Refusal> add_text(EngineImpl& impl, Batch& batch, const Format& format,
                                std::string_view text, const ReadOptions& read,
                                Unembedded& unembedded, IngestSummary& summary);

}  // namespace hebb
