// The ledger's side of the store, and what stands beside it.
#include "engine/store.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

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

Event read_event(const sql::Statement& row) {
  Event e;
  e.position = row.integer(0);
  e.at = row.integer(1);
  e.subject = row.text(3);
  e.key = row.text(4);
  try {
    auto vector = read_floats(row.blob(6));
    if (!vector) throw std::invalid_argument("its vector holds what is no number");
    e.payload = decode_payload(row.text(2), row.text(5), std::move(*vector));
  } catch (const std::invalid_argument& damage) {  // no program wrote this
    throw sql::Error(kCorrupt, fmt::format("event {} is damaged: {}", e.position, damage.what()));
  }
  return e;
}

void each_event(sql::Statement& rows, const Store::EventSink& sink) {
  const sql::Reset reset(rows);
  while (rows.step()) sink(read_event(rows));
}

}  // namespace

Store::Store(sql::Database db) : db_(std::move(db)) {}

std::int64_t Store::last_position() {
  auto& q = db_.query(sql::Query::last_position);
  q.step();
  const auto position = q.integer(0);
  q.reset();
  return position;
}

bool Store::append(Event& e) {
  e.position = last_position() + 1;
  if (e.key.empty()) e.key = fmt::format("7:{:020}", e.position);
  const std::string payload = encode_payload(e.payload);
  auto& q = db_.query(sql::Query::append_event);
  q.bind(1, e.position).bind(2, e.at).bind(3, kind_name(e.payload));
  q.bind(4, e.subject).bind(5, e.key).bind(6, std::string_view(payload));
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  if (upsert && !upsert->vector.empty()) {
    q.bind(7, std::as_bytes(std::span(upsert->vector)));
  }
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
  auto& q = db_.query(sql::Query::event_by_position);
  const sql::Reset reset(q);
  q.bind(1, position);
  if (!q.step()) return std::nullopt;
  return read_event(q);
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
