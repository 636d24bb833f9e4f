#include "sql/postgres/take.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sql/ledger_chain.h"
#include "sql/postgres/parts.h"
#include "sql/server_queries.h"

namespace hebb::postgres {

namespace text = sql::server;
using sql::Database;
using sql::Query;

namespace {

constexpr std::int64_t kRowsAtOnce = 2'000;  // read in one answer

constexpr const char* kFewerRows =
    "the copy has refused inputs, access counts or actions that the server does not have";

// Names in the table `mirror`, beside those of engine/mirror/.
constexpr const char* kChangeMark = "change";  // the last change that is in the copy
constexpr const char* kNodeChangeMark =
    "change_of_nodes";                             // the same, of rows that belong to a node
constexpr const char* kMirroredMark = "position";  // the last event that is in the tables

std::int64_t mark(Database& copy, std::string_view name) {
  auto& q = copy.query(Query::mirror_get).bind(1, name);
  const sql::Reset reset(q);
  return q.step() ? q.integer(0) : 0;
}
void set_mark(Database& copy, std::string_view name, std::int64_t value) {
  copy.query(Query::mirror_set).bind(1, name).bind(2, value).run();
}

sql::UpstreamError divergence(const Address& address, const std::string& how) {
  return {
      sql::kCorrupt,
      fmt::format("diverged: {}. The copy of this machine is {}; `hebb rescue FILE` writes what "
                  "only the copy has into FILE, which `hebb import` reads, and follows the "
                  "server from its beginning",
                  how, address.copy)};
}

void take_events(Database& copy, const Address& address, const Result& rows) {
  End end = end_of(copy);
  int r = 0;
  // Another process of this machine may have taken some of them.
  while (r < rows.rows() && rows.integer(r, 0) < end.position) ++r;
  if (end.position > 0) {
    if (r == rows.rows()) {
      if (rows.rows() > 0) return;
      throw divergence(address,
                       fmt::format("the copy has {} events, and the server fewer", end.position));
    }
    if (rows.integer(r, 0) == end.position && rows.integer(r, 7) != end.checksum)
      throw divergence(
          address,
          fmt::format("event {} on the server is another one than in the copy", end.position));
    ++r;
  }
  for (; r < rows.rows(); ++r) {
    auto& q = copy.query(Query::append_event);
    const std::int64_t position = rows.integer(r, 0);
    if (position != end.position + 1)
      throw divergence(address, fmt::format("the server has no event {}", end.position + 1));
    q.bind(1, position).bind(2, rows.integer(r, 1)).bind(3, rows.text(r, 2));
    q.bind(4, rows.text(r, 3)).bind(5, rows.text(r, 4)).bind(6, rows.text(r, 5));
    if (!rows.is_null(r, 6)) q.bind(7, std::as_bytes(std::span(rows.text(r, 6))));
    end = {position, rows.integer(r, 7)};
    q.bind(8, end.checksum).run();
    if (copy.changes() == 0)
      throw divergence(
          address, fmt::format("event {} on the server has the key of an earlier one", position));
  }
}

bool has_all_nodes(Database& copy) { return mark(copy, kMirroredMark) == end_of(copy).position; }

// mark_name: the mark that moves to the last of the changes; null: none.
void put_rows(Database& copy, const Result& changes, const char* mark_name) {
  for (int r = 0; r < changes.rows(); ++r) {
    put_row(copy, {std::string(changes.text(r, 1)), std::string(changes.text(r, 2)),
                   changes.is_null(r, 3) ? "" : std::string(changes.text(r, 3))});
  }
  if (mark_name && changes.rows() > 0)
    set_mark(copy, mark_name, changes.integer(changes.rows() - 1, 0));
}

}  // namespace

sql::UpstreamError lost_ledger(const Address& address) {
  return divergence(address,
                    "the server has no such ledger, or it is not for this user any more (its "
                    "hebb.member), and the copy has one");
}

std::vector<Request> reading(Database& copy, const Address& address) {
  const auto of_ledger = [&] { return std::move(Arguments().text(address.ledger)); };
  const auto changes = [&](const char* after, int of_nodes) {
    Arguments arguments = of_ledger();
    arguments.integer(mark(copy, after)).integer(of_nodes).integer(kRowsAtOnce);
    return Request{text::changes, std::move(arguments)};
  };
  std::vector<Request> requests;
  requests.push_back({text::head, of_ledger()});
  Arguments events = of_ledger();
  events.integer(end_of(copy).position).integer(kRowsAtOnce);
  // The events are read after the rows, so that they include the nodes of these rows.
  requests.push_back(changes(kChangeMark, 0));
  requests.push_back(changes(kNodeChangeMark, 1));
  requests.push_back({text::events, std::move(events)});
  return requests;
}

std::int64_t last_change(Database& copy) {
  return std::max(mark(copy, kChangeMark), mark(copy, kNodeChangeMark));
}

void require_changes(const Address& address, std::span<const Result> answers, std::int64_t had) {
  if (answers[kHead].rows() == 1 && answers[kHead].integer(0, 2) < had)
    throw divergence(address, kFewerRows);
}

bool brings_something(Database& copy, std::span<const Result> answers) {
  const Result& head = answers[kHead];
  const End end = end_of(copy);
  return head.rows() == 0 || end != End{head.integer(0, 0), head.integer(0, 1)} ||
         answers[kChanges].rows() > 0 || (answers[kNodeChanges].rows() > 0 && has_all_nodes(copy));
}

bool take(Database& copy, const Server& server, std::span<const Result> answers) {
  const Result& head = answers[kHead];
  const Result& events = answers[kEvents];
  if (head.rows() == 0) {
    if (end_of(copy).position > 0) throw lost_ledger(server.address());
    throw server.no_ledger();
  }
  take_events(copy, server.address(), events);
  put_rows(copy, answers[kChanges], kChangeMark);
  // The server has to report the changes for nodes again until the tables have the nodes.
  const bool all_nodes = has_all_nodes(copy);
  put_rows(copy, answers[kNodeChanges], all_nodes ? kNodeChangeMark : nullptr);
  return events.rows() == kRowsAtOnce || answers[kChanges].rows() == kRowsAtOnce ||
         (all_nodes && answers[kNodeChanges].rows() == kRowsAtOnce);
}

std::vector<std::string> check(Database& copy, Server& server) {
  std::vector<std::string> problems;
  Patience patience(copy.busy_timeout_ms());
  const End end = end_of(copy);
  End at;
  const std::int64_t rows_of_copy = last_change(copy);
  std::int64_t rows_of_server = 0;
  const Result head =
      server.ask(text::head, std::move(Arguments().text(server.address().ledger)), patience);
  if (head.rows() == 1) rows_of_server = head.integer(0, 2);
  for (bool more = true; more;) {
    const Result rows = server.ask(text::events,
                                   std::move(Arguments()
                                                 .text(server.address().ledger)
                                                 .integer(at.position + 1)
                                                 .integer(kRowsAtOnce)),
                                   patience);
    more = rows.rows() == kRowsAtOnce;
    for (int r = 0; r < rows.rows(); ++r) {
      const std::int64_t position = rows.integer(r, 0);
      sql::RowChecksum sum(at.checksum);
      sum.integer(position).integer(rows.integer(r, 1));
      for (const int c : {2, 3, 4, 5}) sum.text(rows.text(r, c));
      rows.is_null(r, 6) ? sum.null() : sum.blob(std::as_bytes(std::span(rows.text(r, 6))));
      const auto stored = rows.integer(r, 7);
      auto& mine = copy.query(Query::checksum_at).bind(1, position);
      const sql::Reset reset(mine);
      if (position != at.position + 1)
        problems.push_back(
            fmt::format("server: events {} to {} are missing", at.position + 1, position - 1));
      else if (sum.value() != stored)
        problems.push_back(fmt::format("server: event {} is not what was appended", position));
      if (mine.step() && mine.integer(0) != stored) {
        problems.push_back(
            fmt::format("server: diverged: event {} is another one than in the copy", position));
        return problems;
      }
      at = {position, stored};
    }
  }
  if (rows_of_copy > rows_of_server)
    problems.push_back(fmt::format("server: diverged: {}", kFewerRows));
  if (at.position < end.position) {
    problems.push_back(
        fmt::format("server: diverged: its ledger ends with event {}, and that of the copy with {}",
                    at.position, end.position));
  }
  return problems;
}

}  // namespace hebb::postgres
