// An open database that many threads may call: what the C interface and `hebb pipe` are made of.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "api/open.h"
#include "api/operation.h"

namespace hebb::api {

class Handle {
 public:
  using TakeRow = std::function<void(Json)>;

  // Opens the database as a server does (SessionOptions::serves). Throws Problem.
  explicit Handle(SessionOptions options);

  // As Operation::call(); the calls of several threads run one after another. take_row: see
  // Session::rows(); it must not call this handle. Throws only Problem; of type cancelled if
  // cancel() was called after `since` was taken.
  Json call(const Operation& operation, const Json& request, const TakeRow& take_row = {}) {
    return call(operation, request, take_row, cancels());
  }
  Json call(const Operation& operation, const Json& request, const TakeRow& take_row,
            std::uint64_t since);
  // Ends the calls that run or wait for their turn: long work between two steps, answers between
  // two rows. What they have committed stays. Any thread.
  void cancel() { ++cancels_; }
  std::uint64_t cancels() const { return cancels_; }  // how many there have been

 private:
  class RowSession : public OpenSession {
   public:
    using OpenSession::OpenSession;
    const TakeRow* rows() override { return take_row ? &take_row : nullptr; }
    TakeRow take_row;
  };

  bool is_cancelled() const { return cancels_ != cancels_before_; }
  void require_not_cancelled() const;

  std::atomic<std::uint64_t> cancels_ = 0;
  std::mutex mutex_;                          // of a call
  std::atomic<std::thread::id> caller_ = {};  // the thread of the call that runs
  std::uint64_t cancels_before_ = 0;          // that call: how many cancels there had been
  RowSession session_;
};

// The operation of that name. Throws Problem, with the names that are like it.
const Operation& require_operation(std::string_view name);

}  // namespace hebb::api
