// The list of input formats, and which of them an input has.
#include "engine/input/recognise.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/input/tracker.h"
#include "engine/values/members.h"
#include "text/ascii.h"

namespace hebb {

namespace {

using namespace input;

constexpr std::size_t kBeginningBytes = Limits::kLineBytes;
constexpr std::string_view kBlanksAhead = " \t\r\n";

// The fields of the first object in a text, each with the text from where its value begins. Escapes
// in names are left as they are: no format has one there.
using FirstFields = std::map<std::string_view, std::string_view, std::less<>>;

// Also where the text is cut off or is no JSON further on.
FirstFields first_fields(std::string_view text) {
  FirstFields fields;
  const std::size_t object = text.find_first_not_of("[], \t\r\n");  // behind empty arrays
  if (object == text.npos || text[object] != '{') return fields;
  Members members(text.substr(object));
  while (members.next())
    fields.try_emplace(members.key().substr(1, members.key().size() - 2),
                       text.substr(object + members.value_at()));
  return fields;
}

// A line of a history log says when, or is of a kind that there is.
bool is_of_history(const FirstFields& fields) {
  const auto kind = fields.find("kind");
  if (kind == fields.end() || !kind->second.starts_with('"')) return false;
  const std::string_view name = kind->second.substr(1);
  return fields.contains("at") || is_event_kind(name.substr(0, name.find_first_of("\"\\")));
}

// Whether there is a field as a mapping describes it: "title", "id:text", "state:object",
// "issues:list", "!number".
bool has(const FirstFields& fields, std::string_view wanted) {
  if (wanted.starts_with('!')) return !fields.contains(wanted.substr(1));
  const std::size_t colon = std::min(wanted.find(':'), wanted.size());
  const auto field = fields.find(wanted.substr(0, colon));
  if (field == fields.end() || colon == wanted.size()) return field != fields.end();
  const std::string_view kind = wanted.substr(colon + 1);
  return field->second.starts_with(kind == "text" ? '"' : kind == "object" ? '{' : '[');
}

// Whether there is all that the text names: "title", "id:text !number".
bool has_all(const FirstFields& fields, std::string_view text) {
  const Texts wanted = split(text, " ");
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const std::string& field) { return has(fields, field); });
}
bool has_one_of(const FirstFields& fields, const Setting& all) {
  return std::any_of(all.texts.begin(), all.texts.end(),
                     [&](const std::string& text) { return has_all(fields, text); });
}

std::string_view format_of_object(const FirstFields& fields) {
  if (fields.contains("specversion")) return "cloudevents";
  if (fields.contains("taskId")) {  // an outcome may have a kind too
    return fields.contains("kind") ? "" : "outcome";
  }
  if (is_of_history(fields)) return "history";
  std::string_view found;
  for (const TrackerText& text : tracker_texts()) {
    const Mapping tracker = read_recognition(text);
    const auto list = fields.find(tracker["list"].text());
    const auto is_of_it = [&](const FirstFields& item) {
      return has_one_of(item, tracker["recognise"]) && !has_one_of(item, tracker["recognise_not"]);
    };
    if (!is_of_it(fields) && (list == fields.end() || !is_of_it(first_fields(list->second))))
      continue;
    if (!found.empty()) return "";
    found = text.name;
  }
  return found;
}

// The name of an XML document's root; empty: there is none.
std::string_view xml_root(std::string_view text) {
  while (text.starts_with('<')) {
    const bool is_comment = text.starts_with("<!--");
    if (!is_comment && !text.starts_with("<?") && !text.starts_with("<!")) {
      const std::string_view name = text.substr(1);
      return name.substr(0, name.find_first_of(" \t\r\n/>"));
    }
    const std::string_view end = is_comment ? "-->" : ">";
    const std::size_t at = text.find(end);
    if (at == text.npos) return {};
    text.remove_prefix(at + end.size());
    text.remove_prefix(std::min(text.find_first_not_of(kBlanksAhead), text.size()));
  }
  return {};
}

// Whether a refused item is one of that format with something wrong in it, by the fields that it
// has.
bool is_of_format(const Format& format, std::string_view item) {
  const FirstFields fields = first_fields(item);
  const auto any = [&](std::initializer_list<std::string_view> all) {
    return std::any_of(all.begin(), all.end(),
                       [&](std::string_view text) { return has_all(fields, text); });
  };
  if (format.name == "outcome") return any({"taskId", "outcome !$report_type"});
  if (format.name == "cloudevents") return any({"specversion", "source type data"});
  if (format.name == "history") return is_of_history(fields) || any({"at id", "at source"});
  if (!format.of_tracker || format.whole) return true;  // its reader knows
  const Mapping& tracker = mapping_of(format.name);
  return (has_one_of(fields, tracker["recognise"]) ||
          has_one_of(fields, tracker["recognise_item"])) &&
         !has_one_of(fields, tracker["recognise_not"]);
}

UnreadableInput foreign(const Format& format, std::string_view beginning) {
  Input again(beginning);
  const Format* other = recognised(again);
  if (other && other->name != format.name) {
    return UnreadableInput(fmt::format(
        "nothing was taken: nothing in it is of the format {}; by how it begins its format is {}",
        format.name, other->name));
  }
  return UnreadableInput(fmt::format(
      "nothing was taken: nothing in it is of the format {}, and it is not JSON, XML or NDJSON of "
      "another known kind: see `hebb {} --help`{}",
      format.name, format.of_past ? "import" : "ingest",
      format.of_past ? "; --format todotxt reads a task a line" : ""));
}

// The readers of texts that are no JSON.
using TextReader = void (*)(const Mapping&, Input&, const ReadOptions&, const ItemSink&);
TextReader text_reader(std::string_view format) {
  return format == "csv" ? read_csv : format == "todotxt" ? read_todotxt : nullptr;
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> kFormats = [] {
    std::vector<Format> all{{"outcome", read_outcomes},
                            {"cloudevents", read_cloudevents},
                            {"junit", read_junit, false, true},
                            {"history", read_history, true}};
    for (const input::TrackerText& text : input::tracker_texts()) {
      const TextReader of_text = text_reader(text.name);
      const Reader read = [name = text.name, of_text](Input& input, const ReadOptions& options,
                                                      const ItemSink& sink) {
        const bool is_item = !of_text || options.single_item;  // an item's text is an object
        (is_item ? read_tracker : of_text)(input::mapping_of(name), input, options, sink);
      };
      all.push_back({text.name, read, true, false, true, of_text != nullptr});
    }
    return all;
  }();
  return kFormats;
}

const Format* find_format(std::string_view name) {
  const auto all = formats();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Format& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

namespace {
constexpr std::string_view kWithPrefix = " --prefix ";
}  // namespace

std::string kept_format_text(const Format& format, std::string_view prefix) {
  return prefix.empty() ? std::string(format.name)
                        : fmt::format("{}{}{}", format.name, kWithPrefix, prefix);
}

KeptFormat kept_format(std::string_view text) {
  const std::size_t end = std::min(text.find(kWithPrefix), text.size());
  const std::size_t prefix = std::min(end + kWithPrefix.size(), text.size());
  return {find_format(text.substr(0, end)), std::string(text.substr(prefix))};
}

std::string_view input::beginning_of(Input& input) {
  input.all_within(kBeginningBytes - 1);
  std::string_view text = input.ahead().substr(0, kBeginningBytes);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(kBlanksAhead), text.size()));
  return text;
}

std::string_view input::value_in_first(std::string_view text, std::string_view field) {
  const FirstFields fields = first_fields(text);
  const auto found = fields.find(field);
  return found == fields.end() ? std::string_view() : found->second;
}

const Format* recognised(Input& input, std::string_view file) {
  const std::string_view text = beginning_of(input);
  if (const auto root = xml_root(text); root == "testsuites" || root == "testsuite")
    return find_format("junit");
  if (const Format* of_object = find_format(format_of_object(first_fields(text)))) return of_object;
  if (text.find_first_of("{[<") == 0) return nullptr;
  if (is_csv_header(text)) return find_format("csv");
  const auto ends = [&](std::string_view end) {
    return file.size() >= end.size() && same_name(file.substr(file.size() - end.size()), end);
  };
  if (ends(".csv") || ends(".tsv")) return find_format("csv");
  return ends("todo.txt") || ends("done.txt") ? find_format("todotxt") : nullptr;
}

void read_as(const Format& format, Input& input, const ReadOptions& options, const PartSink& sink) {
  const std::string beginning(beginning_of(input));
  const bool is_xml = format.name == "junit";
  std::size_t items = 0;
  bool is_of_it = false;
  try {
    format.read(input, options, [&](Item item) {
      ++items;
      is_of_it =
          is_of_it || std::holds_alternative<Event>(item.parsed) || is_of_format(format, item.text);
      if (!sink.add(std::move(item))) return;
      if (!is_of_it) throw foreign(format, beginning);
      sink.append();
    });
  } catch (const LacksField&) {
    if (is_of_it) throw;
    throw foreign(format, beginning);
  } catch (const UnreadableInput&) {
    const bool may_be = format.whole || beginning.find_first_of(is_xml ? "<" : "{[") == 0;
    if (is_of_it || may_be || beginning.empty()) throw;
    throw foreign(format, beginning);
  }
  if (items > 0 && !is_of_it) throw foreign(format, beginning);
  const bool is_empty = options.listed ? options.listed->items.empty() : items == 0;
  if (is_empty && format.of_tracker && !beginning.empty() && options.note)
    options.note("it lists no tasks: nothing was taken, and nothing closed");
}

}  // namespace hebb
