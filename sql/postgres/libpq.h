// libpq, PostgreSQL's client library, loaded when a connection is first made. Its functions are
// declared here as its header declares them, so that building needs no header of it; a test
// compares the two. Only what this room uses is here.
#pragma once

#include <memory>
#include <stdexcept>

struct pg_conn;
struct pg_result;

namespace hebb::postgres {

// libpq is not installed, or is older than version 14; what() names the package.
class NoLibrary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Oid = unsigned int;  // of a type
using NoticeProcessor = void (*)(void* argument, const char* message);

enum class ConnectionStatus : unsigned { ok = 0, bad = 1 };  // others: it is being made
enum class Polling : unsigned { failed = 0, reading = 1, writing = 2, ok = 3 };
enum class ResultStatus : unsigned {
  empty_query = 0,
  command_ok = 1,
  tuples_ok = 2,
  fatal_error = 7,
  pipeline_sync = 10,
  pipeline_aborted = 11
};
enum class TransactionStatus : unsigned { idle, active, in_transaction, in_error, unknown };
enum class PipelineStatus : unsigned { off, on, aborted };
enum class Verbosity : unsigned { normal = 1, verbose = 2 };

// Fields of an error.
inline constexpr int kFieldSeverity = 'V';  // not translated
inline constexpr int kFieldSqlstate = 'C';
inline constexpr int kFieldPrimary = 'M';
inline constexpr int kFieldDetail = 'D';

// F(result, name, arguments) for each function. What PQconninfoParse returns is only freed.
// clang-format off
#define HEBB_LIBPQ_FUNCTIONS(F)                                                                  \
  F(void*, PQconninfoParse, (const char* conninfo, char** message))                              \
  F(void, PQconninfoFree, (void* options))                                                       \
  F(pg_conn*, PQconnectStartParams,                                                              \
    (const char* const* keywords, const char* const* values, int expand_dbname))                 \
  F(Polling, PQconnectPoll, (pg_conn*))                                                          \
  F(void, PQfinish, (pg_conn*))                                                                  \
  F(ConnectionStatus, PQstatus, (const pg_conn*))                                                \
  F(TransactionStatus, PQtransactionStatus, (const pg_conn*))                                    \
  F(char*, PQerrorMessage, (const pg_conn*))                                                     \
  F(int, PQconnectionNeedsPassword, (const pg_conn*))                                            \
  F(char*, PQhost, (const pg_conn*))                                                             \
  F(char*, PQport, (const pg_conn*))                                                             \
  F(int, PQsocket, (const pg_conn*))                                                             \
  F(int, PQsslInUse, (pg_conn*))                                                                 \
  F(int, PQgssEncInUse, (pg_conn*))                                                             \
  F(NoticeProcessor, PQsetNoticeProcessor, (pg_conn*, NoticeProcessor, void* argument))          \
  F(Verbosity, PQsetErrorVerbosity, (pg_conn*, Verbosity))                                       \
  F(int, PQsetnonblocking, (pg_conn*, int on))                                                   \
  F(int, PQflush, (pg_conn*))                                                                    \
  F(int, PQconsumeInput, (pg_conn*))                                                             \
  F(int, PQisBusy, (pg_conn*))                                                                   \
  F(pg_result*, PQgetResult, (pg_conn*))                                                         \
  F(PipelineStatus, PQpipelineStatus, (const pg_conn*))                                          \
  F(int, PQenterPipelineMode, (pg_conn*))                                                        \
  F(int, PQexitPipelineMode, (pg_conn*))                                                         \
  F(int, PQpipelineSync, (pg_conn*))                                                             \
  F(int, PQsendQuery, (pg_conn*, const char* query))                                             \
  F(int, PQsendPrepare,                                                                          \
    (pg_conn*, const char* name, const char* query, int count, const Oid* types))                \
  F(int, PQsendQueryPrepared,                                                                    \
    (pg_conn*, const char* name, int count, const char* const* values, const int* lengths,       \
     const int* formats, int result_format))                                                     \
  F(ResultStatus, PQresultStatus, (const pg_result*))                                            \
  F(char*, PQresultErrorField, (const pg_result*, int field))                                    \
  F(char*, PQresultErrorMessage, (const pg_result*))                                             \
  F(int, PQntuples, (const pg_result*))                                                          \
  F(int, PQnfields, (const pg_result*))                                                          \
  F(char*, PQgetvalue, (const pg_result*, int row, int column))                                  \
  F(int, PQgetlength, (const pg_result*, int row, int column))                                   \
  F(int, PQgetisnull, (const pg_result*, int row, int column))                                   \
  F(void, PQclear, (pg_result*))                                                                 \
  F(void, PQfreemem, (void*))
// clang-format on

struct Libpq {
#define HEBB_LIBPQ_MEMBER(result, name, arguments) result(*name) arguments = nullptr;
  HEBB_LIBPQ_FUNCTIONS(HEBB_LIBPQ_MEMBER)
#undef HEBB_LIBPQ_MEMBER
};

// Loads it at the first call. Throws NoLibrary; a later call tries again.
const Libpq& libpq();

struct Finish {
  void operator()(pg_conn* connection) const { libpq().PQfinish(connection); }
};
using OwnedConnection = std::unique_ptr<pg_conn, Finish>;

struct Clear {
  void operator()(pg_result* result) const { libpq().PQclear(result); }
};
using OwnedResult = std::unique_ptr<pg_result, Clear>;

// From the shared library of this name, which stays loaded. Throws NoLibrary.
Libpq load_libpq(const char* name);

}  // namespace hebb::postgres
