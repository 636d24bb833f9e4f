// CSV: a task a row, quoted as RFC 4180 says. The header names the columns, or a mapping file says
// which of them are which fields.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "engine/fields/field.h"
#include "engine/fold/states.h"
#include "engine/input/recognise.h"
#include "engine/input/rows.h"
#include "engine/values/checks.h"
#include "engine/values/counted.h"
#include "engine/values/times.h"
#include "text/ascii.h"

namespace hebb::input {

namespace {

using Cells = std::vector<std::string>;

enum class CellKind : std::uint8_t { text, list, time, due, span, state, priority };
// A field of a task, and how its column may be called beside that.
struct CsvColumn {
  std::string_view field;
  CellKind kind;
  std::string_view names = {};
};
constexpr std::array kColumns{
    CsvColumn{"id", CellKind::text, "key issue_key task_id uuid"},
    CsvColumn{"name", CellKind::text, "title summary subject task task_name"},
    CsvColumn{"description", CellKind::text, "notes note body details"},
    CsvColumn{"type", CellKind::text, "issue_type"},
    CsvColumn{"state", CellKind::state, "status progress done"},
    CsvColumn{"project", CellKind::text, "projects list"},
    CsvColumn{"labels", CellKind::list, "label tags tag"},
    CsvColumn{"assignee", CellKind::text, "assigned_to owner"},
    CsvColumn{"priority", CellKind::priority},
    CsvColumn{"due", CellKind::due, "due_at due_date deadline"},
    CsvColumn{"snoozed_until", CellKind::time, "start start_date wait scheduled"},
    CsvColumn{"estimate", CellKind::span},
    CsvColumn{"created", CellKind::time, "created_at created_date"},
    CsvColumn{"updated", CellKind::time, "updated_at last_modified"},
    CsvColumn{"closed", CellKind::time, "closed_at completed completed_at completed_date"},
    CsvColumn{"part_of", CellKind::text, "parent parent_task"},
    CsvColumn{"blocked_by", CellKind::list, "depends depends_on"},
    CsvColumn{"number", CellKind::text},
    CsvColumn{"url", CellKind::text, "link"},
};

// What is called so in a header: "Due date" and "due-date" are due_date.
std::string column_name(std::string_view heading) {
  std::string name;
  for (const char c : trim(heading)) name += c == ' ' || c == '-' ? '_' : to_lower(c);
  return name;
}

const CsvColumn* column_named(std::string_view heading) {
  const std::string name = column_name(heading);
  const auto* const found = std::ranges::find_if(kColumns, [&](const CsvColumn& column) {
    return column.field == name || Setting{split(column.names, " "), {}}.has(name);
  });
  return found == kColumns.end() ? nullptr : found;
}

// What states are called elsewhere. Others are those of hebb, or a mapping file names them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kStates{{
    {"OPEN", "open|todo|to_do|new|backlog|not_started|pending|false|no|0"},
    {"IN_PROGRESS", "in_progress|doing|started|active"},
    {"DONE", "done|closed|completed|complete|finished|resolved|true|yes|x|1"},
    {"CANCELLED", "cancelled|canceled|deleted|wontfix|won't_do|abandoned"},
}};

// --- the text ------------------------------------------------------------------------------------

class CsvText {
 public:
  CsvText(std::string_view text, char separator) : rest_(text), separator_(separator) {}

  std::int64_t line() const { return line_; }  // of the next row
  std::string_view rest() const { return rest_; }
  // The cells of the next row; nullopt: there is none. Throws UnreadableInput.
  std::optional<Cells> next() {
    if (rest_.empty()) return std::nullopt;
    Cells cells;
    do {
      cells.push_back(next_cell());
    } while (take(separator_));
    take('\r');
    if (take('\n')) ++line_;
    return cells;
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool at_end_of_cell() const {
    return rest_.empty() || rest_[0] == separator_ || rest_[0] == '\n' || rest_.starts_with("\r\n");
  }
  std::string next_cell() {
    std::string cell;
    if (!take('"')) {
      for (; !at_end_of_cell(); rest_.remove_prefix(1)) cell += rest_[0];
      return cell;
    }
    const std::int64_t begin = line_;
    while (true) {
      const std::size_t quote = rest_.find('"');
      if (quote == rest_.npos)
        throw UnreadableInput(
            fmt::format("line {}: a quote begins a cell and none ends it", begin));
      const std::string_view part = rest_.substr(0, quote);
      line_ += std::ranges::count(part, '\n');
      for (const char c : part) {  // line ends within a cell become \n
        if (c == '\n' && cell.ends_with('\r')) cell.pop_back();
        cell += c;
      }
      rest_.remove_prefix(quote + 1);
      if (!take('"')) break;
      cell += '"';
    }
    if (at_end_of_cell()) return cell;
    throw UnreadableInput(fmt::format(
        "line {}: behind the quote that ends a cell stands more of it; a quote within is written "
        "twice",
        line_));
  }

  std::string_view rest_;
  char separator_;
  std::int64_t line_ = 1;
};

// The first row that is not blank. Throws UnreadableInput.
Cells next_header(CsvText& csv) {
  while (auto cells = csv.next())
    if (cells->size() > 1 || !trim(cells->front()).empty()) return *std::move(cells);
  throw UnreadableInput("it has no header");
}

// Behind the header that `cells` has become. The separator is that of Excel's line "sep=;", else
// the one of comma, semicolon and tab with which the header has most cells.
CsvText after_header(std::string_view text, Cells& cells) {
  constexpr std::string_view kSeparatorLine = "sep=";
  const std::string_view first = trim(text.substr(0, text.find('\n')), "\r");
  if (first.starts_with(kSeparatorLine) && first.size() == kSeparatorLine.size() + 1) {
    CsvText csv(text, first.back());
    csv.next();
    cells = next_header(csv);
    return csv;
  }
  std::optional<CsvText> best;
  std::optional<UnreadableInput> wrong;  // with the first separator
  for (const char separator : {',', ';', '\t'}) {
    try {
      CsvText csv(text, separator);
      Cells header = next_header(csv);
      if (best && header.size() <= cells.size()) continue;
      cells = std::move(header);
      best = csv;
    } catch (const UnreadableInput& e) {
      if (!wrong) wrong = e;
    }
  }
  if (!best) throw *wrong;
  return *best;
}

// --- the columns ---------------------------------------------------------------------------------

// What a mapping file says: `due = "Fällig"`, or `due = ""` where no column is to be read, and
// under [values] what states and priorities are called: `Erledigt = "done"`.
struct ColumnsFile {
  std::map<std::string, const CsvColumn*> columns;  // by their headings
  std::set<const CsvColumn*> left_out;
  std::map<std::string, std::string> values;
};

[[noreturn]] void refuse_columns(const toml::node& node, const std::string& why) {
  throw UnreadableInput(fmt::format("--columns: line {}: {}", node.source().begin.line, why));
}

ColumnsFile read_columns(const std::string& text, const Cells& header) {
  ColumnsFile file;
  try {
    for (const auto& [key, node] : toml::parse(text)) {
      const std::string_view name = key.str();
      if (const toml::table* values = node.as_table(); values && name == "values") {
        for (const auto& [given, meant] : *values) {
          if (!meant.is_string()) refuse_columns(meant, "a value is a text");
          file.values[std::string(given.str())] = meant.ref<std::string>();
        }
        continue;
      }
      const auto* const column = std::ranges::find(kColumns, name, &CsvColumn::field);
      if (column == kColumns.end()) {
        std::vector<std::string_view> fields;
        for (const CsvColumn& one : kColumns) fields.push_back(one.field);
        refuse_columns(node, fmt::format("{} is no field; there are {}, and [values]", name,
                                         fmt::join(fields, ", ")));
      }
      if (!node.is_string())
        refuse_columns(
            node, fmt::format("a column is a text, such as {} = \"{}\"", name, header.front()));
      const std::string heading = node.ref<std::string>();
      if (heading.empty()) {
        file.left_out.insert(column);
        continue;
      }
      if (std::ranges::find(header, heading) == header.end())
        refuse_columns(node, fmt::format("there is no column \"{}\"; the file has {}", heading,
                                         fmt::join(header, ", ")));
      const auto [other, fresh] = file.columns.emplace(heading, column);
      if (!fresh)
        refuse_columns(node, fmt::format("the column \"{}\" cannot be two fields, {} and {}",
                                         heading, other->second->field, name));
    }
  } catch (const toml::parse_error& e) {
    throw UnreadableInput(
        fmt::format("--columns: line {}: {}", e.source().begin.line, e.description()));
  }
  return file;
}

constexpr std::int64_t kShownColumns = 20;  // in a note

class CsvReader {
 public:
  CsvReader(const Cells& header, const ReadOptions& options)
      : options_(options), header_(header), file_(read_columns(options.columns, header)) {
    std::set<const CsvColumn*> taken;
    for (const auto& [heading, column] : file_.columns) taken.insert(column);
    std::map<std::string_view, std::string> by_field;
    for (const std::string& heading : header) {
      const auto named = file_.columns.find(heading);
      const CsvColumn* column =
          named != file_.columns.end() ? named->second : column_named(heading);
      const bool is_left_out = file_.left_out.contains(column);
      if (is_left_out || (named == file_.columns.end() && taken.contains(column))) column = nullptr;
      if (!column && !is_left_out && !trim(heading).empty())
        unread_.add(cut(heading, kShownBytes), kShownColumns, ", ");
      columns_.push_back(column);
      if (!column || column->kind == CellKind::list) continue;
      const auto [other, fresh] = by_field.emplace(column->field, heading);
      if (!fresh)
        throw UnreadableInput(fmt::format(
            "the header: the columns {} and {} both are the {}: --columns FILE says which one is",
            other->second, heading, column->field));
    }
    if (!by_field.contains("name"))
      throw UnreadableInput(fmt::format(
          "the header: none of the columns {} is the name of a task, such as name or title: "
          "--columns FILE says which one is, name = \"{}\"",
          fmt::join(header, ", "), header.front()));
  }

  const Examples& unread() const { return unread_; }

  RowObject read(const Cells& cells) const {
    if (cells.size() != header_.size())
      refuse(refusal::kBadValue, fmt::format("the row has {}, and the header {}",
                                             counted(std::ssize(cells), "cell"), header_.size()));
    RowObject task = RowObject::object();
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (columns_[i]) add(task, *columns_[i], header_[i], std::string(trim(cells[i])));
    if (task.contains("closed") && (!task.contains("state") || task["state"].is_null()))
      task["state"] = task["closed"].is_string() ? "DONE" : "OPEN";
    return task;
  }

 private:
  // An empty cell is null: the column speaks of the field, and the task has none.
  void add(RowObject& task, const CsvColumn& column, const std::string& heading,
           const std::string& cell) const {
    RowObject& value = task[std::string(column.field)];
    if (column.kind == CellKind::list) {
      if (value.is_null()) value = RowObject::array();
      std::string parts = cell;
      std::ranges::replace(parts, ';', ',');
      for (const std::string& part : split(parts, ","))
        if (!trim(part).empty()) value.push_back(std::string(trim(part)));
    } else if (!cell.empty()) {
      value = value_of(column, heading, cell);
      if (column.field == "created") task[kCreatedText] = cell;
    }
  }

  RowObject value_of(const CsvColumn& column, const std::string& heading,
                     const std::string& cell) const {
    const auto wrong = [&](std::string_view reason, const std::string& why) {
      refuse(reason,
             fmt::format("{}: \"{}\" {}; {} = \"\" in a --columns FILE leaves the column out",
                         heading, cut(cell, kShownBytes), why, column.field));
    };
    const auto named = file_.values.find(cell);
    const std::string& meant = named == file_.values.end() ? cell : named->second;
    switch (column.kind) {
      case CellKind::time:
      case CellKind::due:
        if (auto time = row_time(cell, column.kind == CellKind::due, options_)) return *time;
        wrong(refusal::kBadTime,
              "is no time: write 2026-12-01, 1.12.2026, 2026-12-01 13:05 or RFC 3339");
        break;
      case CellKind::span:
        if (const auto ms = fields::parse_duration(cell)) return static_cast<double>(*ms) / 1000;
        wrong(refusal::kBadValue, fmt::format("is {}", fields::kNoSpan));
        break;
      case CellKind::priority:
        if (const auto priority = parse_priority(meant)) return fmt::format("P{}", *priority);
        wrong(refusal::kBadValue,
              fmt::format("is no priority: there are {}; --columns FILE says what others mean",
                          priorities_taken()));
        break;
      case CellKind::state: {
        const std::string name = column_name(meant);
        for (const auto& [state, names] : kStates)
          if (Setting{{std::string(names)}, {}}.has(name)) return state;
        if (is_known_state(meant)) return kept_state(meant);
        wrong(refusal::kBadValue,
              "is no state such as open, in progress, blocked, done or cancelled: --columns FILE "
              "says what others mean");
        break;
      }
      case CellKind::text:
      case CellKind::list:
        break;
    }
    return cell;
  }

  const ReadOptions& options_;
  const Cells& header_;
  ColumnsFile file_;
  std::vector<const CsvColumn*> columns_;  // nullptr: it is not read
  Examples unread_;
};

}  // namespace

bool is_csv_header(std::string_view beginning) {
  try {
    Cells header;
    after_header(beginning, header);
    return header.size() > 1 && std::ranges::any_of(header, [](const std::string& heading) {
             const CsvColumn* column = column_named(heading);
             return column && column->field == "name";
           });
  } catch (const UnreadableInput&) {
    return false;
  }
}

void read_csv(const Mapping& mapping, Input& input, const ReadOptions& options,
              const ItemSink& sink) {
  const std::string_view all = whole_text(input);
  if (trim(all).empty()) throw UnreadableInput(kEmpty);
  Cells header;
  CsvText text = after_header(all, header);
  const CsvReader reader(header, options);
  Rows rows(mapping, options, sink);
  while (true) {
    const std::int64_t line = text.line();
    const std::string_view before = text.rest();
    const auto cells = text.next();
    if (!cells) break;
    const bool is_empty =
        std::ranges::all_of(*cells, [](const std::string& cell) { return trim(cell).empty(); });
    if (is_empty) continue;
    const std::string_view row = before.substr(0, before.size() - text.rest().size());
    rows.add(line, trim(row), [&] { return reader.read(*cells); });
  }
  rows.read();
  if (reader.unread().count > 0 && options.note)
    options.note(fmt::format("not read: the columns {}{}; --columns FILE says what they are",
                             reader.unread().first,
                             reader.unread().count > kShownColumns ? ", …" : ""));
}

}  // namespace hebb::input
