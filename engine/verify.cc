// Whether the mirror is what the ledger folds to: the fold written into a fresh database in memory,
// and every row of the two compared.
#include <fmt/format.h>

#include "engine/engine_impl.h"

namespace hebb {

namespace {

constexpr std::size_t kProblemsKept = 100;

std::string cell(const sql::Statement& row, int i) {
  if (row.is_null(i)) return "NULL";
  const auto bytes = row.blob(i);
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.size() > 40 ? fmt::format("({} bytes)", text.size()) : text;
}

// Compares two results ordered by their first `keys` columns.
class Comparison {
 public:
  Comparison(std::string_view what, int keys, std::vector<std::string>& problems)
      : what_(what), keys_(keys), problems_(problems) {}

  void run(sql::Statement& have, sql::Statement& want) {
    const sql::Reset reset_have(have), reset_want(want);
    bool h = have.step(), w = want.step();
    while ((h || w) && problems_.size() < kProblemsKept) {
      const int order = !h ? 1 : !w ? -1 : compare_keys(have, want);
      if (order < 0) {
        report(have, "is in the mirror, but not in the ledger");
      } else if (order > 0) {
        report(want, "is in the ledger, but not in the mirror");
      } else {
        compare_values(have, want);
      }
      if (order <= 0) h = have.step();
      if (order >= 0) w = want.step();
    }
  }

 private:
  static bool same(const sql::Statement& a, const sql::Statement& b, int i) {
    if (a.is_null(i) || b.is_null(i)) return a.is_null(i) == b.is_null(i);
    if (a.is_real(i) && b.is_real(i)) return a.real(i) == b.real(i);
    const auto x = a.blob(i), y = b.blob(i);
    return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin());
  }
  int compare_keys(const sql::Statement& a, const sql::Statement& b) const {
    for (int i = 0; i < keys_; ++i) {
      if (const int c = a.text(i).compare(b.text(i)); c != 0) return c;
    }
    return 0;
  }
  std::string name(const sql::Statement& row) const {
    std::string text(what_);
    for (int i = 0; i < keys_; ++i) text += fmt::format(" {}", row.text(i));
    return text;
  }
  void report(const sql::Statement& row, std::string_view problem) {
    problems_.push_back(fmt::format("{} {}; `hebb rebuild` mends it", name(row), problem));
  }
  void compare_values(const sql::Statement& have, const sql::Statement& want) {
    for (int i = keys_; i < have.columns(); ++i) {
      if (same(have, want, i)) continue;
      problems_.push_back(
          fmt::format("{}: {} is {} in the mirror, {} by the ledger; `hebb rebuild` mends it",
                      name(have), have.column_name(i), cell(have, i), cell(want, i)));
    }
  }

  std::string_view what_;
  int keys_;
  std::vector<std::string>& problems_;
};

void check_file(sql::Database& db, std::vector<std::string>& problems) {
  auto& integrity = db.query(sql::Query::integrity_check);
  while (integrity.step()) {
    if (integrity.text(0) != "ok") problems.push_back(fmt::format("file: {}", integrity.text(0)));
  }
  integrity.reset();
  auto& keys = db.query(sql::Query::foreign_key_check);
  while (keys.step()) {
    problems.push_back(
        fmt::format("table {} names a row of {} that is not there", keys.text(0), keys.text(2)));
  }
  keys.reset();
  auto& gaps = db.query(sql::Query::ledger_gaps);
  const sql::Reset reset(gaps);
  if (gaps.step() && gaps.integer(0) != gaps.integer(1)) {
    problems.push_back(
        fmt::format("the ledger has {} events, but its last position is {}: events are missing",
                    gaps.integer(0), gaps.integer(1)));
  }
}

}  // namespace

std::vector<std::string> Engine::verify() {
  std::vector<std::string> problems;
  auto& db = impl_->store.database();
  check_file(db, problems);
  if (!problems.empty()) return problems;  // comparing what cannot be read says nothing more
  std::int64_t position = 0;
  State fresh(true);
  // One moment of the database, folded apart from the state in use, up to where the mirror is:
  // others may have appended since, and a reader cannot bring it up to date.
  std::optional<sql::Transaction> snapshot;
  try {
    if (!impl_->options.read_only) sync();
    snapshot.emplace(db, sql::Transaction::Kind::deferred);
    position = impl_->store.mirror_position();
    if (position == 0 && impl_->options.read_only) return problems;  // never written yet
    const auto undone = impl_->undone_at(std::numeric_limits<TimeMs>::max(), position);
    impl_->store.events_until(std::numeric_limits<TimeMs>::max(), [&](Event&& e) {
      if (e.position > position) return;
      if (undone.contains(e.position)) {
        fresh.note_latest(e);
      } else {
        fresh.apply(e);
      }
    });
  } catch (const sql::Error& e) {
    if (!e.corrupt()) throw;
    problems.emplace_back(e.what());
    return problems;
  } catch (const std::invalid_argument& e) {
    problems.push_back(fmt::format("ledger: {}", e.what()));
    return problems;
  }
  fresh.changes().everything = true;
  sql::Database memory(":memory:", sql::Database::Mode::read_write_create);
  sql::migrate(memory);
  Store rebuilt(std::move(memory));
  rebuilt.write(fresh, position);
  const auto compare = [&](std::string_view what, int keys, sql::Query q) {
    Comparison(what, keys, problems).run(db.query(q), rebuilt.database().query(q));
  };
  compare("node", 1, sql::Query::mirror_nodes);
  compare("edge", 3, sql::Query::mirror_edges);
  compare("policy", 1, sql::Query::mirror_policy);
  compare("mark", 1, sql::Query::mirror_marks);
  return problems;
}

}  // namespace hebb
