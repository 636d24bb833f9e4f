#include "sql/scratch_tables.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sql/connection.h"

namespace hebb::sql {

namespace {

// An SQL expression that names a row of the table. It looks up keys of nodes and types in both
// schemas.
std::string_view label_of(std::string_view table) {
  if (table == "node") return "'node ' || id";
  if (table == "edge_type") return "'edge type ' || name";
  if (table == "policy") return "'policy ' || key";
  if (table == "claim") return "'the claim of ' || task";
  if (table == "edge") {
    return "'edge ' || coalesce((SELECT id FROM temp.node n WHERE n.key = source),"
           " (SELECT id FROM main.node n WHERE n.key = source), 'with the source ' || source)"
           " || ' ' || coalesce((SELECT id FROM temp.node n WHERE n.key = target),"
           " (SELECT id FROM main.node n WHERE n.key = target), 'with the target ' || target)"
           " || ' ' || coalesce((SELECT name FROM temp.edge_type y WHERE y.key = type),"
           " 'of the type ' || type)";
  }
  return "'the ranking'";
}

// The table's definition in the schema, from its name on.
std::string_view definition(std::string_view table) {
  const std::string_view schema = schema_sql();
  const auto begin = schema.find(fmt::format("CREATE TABLE {} (", table));
  if (begin == schema.npos) throw std::logic_error(fmt::format("there is no table {}", table));
  const auto name = begin + std::string_view("CREATE TABLE ").size();
  return schema.substr(name, schema.find(';', name) - name);
}

struct Columns {
  std::vector<std::string> all, key;
};

Columns columns_of(Database& db, std::string_view table) {
  constexpr std::string_view kSql =
      "SELECT name, pk FROM pragma_table_info(?1, 'temp') ORDER BY cid";
  const Prepared prepared = prepare(db.handle(), kSql, 0, "columns");
  Statement row(prepared.get(), "columns");
  row.bind(1, table);
  Columns columns;
  while (row.step()) {
    columns.all.emplace_back(row.text(0));
    if (row.integer(1) != 0) columns.key.emplace_back(row.text(0));
  }
  return columns;
}

// The rows of a table that the same table of the other schema lacks.
std::string only_in(std::string_view schema, std::string_view other, std::string_view table,
                    const std::string& columns) {
  return fmt::format("SELECT {2} FROM {0}.{3} EXCEPT SELECT {2} FROM {1}.{3}", schema, other,
                     columns, table);
}

void drop_table(Database& db, std::string_view name) {
  db.exec(fmt::format("DROP TABLE IF EXISTS temp.{}", name));
}

// Needs no memory. Also makes SQLite prepare existing statements again, so that they fail, too.
void make_unusable(Database& db) {
  const auto ends_transactions = [](void*, int action, const char*, const char*, const char*,
                                    const char*) {
    return action == SQLITE_TRANSACTION || action == SQLITE_SAVEPOINT ? SQLITE_OK : SQLITE_DENY;
  };
  sqlite3_set_authorizer(db.handle(), ends_transactions, nullptr);
}

// For a scope that ends by an exception, or in a transaction that was rolled back.
void drop_or_give_up(Database& db, std::span<const std::string_view> names) {
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    try {
      drop_table(db, *name);
    } catch (const std::exception&) {
      return make_unusable(db);
    }
  }
}

}  // namespace

ScratchTables::ScratchTables(Database& db, std::span<const std::string_view> names)
    : db_(db), names_(names) {
  try {
    for (const std::string_view name : names_)
      db_.exec(fmt::format("CREATE TEMP TABLE {}", definition(name)));
  } catch (...) {
    drop_or_give_up(db_, names_);
    throw;
  }
}

ScratchTables::~ScratchTables() { drop_or_give_up(db_, names_); }

// Drops tables that others reference last.
void ScratchTables::drop() {
  for (auto name = names_.rbegin(); name != names_.rend(); ++name) drop_table(db_, *name);
  names_ = {};
}

void ScratchTables::differences(std::string_view table,
                                const std::function<bool(const Statement& row)>& sink) {
  const std::string columns = fmt::format("{}", fmt::join(columns_of(db_, table).all, ", "));
  const std::string sql = fmt::format(
      "SELECT {0} AS label, 0 AS is_scratch, * FROM ({1}) UNION ALL "
      "SELECT {0}, 1, * FROM ({2}) ORDER BY label, is_scratch",
      label_of(table), only_in("main", "temp", table, columns),
      only_in("temp", "main", table, columns));
  const Prepared prepared = prepare(db_.handle(), sql, 0, "differences");
  Statement row(prepared.get(), "differences");
  while (row.step() && sink(row)) {
  }
}

void ScratchTables::write_differences() {
  for (auto name = names_.rbegin(); name != names_.rend(); ++name) {
    const std::string key = fmt::format("{}", fmt::join(columns_of(db_, *name).key, ", "));
    db_.exec(fmt::format("DELETE FROM main.{0} WHERE ({1}) NOT IN (SELECT {1} FROM temp.{0})",
                         *name, key));
  }
  for (const std::string_view name : names_) {
    const Columns columns = columns_of(db_, name);
    const std::string all = fmt::format("{}", fmt::join(columns.all, ", "));
    std::vector<std::string> changes;
    for (const std::string& column : columns.all)
      changes.push_back(fmt::format("{0} = excluded.{0}", column));
    db_.exec(
        fmt::format("INSERT INTO main.{} ({}) SELECT * FROM ({}) WHERE true "
                    "ON CONFLICT ({}) DO UPDATE SET {}",
                    name, all, only_in("temp", "main", name, all), fmt::join(columns.key, ", "),
                    fmt::join(changes, ", ")));
  }
}

}  // namespace hebb::sql
