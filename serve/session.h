// The database that a server works on: opened at the first request, made if there is none, and
// kept.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "api/session.h"

namespace hebb::serve {

struct SessionOptions {
  std::string path;            // of the database
  std::optional<TimeMs> now;   // used instead of the clock's time, if given
  int busy_timeout_ms = 5000;  // how long to wait for another process that writes
  std::function<void(const std::string&)> note = {};     // called with remarks for the user
  std::optional<api::BrowserUse> browser_use = {};       // absent: none
  std::function<void(const Event&)> outcome_taken = {};  // of EngineOptions
};

// Belongs to one thread at a time.
class OpenSession final : public api::Session {
 public:
  explicit OpenSession(SessionOptions options) : options_(std::move(options)) {}

  Engine& engine(api::Access access) override;
  sql::Database& tables(api::Access access) override;
  TimeMs now() const override;
  std::optional<TimeMs> given_now() const override { return options_.now; }
  void note(const std::string& text) override;
  Progress progress(const std::string& what) override;
  api::BrowserUse browser_use() const override {
    return options_.browser_use.value_or(Session::browser_use());
  }
  std::size_t longest_answer() const override { return kLongestAnswer; }
  std::string path() const override { return options_.path; }
  void lacked_memory() override { lacked_memory_ = true; }

  static constexpr std::size_t kLongestAnswer = 8 << 20;  // bytes

 private:
  void open(api::Access access);

  SessionOptions options_;
  std::optional<Engine> engine_;
  bool lacked_memory_ = false;
  bool read_only_ = false;  // the database can be read but not written
};

}  // namespace hebb::serve
