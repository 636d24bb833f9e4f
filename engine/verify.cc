// Whether the file, its schema and the ledger are whole, and whether the mirror is what the ledger
// folds to: the fold written into a fresh database in memory, and every row of the two compared.
#include <fmt/format.h>

#include "engine/engine_impl.h"
#include "sql/schema_check.h"

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

// A lock, a full disk or too little memory says nothing about the file.
void require_damage(const sql::Error& e) {
  if (!e.corrupt() && !e.reading_failed()) throw e;
}

void check_file(sql::Database& db, std::vector<std::string>& problems) {
  auto& integrity = db.query(sql::Query::integrity_check);
  const sql::Reset reset(integrity);
  try {
    while (integrity.step()) {
      if (integrity.text(0) != "ok") problems.push_back(fmt::format("file: {}", integrity.text(0)));
    }
  } catch (const sql::Error& e) {  // after what it has found already
    require_damage(e);
    problems.push_back(fmt::format("file: {}", e.what()));
  }
  if (!problems.empty()) return;
  auto& keys = db.query(sql::Query::foreign_key_check);
  const sql::Reset reset_keys(keys);
  while (keys.step()) {
    problems.push_back(
        fmt::format("mirror: table {} names a row of {} that is not there; `hebb rebuild` mends it",
                    keys.text(0), keys.text(2)));
  }
}

// Whether what is wrong stops any further comparison: a table that is not there.
bool check_schema(sql::Database& db, std::vector<std::string>& problems) {
  bool stops = false;
  for (const sql::SchemaFault& fault : sql::check_schema(db)) {
    stops = stops || !fault.restorable;
    problems.push_back(
        fmt::format("schema: the {} {} {}; {}", fault.type, fault.name, fault.what,
                    fault.restorable ? "`hebb rebuild` mends it" : "restore a backup"));
  }
  return stops;
}

std::string describe(const LedgerFault& fault) {
  const auto at = fault.first;
  switch (fault.kind) {
    case LedgerFault::Kind::missing:
      return fault.first == fault.last
                 ? fmt::format(
                       "event {} is missing; restore a backup, or go on without it: `hebb "
                       "quarantine {}`",
                       at, at)
                 : fmt::format(
                       "events {} to {} are missing; restore a backup, or go on without "
                       "them: `hebb quarantine {} …`",
                       at, fault.last, at);
    case LedgerFault::Kind::changed:
      return fmt::format(
          "event {} is not what was appended{}{}; restore a backup, or take it out of what counts: "
          "`hebb quarantine {}`",
          at, fault.why.empty() ? "" : ": ", fault.why, at);
    case LedgerFault::Kind::unreadable:
      return fmt::format("event {} cannot be read: {}; `hebb quarantine {}` takes it out for good",
                         at, fault.why, at);
    case LedgerFault::Kind::checksum:
      break;
  }
  return fmt::format(
      "the checksum of event {} is damaged, the event itself is whole; `hebb rebuild` mends it",
      at);
}

// Whether events are damaged, so that their fold says nothing about the mirror.
bool check_ledger(EngineImpl& impl, std::vector<std::string>& problems) {
  const sql::Transaction snapshot(impl.store.database(), sql::Transaction::Kind::deferred);
  bool damaged = false;
  for (const LedgerFault& fault : impl.open_faults()) {
    damaged = damaged || fault.kind != LedgerFault::Kind::checksum;
    if (problems.size() < kProblemsKept) problems.push_back("ledger: " + describe(fault));
  }
  const auto mirrored = impl.store.mirror_position(), last = impl.store.last_position();
  if (mirrored > last) {
    problems.push_back("ledger: " + ahead_of_ledger(mirrored, last));
    damaged = true;
  }
  if (damaged) {
    problems.emplace_back(
        "mirror: not compared with a damaged ledger; it may hold what those events did, so make a "
        "copy of the file before you change anything");
  }
  return damaged;
}

// What views read of each edge type is what the policy says.
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

// The index of `hebb search` is that of the nodes' words. Checking it needs the write lock and room
// on the disk: without them it is left unchecked.
void check_search(sql::Database& db, std::vector<std::string>& problems) {
  try {
    db.query(sql::Query::search_check).run();
  } catch (const sql::Error& e) {
    if (!e.corrupt()) return;
    problems.push_back(fmt::format("search index: {}; `hebb rebuild` mends it", e.what()));
  }
}

// The mirror beside the fold of the ledger up to where the mirror is: others may have appended
// since, and a reader cannot bring it up to date.
void check_mirror(EngineImpl& impl, std::vector<std::string>& problems) {
  const auto position = impl.store.mirror_position();
  if (position == 0) return;  // nothing was mirrored yet
  constexpr TimeMs kEnd = std::numeric_limits<TimeMs>::max();
  State fresh(true);
  impl.undone = impl.undone_at(kEnd);
  const Undone undone = impl.undone_at(kEnd, position);
  const auto left_out = impl.left_out;
  impl.fold_into(fresh, kEnd, position, undone);
  if (impl.left_out != left_out) {  // readable, and yet the fold could not take them
    for (const auto& [at, why] : impl.unreadable) {
      if (impl.undone.quarantined.contains(at)) continue;
      problems.push_back(fmt::format(
          "ledger: event {} cannot be folded: {}; `hebb quarantine {}` takes it out for good", at,
          why, at));
    }
    return;
  }
  impl.drop_hanging(fresh, undone);
  fresh.changes().everything = true;
  sql::Database memory(":memory:", sql::Database::Mode::read_write_create);
  sql::migrate(memory);
  Store rebuilt(std::move(memory));
  rebuilt.write(fresh, position);
  auto& db = impl.store.database();
  const auto compare = [&](std::string_view what, int keys, sql::Query q) {
    Comparison(what, keys, problems).run(db.query(q), rebuilt.database().query(q));
  };
  compare("node", 1, sql::Query::mirror_nodes);
  compare("edge", 3, sql::Query::mirror_edges);
  compare("policy", 1, sql::Query::mirror_policy);
  compare("mark", 1, sql::Query::mirror_marks);
  check_types(db, fresh.policy(), problems);
}

}  // namespace

std::vector<std::string> Engine::verify() {
  std::vector<std::string> problems;
  auto& db = impl_->store.database();
  check_file(db, problems);
  if (!problems.empty()) return problems;  // comparing what cannot be read says nothing more
  if (check_schema(db, problems)) return problems;
  if (!impl_->options.read_only) check_search(db, problems);
  try {
    if (check_ledger(*impl_, problems)) return problems;
    const std::string image_fault = impl_->image_fault();  // before a sync writes it anew
    std::string unloadable;
    try {
      if (!impl_->options.read_only) try_sync();
    } catch (const sql::Error& e) {
      require_damage(e);
      unloadable = e.what();  // the comparison should find that, and more
    }
    const sql::Transaction snapshot(db, sql::Transaction::Kind::deferred);
    check_mirror(*impl_, problems);
    if (problems.empty() && !unloadable.empty()) problems.push_back(unloadable);
    if (!image_fault.empty()) {
      problems.push_back(
          fmt::format("image: {}, so it is not used; `hebb rebuild` writes it anew", image_fault));
    }
  } catch (const sql::Error& e) {
    require_damage(e);
    problems.emplace_back(e.what());
  }
  return problems;
}

}  // namespace hebb
