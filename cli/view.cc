#include "cli/view.h"

#include <algorithm>

#include <fmt/format.h>

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

std::string value_text(const api::Field* field, const Json& value) {
  if (value.is_null()) return {};
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const Json& one : value) parts.push_back(value_text(field, one));
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  if (field && field->kind == api::Kind::time) return format_time(api::time_value(value));
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  if (value.is_object() && value.contains("source") && value.contains("target"))
    return edge_text(value);
  return value.dump();
}

struct ColumnOf {
  std::string path;
  Column column;
};

ColumnOf column_of(std::string_view word) {
  ColumnOf of;
  while (word.ends_with('>') || word.ends_with('~')) {
    (word.back() == '>' ? of.column.right : of.column.shrinks) = true;
    word.remove_suffix(1);
  }
  const auto colon = word.find(':');
  of.path = word.substr(0, colon);
  of.column.heading = colon == std::string_view::npos ? of.path.substr(of.path.rfind('.') + 1)
                                                      : std::string(word.substr(colon + 1));
  std::replace(of.column.heading.begin(), of.column.heading.end(), '_', ' ');
  return of;
}

// A text with what stands in braces replaced.
std::string filled(std::string_view pattern, const api::Operation& o, const Json& request,
                   const Json& result) {
  std::string out;
  while (true) {
    const auto open = pattern.find('{');
    out += pattern.substr(0, open);
    if (open == std::string_view::npos) return out;
    const auto close = pattern.find('}', open);
    const auto path = pattern.substr(open + 1, close - open - 1);
    const bool in_result = has(result, path.substr(0, path.find('.')));
    out += in_result ? text_of(o.result(), result, path) : text_of(o.request(), request, path);
    pattern.remove_prefix(close + 1);
  }
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

std::string text_of(const api::Fields& fields, const Json& record, std::string_view path) {
  const auto dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  const api::Field* field = api::find_field(fields, name);
  const Json& value = at(record, name);
  if (dot != std::string_view::npos)
    return field && field->record ? text_of(field->record(), value, path.substr(dot + 1))
                                  : std::string();
  if (name == "weight" && has(record, "dormant")) return weight_text(record);
  return value_text(field, value);
}

void print_table(const Context& context, const api::Fields& fields, const Json& rows,
                 std::string_view columns) {
  std::vector<Column> shown;
  std::vector<std::string> paths;
  for (const auto& word : CLI::detail::split(std::string(columns), ' ')) {
    auto [path, column] = column_of(word);
    shown.push_back(std::move(column));
    paths.push_back(std::move(path));
  }
  std::vector<std::vector<std::string>> cells;
  for (const Json& row : rows) {
    auto& line = cells.emplace_back();
    for (const auto& path : paths) {
      std::string cell = text_of(fields, row, path);
      line.push_back(path == "name" || path == "description" ? shortened(std::move(cell))
                                                             : std::move(cell));
    }
  }
  context.table(shown, cells);
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

void show(const Context& context, const View& view, const Json& request, const Json& result) {
  if (view.print) return view.print(context, request, result);
  const api::Operation& o = api::operation_named(view.operation);
  if (!view.report.empty()) context.report(filled(view.report, o, request, result));
  if (view.rows.empty()) return;
  const Json& rows = list(result, view.rows);
  if (rows.empty()) return context.note(view.nothing);
  print_table(context, api::find_field(o.result(), view.rows)->record(), rows, view.columns);
}

}  // namespace hebb::cli
