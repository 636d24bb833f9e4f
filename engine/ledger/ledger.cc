#include "engine/ledger/ledger.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>

#include <fmt/format.h>

#include "reward/policy_fields.h"
#include "sql/database.h"
#include "sql/ledger_chain.h"

namespace hebb {

namespace {

static_assert(std::endian::native == std::endian::little, "vectors are stored little-endian");

std::vector<float> read_floats(std::span<const std::byte> blob) {
  std::vector<float> v(blob.size() / sizeof(float));
  if (!v.empty()) std::memcpy(v.data(), blob.data(), v.size() * sizeof(float));
  const bool finite = std::all_of(v.begin(), v.end(), [](float x) { return std::isfinite(x); });
  if (blob.size() % sizeof(float) != 0 || !finite)
    throw std::invalid_argument("its vector holds what is no number");
  return v;
}

// Throws std::invalid_argument for a row that is not an event: it is damaged.
Event read_event(const sql::Statement& row) {
  Event e;
  e.position = row.integer(0);
  e.at = row.integer(1);
  e.subject = row.text(3);
  e.key = row.text(4);
  for (const int column : {2, 3, 4}) {
    if (!is_utf8(row.text(column))) throw std::invalid_argument("its texts are not UTF-8");
  }
  e.payload = decode_payload(row.text(2), row.text(5), read_floats(row.blob(6)));
  if (const auto* change = std::get_if<PolicyChange>(&e.payload)) {
    reward::Policy policy;
    for (const auto& [key, value] : change->settings) reward::set(policy, key, value);
  }
  return e;
}

// The result of an outcome whose payload begins so; nullopt: the payload has another order.
std::optional<OutcomeKind> result_in(std::string_view payload) {
  constexpr std::string_view kBegin = R"({"outcome":")";
  if (!payload.starts_with(kBegin)) return std::nullopt;
  payload.remove_prefix(kBegin.size());
  for (const auto kind : {OutcomeKind::success, OutcomeKind::partial, OutcomeKind::failure}) {
    const std::string_view name = outcome_name(kind);
    if (payload.starts_with(name) && payload.substr(name.size()).starts_with('"')) return kind;
  }
  return std::nullopt;
}

}  // namespace

sql::Error damaged_event(std::int64_t position, const std::string& why) {
  return {sql::kCorrupt, fmt::format("event {} is damaged: {}; {}", position, why, kAboutDamage)};
}

bool Ledger::is_set_aside(std::int64_t position) const {
  return db_.integer(sql::Query::set_aside, position).has_value();
}

void Ledger::each_event(sql::Statement& rows, const EventSink& sink,
                        const std::unordered_set<std::int64_t>& without) const {
  const sql::Reset reset(rows);
  while (rows.step()) {
    std::optional<Event> e;
    if (without.contains(rows.integer(0))) continue;
    try {
      e = read_event(rows);
    } catch (const std::invalid_argument& damage) {
      if (is_set_aside(rows.integer(0))) continue;
      throw damaged_event(rows.integer(0), damage.what());
    }
    sink(std::move(*e));
  }
}

std::vector<LedgerFault> Ledger::check(const EventSink& sink) const {
  auto& row = db_.query(sql::Query::ledger_rows);
  const sql::Reset reset(row);
  row.bind(1, 1).bind(2, std::numeric_limits<std::int64_t>::max());
  std::vector<LedgerFault> faults;
  const auto is_missing = [&](std::int64_t first, std::int64_t last) {
    faults.push_back({first, last,
                      first == last ? fmt::format("event {} is missing", first)
                                    : fmt::format("events {} to {} are missing", first, last)});
  };
  std::int64_t next = 1;
  std::optional<std::int64_t> before = 0;  // the checksum of the row before
  std::optional<std::int64_t> should_be;   // it, where that row is an event but has another one
  while (row.step()) {
    const auto position = row.integer(sql::kPositionColumn);
    const auto stored = row.integer(sql::kChecksumColumn);
    if (position > next) {  // rows are missing, so this row's checksum cannot be checked either
      is_missing(next, position - 1);
      before.reset();
      should_be.reset();
    }
    next = position == std::numeric_limits<std::int64_t>::max() ? position : position + 1;
    const auto computed = sql::row_checksum(row, before.value_or(0));
    bool whole = !before || computed == stored;
    if (!whole && should_be && sql::row_checksum(row, *should_be) == stored) {
      LedgerFault& fault = faults.back();
      fault.what =
          fmt::format("the checksum of event {} is damaged, the event itself is whole", fault.last);
      fault.checksum = should_be;
      whole = true;
    }
    std::string why;
    try {
      sink(read_event(row));
    } catch (const std::invalid_argument& damage) {
      why = damage.what();
    }
    should_be = whole || !why.empty() ? std::nullopt : std::optional(computed);
    before = stored;
    if (whole && why.empty()) continue;
    const std::string what = whole ? "cannot be read" : "is not what was appended";
    faults.push_back({position, position,
                      fmt::format("event {} {}{}{}", position, what, why.empty() ? "" : ": ", why),
                      row.text(2) == "undo"});
  }
  std::erase_if(faults, [&](const LedgerFault& fault) {
    for (std::int64_t at = fault.first; at <= fault.last; ++at) {
      if (!is_set_aside(at)) return false;
    }
    return true;
  });
  return faults;
}

void Ledger::mend(const LedgerFault& fault) {
  db_.query(sql::Query::set_checksum).bind(1, fault.last).bind(2, fault.checksum).run();
}

std::int64_t Ledger::last_position() const { return *db_.integer(sql::Query::last_position); }

bool Ledger::append(Event& e) {
  if (const auto old = key_of_0_1(e.key); old && position_of(*old)) return false;
  auto& end = db_.query(sql::Query::last_event);
  const bool first = !end.step();
  e.position = first ? 1 : end.integer(0) + 1;
  sql::RowChecksum checksum(first ? 0 : end.integer(1));
  end.reset();
  if (e.key.empty()) e.key = fmt::format("{}{:020}", kPositionKey, e.position);
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

std::optional<Event> Ledger::latest_of_kind(
    std::string_view kind, TimeMs until,
    const std::function<bool(std::int64_t position)>& wanted) const {
  auto& rows = db_.query(sql::Query::positions_of_kind).bind(1, kind).bind(2, until);
  const sql::Reset reset(rows);
  while (rows.step()) {
    if (!wanted(rows.integer(0))) continue;
    if (auto e = event(rows.integer(0))) return e;
  }
  return std::nullopt;
}

void Ledger::records_of_subject(std::string_view subject,
                                const std::function<void(Record&&)>& sink) const {
  auto& row = db_.query(sql::Query::records_of_subject).bind(1, subject);
  const sql::Reset reset(row);
  while (row.step()) {
    Record record{row.integer(0), row.integer(1), {}};
    if (row.text(2) == "outcome") {
      if (const auto result = result_in(row.text(3))) {
        record.what = *result;
        sink(std::move(record));
        continue;
      }
    }
    auto whole = event(record.position);
    if (!whole) continue;
    if (const auto* outcome = std::get_if<OutcomeSignal>(&whole->payload)) {
      record.what = outcome->outcome;
    } else {
      record.what = std::get<NodeUpsert>(std::move(whole->payload));
    }
    sink(std::move(record));
  }
}

std::optional<std::int64_t> Ledger::checksum_at(std::int64_t position) const {
  return db_.integer(sql::Query::checksum_at, position);
}

std::int64_t Ledger::count_outcomes() const {
  return db_.integer(sql::Query::count_outcomes).value_or(0);
}

std::optional<std::int64_t> Ledger::position_of(std::string_view key) const {
  if (const auto old = key_of_0_1(key)) {
    if (const auto position = position_of(*old)) return position;
  }
  return db_.integer(sql::Query::event_by_key, key);
}

std::optional<Event> Ledger::event(std::int64_t position) const {
  std::optional<Event> found;
  each_event(db_.query(sql::Query::event_by_position).bind(1, position),
             [&](Event&& e) { found = std::move(e); });
  return found;
}

void Ledger::events_after(std::int64_t position, const EventSink& sink) const {
  each_event(db_.query(sql::Query::events_after).bind(1, position), sink);
}

void Ledger::events_until(TimeMs at, const EventSink& sink,
                          const std::unordered_set<std::int64_t>& without) const {
  each_event(db_.query(sql::Query::events_until).bind(1, at), sink, without);
}

void Ledger::events_of_subject(std::string_view subject, const EventSink& sink) const {
  each_event(db_.query(sql::Query::events_of_subject).bind(1, subject), sink);
}

void Ledger::gcs_of_subject(std::string_view subject, const EventSink& sink) const {
  each_event(db_.query(sql::Query::gcs_of_subject).bind(1, subject), sink);
}

void Ledger::events_of_kind(std::string_view kind, const EventSink& sink) const {
  each_event(db_.query(sql::Query::events_of_kind).bind(1, kind), sink);
}

// --- undone --------------------------------------------------------------------------------------

Undone undone_by(std::vector<Event> undos) {
  // From the last to the first: an undo that is itself undone undoes nothing.
  std::ranges::sort(undos, std::greater<>(), &Event::position);
  Undone undone;
  for (const Event& e : undos) {
    if (undone.contains(e.position)) continue;
    const auto& undo = std::get<Undo>(e.payload);
    undone.events.insert(undo.event);
    const auto last = std::min(undo.last, e.position - 1);
    for (auto position = undo.event + 1; position <= last; ++position)
      undone.events.insert(position);
    if (undo.repeats) undone.repeated.insert(undo.event);
  }
  return undone;
}

Undone undone_at(const Ledger& ledger, TimeMs until, std::int64_t last) {
  std::vector<Event> undos;
  ledger.events_of_kind("undo", [&](Event&& e) {
    const bool in_time = e.at <= until || !std::get<Undo>(e.payload).damage.empty();
    if (in_time && e.position <= last) undos.push_back(std::move(e));
  });
  return undone_by(std::move(undos));
}

}  // namespace hebb
