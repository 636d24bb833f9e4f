// What sql/postgres/libpq.h declares is what libpq's own header declares.
#include <string>
#include <type_traits>

#include <catch2/catch.hpp>

#include "sql/postgres/libpq.h"

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#define HEBB_LIBPQ_HEADER 1
#endif

namespace hebb::postgres {
namespace {

#ifdef HEBB_LIBPQ_HEADER

// An enumeration is its integer, and the options, which are only freed, are void.
template <typename T, bool is_enum = std::is_enum_v<T>>
struct Plain {
  using Type = T;
};
template <typename T>
struct Plain<T, true> {
  using Type = std::underlying_type_t<T>;
};
template <>
struct Plain<PQconninfoOption*, false> {
  using Type = void*;
};
template <typename R, typename... A>
struct Plain<R (*)(A...), false> {
  using Type = typename Plain<R>::Type (*)(typename Plain<A>::Type...);
};
template <typename A, typename B>
constexpr bool kSame = std::is_same_v<typename Plain<A>::Type, typename Plain<B>::Type>;

#define SAME(result, name, arguments) \
  static_assert(kSame<decltype(Libpq::name), decltype(&::name)>, #name);
HEBB_LIBPQ_FUNCTIONS(SAME)
#undef SAME

template <typename Ours, typename Theirs>
constexpr bool equal(Ours ours, Theirs theirs) {
  return static_cast<unsigned>(ours) == static_cast<unsigned>(theirs);
}

static_assert(std::is_same_v<Oid, ::Oid>);
static_assert(equal(ConnectionStatus::ok, CONNECTION_OK));
static_assert(equal(ConnectionStatus::bad, CONNECTION_BAD));
static_assert(equal(Polling::failed, PGRES_POLLING_FAILED));
static_assert(equal(Polling::reading, PGRES_POLLING_READING));
static_assert(equal(Polling::writing, PGRES_POLLING_WRITING));
static_assert(equal(Polling::ok, PGRES_POLLING_OK));
static_assert(equal(ResultStatus::empty_query, PGRES_EMPTY_QUERY));
static_assert(equal(ResultStatus::command_ok, PGRES_COMMAND_OK));
static_assert(equal(ResultStatus::tuples_ok, PGRES_TUPLES_OK));
static_assert(equal(ResultStatus::fatal_error, PGRES_FATAL_ERROR));
static_assert(equal(ResultStatus::pipeline_sync, PGRES_PIPELINE_SYNC));
static_assert(equal(ResultStatus::pipeline_aborted, PGRES_PIPELINE_ABORTED));
static_assert(equal(TransactionStatus::idle, PQTRANS_IDLE));
static_assert(equal(TransactionStatus::active, PQTRANS_ACTIVE));
static_assert(equal(TransactionStatus::in_transaction, PQTRANS_INTRANS));
static_assert(equal(TransactionStatus::in_error, PQTRANS_INERROR));
static_assert(equal(TransactionStatus::unknown, PQTRANS_UNKNOWN));
static_assert(equal(PipelineStatus::off, PQ_PIPELINE_OFF));
static_assert(equal(PipelineStatus::on, PQ_PIPELINE_ON));
static_assert(equal(PipelineStatus::aborted, PQ_PIPELINE_ABORTED));
static_assert(equal(Verbosity::normal, PQERRORS_DEFAULT));
static_assert(equal(Verbosity::verbose, PQERRORS_VERBOSE));
static_assert(kFieldSeverity == PG_DIAG_SEVERITY_NONLOCALIZED);
static_assert(kFieldSqlstate == PG_DIAG_SQLSTATE);
static_assert(kFieldPrimary == PG_DIAG_MESSAGE_PRIMARY);
static_assert(kFieldDetail == PG_DIAG_MESSAGE_DETAIL);

#endif

std::string failure_of(const char* name) {
  try {
    load_libpq(name);
  } catch (const NoLibrary& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("where libpq is not there, the message names it and the package") {
  const std::string message = failure_of("libpq-that-is-not-there.so.5");
  CHECK(
      message.starts_with("a ledger on PostgreSQL needs libpq-that-is-not-there.so.5, in Debian "
                          "the package libpq5: "));
  CHECK(message.find("No such file") != std::string::npos);
}

TEST_CASE("a library without a function that is needed is refused") {
  CHECK(failure_of("libm.so.6").find("version 14 or later") != std::string::npos);
}

TEST_CASE("every function of libpq that is used is there") {
  const Libpq& pq = libpq();
#define LOADED(result, name, arguments) CHECK(pq.name != nullptr);
  HEBB_LIBPQ_FUNCTIONS(LOADED)
#undef LOADED
}

}  // namespace hebb::postgres
