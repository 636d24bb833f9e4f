// The ledger's side of the store, and what stands beside it.
#include "engine/store.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "engine/ledger/validate.h"
#include "sql/ledger_chain.h"

namespace hebb {

static_assert(std::endian::native == std::endian::little, "vectors are stored little-endian");

std::optional<std::vector<float>> read_floats(std::span<const std::byte> blob) {
  std::vector<float> v(blob.size() / sizeof(float));
  if (!v.empty()) std::memcpy(v.data(), blob.data(), v.size() * sizeof(float));
  const bool finite = std::all_of(v.begin(), v.end(), [](float x) { return std::isfinite(x); });
  if (blob.size() % sizeof(float) != 0 || !finite) return std::nullopt;
  return v;
}

namespace {

// Throws std::invalid_argument for what the fold could not take, and no program wrote.
Event read_event(const sql::Statement& row) {
  Event e;
  e.position = row.integer(0);
  e.at = row.integer(1);
  e.subject = row.text(3);
  e.key = row.text(4);
  for (const int column : {2, 3, 4}) {
    if (!is_utf8(row.text(column))) throw std::invalid_argument("its texts are not UTF-8");
  }
  auto vector = read_floats(row.blob(6));
  if (!vector) throw std::invalid_argument("its vector holds what is no number");
  e.payload = decode_payload(row.text(2), row.text(5), std::move(*vector));
  if (const auto* change = std::get_if<PolicyChange>(&e.payload)) {
    reward::Policy policy;
    for (const auto& [key, value] : change->settings) reward::set(policy, key, value);
  }
  return e;
}

// --- the chain of checksums ----------------------------------------------------------------------

// Reads rows in order and says what is wrong with each.
class ChainCheck {
 public:
  // known: the checksum of the row before the first, where there is one.
  ChainCheck(std::int64_t first, std::optional<std::int64_t> known) : next_(first), known_(known) {}

  void take(const sql::Statement& row) {
    const auto position = row.integer(sql::kPositionColumn);
    if (position > next_) {  // and whether this row is whole nobody can tell
      faults_.push_back({LedgerFault::Kind::missing, next_, position - 1, "", 0});
      known_.reset();
    }
    check(row, position);
    next_ = position + 1;
  }
  std::vector<LedgerFault> finish() { return std::move(faults_); }

 private:
  void check(const sql::Statement& row, std::int64_t position) {
    const auto stored = row.integer(sql::kChecksumColumn);
    const auto computed = known_ ? sql::row_checksum(row, *known_) : stored;
    bool whole = computed == stored;
    LedgerFault* const before = last_changed(position - 1);
    if (!whole && before && sql::row_checksum(row, before->checksum) == stored) {
      before->kind = LedgerFault::Kind::checksum;
      whole = true;
    }
    std::string why;
    try {
      read_event(row);
    } catch (const std::invalid_argument& damage) {
      why = damage.what();
    }
    if (!whole) {
      faults_.push_back({LedgerFault::Kind::changed, position, position, why, computed});
    } else if (!why.empty()) {
      faults_.push_back({LedgerFault::Kind::unreadable, position, position, why, stored});
    }
    known_ = stored;
  }
  LedgerFault* last_changed(std::int64_t position) {
    if (faults_.empty()) return nullptr;
    LedgerFault& last = faults_.back();
    return last.kind == LedgerFault::Kind::changed && last.last == position ? &last : nullptr;
  }

  std::int64_t next_;
  std::optional<std::int64_t> known_;
  std::vector<LedgerFault> faults_;
};

}  // namespace

void Store::each_event(sql::Statement& rows, const EventSink& sink) {
  const sql::Reset reset(rows);
  while (rows.step()) {
    std::optional<Event> e;
    try {
      e = read_event(rows);
    } catch (const std::invalid_argument& damage) {
      if (unreadable_) unreadable_(rows.integer(0), damage.what());
      continue;
    }
    sink(std::move(*e));
  }
}

std::vector<LedgerFault> Store::check_ledger(std::int64_t first, std::int64_t last) {
  auto& rows = db_.query(sql::Query::ledger_rows);
  const sql::Reset reset(rows);
  rows.bind(1, first - 1).bind(2, last);
  bool more = rows.step();
  std::optional<std::int64_t> before;
  if (first == 1) before = 0;
  if (more && rows.integer(sql::kPositionColumn) < first) {
    before = rows.integer(sql::kChecksumColumn);
    more = rows.step();
  }
  ChainCheck check(first, before);
  for (; more; more = rows.step()) check.take(rows);
  return check.finish();
}

void Store::mend_checksum(const LedgerFault& fault) {
  db_.query(sql::Query::set_checksum).bind(1, fault.first).bind(2, fault.checksum).run();
}

Store::Store(sql::Database db) : db_(std::move(db)) {}

std::int64_t Store::last_position() {
  auto& q = db_.query(sql::Query::last_position);
  q.step();
  const auto position = q.integer(0);
  q.reset();
  return position;
}

bool Store::append(Event& e) {
  auto& end = db_.query(sql::Query::last_event);
  const bool first = !end.step();
  e.position = first ? 1 : end.integer(0) + 1;
  sql::RowChecksum checksum(first ? 0 : end.integer(1));
  end.reset();
  if (e.key.empty()) e.key = fmt::format("7:{:020}", e.position);
  const std::string payload = encode_payload(e.payload);
  checksum.integer(e.position).integer(e.at).text(kind_name(e.payload));
  checksum.text(e.subject).text(e.key).text(payload);
  auto& q = db_.query(sql::Query::append_event);
  q.bind(1, e.position).bind(2, e.at).bind(3, kind_name(e.payload));
  q.bind(4, e.subject).bind(5, e.key).bind(6, std::string_view(payload));
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  if (upsert && !upsert->vector.empty()) {
    const auto bytes = std::as_bytes(std::span(upsert->vector));
    checksum.blob(bytes);
    q.bind(7, bytes);
  } else {
    checksum.null();
  }
  q.bind(8, checksum.value());
  q.run();
  return db_.changes() > 0;
}

std::optional<std::int64_t> Store::position_of(std::string_view key) {
  auto& q = db_.query(sql::Query::event_by_key);
  q.bind(1, key);
  std::optional<std::int64_t> position;
  if (q.step()) position = q.integer(0);
  q.reset();
  return position;
}

std::optional<Event> Store::event(std::int64_t position) {
  std::optional<Event> found;
  each_event(db_.query(sql::Query::event_by_position).bind(1, position),
             [&](Event&& e) { found = std::move(e); });
  return found;
}

void Store::events_after(std::int64_t position, const EventSink& sink) {
  each_event(db_.query(sql::Query::events_after).bind(1, position), sink);
}

void Store::events_until(TimeMs at, const EventSink& sink) {
  each_event(db_.query(sql::Query::events_until).bind(1, at), sink);
}

void Store::events_of_subject(std::string_view subject, const EventSink& sink) {
  each_event(db_.query(sql::Query::events_of_subject).bind(1, subject), sink);
}

void Store::events_of_kind(std::string_view kind, const EventSink& sink) {
  each_event(db_.query(sql::Query::events_of_kind).bind(1, kind), sink);
}

// --- beside the ledger ---------------------------------------------------------------------------

void Store::add_dead_letter(const DeadLetter& letter) {
  auto& q = db_.query(sql::Query::add_dead_letter);
  q.bind(1, letter.at).bind(2, std::string_view(letter.format));
  q.bind(3, std::string_view(letter.reason)).bind(4, std::string_view(letter.detail));
  q.bind(5, std::string_view(letter.file)).bind(6, letter.line);
  q.bind(7, std::as_bytes(std::span(letter.text)));
  if (!letter.hash.empty()) q.bind(8, letter.bytes).bind(9, std::string_view(letter.hash));
  q.run();
}

bool Store::set_dead_letter(const DeadLetter& letter) {
  auto& q = db_.query(sql::Query::set_dead_letter);
  q.bind(1, letter.id).bind(2, letter.at);
  q.bind(3, std::string_view(letter.reason)).bind(4, std::string_view(letter.detail));
  q.run();
  return db_.changes() > 0;
}

std::optional<std::int64_t> Store::same_dead_letter(const DeadLetter& letter) {
  auto& q = db_.query(sql::Query::same_dead_letter);
  const sql::Reset reset(q);
  q.bind(1, std::string_view(letter.file)).bind(2, letter.line);
  q.bind(3, std::string_view(letter.format)).bind(4, std::as_bytes(std::span(letter.text)));
  if (!letter.hash.empty()) q.bind(5, std::string_view(letter.hash));
  if (!q.step() || q.is_null(0)) return std::nullopt;
  return q.integer(0);
}

std::vector<DeadLetter> Store::dead_letters() {
  std::vector<DeadLetter> letters;
  auto& q = db_.query(sql::Query::list_dead_letters);
  while (q.step()) {
    DeadLetter l;
    l.id = q.integer(0);
    l.reason = q.text(1);
    l.file = q.text(2);
    l.line = q.integer(3);
    const auto blob = q.blob(4);
    l.text.assign(reinterpret_cast<const char*>(blob.data()), blob.size());
    l.format = q.text(5);
    l.detail = q.text(6);
    l.at = q.integer(7);
    l.hash = q.text(9);
    l.bytes = l.hash.empty() ? static_cast<std::int64_t>(l.text.size()) : q.integer(8);
    letters.push_back(std::move(l));
  }
  q.reset();
  return letters;
}

bool Store::drop_dead_letter(std::int64_t id) {
  db_.query(sql::Query::drop_dead_letter).bind(1, id).run();
  return db_.changes() > 0;
}

ReadingProgress Store::progress(std::string_view content) {
  auto& q = db_.query(sql::Query::get_progress);
  const sql::Reset reset(q);
  q.bind(1, content);
  if (!q.step()) return {};
  return {q.integer(0), q.integer(1)};
}

void Store::set_progress(std::string_view content, const ReadingProgress& progress) {
  if (progress.items == 0) {
    db_.query(sql::Query::delete_progress).bind(1, content).run();
  } else {
    db_.query(sql::Query::put_progress)
        .bind(1, content)
        .bind(2, progress.items)
        .bind(3, progress.now)
        .run();
  }
}

}  // namespace hebb
