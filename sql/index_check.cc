#include "sql/index_check.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <xxhash.h>

namespace hebb::sql {

namespace {

// Which columns of a row of the table the index has, and those in the index's order.
struct Index {
  std::string_view name;
  Query rows;
  std::vector<int> columns;
  std::vector<std::string_view> kinds = {};  // of a partial index: the values of column 2 it is for
};

// The rows of one side: how many, and the sum of their hashes, which no order changes.
struct Sum {
  std::uint64_t rows = 0, hashes = 0;
  bool operator==(const Sum&) const = default;
};

// Bytes that are equal if the columns are.
void put_columns(const Statement& row, std::span<const int> columns, std::string& bytes) {
  bytes.clear();
  const auto put = [&](char type, const void* data, std::size_t size) {
    bytes += type;
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes.append(static_cast<const char*>(data), size);
  };
  for (const int i : columns) {
    if (row.type(i) == Statement::Type::integer) {
      const std::int64_t value = row.integer(i);
      put('i', &value, sizeof value);
    } else {
      put(row.is_null(i) ? 'n' : 't', row.text(i).data(), row.text(i).size());
    }
  }
}

void add(const Statement& row, std::span<const int> columns, std::string& bytes, Sum& sum) {
  put_columns(row, columns, bytes);
  ++sum.rows;
  sum.hashes += XXH3_64bits(bytes.data(), bytes.size());
}

// One row after another: whether each is behind the one before.
class Order {
 public:
  bool take(const Statement& row) {
    bool behind = first_;
    bool same = !first_;
    first_ = false;
    before_.resize(static_cast<std::size_t>(row.columns()));
    for (int i = 0; i < row.columns(); ++i) {
      auto& [number, text] = before_[static_cast<std::size_t>(i)];
      if (row.type(i) == Statement::Type::integer) {
        behind = behind || (same && row.integer(i) > number);
        same = same && row.integer(i) == number;
        number = row.integer(i);
      } else {
        const int order = row.text(i).compare(text);
        behind = behind || (same && order > 0);
        same = same && order == 0;
        text = row.text(i);
      }
    }
    return behind;
  }

 private:
  bool first_ = true;
  std::vector<std::pair<std::int64_t, std::string>> before_;
};

// primary: the name of the index that the table itself is, if it is one.
void check_table(Database& db, Query table, std::string_view primary,
                 std::span<const Index> indexes, std::vector<std::string_view>& faulty) {
  std::vector<Sum> want(indexes.size());
  std::string bytes;
  {
    Order order;
    bool whole = true;
    auto& rows = db.query(table);
    const Reset reset(rows);
    while (rows.step()) {
      whole = primary.empty() || (order.take(rows) && whole);
      for (std::size_t i = 0; i < indexes.size(); ++i) {
        const auto& kinds = indexes[i].kinds;
        if (kinds.empty() || std::find(kinds.begin(), kinds.end(), rows.text(2)) != kinds.end())
          add(rows, indexes[i].columns, bytes, want[i]);
      }
    }
    if (!whole) faulty.push_back(primary);
  }
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    std::vector<int> all;
    for (int column = 0; column < std::ssize(indexes[i].columns); ++column) all.push_back(column);
    Sum have;
    Order order;
    bool whole = true;
    auto& rows = db.query(indexes[i].rows);
    const Reset reset(rows);
    while (rows.step()) {
      whole = order.take(rows) && whole;
      add(rows, all, bytes, have);
    }
    if (!whole || have != want[i]) faulty.push_back(indexes[i].name);
  }
}

}  // namespace

std::vector<std::string_view> faulty_indexes(Database& db) {
  const std::vector<Index> events{{"sqlite_autoindex_event_1", Query::event_index_key, {4, 0}},
                                  {"event_subject", Query::event_index_subject, {3, 1, 0}},
                                  {"event_wide",
                                   Query::event_index_wide,
                                   {2, 1, 4, 0},
                                   {"pivot", "recalibrate", "policy", "undo", "gc"}}};
  const std::vector<Index> edges{{"edge_target", Query::edge_index_target, {1, 2, 0}}};
  std::vector<std::string_view> faulty;
  check_table(db, Query::event_rows, {}, events, faulty);
  check_table(db, Query::edge_rows, "sqlite_autoindex_edge_1", edges, faulty);
  return faulty;
}

void mend_indexes(Database& db) {
  std::string reindex;
  for (const auto name : faulty_indexes(db)) reindex.append("REINDEX ").append(name).append(";");
  {
    auto& objects = db.query(Query::schema_objects);
    const Reset reset(objects);
    while (objects.step()) {
      const auto name = objects.text(1);
      if (objects.text(0) == "table" && name != "event" && name != "edge")
        reindex.append("REINDEX ").append(name).append(";");
    }
  }
  db.exec(reindex);
}

}  // namespace hebb::sql
