#include "engine/input/recognise.h"

#include <algorithm>

#include "engine/input/tracker.h"

namespace hebb {

namespace {

using namespace input;

constexpr std::size_t kBeginningBytes = 64 << 10;
constexpr std::string_view kBlanksAhead = " \t\r\n";

bool is_text(const FirstFields& fields, std::string_view name) {
  const auto field = fields.find(name);
  return field != fields.end() && field->second.starts_with('"');
}

// A line of a history log says when, or is of a kind that there is.
bool is_of_history(const FirstFields& fields) {
  if (!is_text(fields, "kind")) return false;
  return fields.contains("at") || is_event_kind(text_value(fields, "kind"));
}

// As a mapping says it: "title", "id:text", "state:object", "issues:list", "!number".
bool has(const FirstFields& fields, std::string_view wanted) {
  if (wanted.starts_with('!')) return !fields.contains(wanted.substr(1));
  const std::size_t colon = std::min(wanted.find(':'), wanted.size());
  const auto field = fields.find(wanted.substr(0, colon));
  if (field == fields.end() || colon == wanted.size()) return field != fields.end();
  const std::string_view kind = wanted.substr(colon + 1);
  return field->second.starts_with(kind == "text" ? '"' : kind == "object" ? '{' : '[');
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
    if (!has_one_of(fields, tracker["recognise"].texts) ||
        has_one_of(fields, tracker["recognise_not"].texts))
      continue;
    if (!found.empty()) return "";
    found = text.name;
  }
  return found;
}

}  // namespace

std::string_view input::beginning_of(Input& input) {
  while (input.ahead().size() < kBeginningBytes && input.more()) {
  }
  std::string_view text = input.ahead().substr(0, kBeginningBytes);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(kBlanksAhead), text.size()));
  return text;
}

FirstFields input::first_fields(std::string_view text) {
  FirstFields fields;
  const std::size_t object = text.find_first_not_of("[ \t\r\n");
  if (object == text.npos || text[object] != '{') return fields;
  text.remove_prefix(object);
  int depth = 0;
  bool is_name = false;  // a text that begins here is one
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t begin = ++at;
      while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
      if (at >= text.size()) break;
      if (is_name && depth == 1) {
        const std::size_t value = text.find_first_not_of(": \t\r\n", at + 1);
        fields.try_emplace(text.substr(begin, at - begin),
                           value == text.npos ? std::string_view() : text.substr(value));
      }
      is_name = false;
    } else if (c == '{' || c == '[') {
      ++depth;
      is_name = c == '{';
    } else if (c == '}' || c == ']') {
      if (--depth == 0) break;
    } else if (c == ',') {
      is_name = depth == 1;
    }
  }
  return fields;
}

bool input::has_one_of(const FirstFields& fields, const std::vector<std::string>& all) {
  return std::any_of(all.begin(), all.end(), [&](const std::string& text) {
    const Texts wanted = split(text, " ");
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](const std::string& field) { return has(fields, field); });
  });
}

std::string_view input::text_value(const FirstFields& fields, std::string_view name) {
  if (!is_text(fields, name)) return {};
  const std::string_view value = fields.find(name)->second.substr(1);
  return value.substr(0, value.find_first_of("\"\\"));
}

std::string_view input::xml_root(std::string_view text) {
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

const Format* recognised(Input& input) {
  const std::string_view text = beginning_of(input);
  if (const auto root = xml_root(text); root == "testsuites" || root == "testsuite")
    return find_format("junit");
  return find_format(format_of_object(first_fields(text)));
}

bool is_of_format(const Format& format, std::string_view item) {
  const FirstFields fields = first_fields(item);
  if (format.name == "outcome") return has_one_of(fields, {"taskId", "outcome"});
  if (format.name == "cloudevents") return has_one_of(fields, {"specversion", "source type data"});
  if (format.name == "history")
    return is_of_history(fields) || has_one_of(fields, {"at id", "at source"});
  if (!format.of_tracker) return true;  // junit: its reader knows
  const Mapping& tracker = mapping_of(format.name);
  return (has_one_of(fields, tracker["recognise"].texts) ||
          has_one_of(fields, tracker["recognise_item"].texts)) &&
         !has_one_of(fields, tracker["recognise_not"].texts);
}

}  // namespace hebb
