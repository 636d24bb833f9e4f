#include "serve/feed.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "api/common.h"
#include "api/rank.h"
#include "api/undo.h"

namespace hebb::serve {

namespace {

using api::Json, api::Problem, api::ProblemType;

constexpr std::int64_t kPiece = 500;            // events
constexpr std::size_t kPieceBytes = 256 << 10;  // after which no more events are added
constexpr int kLongestTop = 100;

std::int64_t number_of(const std::string& text, const std::string& name, std::int64_t most) {
  std::int64_t n = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc() && end == text.data() + text.size() && n >= 0 && n <= most) return n;
  throw Problem(ProblemType::invalid_argument,
                fmt::format("\"{}\" has to be a whole number from 0 to {}", name, most), name);
}

class FeedStream final : public Stream {
 public:
  FeedStream(Feed& feed, FeedCursor cursor) : feed_(feed), cursor_(std::move(cursor)) {}

  std::string_view operation() const override { return "events"; }
  bool behind(std::int64_t position) const override {
    return cursor_.sent != position || cursor_.looked != cursor_.sent;
  }
  std::string next(std::int64_t /*position*/) override {
    FeedChunk chunk = feed_.next(cursor_);
    cursor_ = std::move(chunk.cursor);
    return std::move(chunk.text);
  }

 private:
  Feed& feed_;
  FeedCursor cursor_;
};

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::unique_ptr<Stream> Feed::open(const Request& request) {
  return std::make_unique<FeedStream>(*this, begin(request));
}

FeedCursor Feed::begin(const Request& request) {
  // The ledger may have more than readers see yet, and a client may have been told of it before.
  const auto last = api::ledger_position(handler_.reader());
  FeedCursor cursor;
  cursor.sent = handler_.position();
  const auto target = parse_target(request.target);
  for (const auto& [name, value] : target->query) {
    if (name == "after") {
      cursor.sent = number_of(value, name, last);
    } else if (name == "top") {
      cursor.top = static_cast<int>(number_of(value, name, kLongestTop));
    } else {
      throw Problem(ProblemType::invalid_argument,
                    fmt::format("there is no \"{}\" here; there are after and top", name), name);
    }
  }
  const std::string& id = request.header("last-event-id");
  if (!id.empty()) cursor.sent = number_of(id, "Last-Event-ID", last);
  return cursor;
}

FeedChunk Feed::next(const FeedCursor& cursor) {
  FeedChunk chunk{{}, cursor};
  const auto last = handler_.position();
  if (cursor.sent < last) {
    const auto until = events(cursor.sent, std::min(last, cursor.sent + kPiece));
    chunk.text = made_;
    chunk.cursor.sent = until;
    if (until < last) return chunk;
  }
  if (cursor.looked == last) return chunk;
  chunk.cursor.looked = last;
  if (cursor.top == 0) return chunk;
  std::string shown;
  try {
    shown = top(cursor.top);
  } catch (const Problem& problem) {
    if (problem.type != ProblemType::invalid_argument) throw;
    return chunk;  // with names that are too long to be told
  }
  if (shown == cursor.shown) return chunk;
  chunk.text += fmt::format("event: top\ndata: {}\n\n", shown);
  chunk.cursor.shown = std::move(shown);
  return chunk;
}

std::int64_t Feed::events(std::int64_t after, std::int64_t until) {
  if (made_after_ == after && made_asked_ == until) return made_until_;
  std::string text;
  Engine& engine = handler_.reader().engine(api::Access::read);
  auto position = after + 1;
  for (; position <= until && text.size() < kPieceBytes; ++position) {
    const auto event = api::ledger_event(engine, position);
    if (!event) continue;  // damaged: `hebb verify` tells
    text += fmt::format("id: {}\nevent: append\ndata: {}\n\n", position,
                        text_of(api::write_record(api::fields_of<api::LedgerEvent>(), &*event)));
  }
  made_after_ = after;
  made_asked_ = until;
  made_until_ = position - 1;
  made_ = std::move(text);
  return made_until_;
}

std::string Feed::top(int count) {
  api::RankRequest request;
  request.limit = count;
  request.why = false;
  const api::RankResult result = api::rank(handler_.reader(), request);
  Json tasks = Json::array();
  for (const api::RankedTask& task : result.tasks)
    tasks.push_back({{"rank", task.rank}, {"id", task.id}, {"name", task.name}});
  return text_of({{"tasks", std::move(tasks)}});
}

}  // namespace hebb::serve
