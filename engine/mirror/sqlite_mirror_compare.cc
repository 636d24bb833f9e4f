// Compares every row of the mirror with a second mirror in memory, which is written from a fold.
#include <fmt/format.h>

#include "engine/mirror/sqlite_mirror.h"

namespace hebb {

namespace {

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

// The table that views read for each edge type must say what the policy says.
void check_types(sql::Database& db, const reward::Policy& policy,
                 std::vector<std::string>& problems) {
  auto& rows = db.query(sql::Query::mirror_edge_types);
  const sql::Reset reset(rows);
  while (rows.step()) {
    const reward::TypePolicy& p = policy.type(rows.text(0));
    const double gain = rows.is_null(6) ? std::numeric_limits<double>::infinity() : rows.real(6);
    const bool same = rows.real(1) == p.decay_per_day && rows.real(2) == p.floor &&
                      rows.real(3) == p.dormant_below && rows.real(4) == p.rate &&
                      rows.real(5) == p.cap && gain == p.max_gain_per_day &&
                      (rows.integer(7) != 0) == p.is_protected &&
                      (rows.integer(8) != 0) == p.structural && (rows.integer(9) != 0) == p.context;
    if (same) continue;
    problems.push_back(
        fmt::format("edge type {} differs from the policy in the mirror; `hebb rebuild` mends it",
                    rows.text(0)));
  }
}

}  // namespace

void SqliteMirror::compare(State& state, std::vector<std::string>& problems) {
  sql::Database memory(":memory:", sql::Database::Mode::read_write_create);
  sql::migrate(memory);
  const sql::Transaction whole(memory);  // rather than one for each row
  SqliteMirror fresh(memory);
  state.changes().everything = true;
  fresh.write(state, position());
  const auto rows = [&](std::string_view what, int keys, sql::Query q) {
    Comparison(what, keys, problems).run(db_.query(q), memory.query(q));
  };
  rows("node", 1, sql::Query::mirror_nodes);
  auto& kept = db_.query(sql::Query::mirror_reasons);
  const bool known = kept.step();  // false: an older program wrote the rows, or there are none
  kept.reset();
  if (known) rows("reasons of", 1, sql::Query::mirror_reasons);
  rows("edge", 3, sql::Query::mirror_edges);
  rows("policy", 1, sql::Query::mirror_policy);
  rows("mark", 1, sql::Query::mirror_marks);
  check_types(db_, state.policy(), problems);
}

}  // namespace hebb
