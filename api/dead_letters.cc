// dead_letters_list, dead_letters_retry, dead_letters_drop: input that was refused, and why.
#include <algorithm>
#include <optional>
#include <vector>

#include "api/common.h"
#include "api/ingest.h"
#include "api/operation.h"

namespace hebb {

RECORD(DeadLetter, FIELD(id, "Its id"), FIELD(reason, "Why it was refused, as a code"),
       FIELD(file, "Where it came from"), FIELD(line, "Its line there"),
       FIELD(text, "What it says"), FIELD(bytes, "How long it is", {.unit = "bytes"}),
       FIELD(hash, "Of a text that is too long to be kept: the hash of all of it",
             {.may_be_absent = true}),
       FIELD(detail, "Why it was refused, in words"),
       FIELD(format, "The format that it was read in"), FIELD_AS(Time, at, "When it was refused"))

}  // namespace hebb

namespace hebb::api {

// --- list ----------------------------------------------------------------------------------------

struct DeadLettersListRequest {
  std::optional<std::int64_t> limit;
  std::int64_t after = 0;
};
RECORD(DeadLettersListRequest,
       FIELD(limit, "At most so many; else all", {.unit = "dead letters", .min = 1}),
       FIELD(after, "Only those after the one with this id", {.min = 0}))

struct DeadLettersListResult {
  std::vector<DeadLetter> dead_letters;
  std::optional<std::int64_t> next;
};
RECORD(DeadLettersListResult, FIELD(dead_letters, "By id"),
       FIELD(next, "The `after` to go on with; absent: there are no more"))

static DeadLettersListResult dead_letters_list(Session& session,
                                               const DeadLettersListRequest& request) {
  DeadLettersListResult result;
  Room room(session);
  Engine& engine = session.engine(Access::read);
  for (DeadLetter& l : engine.dead_letters(request.after, session.longest_answer())) {
    const auto listed = std::ssize(result.dead_letters);
    const bool fits = room.fits(10, l.text, l.detail, l.file, l.reason, l.format);
    if (listed > 0 && (!fits || listed == request.limit)) {
      result.next = result.dead_letters.back().id;
      break;
    }
    result.dead_letters.push_back(std::move(l));
  }
  return result;
}

// --- retry, drop ---------------------------------------------------------------------------------

struct LettersRequest {
  std::vector<std::int64_t> ids;
  bool all = false;
};
RECORD(LettersRequest, FIELD(ids, "Which", {.positional = true, .option = "ID"}),
       FIELD(all, "All of them"))

namespace {

// The ids in the request, each of which must exist; or all.
std::vector<std::int64_t> chosen(Engine& engine, const LettersRequest& request) {
  if (request.all != request.ids.empty()) {
    throw invalid("ids", "name dead letters by {}, or give {}", named("ids"), named("all"));
  }
  std::vector<std::int64_t> there;
  constexpr std::size_t kPage = 1 << 20;
  for (auto page = engine.dead_letters(0, kPage); !page.empty();
       page = engine.dead_letters(there.back(), kPage)) {
    for (const auto& l : page) there.push_back(l.id);
  }
  if (request.all) return there;
  for (const auto id : request.ids) {
    if (std::find(there.begin(), there.end(), id) != there.end()) continue;
    throw problem(ProblemType::not_found, "ids",
                  "there is no dead letter {}; `hebb dead-letters list` shows those there are", id);
  }
  return request.ids;
}

}  // namespace

struct DeadLettersRetryRequest : LettersRequest {
  bool allow_future = false;
};
RECORD(DeadLettersRetryRequest, part<LettersRequest>(self),
       FIELD(allow_future, "Take also what is dated more than five minutes after now"))

static IngestResult dead_letters_retry(Session& session, const DeadLettersRetryRequest& request) {
  Engine& engine = session.engine(Access::write);
  const auto ids = chosen(engine, request);
  const IngestSummary summary =
      engine.retry_dead_letters(ids, session.now(), latest_of(session, request.allow_future));
  engine.sync();
  IngestResult result = result_of(summary, "(dead letters)");
  result.blocking_cycle = blocking_cycle(engine);
  return result;
}

struct DeadLettersDropResult {
  std::int64_t dropped = 0;
};
RECORD(DeadLettersDropResult, FIELD(dropped, "How many there were"))

static DeadLettersDropResult dead_letters_drop(Session& session, const LettersRequest& request) {
  Engine& engine = session.engine(Access::write);
  const auto ids = chosen(engine, request);
  DeadLettersDropResult result;
  result.dropped = drop_dead_letters(engine, ids);
  return result;
}

Operations dead_letters_operations() {
  return {
      operation({.name = "dead_letters_list",
                 .command = "dead-letters list",
                 .summary = "What was refused: reason, file, line, text",
                 .example = "  hebb dead-letters list --json",
                 .route = "GET /dead-letters"},
                dead_letters_list),
      operation({.name = "dead_letters_retry",
                 .command = "dead-letters retry",
                 .summary = "Try again; what is taken now leaves the list",
                 .example = "  hebb dead-letters retry 3\n  hebb dead-letters retry --all",
                 .route = "POST /dead-letters/retry",
                 .problems = {ProblemType::not_found}},
                dead_letters_retry),
      operation({.name = "dead_letters_drop",
                 .command = "dead-letters drop",
                 .summary = "Remove refused items from the list",
                 .example = "  hebb dead-letters drop 3 4\n  hebb dead-letters drop --all",
                 .route = "POST /dead-letters/drop",
                 .problems = {ProblemType::not_found},
                 .destructive = true},
                dead_letters_drop),
  };
}

}  // namespace hebb::api
