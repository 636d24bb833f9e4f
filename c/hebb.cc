#include "c/hebb.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include <unistd.h>

#include "api/database_folder.h"
#include "api/files.h"
#include "api/handle.h"

using namespace hebb::api;

struct hebb_db {
  explicit hebb_db(SessionOptions options) : handle(std::move(options)) {}

  Handle handle;
  const pid_t opened_by = ::getpid();
};

struct hebb_rows {
  Answer answer;
  std::size_t next = 0;  // the index
};

namespace {

struct OpenOptions {
  bool create = true;
  std::int64_t busy_timeout_ms = hebb::EngineOptions().busy_timeout_ms;
  std::string tz;
  std::optional<Time> now;
};
RECORD(OpenOptions, FIELD(create, "Make the database if there is none"),
       FIELD(busy_timeout_ms, "How long to wait for another writer",
             {.unit = "ms", .min = 0, .max = 3'600'000}),
       FIELD(tz, "The zone of times that name none"), FIELD(now, "Take this as now"))

int status_of(ProblemType type) { return static_cast<int>(type) + 1; }
static_assert(static_cast<int>(ProblemType::invalid_argument) + 1 == HEBB_INVALID_ARGUMENT &&
              static_cast<int>(ProblemType::busy) + 1 == HEBB_BUSY &&
              static_cast<int>(ProblemType::cancelled) + 1 == HEBB_CANCELLED &&
              static_cast<int>(ProblemType::failed) + 1 == HEBB_FAILED);

// The text for the caller, who frees it; nullptr: there is no memory.
char* copied(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

// Calls work() and sets *text to what it returns, of an empty text to NULL, or to the problem that
// it throws.
template <class Work>
int answered(char** text, Work work) noexcept {
  if (text) *text = nullptr;
  try {
    std::string answer;
    int status = HEBB_DONE;
    try {
      answer = work();
    } catch (...) {
      const Problem problem = problem_of(std::current_exception());
      status = status_of(problem.type);
      answer = text_of(problem.json());
    }
    if (!text || answer.empty()) return status;
    *text = copied(answer);
    return *text ? status : HEBB_NO_MEMORY;
  } catch (...) {
    return HEBB_NO_MEMORY;
  }
}

// The JSON object in a text; of nullptr an empty one. `what`: the name of the text in messages.
Json object_in(const char* text, const std::string& what) {
  return text ? parse_json(text, what) : Json::object();
}

// The user's own rules of what is a secret, which all databases of the process have.
void use_rules_of_user() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (const char* file = std::getenv("HEBB_SECRETS"); file && *file) use_secret_rules(file);
  });
}

SessionOptions session_options(const char* path, const char* options) {
  OpenOptions given;
  read_record(fields_of<OpenOptions>(), object_in(options, "options"), &given);
  SessionOptions session;
  session.creates = given.create;
  session.zone = given.tz;
  if (given.now) session.now = *given.now;
  session.database.busy_timeout_ms = static_cast<int>(given.busy_timeout_ms);
  if (path) {
    session.database.path = path;
  } else {
    const DatabasePlace place = database_place();
    if (given.create) make_default_folder(place);
    session.database.path = place.path;
  }
  return session;
}

Answer run(hebb_db* db, const char* operation, const char* request) {
  if (!db || !operation)
    throw Problem(ProblemType::invalid_argument, "the database, or the operation's name, is NULL");
  if (db->opened_by != ::getpid()) {
    throw Problem(ProblemType::conflict,
                  "this database was opened before a fork, by the parent: open it in this process");
  }
  const std::uint64_t since = db->handle.cancels();
  return db->handle.run(require_operation(operation), object_in(request, "request"), since);
}

}  // namespace

int hebb_open(const char* path, const char* options, hebb_db** db, char** error) {
  if (db) *db = nullptr;
  return answered(error, [&] {
    if (!db) throw Problem(ProblemType::invalid_argument, "db is NULL");
    use_rules_of_user();
    *db = new hebb_db(session_options(path, options));
    return std::string();
  });
}

int hebb_call(hebb_db* db, const char* operation, const char* request, char** answer) {
  return answered(answer, [&] { return text_of(run(db, operation, request).whole()); });
}

int hebb_stream(hebb_db* db, const char* operation, const char* request, hebb_rows** rows,
                char** answer) {
  if (rows) *rows = nullptr;
  std::unique_ptr<hebb_rows> made;
  const int status = answered(answer, [&] {
    if (!rows) throw Problem(ProblemType::invalid_argument, "rows is NULL");
    made.reset(new hebb_rows{run(db, operation, request)});
    return text_of(made->answer.others());
  });
  if (status == HEBB_DONE) *rows = made.release();
  return status;
}

int hebb_next(hebb_rows* rows, char** row) {
  const int status = answered(row, [&] {
    if (!rows || !row) throw Problem(ProblemType::invalid_argument, "rows, or row, is NULL");
    const auto next = rows->answer.row(rows->next);
    return next ? text_of(*next) : std::string();
  });
  if (status == HEBB_DONE) ++rows->next;
  return status;
}

void hebb_end(hebb_rows* rows) { delete rows; }

void hebb_cancel(hebb_db* db) {
  if (db) db->handle.cancel();
}

void hebb_free(char* text) { std::free(text); }

void hebb_close(hebb_db* db) {
  // What a fork copied is the parent's: closing it would change the parent's files.
  if (db && db->opened_by == ::getpid()) delete db;
}

const char* hebb_version() { return HEBB_VERSION; }

const char* hebb_error(int status) {
  if (status == HEBB_DONE) return "done";
  for (const ProblemInfo& info : problem_types()) {
    if (status_of(info.type) == status) return info.name.data();
  }
  return "failed";
}
