#include "api/problem.h"

#include <new>

#include <fmt/format.h>

#include "engine/engine.h"
#include "engine/fields/field.h"
#include "skill/artifact/fields.h"
#include "sql/database.h"
#include "sql/postgres/address.h"

namespace hebb::api {

namespace {

using enum ProblemType;

constexpr ProblemInfo kTypes[] = {
    {invalid_argument, "invalid_argument", "a field is wrong", 2, 400},
    {refused, "refused", "the event was refused", 1, 422},
    {not_found, "not_found", "this does not exist", 1, 404},
    {conflict, "conflict", "the present state of the database does not allow this", 1, 409},
    {unreadable, "unreadable", "the input is not of its format", 65, 400},
    {no_file, "no_file", "there is no such file", 66, 400},
    {busy, "busy", "another process is writing", 75, 503},
    {no_database, "no_database", "there is no database that can be used", 69, 500},
    {damaged_ledger, "damaged_ledger", "the ledger is damaged", 1, 500},
    {read_only, "read_only", "the database cannot be written", 1, 500},
    {no_memory, "no_memory", "there is too little memory", 1, 503},
    {cancelled, "cancelled", "the caller cancelled this", 1, 500},
    {failed, "failed", "this failed", 1, 500},
};

constexpr std::int64_t kRetryAfterMs = 1000;
constexpr const char* kNoMemory = "this needs more memory than there is";

// SQLITE_NOMEM and SQLITE_IOERR_NOMEM.
bool lacks_memory(const sql::Error& e) { return e.code() == 7 || e.code() == 3082; }

Problem of_server(const sql::UpstreamError& e) {
  Problem problem(e.busy()                         ? busy
                  : e.corrupt() || e.cannot_open() ? no_database
                  : e.unwritable()                 ? read_only
                                                   : failed,
                  e.what());
  if (e.busy()) problem.retry_after_ms = kRetryAfterMs;
  return problem;
}

Problem of_database(const sql::Error& e) {
  if (e.busy()) {
    Problem problem(busy, std::string(e.what()) +
                              "; another process is writing, try again: nothing counts twice");
    problem.retry_after_ms = kRetryAfterMs;
    return problem;
  }
  if (e.corrupt() && !e.not_a_database()) {
    return Problem(no_database,
                   std::string(e.what()) + "; the file is damaged, `hebb verify` says more");
  }
  if (lacks_memory(e)) return Problem(no_memory, kNoMemory);
  const bool unusable = e.not_a_database() || e.cannot_open() || e.gone();
  if (unusable) return Problem(no_database, e.what());
  return Problem(e.unwritable() ? read_only : failed, e.what());
}

// Mark around the name of a field; it occurs in no visible text.
constexpr char kMark = '\x1f';

std::string with_names(const std::string& marked,
                       const std::function<std::string(const std::string&)>& name) {
  std::string text;
  std::size_t at = 0;
  while (true) {
    const auto begin = marked.find(kMark, at), end = marked.find(kMark, begin + 1);
    if (begin == std::string::npos || end == std::string::npos) return text + marked.substr(at);
    text += marked.substr(at, begin - at) + name(marked.substr(begin + 1, end - begin - 1));
    at = end + 1;
  }
}

}  // namespace

std::string named(std::string_view field) { return fmt::format("{0}{1}{0}", kMark, field); }

Problem::Problem(ProblemType type, std::string detail, std::string field)
    : std::runtime_error(
          with_names(detail, [](const auto& name) { return fmt::format("\"{}\"", name); })),
      type(type),
      marked(std::move(detail)),
      field(std::move(field)) {}

std::string Problem::detail(
    const std::function<std::string(const std::string& field)>& name) const {
  return with_names(marked, name);
}

std::span<const ProblemInfo> problem_types() { return kTypes; }

const ProblemInfo& info_of(ProblemType type) {
  for (const ProblemInfo& info : kTypes) {
    if (info.type == type) return info;
  }
  return kTypes[std::size(kTypes) - 1];
}

nlohmann::ordered_json Problem::json() const {
  const ProblemInfo& info = info_of(type);
  nlohmann::ordered_json json{{"type", info.name}, {"title", info.title}, {"detail", what()}};
  if (!field.empty()) json["field"] = field;
  if (!reason.empty()) json["reason"] = reason;
  if (line) json["line"] = *line;
  if (retry_after_ms) json["retry_after_ms"] = *retry_after_ms;
  json[kSchemaVersion] = kSchemaVersionNow;
  return json;
}

Problem problem_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Problem& e) {
    return e;
  } catch (const Refused& e) {
    Problem problem(refused, e.refusal().detail);
    problem.reason = e.refusal().reason;
    return problem;
  } catch (const UnreadableInput& e) {
    return Problem(unreadable, e.what());
  } catch (const reward::BadPolicy& e) {
    return Problem(invalid_argument, e.what(), "settings");
  } catch (const postgres::BadAddress& e) {
    return Problem(invalid_argument, e.what());
  } catch (const fields::Invalid& e) {
    return e.path.empty() ? Problem(invalid_argument, "the request " + e.why)
                          : invalid(e.path, "{} {}", named(e.path), e.why);
  } catch (const skill::Invalid& e) {
    return Problem(invalid_argument, e.what());
  } catch (const sql::NewerSchema& e) {
    return Problem(no_database, e.what());
  } catch (const DamagedLedger& e) {
    return Problem(damaged_ledger, e.what());
  } catch (const sql::UpstreamError& e) {
    return of_server(e);
  } catch (const sql::Error& e) {
    return of_database(e);
  } catch (const std::invalid_argument& e) {  // the state of the database does not allow it
    return Problem(conflict, e.what());
  } catch (const std::bad_alloc&) {
    return Problem(no_memory, kNoMemory);
  } catch (const std::exception& e) {
    return Problem(failed, e.what());
  } catch (...) {
    return Problem(failed, "an unknown failure");
  }
}

}  // namespace hebb::api
