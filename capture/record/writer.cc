#include "capture/record/writer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "capture/actions/store.h"
#include "capture/record/exception_text.h"
#include "engine/current/options.h"
#include "engine/tables.h"

namespace hebb::capture {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGather{100};  // rows are collected this long and then written together
constexpr milliseconds kIdleWait{std::chrono::hours(1)};
constexpr milliseconds kRetryAfter{250};  // between attempts to open a database that failed
constexpr int kBusyTimeoutMs = 500;  // another recorder waits for the disk while it has the lock
constexpr milliseconds kLastChance{1000};  // at the end, for retrying a write that failed
constexpr milliseconds kHungDisk{5000};    // at the end, the longest time without a row written
constexpr milliseconds kSlowDisk{30'000};  // at the end, the longest time in all
constexpr std::size_t kWaitingRowBytes = std::size_t{32} << 20;
constexpr std::size_t kWaitingRows = 100'000;
constexpr std::ptrdiff_t kRowsAtOnce = 256;  // per transaction, while other writers wait

std::size_t row_bytes(const ActionRow& row) {
  return sizeof(ActionRow) + row.args.size() + (row.result ? row.result->size() : 0);
}

}  // namespace

class RecordWriter::Work {
  // Gives the CPU to other threads after each small piece of work, so that the traffic does not
  // wait for the scheduler's next tick, milliseconds away. If the machine is busy, a yield may take
  // long while the database is locked; then it does not yield again for 10 ms. (A low priority was
  // tried: on a busy machine the lock was then held for seconds.)
  class Yield {
   public:
    void operator()() {
      const auto start = Clock::now();
      if (start < not_before_) return;
      std::this_thread::yield();
      const auto end = Clock::now();
      if (end - start > milliseconds(1)) not_before_ = end + milliseconds(10);
    }

   private:
    Clock::time_point not_before_;
  };

 public:
  Work(WriterOptions options, std::shared_ptr<LineQueue> queue)
      : options_(std::move(options)),
        queue_(std::move(queue)),
        tracker_(
            options_.identity, [this](ActionRow row) { add(std::move(row)); },
            options_.turn_grace_ms) {}

  void run() noexcept {
    try {
      record_lines();
    } catch (...) {
      give_up(exception_text());
    }
    db_.reset();
    end();
  }

  // Called instead of run() if no thread can be started.
  void end_without_thread(const std::exception& error) {
    warn(error.what());
    end();
  }

  Outcome finish(std::string failure, LineTime time) {
    std::unique_lock lock(mutex_);
    failure_ = std::move(failure);
    ended_ = time;
    lock.unlock();
    queue_->close();
    lock.lock();
    // Do not wait for ever if the disk hangs; a slow disk gets some time.
    const auto deadline = Clock::now() + kSlowDisk;
    for (std::int64_t before = -1; !done_ && before != stored_ && Clock::now() < deadline;) {
      before = stored_;
      changed_.wait_for(lock, kHungDisk, [&] { return done_; });
    }
    return {stored_, lost_ + waiting_now_ + open_ + unrecorded_,
            static_cast<std::int64_t>(queue_->lost() + queue_->size()) + batch_unread_ + unread_};
  }

 private:
  void end() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }

  void record_lines() {
    write();  // makes the database, or warns at once that it cannot be opened
    for (;;) {
      const LineQueue::Batch batch =
          queue_->take(waiting_.empty() ? kIdleWait : kRetryAfter, kGather);
      batch_unread_ = std::ssize(batch.lines);
      for (const ObservedLine& line : batch.lines) {
        if (line.lost_before > 0) tracker_.lines_lost();
        if (line.mcp_session) {
          tracker_.set_mcp_session(*line.mcp_session);
        } else if (line.scanned) {
          tracker_.line(line.direction, *line.scanned, line.time);
        } else {
          tracker_.line(line.direction, line.text, line.time);
        }
        --batch_unread_;
        update_counts();
        yield_();
      }
      write();
      if (batch.closed) break;
    }
    {
      const std::lock_guard lock(mutex_);
      if (queue_->lost() > 0) tracker_.lines_lost();
      tracker_.finish(failure_, ended_);
    }
    update_counts();
    const auto deadline = Clock::now() + kLastChance;
    while (!waiting_.empty() && !write() && Clock::now() < deadline) {
      next_attempt_ = Clock::time_point();
      std::this_thread::sleep_for(milliseconds(10));
    }
  }

  // For failures other than the database's: recording ends; later lines are dropped.
  void give_up(const char* what) noexcept {
    try {
      warn(what);
      for (bool closed = false; !closed;) {
        const LineQueue::Batch batch = queue_->take(kIdleWait, kGather);
        batch_unread_ += std::ssize(batch.lines);
        closed = batch.closed;
      }
    } catch (...) {
      return;
    }
  }

  void add(ActionRow row) {
    waiting_bytes_ += row_bytes(row);
    waiting_.push_back(std::move(row));
    while (waiting_.size() > kWaitingRows || waiting_bytes_ > kWaitingRowBytes) {
      waiting_bytes_ -= row_bytes(waiting_.front());
      waiting_.pop_front();
      ++lost_;
    }
    waiting_now_ = std::ssize(waiting_);
  }

  void update_counts() {
    open_ = static_cast<std::int64_t>(tracker_.open());
    unrecorded_ = tracker_.unrecorded();
    unread_ = tracker_.unread();
  }

  // Writes rows. True: the database is open and all rows are written.
  bool write() {
    if (waiting_.empty() && db_) return true;
    if (Clock::now() < next_attempt_) return false;
    try {
      if (options_.database.empty()) throw std::runtime_error("no database is named");
      if (!db_) {
        EngineOptions options;
        options.path = options_.database;
        options.busy_timeout_ms = kBusyTimeoutMs;
        db_.emplace(open_database(options));
      }
      while (!waiting_.empty()) write_some();
      return true;
    } catch (const sql::Error& error) {
      if (!error.busy()) db_.reset();
      warn(error.what());
    } catch (const std::exception& error) {
      db_.reset();
      warn(error.what());
    }
    next_attempt_ = Clock::now() + kRetryAfter;
    return false;
  }

  void write_some() {
    const auto end = waiting_.begin() + std::min(std::ssize(waiting_), kRowsAtOnce);
    sql::Transaction transaction(*db_);
    for (auto row = waiting_.begin(); row != end; ++row) {
      row->id = insert_action(*db_, *row);  // so that another try does not store it twice
      yield_();
    }
    transaction.commit();
    for (auto row = waiting_.begin(); row != end; ++row) waiting_bytes_ -= row_bytes(*row);
    stored_ += end - waiting_.begin();
    waiting_.erase(waiting_.begin(), end);
    waiting_now_ = std::ssize(waiting_);
  }

  void warn(std::string_view what) {
    if (std::exchange(warned_, true)) return;
    options_.warn(fmt::format("calls cannot be recorded now; the traffic goes on: {}", what));
  }

  const WriterOptions options_;
  const std::shared_ptr<LineQueue> queue_;
  CallTracker tracker_;
  std::optional<sql::Database> db_;
  std::deque<ActionRow> waiting_;
  std::size_t waiting_bytes_ = 0;
  Clock::time_point next_attempt_;
  bool warned_ = false;
  Yield yield_;

  // Atomic, because finish() reads them even if the thread hangs.
  std::atomic<std::int64_t> stored_ = 0, lost_ = 0, waiting_now_ = 0;  // rows
  std::atomic<std::int64_t> open_ = 0, unrecorded_ = 0;                // calls that are not rows
  std::atomic<std::int64_t> batch_unread_ = 0, unread_ = 0;            // unread lines

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::string failure_;
  LineTime ended_;
  bool done_ = false;
};

RecordWriter::RecordWriter(WriterOptions options, std::shared_ptr<LineQueue> queue)
    : work_(std::make_shared<Work>(std::move(options), std::move(queue))) {
  try {
    std::thread([work = work_] { work->run(); }).detach();
  } catch (const std::system_error& error) {
    work_->end_without_thread(error);
  }
}

RecordWriter::~RecordWriter() = default;

RecordWriter::Outcome RecordWriter::finish(std::string failure, LineTime time) {
  return work_->finish(std::move(failure), time);
}

}  // namespace hebb::capture
