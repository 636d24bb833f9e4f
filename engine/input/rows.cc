#include "engine/input/rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/values/checks.h"
#include "engine/values/times.h"
#include "text/ascii.h"

namespace hebb::input {

std::string_view whole_text(Input& input) {
  std::string_view text = input.rest(Limits::kDocumentBytes);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (is_utf8(text)) return text;
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw UnreadableInput("it is UTF-16: save it as UTF-8");
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

// A row without an id has one of its name and creation, so that it is known again. The second of
// two equal rows is another task.
std::string Rows::new_id(const RowObject& object) const {
  constexpr std::size_t kDigits = 10;
  const std::string hash =
      content_hash(text_in(object, "created") + "\n" + text_in(object, "name")).substr(0, kDigits);
  std::string id = fmt::format("{}-{}", mapping_.name, hash);
  for (int i = 2; lines_.contains(id); ++i) id = fmt::format("{}-{}-{}", mapping_.name, hash, i);
  return id;
}

void Rows::take(std::int64_t line, RowObject object) {
  const std::string given = text_in(object, "id");
  const std::string id = given.empty() ? new_id(object) : given;
  const auto [place, fresh] = lines_.emplace(id, line);
  if (!fresh)
    refuse(refusal::kConflict, fmt::format("the id {} is that of line {}, too", id, place->second));
  object["id"] = id;
  rows_.push_back({line, object.dump()});
}

void Rows::read() {
  std::vector<RawItem> items;
  for (const Row& row : rows_) {
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
