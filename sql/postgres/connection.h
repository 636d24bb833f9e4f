// A connection to a PostgreSQL server through libpq, which is loaded when the first one is made: a
// program that makes none needs no libpq and starts as fast as without it. Knows nothing of hebb.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sql/postgres/libpq.h"

namespace hebb::postgres {

class Error : public std::runtime_error {
 public:
  // sqlstate: five characters, or empty where the error is not the server's.
  Error(std::string sqlstate, bool lost, const std::string& what);
  const std::string& sqlstate() const { return sqlstate_; }
  // There is no connection (any more): none could be made because the server does not answer, is
  // starting or stopping, or has too many; or it broke, and a commit that was under way may have
  // happened. Trying again, with another Connection, may help.
  bool lost() const { return lost_; }
  bool waited() const;  // a lock or a statement took longer than the timeout

 private:
  std::string sqlstate_;
  bool lost_;
};

using Uuid = std::array<std::byte, 16>;
Uuid random_uuid();  // of version 4

// The values of $1, $2 …, in order.
class Arguments {
 public:
  struct Value {
    Oid type;
    std::string bytes;  // in PostgreSQL's binary format
  };
  using Texts = std::span<const std::optional<std::string_view>>;  // nullopt: NULL
  Arguments& integer(std::int64_t value);                          // bigint
  Arguments& text(std::string_view value);                         // text
  Arguments& uuid(const Uuid& value);
  Arguments& integers(std::span<const std::int64_t> values);  // bigint[]
  Arguments& texts(Texts values);                             // text[]
  Arguments& blobs(Texts values);                             // bytea[]

  const std::vector<Value>& values() const { return values_; }

 private:
  std::vector<Value> values_;
};

// The result of one statement. Moves, does not copy. May outlive the connection.
class Result {
 public:
  explicit Result(OwnedResult result) : result_(std::move(result)) {}
  int rows() const;
  bool is_null(int row, int column) const;
  // Of a bigint, integer, smallint or boolean; 0 where it is NULL.
  std::int64_t integer(int row, int column) const;
  // Of text, json, bytea or uuid: the bytes; they live as long as this.
  std::string_view text(int row, int column) const;

 private:
  OwnedResult result_;
};

struct Request {
  // One statement; must live as long as the connection: it is prepared at first use, and known by
  // its address.
  const char* sql;
  Arguments arguments = {};
};

// After an Error that is lost() it is closed, and every call throws one.
class Connection {
 public:
  // conninfo: a URL postgresql://… or a string of libpq. timeout_ms: how long to try to connect,
  // and to wait for a lock or a statement; at least 1. Of that, only looking up the name of a host
  // may take longer. Throws Error, NoLibrary; no message holds the password.
  Connection(const std::string& conninfo, int timeout_ms);
  ~Connection() = default;
  Connection(Connection&&) noexcept = default;
  Connection& operator=(Connection&&) noexcept = default;

  // Sends all of them at once and waits for all results, in order: one round trip. Those after one
  // that fails are not run; then throws its Error. Outside a transaction they are one transaction.
  // A transaction that one of them began, or that was open, stays open after an Error, and does
  // nothing until it is rolled back. The connection is lost() if the server sends nothing for the
  // timeouts of all statements not yet answered and 5 s more.
  std::vector<Result> ask(std::vector<Request> requests);
  Result ask(const char* sql, Arguments arguments = {});
  // Any number of statements without arguments, in one transaction unless they begin or end one
  // themselves. They are not prepared.
  void run(const std::string& sql);
  void set_timeout(int ms);  // of locks and statements; at least 1
  bool in_transaction() const;

 private:
  struct Prepared {
    std::string name;
    bool ready = false;  // the server has confirmed it
  };
  using Statement = std::pair<const char*, std::vector<Oid>>;  // and the types of its arguments
  struct Sent {
    Prepared* statement;
    bool prepares;  // else it runs the statement
  };

  pg_conn* open() const;  // throws if the connection is closed
  void begin();           // at the beginning of each call
  void send(const Request& request, std::vector<Sent>& sent);
  std::vector<Result> receive(const std::vector<Sent>& sent);
  void run_within(const std::string& sql, std::chrono::milliseconds patience);
  std::chrono::milliseconds patience(std::size_t statements) const;
  std::string timeouts() const;

  OwnedConnection connection_;
  std::map<Statement, Prepared> prepared_;
  std::size_t names_;  // the number of the next prepared statement
  int timeout_ms_;
  bool timeout_unsure_ = false;  // set in a transaction: a rollback restores the old one
};

}  // namespace hebb::postgres
