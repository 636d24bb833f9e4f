// An open database that many threads may call: what the C interface and `hebb pipe` are made of.
#pragma once

#include <atomic>
#include <mutex>

#include "api/open.h"
#include "api/operation.h"

namespace hebb::api {

class Handle {
 public:
  // Opens the database as a server does (SessionOptions::serves). Throws Problem.
  explicit Handle(SessionOptions options);

  // As Operation::run(); the calls of several threads run one after another. Throws only Problem;
  // of type cancelled if cancel() was called after `since` was taken.
  Answer run(const Operation& operation, const Json& request, std::uint64_t since);
  // Ends the calls that run or wait for their turn: long work between two steps. What they have
  // committed stays. Any thread.
  void cancel() { ++cancels_; }
  std::uint64_t cancels() const { return cancels_; }  // how many there have been
  // Throws Problem of type cancelled if cancel() was called after `since` was taken.
  void require_not_cancelled(std::uint64_t since) const;

 private:
  std::atomic<std::uint64_t> cancels_ = 0;
  std::mutex mutex_;                  // of a call
  std::uint64_t cancels_before_ = 0;  // that call: how many cancels there had been
  OpenSession session_;
};

// The operation of that name. Throws Problem, with the names that are like it.
const Operation& require_operation(std::string_view name);

}  // namespace hebb::api
