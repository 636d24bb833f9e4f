#include "sql/postgres/parts.h"

#include <limits>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include "sql/server_queries.h"

namespace hebb::postgres {

namespace {

using Json = nlohmann::ordered_json;
using sql::Query;

struct Table {
  std::string_view name;
  Query row, put, drop;
};
constexpr Table kTables[] = {
    {"dead_letter", Query::copy_dead_letter, Query::copy_dead_letter_put,
     Query::copy_dead_letter_drop},
    {"action_log", Query::copy_action_log, Query::copy_action_log_put, Query::copy_action_log_drop},
    {"recall", Query::copy_recall, Query::copy_recall_put, Query::copy_recall_drop},
    {"recall_search", Query::copy_recall_search, Query::copy_recall_search_put,
     Query::copy_recall_search_drop},
};

const Table* table_named(std::string_view name) {
  for (const Table& table : kTables)
    if (table.name == name) return &table;
  return nullptr;
}

constexpr const char* kBytes = "bytes";  // the member with bytes that are no text, as numbers

Json value_of(const sql::Statement& row, int column) {
  using Type = sql::Statement::Type;
  switch (row.type(column)) {
    case Type::integer:
      return row.integer(column);
    case Type::real:
      return row.real(column);
    case Type::null:
      return nullptr;
    default:
      break;
  }
  const auto blob = row.blob(column);
  std::string text(reinterpret_cast<const char*>(blob.data()), blob.size());
  try {
    static_cast<void>(Json(text).dump());
  } catch (const Json::type_error&) {  // it is not UTF-8
    Json bytes = Json::array();
    for (const std::byte b : blob) bytes.push_back(std::to_integer<int>(b));
    return Json{{kBytes, std::move(bytes)}};
  }
  return text;
}

std::string value_of(sql::Database& copy, const Table& table, const std::string& key) {
  auto& row = copy.query(table.row).bind(1, std::string_view(key));
  const sql::Reset reset(row);
  if (!row.step()) return {};
  Json object = Json::object();
  for (int c = 0; c < row.columns(); ++c)
    object[std::string(row.column_name(c))] = value_of(row, c);
  return object.dump();
}

constexpr std::size_t kBytesAtOnce = 8 << 20, kEventsAtOnce = 10'000;  // in one call

bool is_full(const Part& part) {
  return part.bytes > kBytesAtOnce || part.at.size() >= kEventsAtOnce;
}

Arguments::Texts views(const Part::Texts& texts,
                       std::vector<std::optional<std::string_view>>& out) {
  out.clear();
  for (const auto& t : texts) out.emplace_back(t);
  return out;
}

std::string bytes_of(std::span<const std::byte> blob) {
  return {reinterpret_cast<const char*>(blob.data()), blob.size()};
}

}  // namespace

// --- rows beside the ledger ----------------------------------------------------------------------

void watch_rows(sql::Database& copy) { copy.exec(sql::server::watch); }

std::vector<Row> changed_rows(sql::Database& copy) {
  std::vector<Row> rows;
  {
    auto& changed = copy.query(Query::copy_changed);
    const sql::Reset reset(changed);
    while (changed.step())
      rows.push_back({std::string(changed.text(0)), std::string(changed.text(1)), {}});
  }
  for (Row& row : rows) row.value = value_of(copy, *table_named(row.table), row.key);
  return rows;
}

void forget_changed_rows(sql::Database& copy) { copy.query(Query::copy_changed_forget).run(); }

void put_row(sql::Database& copy, const Row& row) {
  const Table* table = table_named(row.table);
  if (!table) return;
  if (row.value.empty()) {
    copy.query(table->drop).bind(1, std::string_view(row.key)).run();
    return;
  }
  const Json object = Json::parse(row.value);
  auto& put = copy.query(table->put);
  std::vector<std::string> texts;  // bound until the statement has run
  texts.reserve(object.size());
  int index = 0;
  for (const auto& [name, value] : object.items()) {
    ++index;
    if (value.is_null()) {
      put.bind_null(index);
    } else if (value.is_number_float()) {
      put.bind(index, value.get<double>());
    } else if (value.is_number()) {
      put.bind(index, value.get<std::int64_t>());
    } else if (value.is_string()) {
      texts.push_back(value.get<std::string>());
      put.bind(index, std::string_view(texts.back()));
    } else {
      std::string& bytes = texts.emplace_back();
      for (const auto& b : value.at(kBytes)) bytes += static_cast<char>(b.get<int>());
      put.bind(index, std::as_bytes(std::span(bytes)));
    }
  }
  put.run();
}

// --- what a copy has that its server has not -----------------------------------------------------

End end_of(sql::Database& copy) {
  auto& q = copy.query(sql::Query::last_event);
  const sql::Reset reset(q);
  return q.step() ? End{q.integer(0), q.integer(1)} : End{};
}

Request append_request(const Part& part, const std::string& ledger, const Uuid& batch) {
  std::vector<std::optional<std::string_view>> buffer;
  Request request{sql::server::append};
  Arguments& to = request.arguments;
  to.text(ledger).integer(part.base.position).integer(part.base.checksum).uuid(batch);
  to.integers(part.at).texts(views(part.kind, buffer)).texts(views(part.subject, buffer));
  to.texts(views(part.key, buffer)).texts(views(part.payload, buffer));
  to.blobs(views(part.vector, buffer)).integers(part.checksum);
  to.texts(views(part.table, buffer)).texts(views(part.row, buffer));
  to.texts(views(part.value, buffer));
  return request;
}

Part events_after(sql::Database& copy, const End& base) {
  Part part;
  part.base = part.end = base;
  auto& rows = copy.query(sql::Query::ledger_rows);
  const sql::Reset reset(rows);
  rows.bind(1, base.position + 1).bind(2, std::numeric_limits<std::int64_t>::max());
  while (!is_full(part) && rows.step()) {
    part.at.push_back(rows.integer(1));
    part.kind.emplace_back(rows.text(2));
    part.subject.emplace_back(rows.text(3));
    part.key.emplace_back(rows.text(4));
    part.payload.emplace_back(rows.text(5));
    part.vector.push_back(rows.is_null(6) ? std::nullopt : std::optional(bytes_of(rows.blob(6))));
    part.checksum.push_back(rows.integer(7));
    part.end = {rows.integer(0), rows.integer(7)};
    part.bytes += part.payload.back()->size() + part.key.back()->size();
    if (part.vector.back()) part.bytes += part.vector.back()->size();
  }
  return part;
}

std::vector<Part> parts_after(sql::Database& copy, const End& base) {
  std::vector<Part> parts;
  End end = base;
  for (Part part = events_after(copy, end); !part.empty(); part = events_after(copy, end)) {
    end = part.end;
    parts.push_back(std::move(part));
  }
  for (Row& row : changed_rows(copy)) {
    if (parts.empty() || is_full(parts.back())) {
      parts.emplace_back();
      parts.back().base = parts.back().end = end;
    }
    Part& part = parts.back();
    part.bytes += row.value.size();
    part.table.emplace_back(std::move(row.table));
    part.row.emplace_back(std::move(row.key));
    part.value.push_back(row.value.empty() ? std::nullopt : std::optional(std::move(row.value)));
  }
  return parts;
}

}  // namespace hebb::postgres
