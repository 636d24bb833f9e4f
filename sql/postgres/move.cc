#include "sql/postgres/move.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "sql/postgres/parts.h"
#include "sql/postgres/server.h"
#include "sql/quote.h"
#include "sql/server_queries.h"
#include "sql/upstream.h"

namespace hebb::postgres {

namespace fs = std::filesystem;
namespace text = sql::server;
using sql::Database;
using sql::Query;

namespace {

std::optional<std::int64_t> checksum_at(Database& db, std::int64_t position) {
  if (position == 0) return 0;
  auto& q = db.query(Query::checksum_at).bind(1, position);
  const sql::Reset reset(q);
  return q.step() ? std::optional(q.integer(0)) : std::nullopt;
}

class ToServer {
 public:
  ToServer(Database& from, const Address& to, const MoveProgress& progress)
      : from_(from), server_(to), patience_(from.busy_timeout_ms()), progress_(progress) {}

  Moved run() {
    require_not_moved();
    server_.create(patience_);
    find_begin();
    watch_rows(from_);
    sql::Transaction(from_).commit();  // so that all events sent are on the disk here
    send_events();
    sql::Transaction transaction(from_);  // from here on nobody else writes
    send_events();
    from_.exec(text::watch_all);
    for (const Part& part : parts_after(from_, at_)) send(part);
    const Address& to = server_.address();
    from_.exec(fmt::format(fmt::runtime(text::moved),
                           sql::quoted_text(fmt::format(
                               "this database has moved: give --db '{}' in its place", to.shown))));
    transaction.commit();
    return {at_.position, at_.checksum};
  }

 private:
  void require_not_moved() {
    auto& moved = from_.query(Query::copy_is_moved);
    const sql::Reset reset(moved);
    if (moved.step() && moved.integer(0) == 0) return;
    throw sql::UpstreamError(
        sql::kReadOnly,
        fmt::format("{} has moved already; an attempt to write to it says where", from_.path()));
  }
  // Where an earlier attempt stopped.
  void find_begin() {
    const Address& to = server_.address();
    const Result head = server_.ask(text::head, std::move(Arguments().text(to.ledger)), patience_);
    at_ = {head.integer(0, 0), head.integer(0, 1)};
    if (head.is_null(0, 3) && checksum_at(from_, at_.position) == at_.checksum) return;
    throw sql::UpstreamError(
        sql::kFailed,
        fmt::format("the ledger \"{}\" at {} has {} events that are not of {}: name another ledger",
                    to.ledger, to.shown, at_.position, from_.path()));
  }
  void send_events() {
    const std::int64_t last = end_of(from_).position;
    for (Part part = events_after(from_, at_); !part.empty(); part = events_after(from_, at_)) {
      send(part);
      if (progress_)
        progress_(static_cast<std::size_t>(at_.position), static_cast<std::size_t>(last));
    }
  }
  void send(const Part& part) {
    std::vector<Request> one;
    one.push_back(append_request(part, server_.address().ledger, random_uuid()));
    if (server_.ask(std::move(one), patience_).front().is_null(0, 0)) {
      throw sql::UpstreamError(
          sql::kBusy, "somebody else writes to that ledger: nothing is moved; name another one");
    }
    at_ = part.end;
  }

  Database& from_;
  Server server_;
  Patience patience_;
  const MoveProgress& progress_;
  End at_;
};

}  // namespace

Moved move_to_server(Database& from, const Address& to, const MoveProgress& progress) {
  ToServer move(from, to, progress);
  try {
    return move.run();
  } catch (const Error& e) {
    throw Server(to).as_sql(e);
  }
}

Moved move_to_file(Database& copy, const Address& from, const std::string& path) {
  Server server(from);
  Patience patience(copy.busy_timeout_ms());
  End last;
  try {
    server.ask(text::move_ledger, std::move(Arguments().text(from.ledger).text(path)), patience);
    const Result head = server.ask(text::head, std::move(Arguments().text(from.ledger)), patience);
    last = {head.integer(0, 0), head.integer(0, 1)};
  } catch (const Error& e) {
    throw server.as_sql(e);
  }
  while (end_of(copy) != last) {  // another process of this machine may be using the copy
    const auto why = copy.upstream()->freshen(copy, 0);
    if (!why && patience.wait()) continue;
    throw sql::UpstreamError(
        sql::kBusy, fmt::format("nothing is written to {} yet, and nobody appends to the ledger "
                                "any more: run it again ({})",
                                path, why.value_or("others use the copy of this machine")));
  }
  copy.backup_to(path, sql::FileReplacement::Existing::keep);
  Database moved(path, Database::Mode::read_write, copy.busy_timeout_ms());
  sql::migrate(moved);
  sql::Transaction transaction(moved);
  moved.query(Query::copy_marks_drop).run();
  transaction.commit();
  const End end = end_of(moved);
  return {end.position, end.checksum};
}

std::int64_t last_common(const Address& address, int timeout_ms) {
  Database copy(address.copy, Database::Mode::read_only, timeout_ms);
  Server server(address);
  Patience patience(timeout_ms);
  const auto same = [&](std::int64_t position) {
    Arguments arguments;
    arguments.text(address.ledger).integer(position);
    const Result there = server.ask(text::checksum, std::move(arguments), patience);
    return there.rows() == 1 && there.integer(0, 0) == checksum_at(copy, position);
  };
  // Each checksum depends on all events before: where one is the same, all before it are.
  std::int64_t common = 0, differs = end_of(copy).position + 1;
  try {
    while (differs - common > 1) {
      const std::int64_t middle = common + (differs - common) / 2;
      (same(middle) ? common : differs) = middle;
    }
  } catch (const Error& e) {
    if (!Server::lacks_schema(e)) throw server.as_sql(e);
  }
  return common;
}

void remove_copy(const Address& address) {
  std::error_code ec;
  // In this order: nobody takes the copy for an up-to-date one, or opens the database without its
  // log.
  for (const char* part : {"-followed", "", "-wal", "-shm", "-image", "-image-new"})
    fs::remove(address.copy + part, ec);
}

}  // namespace hebb::postgres
