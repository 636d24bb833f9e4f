// Where an engine keeps everything unless it is told otherwise: a SQLite file.
#include "engine/engine.h"
#include "engine/storage/sqlite_storage.h"

namespace hebb {

std::unique_ptr<Storage> open_storage(const EngineOptions& options) {
  return std::make_unique<SqliteStorage>(open_database(options), options.read_only);
}

}  // namespace hebb
