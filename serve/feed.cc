// The stream of appended events and of changes at the top of the ranking, as server-sent events
// (WHATWG HTML).
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "api/common.h"
#include "api/rank.h"
#include "api/undo.h"
#include "serve/handler.h"

namespace hebb::serve {

namespace {

using api::Json, api::Problem, api::ProblemType;

constexpr std::int64_t kPiece = 500;            // events
constexpr std::size_t kPieceBytes = 256 << 10;  // a piece of this size gets no more events
constexpr int kLongestTop = 100;

std::int64_t number_of(std::string_view text, const std::string& name, std::int64_t most) {
  std::int64_t n = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc() && end == text.data() + text.size() && n >= 0 && n <= most) return n;
  throw Problem(ProblemType::invalid_argument,
                fmt::format("\"{}\" has to be a whole number from 0 to {}", name, most), name);
}

// The id of an event: its position, and a part of the ledger's checksum there. The checksum depends
// on all events up to the position, so it differs in another ledger.
std::string id_of(const Engine& engine, std::int64_t position) {
  const auto checksum = engine.ledger().checksum_at(position).value_or(0);
  return fmt::format("{}-{:08x}", position, static_cast<std::uint32_t>(checksum));
}

// The position of an id; ids without a checksum, as in versions up to 0.2, are valid, too.
std::int64_t position_of(const Engine& engine, const std::string& id, std::int64_t last) {
  const std::size_t dash = id.find('-');
  const auto position = number_of(std::string_view(id).substr(0, dash), "Last-Event-ID", last);
  if (dash == std::string::npos || id == id_of(engine, position)) return position;
  throw Problem(ProblemType::invalid_argument,
                fmt::format("event {} of this ledger is not the one that \"Last-Event-ID\" names: "
                            "the ledger was replaced, or has lost events; read everything again, "
                            "and follow the stream without \"Last-Event-ID\"",
                            position),
                "Last-Event-ID");
}

// Makes the piece with the events after a position, up to `until` or to its size limit.
void make(FeedPiece& piece, api::Session& reader, std::int64_t after, std::int64_t until) {
  if (piece.after == after && piece.asked == until) return;
  std::string text;
  Engine& engine = reader.engine(api::Access::read);
  auto position = after + 1;
  for (; position <= until && text.size() < kPieceBytes; ++position) {
    const auto event = api::ledger_event(engine, position);
    if (!event) continue;  // damaged: see `hebb verify`
    text += fmt::format("id: {}\nevent: append\ndata: {}\n\n", id_of(engine, position),
                        text_of(api::write_record(api::fields_of<api::LedgerEvent>(), &*event)));
  }
  piece = {after, until, position - 1, std::move(text)};
}

// The first tasks of the ranking as JSON; empty: it would be too long.
std::string top_of(api::Session& reader, int count) {
  api::RankRequest request;
  request.limit = count;
  request.why = false;
  Json tasks = Json::array();
  try {
    for (const api::RankedTask& task : api::rank(reader, request).tasks)
      tasks.push_back({{"rank", task.rank}, {"id", task.id}, {"name", task.name}});
  } catch (const Problem& problem) {
    if (problem.type != ProblemType::invalid_argument) throw;
    return {};  // the names of the tasks are too long
  }
  return text_of({{"tasks", std::move(tasks)}});
}

// The stream of one client.
class FeedStream final : public Stream {
 public:
  FeedStream(api::Session& reader, FeedPiece& last, std::int64_t sent, int top)
      : reader_(reader), last_(last), sent_(sent), top_(top) {}

  bool behind(std::int64_t position) const override {
    return sent_ != position || looked_ != position;
  }
  std::string next(std::int64_t position) override {
    std::string text;
    auto sent = sent_;
    if (sent < position) {
      make(last_, reader_, sent, std::min(position, sent + kPiece));
      sent = last_.until;
      text = last_.text;
    }
    std::string shown =
        sent < position || looked_ == position || top_ == 0 ? "" : top_of(reader_, top_);
    if (!shown.empty() && shown != shown_) {
      text += fmt::format("event: top\ndata: {}\n\n", shown);
      shown_ = std::move(shown);
    }
    if (sent >= position) looked_ = position;
    sent_ = sent;
    return text;
  }

 private:
  api::Session& reader_;
  FeedPiece& last_;
  std::int64_t sent_;         // the position of the last event that was sent
  std::int64_t looked_ = -1;  // the position at which the top was last looked at
  const int top_;             // the number of tasks at the top to send; 0: none
  std::string shown_;         // the top as it was last sent
};

}  // namespace

std::shared_ptr<Stream> open_feed(api::Session& reader, std::int64_t position,
                                  FeedPiece& last_piece, const Request& request) {
  // A client may already have seen events that this reader has not read yet.
  const auto last = api::ledger_position(reader);
  auto sent = position;
  int top = 10;
  for (const auto& [name, value] : request.route.fields) {
    if (name == "after") {
      sent = number_of(value, name, last);
    } else if (name == "top") {
      top = static_cast<int>(number_of(value, name, kLongestTop));
    } else {
      throw Problem(ProblemType::invalid_argument,
                    fmt::format("there is no \"{}\" here; there are after and top", name), name);
    }
  }
  const std::string& id = request.header("last-event-id");
  if (!id.empty()) sent = position_of(reader.engine(api::Access::read), id, last);
  return std::make_shared<FeedStream>(reader, last_piece, sent, top);
}

}  // namespace hebb::serve
