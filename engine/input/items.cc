#include "engine/input/items.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/input/recognise.h"
#include "text/ascii.h"

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

// The end of the value that begins with a bracket at `at`. comma: called with the place of each of
// its own commas. JSON has no newline within a string, so the walk stops at one: a quote that is
// not closed does not hide the rest of the file.
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

bool is_bracket(std::string_view content, std::size_t at) {
  return at < content.size() && (content[at] == '[' || content[at] == '{');
}

// The list in an object that is a page of a list; empty: the object is no page.
std::string_view list_of_page(std::string_view text, std::string_view list) {
  if (list.empty() || !text.starts_with('{')) return {};
  const std::string_view found = value_in_first(text, list);
  return found.starts_with('[') ? value_at(found) : std::string_view();
}

// An opening bracket alone on its line announces an object over several lines, and not NDJSON.
bool opens_alone(std::string_view content, std::size_t begin) {
  return trim(content.substr(begin, content.find('\n', begin) - begin)) == "{";
}

// Whether the text is values one after the other, rather than a line for each item: it begins with
// an array, or with an object that goes on in the next line, or is followed by a value in its own
// or by one of those in the next.
bool is_documents(std::string_view content, std::size_t begin) {
  if (begin >= content.size() || content[begin] == '[' || opens_alone(content, begin))
    return begin < content.size();
  if (content[begin] != '{') return false;
  const std::size_t end = end_of_value(content, begin).offset;
  if (end == content.npos) return false;
  const std::string_view first = trim(content.substr(begin, content.find('\n', begin) - begin));
  const std::size_t next = std::min(content.find_first_not_of(kBlank, end), content.size());
  const bool one_line = end - begin <= first.size();
  if (one_line) {
    if (!is_bracket(content, next)) return false;
    if (next < content.find('\n', end)) return true;
    const std::size_t first_in = content.find_first_not_of(kBlank, next + 1);
    const bool is_list = content[next] == '[' && first_in != content.npos &&
                         std::string_view("[{]").find(content[first_in]) != std::string_view::npos;
    return (is_list || opens_alone(content, next)) &&
           end_of_value(content, next).offset != content.npos;
  }
  return next == content.size() || std::string_view("{[,").find(first.back()) != first.npos;
}

// For an item that is too long: its beginning, and the size and hash of the whole.
RawItem raw_item(std::int64_t line, std::string_view text, bool cut,
                 std::size_t most = Limits::kLineBytes) {
  if (text.size() <= most) return {line, text, cut, text.size(), {}, most};
  return {line, text.substr(0, Limits::kKeptBytes), cut, text.size(), content_hash(text), most};
}

// Walks over the elements of the array [begin, end) of the content, brackets included.
void each_element(std::string_view content, std::size_t begin, std::size_t end,
                  const std::function<void(std::size_t begin, std::size_t end)>& f) {
  if (trim(content.substr(begin + 1, end - begin - 2)).empty()) return;
  std::size_t before = begin;
  const auto take = [&](std::size_t at) {  // the element that ends there
    const std::size_t start = std::min(content.find_first_not_of(kBlank, before + 1), at);
    f(start, start + trim(content.substr(start, at - start)).size());
    before = at;
  };
  end_of_value(content, begin, take);
  take(end - 1);
}

// Splits values that follow one another into items.
class Documents {
 public:
  Documents(std::string_view content, const RawSink& sink, const Pages& pages)
      : content_(content), sink_(sink), pages_(pages) {}

  // True: there was a list.
  bool split(std::size_t at) {
    std::string_view last;
    for (; at != content_.npos; at = content_.find_first_not_of(kBlank, at)) {
      const bool is_array = content_[at] == '[';
      if (!is_bracket(content_, at))
        unreadable(fmt::format("there is text after the end of the {}", last), content_, at);
      last = is_array ? "array" : "object";
      const auto [end, mismatch] = end_of_value(content_, at);
      if (mismatch != content_.npos && is_array)
        unreadable("a bracket of the array is closed by one of the other kind", content_, mismatch);
      if (end == content_.npos)
        unreadable(fmt::format("the {} does not end: the text was cut off, or a bracket or a quote "
                               "is not closed; it begins",
                               last),
                   content_, at);
      is_array ? array(at, end, 1) : value(at, end, 0);
      at = end;
    }
    return is_list_;
  }

 private:
  // depth: in how many arrays its elements stand.
  void array(std::size_t begin, std::size_t end, int depth) {
    is_list_ = true;
    each_element(content_, begin, end,
                 [&](std::size_t from, std::size_t to) { value(from, to, depth); });
  }

  // An array in an array is a page of one list, as is an object with such a list.
  void value(std::size_t begin, std::size_t end, int depth) {
    const std::string_view text = content_.substr(begin, end - begin);
    constexpr int kDepth = 2;  // [[item], [item]]
    const std::string_view list = depth < kDepth ? list_of_page(text, pages_.list) : "";
    if (!list.empty()) {
      const auto from = static_cast<std::size_t>(list.data() - content_.data());
      array(from, from + list.size(), kDepth);
      pages_.page(text);
    } else if (depth < kDepth && text.starts_with('[') && value_at(text) == text) {
      array(begin, end, depth + 1);
    } else {
      ++items_;
      line_ += std::count(content_.data() + counted_, content_.data() + begin, '\n');
      counted_ = begin;
      RawItem item = raw_item(line_, text, false);
      if (is_list_) item.place = items_;
      sink_(item);
    }
  }

  std::string_view content_;
  const RawSink& sink_;
  const Pages& pages_;
  bool is_list_ = false;
  std::size_t items_ = 0;
  std::int64_t line_ = 1;
  std::size_t counted_ = 0;  // up to here
};

void skip_bom(Input& input) {
  input.all_within(kByteOrderMark.size() - 1);
  if (input.ahead().starts_with(kByteOrderMark)) input.skip(kByteOrderMark.size());
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

bool split_items(Input& input, const RawSink& sink, const Pages& pages) {
  constexpr std::size_t kWindow = 2 * Limits::kLineBytes;  // more than an object may have
  skip_bom(input);
  const bool all = input.all_within(kWindow);
  const std::string_view ahead = input.ahead();
  const std::size_t begin = std::min(ahead.find_first_not_of(kBlank), ahead.size());
  const bool is_page = !list_of_page(ahead.substr(begin), pages.list).empty();
  if (!is_page && !is_documents(ahead, begin)) {
    split_lines(input, sink);
    return false;
  }
  if (!all && opens_alone(ahead, begin) && !is_page &&
      end_of_value(ahead, begin).offset == ahead.npos)
    unreadable("the object does not end within 1 MiB; it begins", ahead, begin);
  return Documents(input.rest(Limits::kDocumentBytes), sink, pages).split(begin);
}

std::string_view value_at(std::string_view text) {
  return text.substr(0, end_of_value(text, 0).offset);
}

}  // namespace hebb::input

namespace hebb {

std::string_view whole_part(std::string_view text) {
  using namespace input;
  const std::size_t begin =
      text.find_first_not_of(kBlank, text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  if (begin == text.npos) return {};
  if (is_documents(text, begin)) {
    std::size_t whole = 0;
    for (std::size_t at = begin; is_bracket(text, at); at = text.find_first_not_of(kBlank, whole)) {
      const std::size_t end = end_of_value(text, at).offset;
      if (end == text.npos) return text.substr(0, whole);
      whole = end;
    }
    return text;
  }
  // Neither JSON nor XML: whoever writes it need not end its last line.
  if (text[begin] != '{' && text[begin] != '<') return text;
  const std::size_t last = text.rfind('\n') + 1;  // 0: there is one line
  const std::string_view line = trim(text.substr(last));
  const bool is_whole =
      line.empty() || (line.front() == '{' && end_of_value(line, 0).offset == line.size());
  return is_whole ? text : text.substr(0, last);
}

}  // namespace hebb
