// init, backup, export, recalibrate, gc, verify, rebuild: the database as a whole.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/common.h"
#include "api/files.h"
#include "api/open.h"
#include "api/operation.h"
#include "engine/values/future.h"
#include "engine/values/times.h"
#include "sql/postgres/server.h"
#include "sql/replace_file.h"
#include "sql/schema_check.h"

namespace hebb {

RECORD(Guide, field("id", self.node, "The task"),
       field("weight", self.x, "Its priority divided by the highest"))

RECORD(EdgeChange, part(self.edge), FIELD(weight, "As it is now"))

RECORD(RecalibrationReport, FIELD_AS(Time, at, "The time for which everything was ranked"),
       FIELD(repeated, "It was done before for this time: nothing changed"),
       FIELD(candidates, "How many tasks were ranked"),
       FIELD(guides, "The tasks that are recommended now, best first"),
       FIELD(entered, "Tasks that came into the top"), FIELD(left, "Tasks that fell out of it"),
       FIELD(became_dormant, "Edges that became dormant"),
       FIELD(woke, "Edges that are active again"))

}  // namespace hebb

namespace hebb::api {

namespace fs = std::filesystem;

// --- the file ------------------------------------------------------------------------------------

namespace {

// Checks that an output file is not the database or a part of it.
void require_other_file(const std::string& file, const std::string& database) {
  require_no_address(file);
  if (!sql::is_file_of(file, database)) return;
  throw invalid("file", "{} is the database itself, or a file that belongs to it", file);
}

}  // namespace

struct InitRequest {
  bool print_sql = false;
};
RECORD(InitRequest,
       FIELD(print_sql, "Only print what makes schema, roles and grants on a PostgreSQL server",
             {.local = true}))

struct InitResult {
  std::string database;
  bool made = false;
  std::string sql;
};
RECORD(InitResult, FIELD(database, "Where it is"),
       FIELD(made, "It was not there before; of a ledger on a server: nothing is in it"),
       FIELD(sql, "What to run there", {.may_be_absent = true}))

static InitResult init(Session& session, const InitRequest& request) {
  if (request.print_sql) return {session.path(), false, postgres::schema_script()};
  const bool is_address = postgres::is_address(session.given_path());
  const bool was_there = !is_address && has_database(session.given_path());
  Engine& engine = session.engine(Access::write);
  engine.sync();
  // A ledger on a server is new if it holds no events.
  const bool made = is_address ? engine.ledger().last_position() == 0 : !was_there;
  return {session.path(), made, ""};
}

struct BackupRequest {
  std::string file;
  bool force = false;
};
RECORD(BackupRequest,
       FIELD(file, "The file to make; must not be there yet",
             {.required = true, .positional = true}),
       FIELD(force, "Overwrite a file that is there"))

struct BackupResult {
  std::string file;
  std::int64_t bytes = 0;
};
RECORD(BackupResult, FIELD(file, "The copy"), FIELD(bytes, "Its size", {.unit = "bytes"}))

static BackupResult backup(Session& session, const BackupRequest& request) {
  if (request.file == "-") {
    throw invalid("file", "a backup is a file; it cannot be written to stdout");
  }
  require_other_file(request.file, session.path());
  std::error_code ec;
  if (!request.force && fs::exists(request.file, ec)) {
    throw problem(ProblemType::conflict, "file", "{} is there already; {} overwrites it",
                  request.file, named("force"));
  }
  session.engine(Access::read).back_up(request.file, request.force);
  return {request.file, static_cast<std::int64_t>(fs::file_size(request.file, ec))};
}

struct ExportRequest {
  std::string file;
  bool salvage = false;
};
RECORD(ExportRequest,
       FIELD(file,
             "The file to write or overwrite; - is stdout, as is no FILE unless that is a terminal",
             {.positional = true, .local = true}),
       FIELD(salvage, "Leave out damaged events and what depends on them, and name both (exit 3)"))

struct ExportResult {
  std::string file;
  std::int64_t events = 0;
  std::vector<std::string> damage;
};
RECORD(ExportResult, FIELD(file, "Where it is now"), FIELD(events, "How many events, a line each"),
       FIELD(damage, "With `salvage`: what is damaged, and what is left out with it"))

static ExportResult export_file(Session& session, const ExportRequest& request) {
  Engine& engine = session.engine(Access::read);
  require_other_file(request.file, session.path());
  sql::FileReplacement file(request.file, sql::FileReplacement::Existing::replace);
  ExportResult result{request.file, 0, {}};
  const auto write = [&](std::string_view line) {
    file.write(line);
    ++result.events;
  };
  result.damage = export_log(engine, write, request.salvage);
  file.commit();
  return result;
}

// --- the batch job -------------------------------------------------------------------------------

// gc and recalibrations take the present time from --now or the clock; their events hold from then
// on.
struct NotInFuture {
  bool allow_future = false;
};
RECORD(NotInFuture, FIELD(allow_future, "Also as of a time to come"))
static void require_no_future(const Session& session, const NotInFuture& request) {
  if (request.allow_future) return;
  if (auto refusal = refuse_future(session.now(), latest_taken(clock_now())))
    throw Refused(std::move(*refusal));
}

struct RecalibrateRequest : NotInFuture {
  bool no_wait = false;
};
RECORD(RecalibrateRequest, part<NotInFuture>(self),
       FIELD(no_wait, "If another process is writing, exit 75 rather than wait"))

static RecalibrationReport recalibrate(Session& session, const RecalibrateRequest& request) {
  constexpr int kWaitMs = 600'000;
  require_no_future(session, request);
  session.waiting_engine(Access::read, request.no_wait ? 0 : kWaitMs);  // does not make a database
  Engine& engine = session.engine(Access::write);
  return engine.recalibrate(session.now());
}

struct GcRequest : NotInFuture {
  Duration older_than;
  bool dry_run = false;
};
RECORD(GcRequest, part<NotInFuture>(self),
       FIELD(older_than, "A span of time, such as 365d or 12h", {.unit = "ms", .required = true}),
       FIELD(dry_run, "Only say what would be removed"))

struct GcResult : GcReport {
  bool dry_run = false;
};
RECORD(GcResult, FIELD(dry_run, "Nothing was removed: this is what would be"),
       FIELD(edges, "Edges that were dormant"), FIELD(nodes, "Nodes that had no other edges"),
       FIELD(first_event, "The event that removed the first", {.may_be_absent = true}),
       FIELD(last_event, "The event that removed the last", {.may_be_absent = true}))

static GcResult gc(Session& session, const GcRequest& request) {
  if (!request.dry_run) require_no_future(session, request);
  Engine& engine = session.engine(request.dry_run ? Access::read : Access::write);
  return {engine.gc(session.now(), request.older_than.ms, request.dry_run), request.dry_run};
}

// --- whether it is whole -------------------------------------------------------------------------

struct VerifyResult {
  bool ok = false;
  std::vector<std::string> problems;
};
RECORD(VerifyResult, FIELD(ok, "Nothing is wrong"),
       FIELD(problems, "What is wrong, and what to do about it"))

static VerifyResult verify(Session& session, const Nothing&) {
  VerifyResult result;
  try {
    Engine& engine = session.engine(Access::read);
    result.problems = engine.verify();
    for (const std::string& object : sql::foreign_objects(tables_of(engine)))
      session.note(
          fmt::format("the {} is not hebb's: it is left as it is, and never read", object));
  } catch (const sql::Error& e) {
    if (!e.corrupt()) throw;
    result.problems = {fmt::format("file: {}", e.what())};
  }
  result.ok = result.problems.empty();
  return result;
}

struct RebuildRequest {
  bool force = false;
};
RECORD(
    RebuildRequest,
    FIELD(force,
          "Also where the end of the ledger is lost: what only the current tables knew goes, too"))

struct RebuildResult {
  std::int64_t events = 0;
};
RECORD(RebuildResult, FIELD(events, "How many events were applied"))

static RebuildResult rebuild(Session& session, const RebuildRequest& request) {
  Engine& engine = session.engine(Access::write);
  engine.rebuild(request.force);
  return {engine.ledger().last_position()};
}

Operations upkeep_operations() {
  return {
      operation({.name = "init",
                 .summary = "Make the database, if there is none",
                 .example = "  hebb init\n  hebb --db tasks.db init\n"
                            "  hebb --db 'postgresql://db.example/work?ledger=web' init\n"
                            "  hebb init --print-sql | psql work",
                 .writes = true,
                 .idempotent = true},
                init),
      operation({.name = "backup",
                 .summary = "Copy the database into one file, while others use it",
                 .example = "  hebb backup /backups/hebb-$(date +%F).db",
                 .problems = {ProblemType::conflict}},
                backup),
      operation({.name = "export",
                 .summary = "Write what happened as a history log, which import and backtest read",
                 .example = "  hebb export history.jsonl\n"
                            "  hebb export | hebb --db copy.db import -\n"
                            "  hebb export | hebb backtest -\n"
                            "  hebb export --salvage rest.jsonl"},
                export_file),
      operation({.name = "recalibrate",
                 .summary = "Write recommendations and the ranking for SQL",
                 .example = "  hebb recalibrate\n  hebb recalibrate --no-wait || [ $? = 75 ]",
                 .route = "POST /recalibrations",
                 .problems = {ProblemType::refused},
                 .idempotent = true},
                recalibrate),
      operation({.name = "gc",
                 .summary = "Remove faded edges and unconnected nodes of a given age",
                 .example = "  hebb gc --older-than 365d --dry-run\n  hebb gc --older-than 365d",
                 .route = "POST /gc",
                 .destructive = true},
                gc),
      operation({.name = "verify",
                 .summary = "Check the database for damage (exit 1 if there is any)",
                 .example = "  hebb verify\n  hebb verify --json | jq -r '.problems[]'",
                 .route = "GET /verify"},
                verify),
      operation({.name = "rebuild",
                 .summary = "Rebuild all tables from the ledger",
                 .example = "  hebb rebuild && hebb verify",
                 .writes = true,
                 .problems = {ProblemType::damaged_ledger},
                 .idempotent = true},
                rebuild),
  };
}

}  // namespace hebb::api
