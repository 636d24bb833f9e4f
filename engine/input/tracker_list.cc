// Lists of a tracker: their pages, and whether they are whole.
#include <algorithm>
#include <charconv>
#include <deque>

#include <fmt/format.h>

#include "engine/input/recognise.h"
#include "engine/input/tracker.h"

namespace hebb::input {

namespace {

void add_page(const Mapping& mapping, std::string_view page, std::size_t items, Listed& listed) {
  ++listed.pages;
  listed.items += items;
  const auto value = [&](const std::string& field) { return value_in_first(page, field); };
  for (const std::string& field : mapping["total"].texts) {
    std::size_t total = 0;
    const std::string_view text = value(field);
    std::from_chars(text.data(), text.data() + text.size(), total);
    listed.total = std::max(listed.total, total);
  }
  for (const std::string& field : mapping["last"].texts) {
    listed.says_last = listed.says_last || !value(field).empty();
    listed.is_last = listed.is_last || value(field).starts_with("true");
  }
  const auto& next = mapping["next"].texts;
  listed.going_on += std::any_of(next.begin(), next.end(), [&](const std::string& field) {
    const std::string_view text = value(field);  // with what follows it
    return text.starts_with('t') || (text.starts_with('"') && !text.starts_with("\"\""));
  });
}

}  // namespace

void read_tracker(const Mapping& mapping, Input& input, const ReadOptions& options,
                  const ItemSink& sink) {
  Input held(input.rest(Limits::kDocumentBytes));  // items refer to its bytes
  if (!mapping["lines"] && beginning_of(held).empty()) throw UnreadableInput(kEmpty);
  std::vector<RawItem> items;
  Listed listed;
  std::deque<std::string> kept;  // of items that are too long: of these the splitter keeps no text
  const auto add = [&](const RawItem& raw) {
    items.push_back(raw);
    if (!raw.hash.empty()) items.back().text = kept.emplace_back(raw.text);
  };
  const auto page = [&](std::string_view text, std::size_t count) {
    add_page(mapping, text, count, listed);
  };
  const bool is_list = split_items(held, add, {mapping["list"].text(), page});
  listed.is_list = is_list || items.size() > 1 || !mapping["single"];
  Tickets(mapping, options, sink).read(items);
  if (options.listed) options.listed->add(listed);
}

}  // namespace hebb::input

namespace hebb {

void Listed::add(const Listed& other) {
  ids.insert(other.ids.begin(), other.ids.end());
  homes.insert(other.homes.begin(), other.homes.end());
  is_list = is_list || other.is_list;
  has_unread = has_unread || other.has_unread;
  pages += other.pages;
  items += other.items;
  total = std::max(total, other.total);
  going_on += other.going_on;
  says_last = says_last || other.says_last;
  is_last = is_last || other.is_last;
}

std::string Listed::missing() const {
  if (has_unread) return "some of its items cannot be read";
  if (items < total) return fmt::format("it has {} of {} items", items, total);
  const bool goes_on = pages > 0 && ((says_last && !is_last) || going_on == pages);
  return goes_on ? "it says that another page follows" : "";
}

}  // namespace hebb
