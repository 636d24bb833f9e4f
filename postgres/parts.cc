#include "postgres/parts.h"

#include <limits>
#include <span>
#include <utility>

#include "postgres/beside.h"
#include "sql/server_queries.h"

namespace hebb::postgres {

namespace {

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
