// The parts of storage in memory (memory_storage.h) that its files share.
#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <sqlite3.h>

#include "engine/node_filter.h"
#include "sql/database.h"
#include "tests/support/memory_storage.h"

namespace hebb::test {

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
    // Until a time of the system's clock: g++ 12's ThreadSanitizer does not see a wait for a span.
    const auto until =
        std::chrono::system_clock::now() + std::chrono::milliseconds(busy_timeout_ms_);
    if (!file_->writing.try_lock_until(until))
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

// The rows that a state folds to. What the state does not hold (texts, properties) stays as it was
// unless it is among the changes.
void write_rows(MemoryRows& rows, State& state, std::int64_t position);
// Of the mirror, a line a row.
std::vector<std::string> lines_of(const MemoryRows& rows);

class MemoryMirror : public Mirror {
 public:
  explicit MemoryMirror(View& view) : view_(view) {}

  std::int64_t position() const override { return view_.rows().position; }
  void load(State& state, const Progress&) override {
    const auto& rows = view_.rows();
    auto& g = state.load_graph();
    for (const auto& [id, row] : rows.nodes) {
      const auto found = g.find_node(id);
      const graph::NodeId n = found ? *found : g.add_node(id);
      auto& c = g.nodes();
      c.type[n] = g.node_types().intern(row.type);
      c.state[n] = g.states().intern(row.state);
      c.created_at[n] = row.created_at;
      c.updated_at[n] = row.updated_at;
      c.reopened_at[n] = row.reopened_at;
      c.outcome_at[n] = row.outcome_at;
      c.completed_at[n] = row.completed_at;
      c.deleted_at[n] = row.deleted_at;
      c.successes[n] = row.successes;
      c.failures[n] = row.failures;
      c.tried_at[n] = row.tried_at;
      c.priority[n] = static_cast<std::int8_t>(row.priority);
      c.due_at[n] = row.due_at;
      c.snoozed_until[n] = row.snoozed_until;
      c.pinned[n] = row.pinned ? 1 : 0;
      c.failed[n] = row.failed;
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
      if (same_name(id, name) || same_name(row.content.name.value_or(""), name)) ids.push_back(id);
    }
    return ids;
  }
  PriorityTime priority_time() const override {
    return {view_.rows().stamp, view_.rows().recalibrated_at != graph::kNever};
  }
  // Which rows have a label is for the graph to say.
  std::optional<std::vector<PathRow>> golden_path(const PathFilter& filter) const override {
    const auto& rows = view_.rows();
    auto path = rows.path;
    std::erase_if(path, [&](const PathRow& row) { return filter.without.contains(row.id); });
    const bool told = path.size() >= filter.top || rows.path.size() == rows.candidates;
    const WhichNodes& which = filter.which;
    const bool all = which.type.empty() && which.labels.empty() && which.not_labels.empty() &&
                     which.project.empty() && which.assignee.empty() && which.not_types.empty();
    if (!all || !told) return std::nullopt;
    path.resize(std::min(path.size(), filter.top));
    double largest = 0;
    for (const PathRow& row : path) largest = std::max(largest, row.factors.priority);
    std::int64_t rank = 0;
    for (PathRow& row : path) {
      row.rank = ++rank;
      row.relative = largest > 0 ? row.factors.priority / largest : 0;
    }
    return path;
  }
  std::string image_seal() const override { return view_.rows().image_seal; }
  void set_image_seal(std::string_view seal) override { view_.draft().image_seal = seal; }
  std::vector<std::string> blocking_cycle() const override { return view_.rows().blocking_cycle; }
  std::vector<ClaimRow> claims() const override { return view_.rows().claims; }
  void write_claims(Claims& claims, std::int64_t position) override {
    MemoryRows& rows = view_.draft();
    claims.take_changes();
    rows.claims.clear();
    for (const auto& [task, claim] : claims.rows()) rows.claims.push_back(claim);
    rows.position = position;
  }
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

}  // namespace hebb::test
