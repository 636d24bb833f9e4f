// A write transaction with the state caught up. Only for engine/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/current/embed_nodes.h"
#include "engine/engine_impl.h"

namespace hebb {

// Nothing is durable before commit(). Destroyed without commit(), it rolls the ledger back, and the
// state is loaded again when next needed. Within another batch of the same engine it is a part: it
// can be rolled back by itself, and the outer batch writes the mirror.
class Batch {
 public:
  // latest: see IngestRequest; notifies: whether EngineOptions::outcome_taken is called.
  explicit Batch(EngineImpl& impl, std::optional<TimeMs> latest = {}, bool notifies = true);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  // Validates, resolves, appends and folds; or returns the refusal.
  std::variant<Applied, Refusal> add(Event e);
  // add() for an event that the engine made, which needs no resolving; sets its position. Throws
  // Refused, which happens only if the time that the caller gave is not valid.
  void add_own(Event& e);
  // Writes the mirror in the same transaction, unless so many events came that it is left to the
  // next writer or to sync(), or `mirrors` is false.
  void commit(bool mirrors = true);

 private:
  std::variant<Applied, Refusal> add_removal(Event& e);  // an undo or a gc
  bool append_and_fold(Event& e);                        // false: its key was there already
  std::optional<Refusal> refuse(Event& e);
  std::variant<Applied, Refusal> known(const Event& e);

  EngineImpl& impl_;
  std::optional<TimeMs> latest_;
  bool notifies_;
  std::vector<Event> outcomes_;        // for EngineOptions::outcome_taken
  const std::size_t outcomes_before_;  // of EngineImpl::committed_outcomes
  std::unique_ptr<sql::Transaction> transaction_;
  std::int64_t began_at_ = 0;  // the position of the state at that time
  bool writes_tables_ = false;
  bool committed_ = false;
  bool dropped_names_ = false;  // once, because it is O(nodes)
};

// --- what reading an input and retrying a dead letter share; in engine/retry.cc ------------------

inline constexpr std::size_t kBatchItems = 1000;  // of one transaction
void note_refusal(IngestSummary& summary, std::int64_t line, const Refusal& refusal);
// batch.add(); an invalid policy becomes the refusal of its item.
std::variant<Applied, Refusal> add_item(Batch& batch, Event e);
// Reads one item's text and appends its events. Returns the refusal, if any of it is refused; else
// counts it.
std::optional<Refusal> add_text(EngineImpl& impl, Batch& batch, const Format& format,
                                std::string_view text, const ReadOptions& read,
                                Unembedded& unembedded, IngestSummary& summary);

}  // namespace hebb
