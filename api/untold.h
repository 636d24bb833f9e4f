// The outcomes of which a command of the user is still to be told (engine/inbox/inbox.h), for
// whoever runs that command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "api/session.h"

namespace hebb::api {

// A connection of its own, opened when it is first needed. Belongs to one thread. All throw Problem
// and sql::Error.
class Untold {
 public:
  explicit Untold(std::string path) : path_(std::move(path)) {}

  struct Outcome {
    std::int64_t id = 0;  // of the dead letter that keeps it
    std::string text;     // what the command reads: a JSON object
  };
  // The outcome at that position; nullopt: nobody is to be told of it any more.
  std::optional<Outcome> at(std::int64_t position);
  void done(std::int64_t id);
  void failed(std::int64_t id, const std::string& why, TimeMs now);

 private:
  sql::Database& tables();

  const std::string path_;
  std::optional<sql::Database> tables_;
};

}  // namespace hebb::api
