#include "tests/support/memory_storage.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/ledger/canonical_json.h"
#include "tests/support/memory_view.h"

namespace hebb::test {

namespace {

// --- the ledger ----------------------------------------------------------------------------------

std::int64_t checksum_of(const Event& e, std::int64_t before) {
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  std::string text = fmt::format("{} {} {} {} {} {} {}", before, e.position, e.at,
                                 kind_name(e.payload), e.subject, e.key, encode_payload(e.payload));
  if (upsert) {
    for (const float x : upsert->vector) text += fmt::format(" {:a}", x);
  }
  return static_cast<std::int64_t>(std::hash<std::string>{}(text));
}

class MemoryLedger : public Ledger {
 public:
  explicit MemoryLedger(View& view) : view_(view) {}
  void on_unreadable(UnreadableSink) override {}  // nothing here can be damaged

  bool append(Event& e) override {
    auto& rows = view_.draft();
    if (!e.key.empty() && find(rows, e.key)) return false;
    e.position = std::ssize(rows.events) + 1;
    if (e.key.empty()) e.key = fmt::format("7:{:020}", e.position);
    if (!rows.positions.emplace(e.key, e.position).second) return false;
    rows.checksums.push_back(checksum_of(e, rows.checksums.empty() ? 0 : rows.checksums.back()));
    rows.events.push_back(e);
    return true;
  }
  std::int64_t last_position() const override { return std::ssize(view_.rows().events); }
  std::optional<std::int64_t> position_of(std::string_view key) const override {
    return find(view_.rows(), key);
  }
  bool has_keys_in(std::string_view beginning) const override {
    const auto& positions = view_.rows().positions;
    return std::any_of(positions.begin(), positions.end(),
                       [&](const auto& row) { return row.first.starts_with(beginning); });
  }
  std::optional<Event> event(std::int64_t position) const override {
    const auto& events = view_.rows().events;
    if (position < 1 || position > std::ssize(events)) return std::nullopt;
    return events[static_cast<std::size_t>(position) - 1];
  }
  void events_after(std::int64_t position, const EventSink& sink) const override {
    const auto events = view_.rows().events;  // a sink may append
    for (const Event& e : events) {
      if (e.position > position) sink(Event(e));
    }
  }
  void events_until(TimeMs at, const EventSink& sink) const override {
    in_order([at](const Event& e) { return e.at <= at; }, sink);
  }
  void events_of_subject(std::string_view subject, const EventSink& sink) const override {
    in_order([subject](const Event& e) { return e.subject == subject; }, sink);
  }
  void events_of_kind(std::string_view kind, const EventSink& sink) const override {
    in_order([kind](const Event& e) { return kind_name(e.payload) == kind; }, sink);
  }
  std::optional<Event> latest_of_kind(
      std::string_view kind, TimeMs until,
      const std::function<bool(std::int64_t position)>& wanted) const override {
    std::vector<Event> found;
    in_order([&](const Event& e) { return kind_name(e.payload) == kind && e.at <= until; },
             [&](Event&& e) { found.push_back(std::move(e)); });
    for (auto it = found.rbegin(); it != found.rend(); ++it) {
      if (wanted(it->position)) return *it;
    }
    return std::nullopt;
  }
  std::int64_t count_outcomes() const override {
    const auto& events = view_.rows().events;
    return std::count_if(events.begin(), events.end(), [](const Event& e) {
      return std::holds_alternative<OutcomeSignal>(e.payload);
    });
  }
  std::optional<std::int64_t> checksum_at(std::int64_t position) const override {
    const auto& checksums = view_.rows().checksums;
    if (position < 1 || position > std::ssize(checksums)) return std::nullopt;
    return checksums[static_cast<std::size_t>(position) - 1];
  }
  std::vector<LedgerFault> check(std::int64_t first, std::int64_t last,
                                 const EventSink& sink) const override {
    std::vector<LedgerFault> faults;
    const auto& rows = view_.rows();
    for (std::int64_t p = first; p <= std::min(last, last_position()); ++p) {
      const auto i = static_cast<std::size_t>(p) - 1;
      const auto whole = checksum_of(rows.events[i], i == 0 ? 0 : rows.checksums[i - 1]);
      if (whole != rows.checksums[i])
        faults.push_back({LedgerFault::Kind::changed, p, p, "", whole});
      sink(Event(rows.events[i]));
    }
    return faults;
  }
  void mend_checksum(const LedgerFault& fault) override {
    view_.draft().checksums[static_cast<std::size_t>(fault.first) - 1] = fault.checksum;
  }

 private:
  static std::optional<std::int64_t> find(const MemoryRows& rows, std::string_view key) {
    for (const auto& one : {key_of_0_1(key), std::optional<std::string>(key)}) {
      if (!one) continue;
      if (const auto it = rows.positions.find(*one); it != rows.positions.end()) return it->second;
    }
    return std::nullopt;
  }
  void in_order(const std::function<bool(const Event&)>& wanted, const EventSink& sink) const {
    std::vector<Event> found;
    for (const Event& e : view_.rows().events) {
      if (wanted(e)) found.push_back(e);
    }
    std::sort(found.begin(), found.end(), [](const Event& a, const Event& b) {
      return std::tie(a.at, a.key) < std::tie(b.at, b.key);
    });
    for (Event& e : found) sink(std::move(e));
  }

  View& view_;
};

// --- the inbox -----------------------------------------------------------------------------------

class MemoryInbox : public Inbox {
 public:
  explicit MemoryInbox(View& view) : view_(view) {}

  void add_dead_letter(const DeadLetter& letter) override {
    auto& rows = view_.draft();
    DeadLetter kept = letter;
    kept.id = ++rows.last_letter;
    if (kept.hash.empty()) kept.bytes = std::ssize(kept.text);
    rows.letters[kept.id] = std::move(kept);
  }
  bool set_dead_letter(const DeadLetter& letter) override {
    auto& letters = view_.draft().letters;
    const auto it = letters.find(letter.id);
    if (it == letters.end()) return false;
    it->second.at = letter.at;
    it->second.reason = letter.reason;
    it->second.detail = letter.detail;
    return true;
  }
  bool drop_dead_letter(std::int64_t id) override { return view_.draft().letters.erase(id) > 0; }
  std::optional<std::int64_t> same_dead_letter(const DeadLetter& letter) const override {
    std::optional<std::int64_t> newest;
    for (const auto& [id, l] : view_.rows().letters) {
      if (std::tie(l.file, l.line, l.format, l.text, l.hash) ==
          std::tie(letter.file, letter.line, letter.format, letter.text, letter.hash)) {
        newest = id;
      }
    }
    return newest;
  }
  std::vector<DeadLetter> dead_letters_after(std::int64_t id, std::size_t bytes) const override {
    std::vector<DeadLetter> letters;
    const auto& all = view_.rows().letters;
    std::size_t taken = 0;
    for (auto it = all.upper_bound(id); it != all.end() && taken <= bytes; ++it) {
      taken += it->second.text.size();
      letters.push_back(it->second);
    }
    return letters;
  }
  std::int64_t count_dead_letters() const override { return std::ssize(view_.rows().letters); }
  std::vector<ReadingProgress> progress(std::string_view content) const override {
    const auto& progress = view_.rows().progress;
    const auto it = progress.find(content);
    return it == progress.end() ? std::vector<ReadingProgress>{} : it->second;
  }
  void set_progress(std::string_view content, const ReadingProgress& progress) override {
    auto& readers = view_.draft().progress[std::string(content)];
    std::erase_if(readers, [&](const auto& other) { return other.reader == progress.reader; });
    if (progress.items != 0) readers.push_back(progress);
  }

 private:
  View& view_;
};

// --- the three in one place ----------------------------------------------------------------------

class MemoryStorage : public Storage {
 public:
  MemoryStorage(std::shared_ptr<MemoryFile> file, int busy_timeout_ms)
      : view_(std::move(file), busy_timeout_ms), ledger_(view_), mirror_(view_), inbox_(view_) {}

  Ledger& ledger() override { return ledger_; }
  Mirror& mirror() override { return mirror_; }
  Inbox& inbox() override { return inbox_; }
  std::unique_ptr<Transaction> begin(Access access) override {
    view_.begin(access);
    return std::make_unique<MemoryTransaction>(view_);
  }
  std::unique_ptr<Savepoint> savepoint() override {
    return std::make_unique<MemorySavepoint>(view_);
  }
  bool in_transaction() const override { return view_.in_transaction(); }
  void set_busy_timeout(int ms) override { view_.set_busy_timeout(ms); }
  Health check() override { return {}; }
  void restore() override {}
  void back_up(const std::string&, bool) override {
    throw std::logic_error("a storage in memory is not backed up");
  }
  std::int64_t bytes() const override { return 0; }

  View& view() { return view_; }

 private:
  class MemoryTransaction : public Transaction {
   public:
    explicit MemoryTransaction(View& view) : view_(view) {}
    ~MemoryTransaction() override {
      if (!ended_) view_.end();
    }
    void commit() override {
      view_.commit();
      ended_ = true;
    }

   private:
    View& view_;
    bool ended_ = false;
  };
  class MemorySavepoint : public Savepoint {
   public:
    explicit MemorySavepoint(View& view) : view_(view), before_(view.copy()) {}
    void roll_back() override { view_.take_back(before_); }

   private:
    View& view_;
    MemoryRows before_;
  };

  View view_;
  MemoryLedger ledger_;
  MemoryMirror mirror_;
  MemoryInbox inbox_;
};

}  // namespace

bool in_memory() {
  const char* wanted = std::getenv("HEBB_TEST_STORAGE");
  return wanted != nullptr && std::string_view(wanted) == "memory";
}

std::unique_ptr<Storage> open_memory(const EngineOptions& options) {
  static std::map<std::string, std::shared_ptr<MemoryFile>> files;
  std::shared_ptr<MemoryFile> file;
  if (options.path == ":memory:") {
    file = std::make_shared<MemoryFile>();
  } else {
    auto& kept = files[options.path];
    if (!kept) kept = std::make_shared<MemoryFile>();
    file = kept;
  }
  return std::make_unique<MemoryStorage>(std::move(file), options.busy_timeout_ms);
}

std::string dump_memory_mirror(Engine& engine) {
  auto* storage = dynamic_cast<MemoryStorage*>(&storage_of(engine));
  if (!storage) throw std::logic_error("this engine is not stored in memory");
  std::string text;
  for (const auto& line : lines_of(storage->view().rows())) text += line + "\n";
  return text;
}

}  // namespace hebb::test
