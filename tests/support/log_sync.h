// What happens where a connection waits for the disk to have its log.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include <sqlite3.h>

namespace hebb::test {

// From now on the connection calls sync() in place of the disk; its result is one of SQLite's
// codes.
inline void on_log_sync(sqlite3* db, std::function<int()> sync) {
  struct Synced {
    sqlite3_io_methods methods;
    std::function<int()> sync;
  };
  static std::mutex mutex;
  static std::map<sqlite3_file*, Synced> files;
  sqlite3_file* log = nullptr;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log == nullptr || log->pMethods == nullptr) return;  // in memory
  const std::lock_guard lock(mutex);
  Synced& file = files[log] = {*log->pMethods, std::move(sync)};
  file.methods.xSync = [](sqlite3_file* f, int) {
    std::unique_lock reading(mutex);
    const auto call = files.at(f).sync;
    reading.unlock();
    return call();
  };
  log->pMethods = &file.methods;
}

}  // namespace hebb::test
