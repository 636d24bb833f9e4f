// The parts of an Engine. Only for engine/.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/current/folded.h"
#include "engine/current/graph_cache_keeper.h"
#include "engine/engine.h"
#include "engine/rank/rank.h"
#include "engine/storage/storage.h"
#include "engine/tables.h"

namespace hebb {

struct EngineImpl {
  explicit EngineImpl(EngineOptions o)
      : options(std::move(o)), storage(open_database(options), options.read_only) {}

  const EngineOptions options;
  Storage storage;
  GraphCacheKeeper graph_cache{storage, options};
  Folded folded{storage, graph_cache, options};
  KeptMean mean_of_tasks;

  // The parts of the storage.
  Ledger& ledger = storage.ledger();
  Mirror& mirror = storage.mirror();
  Inbox& inbox = storage.inbox();

  // Outcomes in the parts of an open Batch; EngineOptions::outcome_taken gets them after its
  // commit.
  std::vector<Event> committed_outcomes;
};

// Does work that appends, by retry_if_overtaken() of engine/storage/storage.h. The copy of a ledger
// on a server may refuse an event only because it lacks what others have appended there meanwhile;
// then the work is done once more, with that. Work that is part of a larger transaction is done
// once more with the whole of it.
template <class Work>
auto append_or_retry(EngineImpl& impl, const Work& work) {
  // outcome_taken notes its outcomes in rows, too, which others may write without appending.
  if (!impl.storage.upstream() || impl.options.outcome_taken) return work();
  if (impl.storage.database().is_writing()) return work();
  return retry_if_overtaken(impl.storage, [&](bool last) {
    try {
      return work();
    } catch (const sql::Error&) {
      throw;
    } catch (const std::exception&) {
      if (last) throw;
    }
    throw sql::Overtaken("the copy may lack what others have written");
  });
}

// How many events the mirror may be behind after a commit. Events that are committed together are
// mirrored once, and so are those of a copy's writers, for whom each is a transaction elsewhere.
inline std::int64_t may_be_behind(EngineImpl& impl) {
  const bool waits = impl.storage.upstream() || impl.storage.database().is_writing();
  return waits ? kMirroredAtOnce : 0;
}

// Brings the mirror up to date in a transaction of its own.
void write_mirror(EngineImpl& impl);

// Throws std::logic_error if the engine was opened read-only.
void require_writable(const EngineImpl& impl);

}  // namespace hebb
