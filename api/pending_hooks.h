// The outcomes whose hook, a command of the user, has not run yet (engine/inbox/inbox.h), for the
// thread that runs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "api/session.h"

namespace hebb::api {

// A connection of its own, opened when it is first needed. Belongs to one thread. All throw Problem
// and sql::Error.
class PendingHooks {
 public:
  explicit PendingHooks(std::string path) : path_(std::move(path)) {}

  struct Outcome {
    std::int64_t id = 0;  // of the dead letter that stores the outcome
    std::string text;     // what the command reads: a JSON object
  };
  // The outcome at that position; nullopt: its hook is not pending any more.
  std::optional<Outcome> at(std::int64_t position);
  void done(std::int64_t id);
  void failed(std::int64_t id, const std::string& why, TimeMs now);

 private:
  sql::Database& tables();

  const std::string path_;
  std::optional<sql::Database> tables_;
};

}  // namespace hebb::api
