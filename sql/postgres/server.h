// The server that holds a ledger: a connection that is made when needed and again after it broke,
// hebb's schema there, and the server's errors as errors of a database.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sql/database.h"
#include "sql/postgres/address.h"
#include "sql/postgres/connection.h"

namespace hebb::postgres {

// Until when something is tried again, and how long to wait before the next time.
class Patience {
 public:
  explicit Patience(int ms) : whole_ms_(ms), until_(Clock::now() + std::chrono::milliseconds(ms)) {}
  int whole_ms() const { return whole_ms_; }
  int left_ms() const;
  bool wait();  // before the next attempt; false, at once: there is no time left for one

 private:
  using Clock = std::chrono::steady_clock;
  int whole_ms_;
  Clock::time_point until_;
  std::chrono::milliseconds pause_{5};
};

class Server {
 public:
  explicit Server(Address address) : address_(std::move(address)) {}
  const Address& address() const { return address_; }

  // As Connection::ask(). Where there is no connection, one is made, with patience; if one breaks
  // or none can be made, throws Error, lost(). Throws NoLibrary, sql::NewerSchema.
  std::vector<Result> ask(std::vector<Request> requests, Patience& patience);
  Result ask(const char* sql, Arguments arguments, Patience& patience);
  void connect(Patience& patience) { connection(patience); }
  void disconnect() { connection_.reset(); }
  bool connected() const { return connection_.has_value(); }

  // Makes hebb's schema if it is not there, and the ledger.
  void create(Patience& patience);

  // Whether the error says that hebb's schema, or the ledger, is missing.
  static bool lacks_schema(const Error& e);
  // The server's error as an error of a database.
  sql::UpstreamError as_sql(const Error& e) const;
  sql::UpstreamError no_ledger() const;

 private:
  Connection& connection(Patience& patience);
  void require_schema();  // of a version that this program knows

  Address address_;
  std::optional<Connection> connection_;
  int timeout_ms_ = 0;  // as set on the connection
};

// The statements that lead from the version before to `version`.
struct SchemaStep {
  int version;
  const char* sql;
};
// Brings the schema to the newest version, in one transaction, while others wait. newest: the
// statements that make the newest schema where there is none. Throws sql::NewerSchema.
void migrate(Connection& connection, const char* newest, std::span<const SchemaStep> steps);
int schema_version();

// The statements that `init` would run, for an administrator to run: the schema, roles and grants.
std::string schema_script();

}  // namespace hebb::postgres
