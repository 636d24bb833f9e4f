#include "engine/input/items.h"

#include <algorithm>

#include "engine/values/ascii.h"

namespace hebb::input {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::int64_t line_of(std::string_view content, std::size_t offset) {
  return 1 + std::count(content.data(), content.data() + offset, '\n');
}

[[noreturn]] void unreadable(std::string_view what, std::string_view content, std::size_t offset) {
  throw UnreadableInput(std::string(what) + " (line " + std::to_string(line_of(content, offset)) +
                        ")");
}

struct ValueEnd {
  std::size_t offset = std::string_view::npos;    // just after the value; npos: it does not end
  std::size_t mismatch = std::string_view::npos;  // just after a bracket that closes none
};

// The end of the value that begins with a bracket at `at`. comma: told where its own commas are.
// JSON has no newline within a string, so the walk stops at one: a quote that is not closed does
// not hide the rest of the file.
ValueEnd end_of_value(std::string_view content, std::size_t at,
                      const std::function<void(std::size_t)>& comma = {}) {
  std::string open;  // the brackets that are not closed yet
  while (at < content.size()) {
    const char c = content[at++];
    if (c == '"') {
      while (at < content.size() && content[at] != '"' && content[at] != '\n')
        at += content[at] == '\\' ? 2 : 1;
      if (at >= content.size() || content[at++] == '\n') return {};
    } else if (c == '{' || c == '[') {
      open.push_back(c);
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != (c == '}' ? '{' : '[')) return {content.npos, at};
      open.pop_back();
    } else if (c == ',' && open.size() == 1 && comma) {
      comma(at - 1);
    }
    if (open.empty()) return {at, content.npos};
  }
  return {};
}

// The arrays that follow one another from `at`, as far as they end; and what is behind them.
struct Arrays {
  std::vector<std::pair<std::size_t, std::size_t>> all;  // begin and end of each
  std::size_t next = 0;                                  // npos: nothing but blanks
};
Arrays arrays_from(std::string_view content, std::size_t at) {
  Arrays arrays{{}, at};
  while (arrays.next != content.npos && content[arrays.next] == '[') {
    const std::size_t end = end_of_value(content, arrays.next).offset;
    if (end == content.npos) break;
    arrays.all.emplace_back(arrays.next, end);
    arrays.next = content.find_first_not_of(kBlank, end);
  }
  return arrays;
}

// An opening bracket alone on its line announces an object over several lines, and not NDJSON.
bool opens_alone(std::string_view content, std::size_t begin) {
  return trim(content.substr(begin, content.find('\n', begin) - begin)) == "{";
}

// For an item that is too long: its beginning, and the size and hash of the whole.
RawItem raw_item(std::int64_t line, std::string_view text, bool cut,
                 std::size_t most = Limits::kLineBytes) {
  if (text.size() <= most) return {line, text, cut, text.size(), {}, most};
  return {line, text.substr(0, Limits::kKeptBytes), cut, text.size(), content_hash(text), most};
}

enum class Inner : std::uint8_t { item, page };  // what an array in an array is

// The array is [begin, end) of the content, brackets included.
void split_array(std::string_view content, std::size_t begin, std::size_t end, const RawSink& sink,
                 Inner inner = Inner::item) {
  if (trim(content.substr(begin + 1, end - begin - 2)).empty()) return;
  std::int64_t line = 1;
  std::size_t counted = 0;  // up to here
  std::size_t before = begin;
  const auto take = [&](std::size_t at) {  // the element that ends there
    const std::size_t start = std::min(content.find_first_not_of(kBlank, before + 1), at);
    const std::string_view text = trim(content.substr(start, at - start));
    if (inner == Inner::page && text.starts_with('[') && value_at(text) == text) {
      split_array(content, start, start + text.size(), sink);
    } else {
      line += std::count(content.data() + counted, content.data() + start, '\n');
      counted = start;
      sink(raw_item(line, text, false));
    }
    before = at;
  };
  end_of_value(content, begin, take);
  take(end - 1);
}

// True if the content was one array or one object over several lines, and has been split.
bool split_value(std::string_view content, const RawSink& sink) {
  const std::size_t begin = content.find_first_not_of(kBlank);
  if (begin == content.npos || (content[begin] != '[' && content[begin] != '{')) return false;
  const bool is_array = content[begin] == '[';
  const auto [end, mismatch] = end_of_value(content, begin);
  const std::size_t line_end = std::min(content.find('\n', begin), content.size());
  if (end == content.npos) {
    if (is_array && mismatch != content.npos)
      unreadable("a bracket of the array is closed by one of the other kind", content, mismatch);
    if (is_array) unreadable("the array does not end; it begins", content, begin);
    if (opens_alone(content, begin) && line_end != content.size())
      unreadable("the object does not end; it begins", content, begin);
    return false;
  }
  const bool alone = trim(content.substr(end)).empty();
  const bool one_line = end <= line_end;
  if (is_array ? one_line && !alone : one_line || !alone) return false;
  if (!alone) unreadable("there is text after the end of the array", content, end);
  if (is_array) {
    split_array(content, begin, end, sink);
  } else {
    sink(raw_item(line_of(content, begin), content.substr(begin, end - begin), false));
  }
  return true;
}

constexpr std::string_view kBom = "\xef\xbb\xbf";

void skip_bom(Input& input) {
  input.all_within(kBom.size() - 1);
  if (input.ahead().starts_with(kBom)) input.skip(kBom.size());
}

// Skips to the line's first character that is not blank, or to its newline; false: the input ends.
bool skip_blanks(Input& input) {
  while (true) {
    const std::string_view ahead = input.ahead();
    const std::size_t blanks = std::min(ahead.find_first_not_of(" \t\r"), ahead.size());
    const bool found = blanks < ahead.size();
    input.skip(blanks);
    if (found) return true;
    if (!input.more()) return false;
  }
}

// The size of the line ahead; npos: the line is too long, or it has no newline.
std::size_t find_newline(Input& input, std::size_t most) {
  std::size_t seen = 0;
  while (true) {
    const std::size_t newline = input.ahead().find('\n', seen);
    if (newline != std::string_view::npos) return newline;
    seen = input.ahead().size();
    if (seen > most || !input.more()) return std::string_view::npos;
  }
}

// Reads a line that is too long to be held, up to its newline.
void skip_long_line(Input& input, std::int64_t line, const RawSink& sink, std::size_t most) {
  const std::string kept(input.ahead().substr(0, Limits::kKeptBytes));
  ContentHash hash;
  RawItem raw{line, kept, false, 0, {}, most};
  bool ended = false;
  do {
    const std::string_view ahead = input.ahead();
    const std::size_t newline = ahead.find('\n');
    const std::string_view part = ahead.substr(0, newline);
    ended = newline != std::string_view::npos;
    hash.add(part);
    raw.bytes += part.size();
    input.skip(part.size());
  } while (!ended && input.more());
  raw.hash = hash.hex();
  sink(raw);
}

}  // namespace

void split_lines(Input& input, const RawSink& sink, std::size_t most) {
  skip_bom(input);
  for (std::int64_t line = 1; skip_blanks(input); ++line) {
    const std::size_t newline = find_newline(input, most);
    if (newline == std::string_view::npos && input.ahead().size() > most) {
      skip_long_line(input, line, sink, most);
    } else {
      const std::string_view all = input.ahead().substr(0, newline);
      const std::string_view text = all.size() > most ? all : trim(all);
      const std::size_t size = all.size();
      if (!text.empty()) {
        sink(raw_item(line, text, newline == std::string_view::npos, most));
      }
      input.skip(size);
    }
    if (!input.ahead().empty()) input.skip(1);  // the newline
  }
}

void split_items(Input& input, const RawSink& sink) {
  constexpr std::size_t kWindow = 2 * Limits::kLineBytes;  // more than an object may have
  skip_bom(input);
  bool all = input.all_within(kWindow);
  const std::size_t begin = std::min(input.ahead().find_first_not_of(kBlank), input.ahead().size());
  const auto opens_with = [&](char c) {
    return begin < input.ahead().size() && input.ahead()[begin] == c;
  };
  if (!all && opens_with('[')) {
    all = input.all_within(Limits::kDocumentBytes);
    // With so much input, an array that does not end on its first line is too long a document.
    const std::string_view ahead = input.ahead();
    const std::size_t line_end = std::min(ahead.find('\n', begin), ahead.size());
    if (!all && end_of_value(ahead, begin).offset > line_end) {
      input.rest(Limits::kDocumentBytes);  // throws
    }
  }
  if (!all && opens_with('{')) {
    const std::string_view ahead = input.ahead().substr(0, kWindow);
    if (opens_alone(ahead, begin) && end_of_value(ahead, begin).offset == ahead.npos)
      unreadable("the object does not end within 1 MiB; it begins", ahead, begin);
  }
  if (!all || !split_value(input.ahead(), sink)) split_lines(input, sink);
}

bool split_pages(Input& input, const RawSink& sink) {
  skip_bom(input);
  const std::string_view content = input.rest(Limits::kDocumentBytes);
  const auto [arrays, next] = arrays_from(content, content.find_first_not_of(kBlank));
  if (arrays.empty() || next != content.npos) {
    if (split_value(content, sink)) return false;
    // The content may still be one object on one line; anything else is unreadable.
    const std::string_view text = trim(content);
    if (text.empty() || text.front() != '{' || end_of_value(text, 0).offset != text.size())
      unreadable("this is not one JSON array, nor one JSON object", content, 0);
    const auto offset = static_cast<std::size_t>(text.data() - content.data());
    sink(raw_item(line_of(content, offset), text, false));
    return false;
  }
  for (const auto& [begin, end] : arrays) split_array(content, begin, end, sink, Inner::page);
  return true;
}

std::string_view value_at(std::string_view text) {
  return text.substr(0, end_of_value(text, 0).offset);
}

}  // namespace hebb::input

namespace hebb {

std::string_view whole_part(std::string_view text) {
  using namespace input;
  const std::size_t begin =
      text.find_first_not_of(kBlank, text.starts_with(kBom) ? kBom.size() : 0);
  if (begin == text.npos) return {};
  if (text[begin] == '[') {
    const auto [arrays, next] = arrays_from(text, begin);
    if (next == text.npos || text[next] != '[') return text;
    return text.substr(0, arrays.empty() ? 0 : arrays.back().second);
  }
  if (opens_alone(text, begin))
    return end_of_value(text, begin).offset == text.npos ? text.substr(0, 0) : text;
  const std::size_t last = text.rfind('\n') + 1;  // 0: there is one line
  const std::string_view line = trim(text.substr(last));
  const bool is_whole =
      line.empty() || (line.front() == '{' && end_of_value(line, 0).offset == line.size());
  return is_whole ? text : text.substr(0, last);
}

}  // namespace hebb
