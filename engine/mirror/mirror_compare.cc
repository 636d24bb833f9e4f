// Which rows of the mirror differ from those that a fold gives: the fold is written to scratch
// tables, and SQL compares.
#include <array>
#include <span>

#include <fmt/format.h>

#include "engine/mirror/mirror.h"
#include "sql/scratch_tables.h"

namespace hebb {

namespace {

// A table stands before those that reference it.
constexpr std::array<std::string_view, 6> kTables{"node",   "edge_type", "edge",
                                                  "policy", "ranking",   "claim"};

std::string value(const sql::Statement& row, int column) {
  if (row.is_null(column)) return "NULL";
  return row.is_real(column) ? fmt::format("{}", row.real(column)) : std::string(row.text(column));
}

std::string shown(const std::string& value) {
  return value.size() > 40 ? fmt::format("({} bytes)", value.size()) : value;
}

// A row that only one of the two has; the columns begin with the third.
struct Row {
  std::string label;
  bool by_ledger = false;
  std::vector<std::string> values;
};

Row read(const sql::Statement& row) {
  Row read{std::string(row.text(0)), row.integer(1) != 0, {}};
  for (int column = 2; column < row.columns(); ++column) read.values.push_back(value(row, column));
  return read;
}

// Makes lines of rows. Rows with the same label come one after the other, the current tables'
// first.
class Report {
 public:
  explicit Report(std::vector<std::string>& problems) : problems_(problems) {}

  bool is_full() const { return problems_.size() >= kProblemsKept; }
  void add(const sql::Statement& statement, bool may_lack) {
    Row row = read(statement);
    const bool is_pair = there_ && there_->label == row.label && row.by_ledger;
    if (is_pair) {
      differs(statement, row);
      there_.reset();
      return;
    }
    flush();
    if (!row.by_ledger) {
      there_ = std::move(row);
    } else if (!may_lack) {
      add(row.label + " is in the ledger, but not in the current tables");
    }
  }
  void flush() {
    if (there_) add(there_->label + " is in the current tables, but not in the ledger");
    there_.reset();
  }

 private:
  void add(const std::string& problem) {
    if (!is_full()) problems_.push_back(problem + "; `hebb rebuild` mends it");
  }
  void differs(const sql::Statement& names, const Row& row) {
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      if (row.values[i] == there_->values[i]) continue;
      add(fmt::format("{}: {} is {} in the current tables, {} by the ledger", row.label,
                      names.column_name(static_cast<int>(i) + 2), shown(there_->values[i]),
                      shown(row.values[i])));
    }
  }

  std::vector<std::string>& problems_;
  std::optional<Row> there_;  // of the current tables
};

}  // namespace

void Mirror::compare(State& state, const Claims& claims, std::vector<std::string>& problems) {
  sql::ScratchTables scratch(db_, kTables);
  RowKeys keys(db_);
  write_scratch(db_, keys, state);
  const RankingRow row = ranking_row(state);
  run(db_, sql::Query::put_ranking, row.at, row.candidates, row.largest, row.tasks);
  for (const auto& [task, claim] : claims.rows()) put_claim(db_, claim);
  Report report(problems);
  for (const std::string_view table : kTables) {
    if (report.is_full()) break;
    const bool may_lack = table == "edge_type";  // it is made when an edge first has it
    scratch.differences(table, [&](const sql::Statement& difference) {
      report.add(difference, may_lack);
      return !report.is_full();
    });
    report.flush();
  }
  scratch.drop();
}

}  // namespace hebb
