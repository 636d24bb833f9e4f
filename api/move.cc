// move, rescue: a ledger on a server and the files beside it.
#include "sql/postgres/move.h"

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "api/common.h"
#include "api/files.h"
#include "api/open.h"
#include "api/operation.h"
#include "engine/input/input.h"
#include "sql/postgres/copy.h"
#include "sql/replace_file.h"
#include "sql/upstream.h"

namespace hebb::api {

namespace fs = std::filesystem;

namespace {

postgres::Address address_in(const std::string& text, const char* field) {
  if (!postgres::is_address(text)) {
    throw invalid(field, "the database is a file, not a ledger on a server (--db postgresql://…)");
  }
  try {
    return postgres::read_address(text);
  } catch (const postgres::BadAddress& e) {
    throw Problem(ProblemType::invalid_argument, e.what(), field);
  }
}

}  // namespace

// --- move ----------------------------------------------------------------------------------------

struct MoveRequest {
  std::string to;
};
RECORD(MoveRequest,
       FIELD(to, "postgresql://…?ledger=NAME, or, from a server, a file; nothing may be there yet",
             {.required = true}))

struct MoveResult {
  std::string from, to;
  std::int64_t events = 0;
  std::string checksum;
};
RECORD(MoveResult, FIELD(from, "Where it was"), FIELD(to, "Where it is now"),
       FIELD(events, "How many there are"),
       FIELD(checksum, "Of all of them, in both places, in hexadecimal"))

static MoveResult move(Session& session, const MoveRequest& request) {
  Engine& engine = session.engine(Access::write);
  engine.sync();
  sql::Database& from = tables_of(engine);
  const bool to_server = postgres::is_address(request.to);
  if (to_server == (from.upstream() != nullptr)) {
    throw invalid("to",
                  "a file moves to a server, and a ledger on a server to a file; `hebb backup` "
                  "copies a file");
  }
  postgres::Moved moved;
  std::string to = request.to;
  if (to_server) {
    const postgres::Address address = address_in(request.to, "to");
    moved = postgres::move_to_server(from, address, session.progress("moving"));
    to = address.shown;
  } else {
    std::error_code ec;
    if (fs::exists(to, ec)) throw problem(ProblemType::conflict, "to", "{} is there already", to);
    to = absolute_path(to);  // the server records where the ledger is now
    moved = postgres::move_to_file(from, address_in(session.given_path(), "db"), to);
  }
  return {session.path(), to, moved.events,
          fmt::format("{:016x}", static_cast<std::uint64_t>(moved.checksum))};
}

// --- rescue ---------------------------------------------------------------------------------

struct RescueRequest {
  std::string file;
};
RECORD(RescueRequest, FIELD(file, "The file to make; must not be there yet; `hebb import` reads it",
                            {.required = true, .positional = true}))

struct RescueResult {
  std::string file;
  std::int64_t same_until = 0, events = 0, left_out = 0;
};
RECORD(RescueResult, FIELD(file, "What only the copy had"),
       FIELD(same_until, "The last event that both have"),
       FIELD(events, "How many later ones are in the file"),
       FIELD(left_out, "How many claims and undos are left out"))

static RescueResult rescue(Session& session, const RescueRequest& request) {
  const postgres::Address address = address_in(session.given_path(), "db");
  std::error_code ec;
  require_no_address(request.file);
  if (fs::exists(request.file, ec))
    throw problem(ProblemType::conflict, "file", "{} is there already", request.file);
  if (!postgres::has_copy(address)) {
    throw problem(ProblemType::no_database, "", "this machine has no copy of {}", address.shown);
  }
  constexpr int kTimeoutMs = 30'000;
  RescueResult result{request.file};
  result.same_until = postgres::last_common(address, kTimeoutMs);
  EngineOptions options;
  options.path = address.copy;
  options.create = false;
  Engine copy(options);
  sql::FileReplacement file(request.file, sql::FileReplacement::Existing::keep);
  copy.ledger().events_after(result.same_until, [&](Event&& e) {
    if (is_claim(e.payload) || std::holds_alternative<Undo>(e.payload)) {
      ++result.left_out;
      return;
    }
    file.write(export_line(e) + "\n");
    ++result.events;
  });
  file.commit();
  postgres::remove_copy(address);
  return result;
}

Operations move_operations() {
  return {
      operation(
          {.name = "move",
           .summary = "Move the database to a PostgreSQL server, or back into a file",
           .example = "  hebb move --to 'postgresql://db.example/work?ledger=web'\n"
                      "  hebb --db 'postgresql://db.example/work?ledger=web' move --to web.db",
           .writes = true,
           .problems = {ProblemType::conflict}},
          move),
      operation({.name = "rescue",
                 .summary = "Save what only this machine's copy of a ledger on a server has",
                 .example = "  hebb rescue lost.jsonl && hebb import lost.jsonl",
                 .writes = true,
                 .problems = {ProblemType::conflict}},
                rescue),
  };
}

}  // namespace hebb::api
