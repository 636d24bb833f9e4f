// What an operation works on: a database, a clock, and where notes and progress go. The command
// line and the servers implement it; operations get it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/engine.h"
#include "engine/tables.h"

namespace hebb::api {

// What an operation does with the database:
//   read    appends no events. The database must exist; its mirror is brought up to date if it can
//           be written;
//   write   it must be writable, and is made if there is none.
enum class Access : std::uint8_t { read, write };

// What a session may do in a browser of this machine.
struct BrowserUse {
  std::string disabled;  // why it may not use one; empty: it may
  // The origins of the pages that it may open, patterns in which * is any part; nullopt: all.
  std::optional<std::vector<std::string>> origins;
  // The folder with the files that it may upload, empty: none; nullopt: all of the user's.
  std::optional<std::string> files;
  // Asked several times a second while a run takes its time: true ends it. Empty: it is not asked.
  std::function<bool()> cancelled;
};

// What comes with a request over HTTP beside its fields.
struct Attached {
  std::string key = {};               // an Idempotency-Key; empty: none
  Input::Read body = {};              // a file in place of fields; empty: none
  std::uint64_t most_body_bytes = 0;  // that are read of it
};

class Session {
 public:
  virtual ~Session() = default;

  Attached attached = {};  // of the request that is answered

  // The database, opened at the first call and kept. Throws Problem: no_database if there is none
  // (and says how to make one), read_only if `access` needs to write and it cannot be written.
  virtual Engine& engine(Access access) = 0;
  // The same, but waits `wait_ms` for another writer.
  virtual Engine& waiting_engine(Access access, int /*wait_ms*/) { return engine(access); }
  // Does work that writes to the database, in calls of which each says for itself whether it was
  // done, as one commit. Throws, and nothing of it was done, if it cannot be committed.
  virtual void in_one_commit(const std::function<void()>& work) { work(); }
  // While what it returns lives, one request is answered: what others have written to a ledger on a
  // server is asked for at its first call alone.
  virtual std::shared_ptr<void> one_request() { return nullptr; }
  // Its tables, without loading the graph. Throws likewise.
  virtual sql::Database& tables(Access access) = 0;
  virtual TimeMs now() const = 0;  // given_now(), else the clock's time
  // The time that the user gave as now (--now); absent: none.
  virtual std::optional<TimeMs> given_now() const = 0;
  // The time zone that the user gave for times that name none (--tz); empty: the database's.
  virtual std::string given_zone() const { return {}; }
  // Whether the beginning of an id that hebb made will do in a request: where people type.
  virtual bool takes_beginnings() const { return false; }
  // Shows a remark to the user; the operation goes on.
  virtual void note(const std::string& text) = 0;
  // A part of the result, as soon as it is there, where the whole takes long.
  virtual void part(const nlohmann::ordered_json& done) { static_cast<void>(done); }
  // A function that work which may take long calls now and then; `what` names the work.
  virtual Progress progress(const std::string& what) = 0;
  // Nothing, unless the session says otherwise.
  virtual BrowserUse browser_use() const {
    return {"this server opens no pages; `hebb mcp --replay ORIGIN` does", {}, {}, {}};
  }
  // Where the database is, for messages.
  virtual std::string path() const = 0;
  // The same as it was given: of a ledger on a server, the URL with a password.
  virtual std::string given_path() const { return path(); }
  // Its file on this machine: of a ledger on a server, that of the copy.
  virtual std::string file() const { return path(); }
  // Several databases that are asked together, a session of each, in the order given; see
  // api/several.h. Empty: there is but this one.
  virtual std::vector<Session*> several() const { return {}; }
  // The most bytes that an answer may have; see Room in api/common.h.
  virtual std::size_t longest_answer() const { return std::numeric_limits<std::size_t>::max(); }
  // An operation had too little memory: what is held of the database may be only half made, and is
  // read anew at the next call.
  virtual void lacked_memory() {}
};

}  // namespace hebb::api
