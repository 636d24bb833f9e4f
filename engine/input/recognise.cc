#include "engine/input/recognise.h"

#include <algorithm>
#include <set>
#include <string>

namespace hebb {

namespace {

constexpr std::size_t kLookedAt = 64 << 10;

const Format* named(std::string_view name) {
  const auto all = formats();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const Format& f) { return f.name == name; });
  return it == all.end() ? nullptr : &*it;
}

// The fields of an object, up to where the text ends. Escapes in names are left as they are: no
// format has one there.
std::set<std::string_view> fields_of(std::string_view object) {
  std::set<std::string_view> fields;
  int depth = 0;
  bool is_name = false;  // a text that begins here is one
  for (std::size_t at = 0; at < object.size(); ++at) {
    const char c = object[at];
    if (c == '"') {
      const std::size_t begin = ++at;
      while (at < object.size() && object[at] != '"') at += object[at] == '\\' ? 2 : 1;
      if (at >= object.size()) break;
      if (is_name && depth == 1) fields.insert(object.substr(begin, at - begin));
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

std::string_view format_of_object(const std::set<std::string_view>& fields) {
  const auto has = [&](std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(),
                       [&](std::string_view name) { return fields.contains(name); });
  };
  if (has({"specversion"})) return "cloudevents";
  if (has({"kind"})) return has({"taskId"}) ? "" : "history";  // an outcome may have a kind too
  if (has({"taskId"})) return "outcome";
  if (has({"uuid", "entry"})) return "taskwarrior";
  if (has({"number", "title"})) return "github";
  if (has({"id", "title"})) return "beads";
  return "";
}

}  // namespace

const Format* recognised(Input& input) {
  while (input.ahead().size() < kLookedAt && input.more()) {
  }
  std::string_view text = input.ahead().substr(0, kLookedAt);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return nullptr;
  text.remove_prefix(begin);
  if (text.front() == '<') return named("junit");
  const std::size_t object = text.find_first_not_of("[ \t\r\n");
  if (object == text.npos || text[object] != '{') return nullptr;
  return named(format_of_object(fields_of(text.substr(object))));
}

}  // namespace hebb
