// What an Engine is made of. Only for engine/.
#pragma once

#include <optional>
#include <utility>

#include "engine/current/folded.h"
#include "engine/current/image_keeper.h"
#include "engine/engine.h"
#include "engine/rank/rank.h"
#include "engine/read_inputs.h"
#include "engine/storage/storage.h"
#include "engine/tables.h"

namespace hebb {

struct EngineImpl {
  explicit EngineImpl(EngineOptions o)
      : options(std::move(o)), storage(open_database(options), options.read_only) {}

  const EngineOptions options;
  Storage storage;
  ImageKeeper images{storage, options};
  Folded folded{storage, images, options};
  ReadInputs inputs{storage, options.path};
  KeptMean mean_of_tasks;

  // What the storage holds.
  Ledger& ledger = storage.ledger();
  Mirror& mirror = storage.mirror();
  Inbox& inbox = storage.inbox();
};

// Throws std::logic_error if the engine was opened read-only.
void require_writable(const EngineImpl& impl);

}  // namespace hebb
