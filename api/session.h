// What an operation works on: a database, a clock, and the embedder that was asked for. The doors
// make one; operations get it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "engine/storage/sqlite_storage.h"

namespace hebb::api {

// What an operation does with the database:
//   read    says nothing new; it must be there. Where it can be written its mirror is brought up to
//           date, where not it is read all the same;
//   write   it must be there, and writable;
//   create  the same, but made if there is none.
enum class Access : std::uint8_t { read, write, create };

class Session {
 public:
  virtual ~Session() = default;

  // The database, opened at the first call and kept. Throws Problem: no_database where there is
  // none (and says how to make one), read_only where it cannot be written.
  virtual Engine& engine(Access access) = 0;
  // The same, for what may wait longer than usual for another writer, or not at all.
  virtual Engine& waiting_engine(Access access, int wait_ms) {
    static_cast<void>(wait_ms);
    return engine(access);
  }
  // Its tables without the graph, for what needs no more. Throws likewise.
  virtual sql::Database& tables(Access access) = 0;
  virtual TimeMs now() const = 0;  // the time to take as now
  // The time that was given as now; absent: the clock's.
  virtual std::optional<TimeMs> given_now() const = 0;
  // Something that is worth a word and does not stop the operation.
  virtual void note(const std::string& text) = 0;
  // Told now and then by work that may take long.
  virtual Progress progress(const std::string& what) = 0;
  // Where the database is, for messages.
  virtual std::string path() const = 0;
};

}  // namespace hebb::api
