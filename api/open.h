// The session of a command or a server: its database, which is opened when something needs it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "api/session.h"

namespace hebb::api {

// A database as it may be shown: without the password of a URL.
std::string shown_path(const std::string& given);
// Of words that a user gave, what is meant to be the URL of a server and may hold a password.
std::vector<std::string> secret_addresses(std::span<const std::string_view> words);
// A text with "…" for each of these.
std::string without_addresses(std::string text, const std::vector<std::string>& addresses);
// Whether it is there; of a ledger on a server, whether this machine has a copy, which opening it
// makes.
bool has_database(const std::string& given);
// The path of a file from the root; a URL as it is.
std::string absolute_path(const std::string& given);

// `options.create` and `options.read_only` are set here: whoever writes makes the database that is
// not there, and whoever reads is told how to make it. What cannot be written is read all the same
// where reading is enough. Throws Problem: no_database, read_only; and as open_database().
sql::Database open_tables(Access access, EngineOptions options);

struct SessionOptions {
  EngineOptions database = {};                        // see OpenSession::opening()
  std::optional<TimeMs> now = {};                     // instead of the clock's time
  std::string zone = {};                              // of times that name none; empty: none given
  std::function<void(const std::string&)> note = {};  // called with remarks for the user
  std::optional<BrowserUse> browser_use = {};         // absent: none
  // A server: the database is made on any request, also on one that reads, and answers have
  // an end.
  bool serves = false;
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
  std::size_t longest_answer() const override {
    return options_.serves ? kLongestAnswer : Session::longest_answer();
  }
  void lacked_memory() override { lacked_memory_ = true; }

  static constexpr std::size_t kLongestAnswer = 8 << 20;  // bytes

 protected:
  // How the database is opened; `warning` is set behind it. Called each time.
  virtual EngineOptions opening(Access access) const;
  Engine* opened() { return engine_ ? &*engine_ : nullptr; }

 private:
  const SessionOptions options_;
  std::optional<Engine> engine_;
  std::optional<sql::Database> tables_;  // where they were asked for without the graph
  Engine& open_engine(Access access);
  void leave_lost_copy();
  void freshen(Engine& engine, Access access);
  void freshen(sql::Database& database, Access access);

  std::string not_fresh_;        // why the server was not asked the last time
  bool asked_to_write_ = false;  // in the open requests: it is as of their begin
  int requests_ = 0;             // those of one_request(), one within another
  bool lacked_memory_ = false;
  bool read_only_ = false;  // the database can be read but not written
};

}  // namespace hebb::api
