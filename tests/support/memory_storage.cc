#include "tests/support/memory_storage.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>
#include <sqlite3.h>

#include "engine/fold/blocking.h"
#include "engine/ledger/canonical_json.h"
#include "engine/reasons.h"
#include "sql/database.h"

namespace hebb::test {

namespace {

using graph::kNever;
using graph::NodeId;

// What a storage sees: what is committed, a moment of it, or what its own write has made of it.
class View {
 public:
  View(std::shared_ptr<MemoryFile> file, int busy_timeout_ms)
      : file_(std::move(file)), busy_timeout_ms_(busy_timeout_ms) {}

  const MemoryRows& rows() {
    if (draft_) return *draft_;
    if (in_snapshot_) {
      if (!moment_) moment_ = committed();
      return *moment_;
    }
    last_read_ = committed();  // kept as long as somebody may look at it
    return *last_read_;
  }
  MemoryRows& draft() {
    if (!draft_) throw std::logic_error("a write outside of a write transaction");
    return *draft_;
  }
  bool in_transaction() const { return draft_ || in_snapshot_; }
  void set_busy_timeout(int ms) { busy_timeout_ms_ = ms; }

  void begin(Storage::Access access) {
    if (in_transaction()) throw std::logic_error("a transaction within a transaction");
    if (access == Storage::Access::snapshot) {
      in_snapshot_ = true;
      return;
    }
    if (!file_->writing.try_lock_for(std::chrono::milliseconds(busy_timeout_ms_)))
      throw sql::Error(SQLITE_BUSY, "begin: another engine is writing");
    draft_ = std::make_unique<MemoryRows>(*committed());
  }
  void commit() {
    if (draft_) {
      const std::lock_guard lock(file_->swapping);
      file_->committed = std::shared_ptr<const MemoryRows>(std::move(draft_));
    }
    end();
  }
  void end() {
    draft_.reset();
    if (!in_snapshot_) file_->writing.unlock();
    in_snapshot_ = false;
    moment_.reset();
  }
  MemoryRows copy() { return *draft_; }
  void take_back(MemoryRows rows) { draft() = std::move(rows); }

 private:
  std::shared_ptr<const MemoryRows> committed() {
    const std::lock_guard lock(file_->swapping);
    return file_->committed;
  }

  std::shared_ptr<MemoryFile> file_;
  int busy_timeout_ms_;
  std::unique_ptr<MemoryRows> draft_;
  std::shared_ptr<const MemoryRows> moment_, last_read_;
  bool in_snapshot_ = false;
};

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
  std::vector<LedgerFault> check(std::int64_t first, std::int64_t last) const override {
    std::vector<LedgerFault> faults;
    const auto& rows = view_.rows();
    for (std::int64_t p = first; p <= std::min(last, last_position()); ++p) {
      const auto i = static_cast<std::size_t>(p) - 1;
      const auto whole = checksum_of(rows.events[i], i == 0 ? 0 : rows.checksums[i - 1]);
      if (whole != rows.checksums[i])
        faults.push_back({LedgerFault::Kind::changed, p, p, "", whole});
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

// --- the mirror ----------------------------------------------------------------------------------

void take(std::optional<std::string>& to, const std::optional<std::string>& from) {
  if (from) to = from;
}

NodeContent empty_content() {
  NodeContent content;
  content.name = content.description = content.project = content.scope = "";
  content.properties = "{}";
  return content;
}

// The rows that a state folds to. What the state does not hold (texts, properties) stays as it was
// unless it is among the changes.
void write_rows(MemoryRows& rows, State& state, std::int64_t position) {
  const auto& g = state.graph();
  const auto& c = g.nodes();
  auto& changes = state.changes();
  const auto nodes_before = changes.everything ? decltype(rows.nodes)() : std::move(rows.nodes);
  const auto edges_before = changes.everything ? decltype(rows.edges)() : std::move(rows.edges);
  rows.nodes.clear();
  rows.edges.clear();
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!g.is_live_node(n) || c.created_at[n] == kNever) continue;
    const std::string id(g.id(n));
    auto& row = rows.nodes[id];
    row.type = g.node_types().name(c.type[n]);
    row.state = g.states().name(c.state[n]);
    row.created_at = c.created_at[n];
    row.updated_at = c.updated_at[n];
    row.reopened_at = c.reopened_at[n];
    row.outcome_at = c.outcome_at[n];
    row.completed_at = c.completed_at[n];
    row.deleted_at = c.deleted_at[n];
    const auto vector = state.vectors().row(n);
    row.vector.assign(vector.begin(), vector.end());
    const auto before = nodes_before.find(id);
    const auto changed = changes.content.find(n);
    const bool anew =
        before == nodes_before.end() || (changed != changes.content.end() && changed->second.reset);
    row.content = anew ? empty_content() : before->second.content;
    if (changed == changes.content.end()) continue;
    take(row.content.name, changed->second.name);
    take(row.content.description, changed->second.description);
    take(row.content.project, changed->second.project);
    take(row.content.scope, changed->second.scope);
    take(row.content.properties, changed->second.properties);
  }
  for (graph::EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    const std::tuple key{std::string(g.id(g.source(e))), g.edge_types().name(g.type(e)),
                         std::string(g.id(g.target(e)))};
    auto& row = rows.edges[key];
    if (const auto before = edges_before.find(key); before != edges_before.end())
      row.properties = before->second.properties;
    row.weight = g.edges().weight[e];
    row.gained = g.edges().gained[e];
    row.touched_at = g.edges().touched_at[e];
    const auto properties = changes.edge_properties.find({g.source(e), g.target(e), g.type(e)});
    if (properties != changes.edge_properties.end()) row.properties = properties->second;
  }
  rows.policy.clear();
  for (const auto& [key, value] : reward::settings(state.policy())) rows.policy[key] = value;

  rows.stamp = state.stamp();
  const auto view = state.view();
  const auto focus = reward::focus(view, rows.stamp);
  const auto ranked = reward::rank(view, focus, rows.stamp);
  std::vector<const reward::Ranked*> kept;
  for (const auto& r : ranked) {
    if (std::ssize(kept) < state.policy().mirrored) kept.push_back(&r);
  }
  const auto reasons = reasons_of(view, focus, rows.stamp, ranked, kept, false);
  rows.path.clear();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    PathRow row;
    row.rank = static_cast<std::int64_t>(i) + 1;
    row.id = g.id(kept[i]->node);
    row.name = rows.nodes[row.id].content.name.value_or("");
    row.factors = kept[i]->factors;
    const double first = kept.front()->factors.priority;
    row.relative = first > 0 ? row.factors.priority / first : 0;
    row.reasons = reasons[i];
    rows.path.push_back(std::move(row));
  }
  rows.candidates = ranked.size();
  rows.blocking_cycle = blocking_cycle(state, rows.stamp);
  rows.position = position;
  rows.recalibrated_at = state.recalibrated() ? state.stamp() : kNever;
  rows.latest = state.latest();
  rows.embedder = state.embedder();
  rows.dimension = state.dimension();
}

std::vector<std::string> lines_of(const MemoryRows& rows) {
  std::vector<std::string> lines;
  for (const auto& [id, n] : rows.nodes) {
    lines.push_back(fmt::format("node {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", id, n.type,
                                n.state, *n.content.name, *n.content.description,
                                *n.content.project, *n.content.scope, *n.content.properties,
                                n.created_at, n.updated_at, n.reopened_at, n.outcome_at,
                                n.completed_at, n.deleted_at, fmt::join(n.vector, ",")));
  }
  for (const auto& [key, e] : rows.edges) {
    lines.push_back(fmt::format("edge {} {} {} {:a} {:a} {} {}", std::get<0>(key), std::get<1>(key),
                                std::get<2>(key), e.weight, e.gained, e.touched_at, e.properties));
  }
  for (const auto& [key, value] : rows.policy)
    lines.push_back(fmt::format("policy {} {}", key, value));
  for (const auto& p : rows.path) {
    lines.push_back(fmt::format("path {} {} {:a} {}", p.rank, p.id, p.factors.priority,
                                fmt::join(p.reasons, ",")));
  }
  lines.push_back(fmt::format("marks {} {} {} {} {} {} {}", rows.stamp, rows.recalibrated_at,
                              rows.latest.at, rows.latest.key, rows.embedder, rows.dimension,
                              rows.candidates));
  return lines;
}

class MemoryMirror : public Mirror {
 public:
  explicit MemoryMirror(View& view) : view_(view) {}

  std::int64_t position() const override { return view_.rows().position; }
  void load(State& state, const Progress&) override {
    const auto& rows = view_.rows();
    auto& g = state.load_graph();
    for (const auto& [id, row] : rows.nodes) {
      const auto found = g.find_node(id);
      const NodeId n = found ? *found : g.add_node(id);
      auto& c = g.nodes();
      c.type[n] = g.node_types().intern(row.type);
      c.state[n] = g.states().intern(row.state);
      c.created_at[n] = row.created_at;
      c.updated_at[n] = row.updated_at;
      c.reopened_at[n] = row.reopened_at;
      c.outcome_at[n] = row.outcome_at;
      c.completed_at[n] = row.completed_at;
      c.deleted_at[n] = row.deleted_at;
      if (!row.vector.empty()) state.load_vectors().set(n, row.vector);
    }
    for (const auto& [key, row] : rows.edges) {
      const auto& [source, type, target] = key;
      const auto e =
          g.add_edge(*g.find_node(source), *g.find_node(target), g.edge_types().intern(type));
      g.edges().weight[e] = row.weight;
      g.edges().gained[e] = row.gained;
      g.edges().touched_at[e] = row.touched_at;
    }
    state.load_marks(rows.latest, rows.recalibrated_at, rows.embedder, rows.dimension);
  }
  void begin_without_load() override {}
  void write(State& state, std::int64_t position) override {
    write_rows(view_.draft(), state, position);
    state.changes() = Changes{};
  }
  void rewrite(State& state, std::int64_t position) override {
    state.changes().everything = true;
    write(state, position);
  }
  NodeContent content(std::string_view id) const override {
    const auto it = view_.rows().nodes.find(id);
    return it == view_.rows().nodes.end() ? NodeContent{} : it->second.content;
  }
  std::vector<std::string> ids_by_name(std::string_view name) const override {
    std::vector<std::string> ids;
    for (const auto& [id, row] : view_.rows().nodes) {
      if (row.content.name == name) ids.push_back(id);
    }
    return ids;
  }
  PriorityTime priority_time() const override {
    return {view_.rows().stamp, view_.rows().recalibrated_at != kNever};
  }
  // Which rows have a label is for the graph to say.
  std::optional<std::vector<PathRow>> golden_path(const PathFilter& filter) const override {
    const auto& rows = view_.rows();
    const bool told = rows.path.size() >= filter.top || rows.path.size() == rows.candidates;
    if (!filter.type.empty() || !filter.label.empty() || !told) return std::nullopt;
    auto path = rows.path;
    path.resize(std::min(path.size(), filter.top));
    return path;
  }
  std::string image_seal() const override { return view_.rows().image_seal; }
  void set_image_seal(std::string_view seal) override { view_.draft().image_seal = seal; }
  std::vector<std::string> blocking_cycle() const override { return view_.rows().blocking_cycle; }
  void compare(State& state, std::vector<std::string>& problems) override {
    MemoryRows fresh;
    state.changes().everything = true;
    write_rows(fresh, state, position());
    const auto have = lines_of(view_.rows()), want = lines_of(fresh);
    for (const auto& line : have) {
      if (std::find(want.begin(), want.end(), line) == want.end())
        problems.push_back("mirror: not by the ledger: " + line);
    }
    for (const auto& line : want) {
      if (std::find(have.begin(), have.end(), line) == have.end())
        problems.push_back("mirror: is missing: " + line);
    }
  }

 private:
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
  std::vector<DeadLetter> dead_letters() const override {
    std::vector<DeadLetter> letters;
    for (const auto& [id, l] : view_.rows().letters) letters.push_back(l);
    return letters;
  }
  std::int64_t count_dead_letters() const override { return std::ssize(view_.rows().letters); }
  ReadingProgress progress(std::string_view content) const override {
    const auto& progress = view_.rows().progress;
    const auto it = progress.find(content);
    return it == progress.end() ? ReadingProgress{} : it->second;
  }
  void set_progress(std::string_view content, const ReadingProgress& progress) override {
    auto& all = view_.draft().progress;
    if (progress.items == 0) {
      all.erase(std::string(content));
    } else {
      all[std::string(content)] = progress;
    }
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
