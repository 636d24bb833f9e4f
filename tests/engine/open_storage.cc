// Takes the place of the library's: with HEBB_TEST_STORAGE=memory the whole program runs on storage
// in memory, all but what is tagged [sqlite].
#include "engine/engine.h"
#include "engine/storage/sqlite_storage.h"
#include "tests/support/memory_storage.h"

namespace hebb {

std::unique_ptr<Storage> open_storage(const EngineOptions& options) {
  if (test::in_memory()) return test::open_memory(options);
  return std::make_unique<SqliteStorage>(open_database(options), options.read_only);
}

}  // namespace hebb
