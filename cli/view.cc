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
  const auto colon = word.find(':', word.rfind('}') + 1);
  of.path = word.substr(0, colon);
  of.column.heading = colon == std::string_view::npos ? of.path.substr(of.path.rfind('.') + 1)
                                                      : std::string(word.substr(colon + 1));
  std::replace(of.column.heading.begin(), of.column.heading.end(), '_', ' ');
  return of;
}

// What stands in braces: see View::report.
std::string part_of(const api::Fields& fields, const Json& record, std::string_view part) {
  const auto end = std::min(part.find_first_of("#?:"), part.size());
  if (end == part.size()) return text_of(fields, record, part);
  const Json* value = &record;
  for (const auto& name : CLI::detail::split(std::string(part.substr(0, end)), '.'))
    value = &at(*value, name);
  const std::string words(part.substr(end + 1));
  if (part[end] == ':')
    return value->is_number() ? fmt::format(fmt::runtime("{:" + words + "}"), value->get<double>())
                              : "-";
  const auto slash = std::min(words.find('/'), words.size());
  const std::string one = words.substr(0, slash), other = words.substr(slash).erase(0, 1);
  if (part[end] == '?') return *value == true ? one : other;
  return counted(value->is_number() ? value->get<std::int64_t>() : std::ssize(*value), one, other);
}

// A text with what stands in braces replaced.
template <class PartOf>
std::string filled(std::string_view pattern, PartOf part_text) {
  std::string out;
  while (true) {
    const auto open = pattern.find('{');
    out += pattern.substr(0, open);
    if (open == std::string_view::npos) return out;
    const auto close = pattern.find('}', open);
    out += part_text(pattern.substr(open + 1, close - open - 1));
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
  if (const auto bar = path.find('|'); bar != std::string_view::npos) {
    const std::string first = text_of(fields, record, path.substr(0, bar));
    return first.empty() ? text_of(fields, record, path.substr(bar + 1)) : first;
  }
  const auto dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  const api::Field* field = api::find_field(fields, name);
  const Json& value = at(record, name);
  if (dot != std::string_view::npos) {
    static const api::Fields kUnknown;
    return text_of(field && field->record ? field->record() : kUnknown, value,
                   path.substr(dot + 1));
  }
  if (name == "weight" && has(record, "dormant")) return weight_text(record);
  return value_text(field, value);
}

void print_table(const Context& context, std::string_view operation, const Json& result,
                 std::string_view rows, std::string_view columns) {
  const api::Fields& fields =
      api::find_field(api::operation_named(operation).result(), rows)->record();
  std::vector<Column> shown;
  std::vector<std::string> paths;
  for (const auto& word : CLI::detail::split(std::string(columns), ' ')) {
    auto [path, column] = column_of(word);
    shown.push_back(std::move(column));
    paths.push_back(std::move(path));
  }
  std::vector<std::vector<std::string>> cells;
  for (const Json& row : list(result, rows)) {
    auto& line = cells.emplace_back();
    for (std::size_t i = 0; i < paths.size(); ++i) {
      std::string cell =
          paths[i].find('{') == std::string::npos
              ? text_of(fields, row, paths[i])
              : filled(paths[i], [&](auto part) { return part_of(fields, row, part); });
      const std::string& heading = shown[i].heading;
      const bool is_long = heading == "name" || heading == "detail" || heading == "text";
      line.push_back(is_long ? shortened(std::move(cell)) : std::move(cell));
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
  if (!view.report.empty()) {
    context.report(filled(view.report, [&](std::string_view part) {
      const bool in_result = has(result, part.substr(0, part.find_first_of(".#?:")));
      return in_result ? part_of(o.result(), result, part) : part_of(o.request(), request, part);
    }));
  }
  if (view.rows.empty()) return;
  if (list(result, view.rows).empty() && !view.nothing.empty()) return context.note(view.nothing);
  print_table(context, view.operation, result, view.rows, view.columns);
  if (!view.more.empty() && has(result, "next"))
    context.note(
        fmt::format("there are more; {} {} goes on with them", view.more, whole(result, "next")));
}

}  // namespace hebb::cli
