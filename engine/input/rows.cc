#include "engine/input/rows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/values/checks.h"
#include "engine/values/times.h"
#include "text/ascii.h"

namespace hebb::input {

std::string_view whole_text(Input& input) {
  std::string_view text = input.rest(Limits::kDocumentBytes);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") || text.find('\0') != text.npos)
    throw UnreadableInput("it is UTF-16: save it as UTF-8");
  if (text.find('\n') == text.npos && trim(text).find('\r') != text.npos)
    throw UnreadableInput("its lines end with CR alone: save it with LF");
  if (is_utf8(text)) return text;
  std::int64_t line = 1;
  for (std::string_view rest = text; !rest.empty(); ++line) {
    const std::string_view one = rest.substr(0, rest.find('\n'));
    if (!is_utf8(one)) break;
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  throw UnreadableInput(
      fmt::format("line {} is not UTF-8: save it as UTF-8, which Excel calls CSV UTF-8", line));
}

namespace {

// "1.12.2026" as "2026-12-01"; another text unchanged.
std::string with_year_first(std::string_view day) {
  const Texts parts = split(day, ".");
  const auto has_digits = [](const std::string& text, std::size_t least, std::size_t most) {
    return text.size() >= least && text.size() <= most && std::ranges::all_of(text, is_digit);
  };
  if (parts.size() != 3 || !has_digits(parts[0], 1, 2) || !has_digits(parts[1], 1, 2) ||
      !has_digits(parts[2], 4, 4))
    return std::string(day);
  return fmt::format("{}-{:0>2}-{:0>2}", parts[2], parts[1], parts[0]);
}

}  // namespace

std::optional<std::string> row_time(std::string_view text, bool whole_day,
                                    const ReadOptions& options) {
  if (parse_rfc3339(text)) return std::string(text);
  const std::size_t end = std::min(text.find_first_of(" T"), text.size());
  std::string time = with_year_first(text.substr(0, end));
  const std::string_view clock = text.substr(std::min(end + 1, text.size()));
  time += clock.empty() ? (whole_day ? "T23:59" : "T00:00") : fmt::format("T{}", clock);
  if (has_form(time, "0000-00-00T0:00")) time.insert(11, "0");
  if (has_form(time, "0000-00-00T00:00")) time += ":00";
  const auto local = parse_rfc3339(time + "Z");
  if (!local) return std::nullopt;
  return format_rfc3339(options.utc_of_local ? options.utc_of_local(*local) : *local);
}

namespace {

std::string text_in(const RowObject& object, const char* field) {
  const auto value = object.find(field);
  return value != object.end() && value->is_string() ? value->get<std::string>() : std::string();
}

}  // namespace

void Rows::take(std::int64_t line, RowObject object) {
  if (text_in(object, "name").empty()) refuse(refusal::kMissingField, "name: is required");
  Row row{line, {}, text_in(object, "id"), {}, {}};
  if (row.id.empty()) {
    constexpr std::size_t kDigits = 10;
    row.name = content_hash(text_in(object, kCreatedText) + "\n" + text_in(object, "name"));
    row.name.resize(kDigits);
    const bool is_over = mapping_["closed"].has(text_in(object, "state"));
    row.over_at = is_over ? text_in(object, "closed") : "open";  // behind all times
  } else if (const auto [place, fresh] = lines_.emplace(row.id, line); !fresh) {
    refuse(refusal::kConflict,
           fmt::format("the id {} is that of line {}, too", row.id, place->second));
  }
  for (const char* field : {"id", kCreatedText}) object.erase(field);
  row.json = object.dump();
  rows_.push_back(std::move(row));
}

// A row without an id has one of its name and creation, so that it is known again; another row of
// that name is another task.
std::string Rows::new_id(const Row& row, RowNumbers& numbers) {
  while (true) {
    const std::int64_t number = numbers.next(row.name, row.over_at);
    std::string id = fmt::format("{}-{}", mapping_.name, row.name);
    if (number > 1) id += fmt::format("-{}", number);
    if (lines_.emplace(id, row.line).second) return id;
  }
}

void Rows::read() {
  RowNumbers own;
  RowNumbers& numbers = options_.rows ? *options_.rows : own;
  if (!options_.rows || options_.counts_rows)
    for (const Row& row : rows_)
      if (row.id.empty()) numbers.count(row.name, row.over_at);
  if (options_.counts_rows) return;
  std::vector<RawItem> items;
  for (Row& row : rows_) {
    if (row.id.empty()) row.id = new_id(row, numbers);
    row.json.insert(1, fmt::format("\"id\":{},", json_text(row.id)));
    RawItem& raw = items.emplace_back();
    raw.line = row.line;
    raw.text = row.json;
    raw.bytes = row.json.size();
  }
  Listed listed;
  listed.is_list = true;
  read_list(mapping_, items, std::move(listed), options_, sink_);
}

}  // namespace hebb::input

std::int64_t hebb::RowNumbers::next(const std::string& name, const std::string& over_at) {
  SameName& same = rows_[name];
  std::int64_t first = 1;
  if (!std::exchange(same.numbered, true))
    for (auto& [time, number] : same.next) number = std::exchange(first, first + number);
  return same.next[over_at]++;
}
