// The session of a command or a server. Its database is opened at first use.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "api/session.h"

namespace hebb::api {

// A database's path or URL for display: without the password.
std::string shown_path(const std::string& given);
// The words of the user that are meant as URLs of servers and may hold a password.
std::vector<std::string> secret_addresses(std::span<const std::string_view> words);
// The text with "…" in place of each of these addresses.
std::string without_addresses(std::string text, const std::vector<std::string>& addresses);
// Whether the file exists; of a ledger on a server, whether this machine has its copy (opening
// makes one).
bool has_database(const std::string& given);
// The absolute path of a file; a URL unchanged.
std::string absolute_path(const std::string& given);

// `options.create` and `options.read_only` are set here: a write makes a missing database, and for
// a read the Problem says how to make one. A read also opens a database that cannot be written.
// Throws Problem: no_database, read_only; and as open_database().
sql::Database open_tables(Access access, EngineOptions options);

struct SessionOptions {
  EngineOptions database = {};                        // see OpenSession::opening()
  std::optional<TimeMs> now = {};                     // in place of the clock's time
  std::string zone = {};                              // of times without a zone; empty: none given
  std::string agent = {};                             // own_agent()
  std::function<void(const std::string&)> note = {};  // called with remarks for the user
  std::optional<BrowserUse> browser_use = {};         // absent: none
  // A server, or a program that embeds hebb: any request makes a missing database, also a read,
  // unless `creates` is false.
  bool serves = false, creates = true;
  std::size_t longest_answer = std::numeric_limits<std::size_t>::max();  // bytes
  // Called now and then by long work: true ends it with a Problem of type cancelled.
  std::function<bool()> cancelled = {};
};

// Opens the database as open_tables() does. Belongs to one thread at a time.
class OpenSession : public Session {
 public:
  explicit OpenSession(SessionOptions options) : options_(std::move(options)) {}

  Engine& engine(Access access) override;
  void in_one_commit(const std::function<void()>& work) override;
  std::shared_ptr<void> one_request() override;
  sql::Database& tables(Access access) override;
  TimeMs now() const override;
  std::optional<TimeMs> given_now() const override { return options_.now; }
  std::string given_zone() const override { return options_.zone; }
  std::string own_agent() const override { return options_.agent; }
  void note(const std::string& text) override {
    if (options_.note) options_.note(text);
  }
  Progress progress(const std::string& what) override;
  BrowserUse browser_use() const override {
    return options_.browser_use.value_or(Session::browser_use());
  }
  std::string path() const override;
  std::string given_path() const override { return options_.database.path; }
  std::string file() const override;
  std::size_t longest_answer() const override { return options_.longest_answer; }
  void lacked_memory() override { lacked_memory_ = true; }

  static constexpr std::size_t kLongestAnswer = 8 << 20;  // bytes that a server sends

 protected:
  // The options to open the database; `warning` is set afterwards. Called at each opening.
  virtual EngineOptions opening(Access access) const;
  Engine* opened() { return engine_ ? &*engine_ : nullptr; }

 private:
  const SessionOptions options_;
  std::optional<Engine> engine_;
  std::optional<sql::Database> tables_;  // opened without the graph
  Engine& open_engine(Access access);
  Progress until_cancelled() const;  // throws where options_.cancelled() is true
  void leave_lost_copy();
  void freshen(Engine& engine, Access access);
  void freshen(sql::Database& database, Access access);

  std::string not_fresh_;        // why the last request to the server failed
  bool asked_to_write_ = false;  // in the open requests, which all see one state
  int requests_ = 0;             // open one_request() scopes, nested
  bool lacked_memory_ = false;
  bool read_only_ = false;  // the database can be read but not written
};

}  // namespace hebb::api
