#include "sql/postgres/copy.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sql/postgres/parts.h"
#include "sql/postgres/server.h"
#include "sql/postgres/take.h"
#include "sql/server_queries.h"
#include "sql/upstream.h"

namespace hebb::postgres {

namespace fs = std::filesystem;
namespace text = sql::server;
using sql::Database;
using sql::Query;
using sql::Transaction;

namespace {

constexpr const char* kBegin = "BEGIN";
constexpr const char* kCommit = "COMMIT";
constexpr const char* kRollBack = "ROLLBACK";

constexpr int kCrowdedFor = 16, kCrowdedForMost = 4096;  // transactions
constexpr std::chrono::seconds kAfterFailure{1};         // before a reader asks the server again
constexpr int kReadersWaitMs = 1'000;

// A file whose time is when the copy was last brought up to date.
std::string followed_path(const Address& address) { return address.copy + "-followed"; }

sql::Overtaken overtaken() {
  return sql::Overtaken("others appended to the ledger at the same time; run it again");
}

// --- the copy ------------------------------------------------------------------------------------

class Copy : public sql::Upstream {
  // Runs `work`; throws the server's errors as errors of a database.
  template <class Work>
  auto guarded(const Work& work) {
    try {
      return work();
    } catch (const Error& e) {
      throw server_.as_sql(e);
    }
  }

 public:
  explicit Copy(Server server) : server_(std::move(server)) {}

  void begin(Database& copy) override;
  void commit(Database& copy) override;
  void roll_back() noexcept override;
  void expect_no_others(bool expected) override { hopeful_ = expected && crowded_ == 0; }
  std::optional<std::string> freshen(Database& copy, double behind_s) override;
  std::vector<std::string> check(Database& copy) override {
    return guarded([&] { return postgres::check(copy, server_); });
  }
  std::optional<std::int64_t> fresh_at() const override;

  // Brings the copy up to date, in transactions of its own, without keeping others from appending.
  void follow(Database& copy, Patience patience);

 private:
  using Clock = std::chrono::steady_clock;
  const std::string& ledger() const { return server_.address().ledger; }
  sql::UpstreamError as_sql(Database& copy, const Error& e) const;
  void lock_and_take(Database& copy, Patience& patience);
  void end_unchanged(Database& copy);
  void append(const std::vector<Part>& parts, Patience patience);
  void send(const std::vector<Part>& parts, const Uuid& batch, Patience& patience);
  void send_again(const std::vector<Part>& parts, const Uuid& batch, Patience& patience);
  void stamp() const;  // notes that the copy is up to date now

  Server server_;
  End base_;                 // the end of the ledger at begin()
  std::int64_t change_ = 0;  // the last change of rows beside the ledger, as of the lock
  bool locked_ = false;      // a transaction is open on the server, and has the ledger's lock
  bool hopeful_ = false;
  int crowded_ = 0;            // transactions until expect_no_others() counts again
  int backoff_ = kCrowdedFor;  // grows with each overtaken attempt, which may have been long
  Clock::time_point failed_at_{};
  std::string failure_;
};

sql::UpstreamError Copy::as_sql(Database& copy, const Error& e) const {
  if (Server::lacks_schema(e) && end_of(copy).position > 0) return lost_ledger(server_.address());
  return server_.as_sql(e);
}

void Copy::follow(Database& copy, Patience patience) {
  for (bool more = true; more;) {
    std::vector<Result> answers;
    const std::int64_t had = last_change(copy);
    try {
      answers = server_.ask(reading(copy, server_.address()), patience);
    } catch (const Error& e) {  // the server may have been started again since
      if (!e.lost() || !patience.wait()) throw as_sql(copy, e);
      continue;
    }
    require_changes(server_.address(), answers, had);
    if (!brings_something(copy, answers)) break;
    Transaction transaction(copy, Transaction::Kind::of_copy);
    more = take(copy, server_, answers);
    forget_changed_rows(copy);
    transaction.commit();
  }
  stamp();
}

// --- writing -------------------------------------------------------------------------------------

void Copy::begin(Database& copy) {
  forget_changed_rows(copy);
  base_ = end_of(copy);
  if (crowded_ > 0) --crowded_;
  if (hopeful_) return;
  Patience patience(copy.busy_timeout_ms());
  for (;;) {
    try {
      lock_and_take(copy, patience);
      break;
    } catch (const Error& e) {
      roll_back();
      if (!e.lost() || !patience.wait()) throw as_sql(copy, e);
    } catch (...) {
      roll_back();
      throw;
    }
  }
  forget_changed_rows(copy);
  base_ = end_of(copy);
}

void Copy::lock_and_take(Database& copy, Patience& patience) {
  for (bool more = true; more;) {
    std::vector<Request> requests;
    requests.push_back({kBegin});
    requests.push_back({text::lock, std::move(Arguments().text(ledger()))});
    for (Request& r : reading(copy, server_.address())) requests.push_back(std::move(r));
    locked_ = true;
    const auto all = server_.ask(std::move(requests), patience);
    const auto answers = std::span(all).subspan(2);
    require_changes(server_.address(), answers, last_change(copy));
    more = take(copy, server_, answers);
    change_ = answers[kHead].integer(0, 2);
    if (more) roll_back();  // so that nobody waits for a machine that has much to read
  }
}

void Copy::roll_back() noexcept {
  if (!std::exchange(locked_, false)) return;
  try {
    Patience none(0);
    if (server_.connected()) server_.ask(kRollBack, {}, none);
  } catch (const std::exception&) {
    server_.disconnect();  // then the server rolls back
  }
}

// The decision to change nothing also depends on the ledger, so nobody may have appended meanwhile.
void Copy::end_unchanged(Database& copy) {
  if (locked_) return roll_back();
  Patience patience(copy.busy_timeout_ms());
  Arguments arguments;
  arguments.text(ledger());
  const Result head = guarded([&] { return server_.ask(text::head, arguments, patience); });
  if (head.rows() == 1 && base_ == End{head.integer(0, 0), head.integer(0, 1)}) return;
  throw overtaken();
}

void Copy::commit(Database& copy) {
  const bool has_all = locked_;
  const auto parts = parts_after(copy, base_);
  if (parts.empty()) {
    end_unchanged(copy);
  } else {
    append(parts, Patience(copy.busy_timeout_ms()));
  }
  if (has_all) stamp();
}

void Copy::append(const std::vector<Part>& parts, Patience patience) {
  guarded([&] { server_.connect(patience); });
  const Uuid batch = random_uuid();
  try {
    send(parts, batch, patience);
  } catch (const Error& e) {
    roll_back();
    if (!e.lost()) throw server_.as_sql(e);
    std::string why = e.what();
    while (patience.wait()) {
      try {
        return send_again(parts, batch, patience);
      } catch (const Error& again) {
        roll_back();
        why = again.what();
        if (!again.lost()) break;
      }
    }
    throw sql::UpstreamError(
        sql::kBusy,
        fmt::format("{}: the connection broke at the commit, and whether it happened is not "
                    "known; give the same input again: what has an id or a time counts once ({})",
                    server_.address().shown, why));
  }
}

void Copy::send(const std::vector<Part>& parts, const Uuid& batch, Patience& patience) {
  std::vector<Request> requests;
  const bool in_transaction = locked_ || parts.size() > 1;
  const bool begins = !locked_ && in_transaction;
  if (begins) requests.push_back({kBegin});
  // All parts are one transaction: the id of the first shows later whether it was committed.
  for (const Part& part : parts) {
    const bool first = &part == &parts.front();
    requests.push_back(append_request(part, ledger(), first ? batch : random_uuid()));
  }
  if (in_transaction) requests.push_back({kCommit});
  const std::size_t appended = begins ? 1 : 0;
  locked_ = in_transaction;
  const auto answers = server_.ask(std::move(requests), patience);
  locked_ = false;
  if (!answers[appended].is_null(0, 0)) {
    if (hopeful_) backoff_ = kCrowdedFor;
    return;
  }
  crowded_ = backoff_;
  backoff_ = std::min(2 * backoff_, kCrowdedForMost);
  hopeful_ = false;
  throw overtaken();
}

// After a connection broke: looks whether the server has the batch, and if not, sends it again if
// the ledger has not changed. The lock makes sure that the broken connection's transaction has
// ended.
void Copy::send_again(const std::vector<Part>& parts, const Uuid& batch, Patience& patience) {
  std::vector<Request> requests;
  requests.push_back({kBegin});
  requests.push_back({text::lock, std::move(Arguments().text(ledger()))});
  Arguments sought;
  sought.text(ledger()).integer(parts.front().base.position).uuid(batch);
  requests.push_back({text::has_batch, std::move(sought)});
  requests.push_back({text::head, std::move(Arguments().text(ledger()))});
  locked_ = true;
  const auto answers = server_.ask(std::move(requests), patience);
  if (answers[2].integer(0, 0) != 0) return roll_back();
  // Another machine may have used the rows' numbers since.
  const Result& head = answers[3];
  if (!parts.back().table.empty() && head.rows() == 1 && head.integer(0, 2) != change_)
    throw overtaken();
  send(parts, batch, patience);
}

// --- reading -------------------------------------------------------------------------------------

void Copy::stamp() const {
  const std::string path = followed_path(server_.address());
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return;  // then each read brings the copy up to date
  ::futimens(fd, nullptr);
  ::close(fd);
}

std::optional<std::int64_t> Copy::fresh_at() const {
  struct stat status {};
  if (::stat(followed_path(server_.address()).c_str(), &status) != 0) return std::nullopt;
  return status.st_mtim.tv_sec * 1'000 + status.st_mtim.tv_nsec / 1'000'000;
}

std::optional<std::string> Copy::freshen(Database& copy, double behind_s) {
  if (copy.in_transaction()) return std::nullopt;
  const auto fresh = fresh_at();
  if (fresh) {
    using Milliseconds = std::chrono::milliseconds;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t age = std::chrono::duration_cast<Milliseconds>(now).count() - *fresh;
    const double limit = behind_s == 0 ? 0 : 1e3 * server_.address().behind_s.value_or(behind_s);
    if (age >= 0 && static_cast<double>(age) < limit) return std::nullopt;
  }
  const bool may_lag = fresh && behind_s > 0;
  if (may_lag && !failure_.empty() && Clock::now() - failed_at_ < kAfterFailure) return failure_;
  failure_.clear();
  // Readers that may use the copy as it is wait only briefly for the server, and not at all for
  // another process of this machine that writes: its transaction brings the copy up to date.
  const int usual = copy.busy_timeout_ms();
  const int wait = may_lag ? std::min(usual, kReadersWaitMs) : usual;
  const std::shared_ptr<void> ended(nullptr, [&](void*) { copy.set_busy_timeout(usual); });
  if (may_lag) copy.set_busy_timeout(0);
  try {
    follow(copy, Patience(wait));
  } catch (const sql::UpstreamError& e) {
    if (!e.busy() || !may_lag) throw;
    failed_at_ = Clock::now();
    failure_ = e.what();
    return failure_;
  } catch (const sql::Error& e) {
    if (!e.busy() || !may_lag) throw;
  }
  return std::nullopt;
}

}  // namespace

bool has_copy(const Address& address) {
  std::error_code ec;
  return fs::exists(address.copy, ec) && fs::exists(followed_path(address), ec);
}

namespace {

Database open_file(const Address& address, int busy_timeout_ms) {
  try {
    Database copy(address.copy, Database::Mode::read_write_create, busy_timeout_ms);
    sql::migrate(copy);
    watch_rows(copy);
    return copy;
  } catch (const sql::Error& e) {
    if (!e.corrupt() && !dynamic_cast<const sql::NotOurs*>(&e)) throw;
    throw sql::UpstreamError(
        sql::kCorrupt,
        fmt::format("the copy of this machine is damaged ({}); remove {}* and the next command "
                    "makes it anew: what it had is on the server, unless that has lost its end",
                    e.what(), address.copy));
  }
}

}  // namespace

Database open_copy(const Address& address, bool create, int busy_timeout_ms) {
  const fs::path folder = fs::path(address.copy).parent_path();
  std::error_code ec;
  fs::create_directories(folder.parent_path(), ec);
  ::mkdir(folder.c_str(), 0700);
  // For its user alone, also where others may read the folder.
  if (const int fd =
          ::open(address.copy.c_str(), O_CREAT | O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
      fd >= 0)
    ::close(fd);
  const bool there = has_copy(address);
  Server server(address);
  Database copy = open_file(address, busy_timeout_ms);
  if (create && (!there || end_of(copy).position == 0)) {
    Patience patience(busy_timeout_ms);
    try {
      server.create(patience);
    } catch (const Error& e) {
      throw server.as_sql(e);
    }
  }
  auto upstream = std::make_unique<Copy>(std::move(server));
  Copy& of = *upstream;
  copy.set_upstream(std::move(upstream));
  if (!there) of.follow(copy, Patience(busy_timeout_ms));
  return copy;
}

}  // namespace hebb::postgres
