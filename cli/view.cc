#include "cli/view.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/values.h"

namespace hebb::cli {

std::string_view command_of(const View& view) {
  return view.command.empty() ? api::operation_named(view.operation).command : view.command;
}

namespace {

const Json& at(const Json& record, std::string_view name) {
  static const Json kAbsent;
  if (!record.is_object()) return kAbsent;
  const auto found = record.find(name);
  return found == record.end() ? kAbsent : *found;
}

}  // namespace

bool has(const Json& record, std::string_view name) { return !at(record, name).is_null(); }

std::string text(const Json& record, std::string_view name) {
  const Json& value = at(record, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::int64_t whole(const Json& record, std::string_view name) {
  const Json& value = at(record, name);
  return value.is_number() ? value.get<std::int64_t>() : 0;
}

double number(const Json& record, std::string_view name) {
  const Json& value = at(record, name);
  return value.is_number() ? value.get<double>() : 0;
}

bool flag(const Json& record, std::string_view name) { return at(record, name) == true; }

const Json& list(const Json& record, std::string_view name) {
  static const Json kNone = Json::array();
  const Json& value = at(record, name);
  return value.is_array() ? value : kNone;
}

std::string time(const Json& record, std::string_view name) {
  const Json& value = at(record, name);
  return format_time(value.is_null() ? graph::kNever : api::time_value(value));
}

std::vector<std::string> texts(const Json& record, std::string_view name) {
  return list(record, name).get<std::vector<std::string>>();
}

std::string edge_text(const Json& edge) {
  return fmt::format("{} -{}-> {}", text(edge, "source"), text(edge, "type"), text(edge, "target"));
}

std::string weight_text(const Json& edge) {
  return fmt::format("{:.4g}{}", number(edge, "weight"), flag(edge, "dormant") ? " (dormant)" : "");
}

std::string decimals(const Json& record, std::string_view name, int places) {
  return has(record, name) ? fmt::format("{:.{}f}", number(record, name), places) : "-";
}

void print_rows(const Context& context, const Json& rows, const std::vector<Column>& columns,
                Cells (*cells)(const Json& row), std::string_view nothing) {
  if (rows.empty()) {
    if (!nothing.empty()) context.note(nothing);
    return;
  }
  std::vector<Cells> table;
  for (const Json& row : rows) table.push_back(cells(row));
  context.table(columns, table);
}

void note_blocking_cycle(const Context& context, const std::vector<std::string>& cycle) {
  constexpr std::size_t kShown = 6;  // tasks
  if (cycle.empty()) return;
  std::string text = cycle.front();
  for (std::size_t i = 1; i < std::min(cycle.size(), kShown); ++i) text += " blocks " + cycle[i];
  if (cycle.size() > kShown)
    text += fmt::format(" blocks {} more, of which the last", cycle.size() - kShown);
  context.note(
      fmt::format("{} blocks {}: none of these {} can be ranked until one of them is done; "
                  "`hebb unlink {} {} BLOCKS` ends that",
                  text, cycle.front(), cycle.size(), cycle.front(), cycle[1 % cycle.size()]));
}

}  // namespace hebb::cli
