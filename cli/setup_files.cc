#include "cli/setup_files.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "api/field.h"

namespace hebb::cli {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// A member of an object or an item of a list, as positions in valid JSON.
struct Part {
  std::size_t begin, value, end;  // begin: of a member, of its name
  std::string name;
};

std::size_t past_blanks(const std::string& text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

std::size_t past_value(const std::string& text, std::size_t at) {
  int depth = 0;
  do {
    if (text[at] == '"') {
      while (text[++at] != '"') at += text[at] == '\\';
      ++at;
    } else if (text[at] == '{' || text[at] == '[') {
      ++depth, ++at;
    } else if (text[at] == '}' || text[at] == ']') {
      --depth, ++at;
    } else {
      at = std::min(text.find_first_of(" \t\r\n,:{}[]\"", at + 1), text.size());
    }
    if (depth > 0)  // skips separators
      at = std::min(text.find_first_not_of(" \t\r\n,:", at), text.size());
  } while (depth > 0);
  return at;
}

// The parts of the object or list at `at`.
std::vector<Part> parts_at(const std::string& text, std::size_t at) {
  std::vector<Part> parts;
  const bool named = text[at] == '{';
  for (at = past_blanks(text, at + 1); text[at] != '}' && text[at] != ']';) {
    Part part{at, at, 0, {}};
    if (named) {
      const std::size_t end = past_value(text, at);
      part.name = Json::parse(text.substr(at, end - at)).get<std::string>();
      part.value = past_blanks(text, past_blanks(text, end) + 1);
    }
    part.end = past_value(text, part.value);
    at = past_blanks(text, part.end);
    if (text[at] == ',') at = past_blanks(text, at + 1);
    parts.push_back(std::move(part));
  }
  return parts;
}

Json value_in(const std::string& text, const Part& part) {
  return json_or_discarded(std::string_view(text).substr(part.value, part.end - part.value));
}

void require_json(const std::string& text) {
  try {
    api::parse_json(text, "file");
  } catch (const std::exception&) {
    throw std::invalid_argument("it is no strict JSON: a comment, or a comma too many, perhaps");
  }
}

// The positions of the objects and lists on the way to the entry, as far as they exist: the last is
// the entry's container, or the one in which the next must be made.
std::vector<std::size_t> way_to(const std::string& text, const JsonEntry& entry) {
  std::vector<std::size_t> way{past_blanks(text, 0)};
  const std::size_t steps = entry.path.size() - (entry.item ? 0 : 1);
  for (std::size_t i = 0;; ++i) {
    const char begins = i == steps && entry.item ? '[' : '{';
    if (text[way.back()] != begins) {
      throw std::invalid_argument(
          fmt::format("{} is no {}", i == 0 ? "it" : fmt::format("\"{}\"", entry.path[i - 1]),
                      begins == '[' ? "list" : "object"));
    }
    if (i == steps) return way;
    const auto parts = parts_at(text, way.back());
    const auto next = std::ranges::find(parts, entry.path[i], &Part::name);
    if (next == parts.end()) return way;
    way.push_back(next->value);
  }
}

// The part of the container that is in the entry's place.
std::optional<std::size_t> find_part(const std::string& text, const std::vector<Part>& parts,
                                     const JsonEntry& entry) {
  const auto found = std::ranges::find_if(parts, [&](const Part& part) {
    return entry.item ? entry.ours(value_in(text, part)) : part.name == entry.path.back();
  });
  if (found == parts.end()) return std::nullopt;
  return static_cast<std::size_t>(found - parts.begin());
}

bool is_whole(const std::vector<std::size_t>& way, const JsonEntry& entry) {
  return way.size() == entry.path.size() + (entry.item ? 1 : 0);
}

std::string indented(const Json& value, const std::string& indent) {
  std::string text = indent.find('\t') == std::string::npos ? value.dump(2) : value.dump(1, '\t');
  for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += indent.size())
    text.replace(i, 1, indent);
  return text;
}

}  // namespace

std::string with(const std::string& text, const JsonEntry& entry) {
  if (past_blanks(text, 0) == text.size()) {
    Json whole = entry.item ? Json::array({entry.value}) : entry.value;
    for (auto name = entry.path.rbegin(); name != entry.path.rend(); ++name)
      whole = Json{{*name, std::move(whole)}};
    return whole.dump(2) + "\n";
  }
  require_json(text);
  const auto way = way_to(text, entry);
  const std::size_t at = way.back();
  const auto parts = parts_at(text, at);
  std::string result = text;
  // The blanks between the bracket and the first part also separate the other parts.
  const std::string blanks = parts.empty() ? "" : text.substr(at + 1, parts[0].begin - at - 1);
  const std::string indent = blanks.find('\n') == std::string::npos ? "\n" : blanks;
  if (is_whole(way, entry)) {
    if (const auto there = find_part(text, parts, entry)) {
      const Part& part = parts[*there];
      const Json value = value_in(text, part);
      if (value == entry.value || !entry.ours(value)) return text;
      return result.replace(part.value, part.end - part.value, indented(entry.value, indent));
    }
  }
  Json value = entry.value;
  // Makes missing objects and lists on the way.
  const std::size_t first = way.size() - 1;
  std::size_t last = entry.path.size();
  if (entry.item && first < last) value = Json::array({std::move(value)});
  for (; last > first + 1; --last) value = Json{{entry.path[last - 1], std::move(value)}};
  std::string part = indented(value, indent);
  if (first < entry.path.size()) part = fmt::format("{}: {}", Json(entry.path[first]).dump(), part);
  if (parts.empty()) return result.insert(at + 1, part);
  return result.insert(parts.back().end, "," + blanks + part);
}

std::string without(const std::string& text, const JsonEntry& entry) {
  if (past_blanks(text, 0) == text.size()) return text;
  require_json(text);
  auto way = way_to(text, entry);
  if (!is_whole(way, entry)) return text;
  auto parts = parts_at(text, way.back());
  auto there = find_part(text, parts, entry);
  if (!there || !entry.ours(value_in(text, parts[*there]))) return text;
  // Containers made by with() have blanks after the bracket; an empty one that existed before has
  // none. So one that was made for the entry is removed with it.
  while (parts.size() == 1 && parts[0].begin > way.back() + 1) {
    if (way.size() == 1) return {};
    const std::size_t inner = way.back();
    way.pop_back();
    parts = parts_at(text, way.back());
    there = static_cast<std::size_t>(std::ranges::find(parts, inner, &Part::value) - parts.begin());
  }
  const std::size_t i = *there;
  const std::size_t begin = i > 0 ? parts[i - 1].end : parts[i].begin;
  const std::size_t end = i == 0 && parts.size() > 1 ? parts[1].begin : parts[i].end;
  return std::string(text).erase(begin, end - begin);
}

namespace {

struct Range {
  std::size_t begin, end;
};

std::optional<Range> find_block(const std::string& text, const Block& block) {
  std::size_t begin = 0;
  if (!text.starts_with(block.begin)) {
    begin = text.find(fmt::format("\n{}", block.begin));
    if (begin == std::string::npos) return std::nullopt;
    ++begin;
  }
  const std::size_t end = text.find(fmt::format("\n{}", block.end), begin);
  if (end == std::string::npos)
    throw std::invalid_argument(fmt::format("the line \"{}\" is missing", block.end));
  const std::size_t again = text.find(fmt::format("\n{}", block.begin), begin);
  if (again != std::string::npos)
    throw std::invalid_argument(fmt::format("two lines begin with \"{}\"", block.begin));
  const std::size_t behind = end + 1 + block.end.size();
  return Range{begin, behind + (behind < text.size() && text[behind] == '\n' ? 1 : 0)};
}

}  // namespace

std::string with(const std::string& text, const Block& block) {
  std::string result = text;
  if (const auto there = find_block(text, block))
    return result.replace(there->begin, there->end - there->begin, block.text);
  return text.empty() ? block.text : text + "\n" + block.text;
}

std::string without(const std::string& text, const Block& block) {
  const auto there = find_block(text, block);
  if (!there) return text;
  // with() puts an empty line before the block. It is removed too, unless it separates other text.
  const bool set_off = there->begin > 0 && (there->end == text.size() || there->begin == 1 ||
                                            text[there->begin - 2] == '\n');
  const std::size_t begin = there->begin - (set_off ? 1 : 0);
  return std::string(text).erase(begin, there->end - begin);
}

}  // namespace hebb::cli
