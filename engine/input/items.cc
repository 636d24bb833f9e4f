#include "engine/input/items.h"

#include <algorithm>

namespace hebb::input {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Finds the line of an offset; each call must ask for a later offset than the one before.
class LineCounter {
 public:
  explicit LineCounter(std::string_view content) : content_(content) {}
  std::int64_t at(std::size_t offset) {
    const char* const from = content_.data() + offset_;
    line_ += std::count(from, content_.data() + std::max(offset, offset_), '\n');
    offset_ = std::max(offset, offset_);
    return line_;
  }

 private:
  std::string_view content_;
  std::size_t offset_ = 0;
  std::int64_t line_ = 1;
};

// Walks over brackets and strings. JSON has no newline within a string, so the walk stops at one:
// a quote that is not closed does not hide the rest of the file.
class Walker {
 public:
  Walker(std::string_view content, std::size_t offset) : content_(content), offset_(offset) {}

  std::size_t offset() const { return offset_; }
  bool at_end() const { return offset_ == content_.size(); }
  char here() const { return content_[offset_]; }

  // Moves past the next character or whole string. False: the content or the line ends within a
  // string, or the character is a bracket that does not close the one opened last.
  bool step() {
    const char c = content_[offset_++];
    if (c == '{' || c == '[') open_.push_back(c);
    if (c == '}' || c == ']') {
      mismatch_ = open_.empty() || open_.back() != (c == '}' ? '{' : '[');
      if (mismatch_) return false;
      open_.pop_back();
    }
    return c != '"' || skip_string();
  }
  bool mismatch() const { return mismatch_; }
  std::size_t depth() const { return open_.size(); }

 private:
  bool skip_string() {
    while (offset_ < content_.size()) {
      const char c = content_[offset_++];
      if (c == '"') return true;
      if (c == '\n') return false;
      if (c == '\\' && offset_ < content_.size()) ++offset_;
    }
    return false;
  }

  std::string_view content_;
  std::size_t offset_;
  std::string open_;  // the brackets that are not closed yet
  bool mismatch_ = false;
};

struct ValueEnd {
  std::size_t offset = std::string_view::npos;    // just after the value; npos: it does not end
  std::size_t mismatch = std::string_view::npos;  // just after a bracket that closes none
};

// The end of the value that begins with a bracket at `offset`.
ValueEnd end_of_value(std::string_view content, std::size_t offset) {
  Walker walker(content, offset);
  ValueEnd end;
  bool ok = true;
  do {
    ok = walker.step();
  } while (ok && walker.depth() > 0 && !walker.at_end());
  if (walker.mismatch()) end.mismatch = walker.offset();
  if (ok && walker.depth() == 0) end.offset = walker.offset();
  return end;
}

[[noreturn]] void unreadable(std::string_view what, std::int64_t line) {
  throw UnreadableInput(std::string(what) + " (line " + std::to_string(line) + ")");
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
  const std::size_t last = end - 1;  // the closing bracket
  LineCounter lines(content);
  if (trim(content.substr(begin + 1, last - begin - 1)).empty()) return;
  Walker walker(content, begin + 1);
  std::size_t element = walker.offset();
  while (true) {
    const bool at_last = walker.offset() == last;
    if (at_last || (walker.depth() == 0 && walker.here() == ',')) {
      const std::string_view text = content.substr(element, walker.offset() - element);
      const std::size_t start = element + std::min(text.find_first_not_of(kBlank), text.size());
      const std::size_t size = trim(text).size();
      if (inner == Inner::page && content[start] == '[') {
        split_array(content, start, start + size, sink);
      } else {
        sink(raw_item(lines.at(start), content.substr(start, size), false));
      }
      element = walker.offset() + 1;
    }
    if (at_last) return;
    walker.step();
  }
}

// True if the content was one array or one object over several lines, and has been split.
bool split_value(std::string_view content, const RawSink& sink) {
  const std::size_t begin = content.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return false;
  const char first = content[begin];
  if (first != '[' && first != '{') return false;
  LineCounter lines(content);
  const std::int64_t first_line = lines.at(begin);
  const auto [end, mismatch] = end_of_value(content, begin);
  const std::size_t line_end = std::min(content.find('\n', begin), content.size());
  if (end == std::string_view::npos) {
    if (first == '[' && mismatch != std::string_view::npos) {
      unreadable("a bracket of the array is closed by one of the other kind", lines.at(mismatch));
    }
    if (first == '[') unreadable("the array does not end; it begins", first_line);
    // An opening bracket alone on its line announces an object over several lines, and not NDJSON.
    if (trim(content.substr(begin, line_end - begin)) == "{" && line_end != content.size()) {
      unreadable("the object does not end; it begins", first_line);
    }
    return false;
  }
  const bool alone = trim(content.substr(end)).empty();
  const bool one_line = end <= line_end;
  if (first == '{' && (one_line || !alone)) return false;
  if (first == '[' && !alone) {
    if (one_line) return false;
    unreadable("there is text after the end of the array", lines.at(end));
  }
  if (first == '[') {
    split_array(content, begin, end, sink);
  } else {
    sink(raw_item(first_line, content.substr(begin, end - begin), false));
  }
  return true;
}

constexpr std::string_view kBom = "\xef\xbb\xbf";

void skip_bom(Input& input) {
  while (input.ahead().size() < kBom.size() && input.more()) {
  }
  if (input.ahead().starts_with(kBom)) input.skip(kBom.size());
}

// Reads until more than `most` bytes are ahead, or to the end; true: all that is left is ahead.
bool all_within(Input& input, std::size_t most) {
  while (input.ahead().size() <= most) {
    if (!input.more()) return true;
  }
  return false;
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
  bool all = all_within(input, kWindow);
  const std::size_t begin = std::min(input.ahead().find_first_not_of(kBlank), input.ahead().size());
  const auto opens_with = [&](char c) {
    return begin < input.ahead().size() && input.ahead()[begin] == c;
  };
  if (!all && opens_with('[')) {
    all = all_within(input, Limits::kDocumentBytes);
    // With so much input, an array that does not end on its first line is too long a document.
    const std::string_view ahead = input.ahead();
    const std::size_t line_end = std::min(ahead.find('\n', begin), ahead.size());
    if (!all && end_of_value(ahead, begin).offset > line_end) {
      input.rest(Limits::kDocumentBytes);  // throws
    }
  }
  if (!all && opens_with('{')) {
    const std::string_view ahead = input.ahead().substr(0, kWindow);
    const std::size_t line_end = ahead.find('\n', begin);
    if (trim(ahead.substr(begin, line_end - begin)) == "{" &&
        end_of_value(ahead, begin).offset == std::string_view::npos) {
      unreadable("the object does not end within 1 MiB; it begins", LineCounter(ahead).at(begin));
    }
  }
  if (!all || !split_value(input.ahead(), sink)) split_lines(input, sink);
}

bool split_pages(Input& input, const RawSink& sink) {
  skip_bom(input);
  const std::string_view content = input.rest(Limits::kDocumentBytes);
  std::vector<std::pair<std::size_t, std::size_t>> arrays;
  std::size_t at = content.find_first_not_of(kBlank);
  while (at != std::string_view::npos && content[at] == '[') {
    const std::size_t end = end_of_value(content, at).offset;
    if (end == std::string_view::npos) break;
    arrays.emplace_back(at, end);
    at = content.find_first_not_of(kBlank, end);
  }
  if (arrays.empty() || at != std::string_view::npos) {
    if (split_value(content, sink)) return false;
    // The content may still be one object on one line; anything else is unreadable.
    const std::string_view text = trim(content);
    if (text.empty() || text.front() != '{' || end_of_value(text, 0).offset != text.size()) {
      unreadable("this is not one JSON array, nor one JSON object", 1);
    }
    const auto offset = static_cast<std::size_t>(text.data() - content.data());
    sink(raw_item(LineCounter(content).at(offset), text, false));
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
  if (begin == std::string_view::npos) return {};
  const auto ends = [&](std::size_t at) { return end_of_value(text, at).offset; };
  if (text[begin] == '[') {
    std::size_t whole = 0, at = begin;  // of arrays, one after the other
    while (at != std::string_view::npos && text[at] == '[') {
      const std::size_t end = ends(at);
      if (end == std::string_view::npos) return text.substr(0, whole);
      whole = end;
      at = text.find_first_not_of(kBlank, end);
    }
    return text;
  }
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  if (trim(text.substr(begin, line_end - begin)) == "{")
    return ends(begin) == std::string_view::npos ? text.substr(0, 0) : text;
  const std::size_t last = text.rfind('\n') + 1;  // 0: there is one line
  const std::string_view line = trim(text.substr(last));
  const bool is_whole =
      line.empty() || (line.front() == '{' && end_of_value(line, 0).offset == line.size());
  return is_whole ? text : text.substr(0, last);
}

}  // namespace hebb
