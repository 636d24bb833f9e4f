// The environment of an operation: a database, a clock, and receivers of notes and progress. The
// command line and the servers implement it; operations get it.
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

// The use that an operation makes of the database:
//   read    appends no events. The database must exist; its mirror is brought up to date if it can
//           be written;
//   write   it must be writable, and is made if there is none.
enum class Access : std::uint8_t { read, write };

// The permissions of a session in a browser of this machine.
struct BrowserUse {
  std::string disabled;  // why it may not use one; empty: it may
  // Patterns of the origins that it may open, * for any part; nullopt: all.
  std::optional<std::vector<std::string>> origins;
  // The folder of files that it may upload; empty: none; nullopt: all files of the user.
  std::optional<std::string> files;
  // Called several times a second during a run: true cancels the run. Empty: no cancellation.
  std::function<bool()> cancelled;
};

// The parts of a request over HTTP besides its fields.
struct Attached {
  std::string key = {};               // an Idempotency-Key; empty: none
  Input::Read body = {};              // a file in place of fields; empty: none
  std::uint64_t most_body_bytes = 0;  // most bytes of it to read
};

class Session {
 public:
  virtual ~Session() = default;

  Attached attached = {};  // of the current request

  // The database, opened at the first call; it stays open. Throws Problem: no_database if there is
  // none (and says how to make one), read_only if `access` needs to write and the database cannot
  // be written.
  virtual Engine& engine(Access access) = 0;
  // The same, but waits up to `wait_ms` for another writer.
  virtual Engine& waiting_engine(Access access, int /*wait_ms*/) { return engine(access); }
  // Runs several writing calls, each with a result of its own, as one commit. Throws if the commit
  // fails: then none of them was done.
  virtual void in_one_commit(const std::function<void()>& work) { work(); }
  // The scope of a request, while the returned object lives: a ledger's server is asked for new
  // events at the first call alone.
  virtual std::shared_ptr<void> one_request() { return nullptr; }
  // The database's tables, without loading the graph. Throws likewise.
  virtual sql::Database& tables(Access access) = 0;
  virtual TimeMs now() const = 0;  // given_now(), else the clock's time
  // The time that the user gave as now (--now); absent: none.
  virtual std::optional<TimeMs> given_now() const = 0;
  // The user's default time zone (--tz); empty: the database's.
  virtual std::string given_zone() const { return {}; }
  // The agent whose session it is, where that is known; empty: it is not.
  virtual std::string own_agent() const { return {}; }
  // Whether requests may shorten ids that hebb made to their beginning: where people type.
  virtual bool takes_beginnings() const { return false; }
  // Shows a remark to the user; the operation goes on.
  virtual void note(const std::string& text) = 0;
  // Shows a part of a slow result as soon as it is ready.
  virtual void part(const nlohmann::ordered_json& done) { static_cast<void>(done); }
  // A progress function for long work to call now and then; `what` names the work.
  virtual Progress progress(const std::string& what) = 0;
  // Does nothing by default.
  virtual BrowserUse browser_use() const {
    return {"this server opens no pages; `hebb mcp --replay ORIGIN` does", {}, {}, {}};
  }
  // The place of the database, for messages.
  virtual std::string path() const = 0;
  // The same as the user gave it: of a ledger on a server, the URL with its password.
  virtual std::string given_path() const { return path(); }
  // The database file on this machine: of a ledger on a server, its copy.
  virtual std::string file() const { return path(); }
  // The sessions of several databases that are asked together, in the order given; empty: this is
  // the only one.
  virtual std::vector<Session*> several() const { return {}; }
  // The most bytes that an answer may have; see Room in api/common.h.
  virtual std::size_t longest_answer() const { return std::numeric_limits<std::size_t>::max(); }
  // An operation had too little memory: the state in memory may be incomplete, so the next call
  // reads it anew.
  virtual void lacked_memory() {}
};

}  // namespace hebb::api
