#include "engine/input/foreign.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/input/recognise.h"

namespace hebb {

namespace {

using namespace input;

struct Seems {
  std::string what;
  std::string advice = {};  // empty: that of the format
};

// By its first bytes; `what` is empty for what may be text.
Seems seems_bytes(std::string_view text) {
  const auto begins = [&](std::string_view bytes) { return text.starts_with(bytes); };
  if (begins("\x1f\x8b")) return {"compressed by gzip", "unpack it first, as gunzip does"};
  if (begins("PK\x03\x04")) return {"a ZIP archive", "unpack it first, as unzip does"};
  if (begins("\x28\xb5\x2f\xfd") ||
      begins("\xfd"
             "7zXZ") ||
      begins("BZh"))
    return {"compressed", "unpack it first"};
  if (begins("SQLite format 3"))
    return {"an SQLite database", "import what its program exports, such as .beads/issues.jsonl"};
  if (begins("%PDF-")) return {"a PDF"};
  if (begins("\xff\xfe") || begins("\xfe\xff"))
    return {"text in UTF-16", "convert it, as `iconv -f UTF-16 -t UTF-8` does"};
  if (text.find('\0') != text.npos) return {"binary data"};
  return {};
}

// Each by the fields of its first object: all that one of the texts names.
Seems seems_json(std::string_view text) {
  struct Known {
    std::vector<std::string> fields;
    Seems seems;
  };
  static const std::vector<Known> kKnown{
      {{"iid title"}, {"issues of GitLab"}},
      {{"key fields", "issues maxResults", "issues isLast", "issues nextPageToken"},
       {"issues of Jira"}},
      {{"identifier title"}, {"issues of Linear"}},
      {{"lists cards"}, {"a board of Trello"}},
      {{"apiVersion kind"}, {"an object of Kubernetes"}},
      {{"name dependencies", "name devDependencies", "name scripts"}, {"a package.json"}},
      {{"numTotalTests", "testResults"},
       {"a report of tests in JSON",
        "let the runner write JUnit XML, which `hebb ingest --each` takes"}}};
  const FirstFields fields = first_fields(text);
  for (const Known& known : kKnown)
    if (has_one_of(fields, known.fields)) return known.seems;
  const std::size_t at = text.find_first_not_of("[ \t\r\n");
  if (at == text.npos || text[at] == ']') return {"an empty list"};
  if (text[at] != '{') return {"a list in JSON of something else than objects"};
  if (fields.empty()) return {"an object without fields, or no JSON"};
  constexpr std::size_t kShown = 5;
  std::vector<std::string_view> names;
  for (const auto& [name, value] : fields) {
    if (names.size() < kShown) names.push_back(name.substr(0, 32));
  }
  return {fmt::format("JSON with the fields {}{}", fmt::join(names, ", "),
                      fields.size() > kShown ? ", …" : "")};
}

std::vector<std::string_view> first_lines(std::string_view text) {
  constexpr std::size_t kLines = 20;
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < kLines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") != line.npos) lines.push_back(line);
  }
  return lines;
}

bool has_columns(const std::vector<std::string_view>& lines, char separator) {
  const auto columns = std::count(lines[0].begin(), lines[0].end(), separator);
  return columns > 0 && lines.size() > 1 &&
         std::count(lines[1].begin(), lines[1].end(), separator) >= columns;
}

bool is_markdown(std::string_view line) {
  constexpr std::array<std::string_view, 7> kMarks{"# ", "## ", "- [", "* ", "> ", "```", "| "};
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return line.starts_with(mark); });
}

bool is_yaml(std::string_view line) {
  const std::size_t colon = line.find(':');
  return line.starts_with("---") || line.starts_with("- ") ||
         (colon != line.npos && line.find_first_of(" \t{\"") > colon);
}

bool is_todo_txt(std::string_view line) {
  const bool has_priority = line.size() > 3 && line[0] == '(' && line[2] == ')';
  return has_priority || line.starts_with("x ") || line.find(" +") != line.npos ||
         line.find(" @") != line.npos;
}

Seems seems_text(std::string_view text) {
  const auto lines = first_lines(text);
  if (lines.empty()) return {"empty"};
  const auto any = [&](bool (*is)(std::string_view)) {
    return std::any_of(lines.begin(), lines.end(), is);
  };
  if (is_markdown(lines[0])) return {"Markdown"};
  if (is_todo_txt(lines[0])) return {"a todo.txt"};
  if (is_yaml(lines[0])) return {any(is_markdown) ? "Markdown" : "YAML"};
  if (has_columns(lines, ',') || has_columns(lines, ';')) return {"CSV"};
  if (has_columns(lines, '\t')) return {"a table with tabs"};
  return {any(is_markdown) ? "Markdown" : any(is_todo_txt) ? "a todo.txt" : "plain text"};
}

Seems seems_to_be(std::string_view text) {
  if (Seems seems = seems_bytes(text); !seems.what.empty()) return seems;
  if (const auto root = xml_root(text); !root.empty())
    return {fmt::format("XML with the root <{}>", root.substr(0, 64))};
  if (text.starts_with('{') || text.starts_with('[')) {
    Seems seems = seems_json(text);
    if (text.starts_with('{') || seems.what.find("something else") == std::string::npos)
      return seems;
    // A link or an unchecked box of Markdown begins so too.
    const std::string_view inner =
        text.substr(std::min(text.find_first_not_of("[ \t\r\n"), text.size()));
    return inner.find_first_of("\"0123456789-tfn") == 0 ? seems : seems_text(text);
  }
  return seems_text(text);
}

// What to give instead.
std::string advice_of(const Format& format) {
  if (format.name == "junit") return "what is taken is a report in JUnit XML";
  if (format.of_past) {
    return "what is taken is what a tracker exports, or a history log: for each task a line "
           R"(such as {"kind":"node","id":"t-1","type":"TASK","name":"Pay",)"
           R"("at":"2026-01-02T00:00:00Z"})";
  }
  return R"(what is taken are outcomes, a line each such as {"taskId":"t-1","outcome":"success"})";
}

UnreadableInput foreign(const Format& format, std::string_view beginning) {
  Input again(beginning);
  const Format* other = recognised(again);
  if (other && other->name != format.name) {
    return UnreadableInput(fmt::format(
        "nothing was taken: nothing in it is of the format {}; by how it begins its format is {}",
        format.name, other->name));
  }
  const Seems seems = seems_to_be(beginning);
  return UnreadableInput(fmt::format(
      "nothing was taken: nothing in it is of the format {}; it seems to be {}; {}", format.name,
      seems.what, seems.advice.empty() ? advice_of(format) : seems.advice));
}

}  // namespace

void read_as(const Format& format, Input& input, const ReadOptions& options, const ItemSink& sink) {
  const std::string beginning(beginning_of(input));
  const bool is_xml = format.name == "junit";
  std::size_t items = 0;
  bool is_of_it = false;
  try {
    format.read(input, options, [&](Item item) {
      ++items;
      is_of_it =
          is_of_it || std::holds_alternative<Event>(item.parsed) || is_of_format(format, item.text);
      sink(std::move(item));
    });
  } catch (const UnreadableInput&) {
    const bool may_be = beginning.find_first_of(is_xml ? "<" : "{[") == 0;
    if (is_of_it || may_be || beginning.empty()) throw;
    throw foreign(format, beginning);
  }
  if (items > 0 && !is_of_it) throw foreign(format, beginning);
  if (items == 0 && format.of_tracker && !beginning.empty() && options.note)
    options.note("it lists no tasks: nothing was taken, and nothing closed");
}

}  // namespace hebb
