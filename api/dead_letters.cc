#include "api/dead_letters.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/common.h"
#include "api/room.h"

namespace hebb::api {

// --- list ----------------------------------------------------------------------------------------

const Fields& DeadLettersListRequest::fields() {
  using R = DeadLettersListRequest;
  static const Fields kFields = with_presets<R>({
      field("limit", &R::limit, "At most so many; else all", {.unit = "dead letters", .min = 1}),
      field("after", &R::after, "Only those after the one with this id", {.min = 0}),
  });
  return kFields;
}

const Fields& RefusedLetter::fields() {
  using L = RefusedLetter;
  static const Fields kFields{
      field("id", &L::id, "Its id"),
      field("reason", &L::reason, "Why it was refused, as a code"),
      field("file", &L::file, "Where it came from"),
      field("line", &L::line, "Its line there"),
      field("text", &L::text, "What it says"),
      field("bytes", &L::bytes, "How long it is", {.unit = "bytes"}),
      field("hash", &L::hash, "Of a text that is too long to be kept: the hash of all of it"),
      field("detail", &L::detail, "Why it was refused, in words"),
      field("format", &L::format, "The format that it was read in"),
      field("at", &L::at, "When it was refused"),
  };
  return kFields;
}

const Fields& DeadLettersListResult::fields() {
  using R = DeadLettersListResult;
  static const Fields kFields{
      field("dead_letters", &R::dead_letters, "By id"),
      field("next", &R::next, "The `after` to go on with; absent: there are no more"),
  };
  return kFields;
}

DeadLettersListResult dead_letters_list(Session& session, const DeadLettersListRequest& request) {
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
    RefusedLetter letter{
        l.id, std::move(l.reason), std::move(l.file),   l.line,    std::move(l.text), l.bytes,
        {},   std::move(l.detail), std::move(l.format), Time{l.at}};
    if (!l.hash.empty()) letter.hash = std::move(l.hash);
    result.dead_letters.push_back(std::move(letter));
  }
  return result;
}

Operation dead_letters_list_operation() {
  return operation<DeadLettersListRequest, DeadLettersListResult>(
      {.name = "dead_letters_list",
       .command = "dead-letters list",
       .summary = "What was refused: reason, file, line, text",
       .example = "  hebb dead-letters list --json",
       .effect = Effect::reads,
       .path = "/dead-letters"},
      dead_letters_list);
}

// --- retry, drop ---------------------------------------------------------------------------------

namespace {

template <class R>
Fields letter_fields() {
  return {
      field("ids", &R::ids, "Which", {.positional = true, .option = "ID"}),
      field("all", &R::all, "All of them"),
  };
}

// The ids that the request names, each of which must exist; or all.
template <class R>
std::vector<std::int64_t> chosen(Engine& engine, const R& request) {
  if (request.all != request.ids.empty()) {
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("name dead letters by {}, or give {}", named("ids"), named("all")),
                  "ids");
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
    throw Problem(ProblemType::not_found,
                  fmt::format("there is no dead letter {}; `hebb dead-letters list` shows those "
                              "there are",
                              id),
                  "ids");
  }
  return request.ids;
}

}  // namespace

const Fields& DeadLettersRetryRequest::fields() {
  using R = DeadLettersRetryRequest;
  static const Fields kFields = [] {
    Fields fields = letter_fields<R>();
    fields.push_back(field("allow_future", &R::allow_future,
                           "Take also what is dated more than five minutes after now"));
    return with_presets<R>(std::move(fields));
  }();
  return kFields;
}

IngestResult dead_letters_retry(Session& session, const DeadLettersRetryRequest& request) {
  Engine& engine = session.engine(Access::write);
  const auto ids = chosen(engine, request);
  const IngestSummary summary =
      engine.retry_dead_letters(ids, session.now(), latest_of(session, request.allow_future));
  engine.sync();
  IngestResult result = result_of(summary, "(dead letters)");
  result.blocking_cycle = blocking_cycle(engine);
  return result;
}

Operation dead_letters_retry_operation() {
  return operation<DeadLettersRetryRequest, IngestResult>(
      {.name = "dead_letters_retry",
       .command = "dead-letters retry",
       .summary = "Try again; what is taken now leaves the list",
       .example = "  hebb dead-letters retry 3\n  hebb dead-letters retry --all",
       .effect = Effect::writes,
       .path = "/dead-letters/retry",
       .problems = {ProblemType::not_found, ProblemType::read_only}},
      dead_letters_retry);
}

const Fields& DeadLettersDropRequest::fields() {
  static const Fields kFields =
      with_presets<DeadLettersDropRequest>(letter_fields<DeadLettersDropRequest>());
  return kFields;
}

const Fields& DeadLettersDropResult::fields() {
  static const Fields kFields{
      field("dropped", &DeadLettersDropResult::dropped, "How many there were")};
  return kFields;
}

DeadLettersDropResult dead_letters_drop(Session& session, const DeadLettersDropRequest& request) {
  Engine& engine = session.engine(Access::write);
  const auto ids = chosen(engine, request);
  DeadLettersDropResult result;
  result.dropped = drop_dead_letters(engine, ids);
  return result;
}

Operation dead_letters_drop_operation() {
  return operation<DeadLettersDropRequest, DeadLettersDropResult>(
      {.name = "dead_letters_drop",
       .command = "dead-letters drop",
       .summary = "Remove refused items from the list",
       .example = "  hebb dead-letters drop 3 4\n  hebb dead-letters drop --all",
       .effect = Effect::writes,
       .path = "/dead-letters/drop",
       .problems = {ProblemType::not_found, ProblemType::read_only},
       .destructive = true},
      dead_letters_drop);
}

}  // namespace hebb::api
