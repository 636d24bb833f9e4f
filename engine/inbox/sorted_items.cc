#include "engine/inbox/sorted_items.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/values/canonical_json.h"

namespace hebb {

namespace {

constexpr std::size_t kItemBytes = 640;  // what an item needs in memory beside its texts

// Of two items with the same time and key, the second is a duplicate or is refused. Which one is
// second must not depend on their places in the input, so a hash of the text decides.
std::string tie_break(std::string_view text) { return content_hash(text).substr(0, 16); }

const Event* event_of(const Item& item) { return std::get_if<Event>(&item.parsed); }

std::size_t memory_of(const Item& item) {
  std::size_t bytes = kItemBytes + 2 * item.text.size();
  if (const Event* e = event_of(item)) {
    if (const auto* upsert = std::get_if<NodeUpsert>(&e->payload)) {
      bytes += upsert->vector.size() * sizeof(float);
    }
  }
  return bytes;
}

// Runs work() and says in its errors that the temporary file failed, and not the database.
template <typename Work>
auto on_disk_of_the_input(const Work& work) {
  try {
    return work();
  } catch (const sql::Error& e) {
    throw sql::Error(e.code(),
                     fmt::format("a long input is sorted in a temporary file, in $SQLITE_TMPDIR, "
                                 "$TMPDIR or /var/tmp, and nothing of it was taken: {}",
                                 e.what()));
  }
}

}  // namespace

SortedItems::SortedItems(const Format& format, ReadOptions options, std::size_t memory_bytes)
    : format_(format), options_(std::move(options)), memory_bytes_(memory_bytes) {}

void SortedItems::add(Item item) {
  ++items_;
  if (const Event* e = event_of(item)) {
    has_keyless_ = has_keyless_ || e->key.empty();
    const auto* upsert = std::get_if<NodeUpsert>(&e->payload);
    brings_vectors_ = brings_vectors_ || (upsert && !upsert->vector.empty());
  }
  if (disk_) return put(item);
  held_bytes_ += memory_of(item);
  held_.push_back(std::move(item));
  if (held_bytes_ > memory_bytes_) spill();
}

void SortedItems::spill() {
  on_disk_of_the_input([this] {
    disk_.emplace("", sql::Database::Mode::read_write_create);
    disk_->exec(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE; "
        "PRAGMA cache_size=-16384");
    disk_->query(sql::Query::inbox_create).run();
    disk_->exec("BEGIN");
  });
  const auto held = std::exchange(held_, {});
  items_ -= static_cast<std::int64_t>(held.size());
  for (const Item& item : held) {
    ++items_;
    put(item);
  }
}

void SortedItems::put(const Item& item) {
  on_disk_of_the_input([&] {
    const Event* e = event_of(item);
    const auto* refusal = std::get_if<Refusal>(&item.parsed);
    const bool keyless = !e || e->key.empty();
    const std::string same = keyless ? "" : tie_break(item.text);
    auto& q = disk_->query(sql::Query::inbox_put);
    q.bind(1, items_).bind(2, e ? e->at : graph::kNever).bind(3, int{e && !e->dated});
    q.bind(4, int{keyless}).bind(5, e ? std::string_view(e->key) : std::string_view());
    q.bind(6, std::string_view(same)).bind(7, item.line);
    q.bind(8, std::as_bytes(std::span(item.text)));
    q.bind(9, static_cast<std::int64_t>(item.bytes)).bind(10, std::string_view(item.hash));
    if (refusal) {
      q.bind(11, std::string_view(refusal->reason)).bind(12, std::string_view(refusal->detail));
    }
    q.run();
  });
}

void SortedItems::sort(TimeMs now) {
  now_ = now;
  if (disk_) {
    on_disk_of_the_input([&] {
      disk_->query(sql::Query::inbox_untimed).bind(1, now).run();
      disk_->query(sql::Query::inbox_index).run();
      disk_->exec("COMMIT");
    });
    return rewind();
  }
  struct Place {
    TimeMs at;
    bool keyless;  // it gets a key from its position, which sorts after all others of that time
    std::string_view key;
    std::size_t seq;
  };
  const auto is_before = [this](const Place& a, const Place& b) {
    const auto order = std::tie(a.at, a.keyless, a.key) <=> std::tie(b.at, b.keyless, b.key);
    if (order != 0) return order < 0;
    const std::string &mine = held_[a.seq].text, &other = held_[b.seq].text;
    if (a.keyless || mine == other) return a.seq < b.seq;
    return std::pair(tie_break(mine), a.seq) < std::pair(tie_break(other), b.seq);
  };
  std::vector<Place> places;
  places.reserve(held_.size());
  for (Item& item : held_) {
    auto* e = std::get_if<Event>(&item.parsed);
    if (e && !e->dated) e->at = now;
    places.push_back(e ? Place{e->at, e->key.empty(), e->key, places.size()}
                       : Place{graph::kNever, true, {}, places.size()});
  }
  if (!std::is_sorted(places.begin(), places.end(), is_before))
    std::sort(places.begin(), places.end(), is_before);
  order_.reserve(places.size());
  for (const Place& p : places) order_.push_back(p.seq);
}

void SortedItems::rewind() {
  next_ = 0;
  if (disk_) rows_ = &disk_->query(sql::Query::inbox_rows);
}

bool SortedItems::next(Item& item) {
  if (!next_text(item)) return false;
  item.parsed = disk_ ? parsed_row(item) : std::move(held_[order_[next_ - 1]].parsed);
  return true;
}

bool SortedItems::next_text(Item& item) {
  if (disk_) return on_disk_of_the_input([&] { return next_row(item); });
  if (next_ == order_.size()) return false;
  const Item& held = held_[order_[next_++]];
  item.line = held.line;
  item.text = held.text;
  item.bytes = held.bytes;
  item.hash = held.hash;
  return true;
}

bool SortedItems::next_row(Item& item) {
  if (!rows_->step()) return false;
  const auto text = rows_->blob(1);
  item.line = rows_->integer(0);
  item.text.assign(reinterpret_cast<const char*>(text.data()), text.size());
  item.bytes = static_cast<std::uint64_t>(rows_->integer(2));
  item.hash = rows_->text(3);
  return true;
}

Parsed SortedItems::parsed_row(const Item& item) const {
  if (rows_->is_null(4)) return read_again(item, rows_->text(6));
  return Refusal{std::string(rows_->text(4)), std::string(rows_->text(5))};
}

// Parses an item's text again. One text may give several events, so the key says which one.
Parsed SortedItems::read_again(const Item& item, std::string_view key) const {
  ReadOptions options = options_;
  options.kept = true;
  std::optional<Parsed> found;
  Input input(item.text);
  format_.read(input, options, [&](Item again) {
    auto* e = std::get_if<Event>(&again.parsed);
    if (found || !e || e->key != key) return;
    if (!e->dated) e->at = now_;
    found = std::move(again.parsed);
  });
  if (!found) throw std::logic_error("an item that was read says something else now");
  return std::move(*found);
}

}  // namespace hebb
