// Lists of a tracker: their pages, and whether they are whole.
#include <algorithm>
#include <charconv>
#include <deque>
#include <numeric>

#include <fmt/format.h>

#include "engine/input/recognise.h"
#include "engine/input/tracker.h"

namespace hebb::input {

namespace {

void add_page(const Mapping& mapping, std::string_view page, Listed& listed) {
  ++listed.pages;
  const auto value = [&](const std::string& field) { return value_in_first(page, field); };
  for (const std::string& field : mapping["total"].texts) {
    std::size_t total = 0;
    const std::string_view text = value(field);
    std::from_chars(text.data(), text.data() + text.size(), total);
    if (total > 0) listed.totals.insert(total);
  }
  for (const std::string& field : mapping["cut"].texts)
    listed.is_cut = listed.is_cut || value(field).starts_with("true");
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
  const auto page = [&](std::string_view text) { add_page(mapping, text, listed); };
  const bool is_list = split_items(held, add, {mapping["list"].text(), page});
  listed.is_list = is_list || items.size() > 1 || !mapping["single"];
  read_list(mapping, items, std::move(listed), options, sink);
}

void read_list(const Mapping& mapping, const std::vector<RawItem>& items, Listed listed,
               const ReadOptions& options, const ItemSink& sink) {
  listed.has_empty = items.empty();
  ReadOptions of_input = options;
  if (options.listed) of_input.listed = &listed;
  Tickets(mapping, of_input, sink).read(items);
  if (options.listed) options.listed->add(listed);
}

}  // namespace hebb::input

namespace hebb {

std::set<std::string> homes_in(const Format& format, Input& input) {
  using namespace input;
  std::set<std::string> homes;
  if (!format.of_tracker || format.whole) return homes;
  const Mapping& mapping = mapping_of(format.name);
  JsonReader reader;
  const auto add = [&](const RawItem& raw) {
    const auto home =
        attempt(raw, [&](std::string_view text) { return home_in(mapping, reader.parse(text)); });
    const auto* known = std::get_if<std::string>(&home);
    if (known && !known->empty()) homes.insert(*known);
  };
  split_items(input, add, {mapping["list"].text(), [](std::string_view) {}});
  return homes;
}

static std::size_t sum(const std::set<std::size_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::size_t{0});
}

void Listed::add(const Listed& other) {
  ids.insert(other.ids.begin(), other.ids.end());
  homes.insert(other.homes.begin(), other.homes.end());
  is_list = is_list || other.is_list;
  has_unread = has_unread || other.has_unread;
  has_empty = has_empty || other.has_empty;
  has_stale = has_stale || other.has_stale;
  items.insert(other.items.begin(), other.items.end());
  const std::size_t total = sum(other.totals);
  if (other.items.size() < total) {
    items_of_parts.insert(other.items.begin(), other.items.end());
    totals_of_parts.insert(total);
  }
  items_of_parts.insert(other.items_of_parts.begin(), other.items_of_parts.end());
  totals_of_parts.insert(other.totals_of_parts.begin(), other.totals_of_parts.end());
  pages += other.pages;
  going_on += other.going_on;
  says_last = says_last || other.says_last;
  is_last = is_last || other.is_last;
  is_cut = is_cut || other.is_cut;
}

std::string Listed::cut_off() const {
  const std::size_t all = sum(totals_of_parts);
  if (items_of_parts.size() < all)
    return fmt::format("it has {} of {} items", items_of_parts.size(), all);
  if (is_cut) return "its tracker says that it is incomplete";
  const bool goes_on = pages > 0 && ((says_last && !is_last) || going_on == pages);
  return goes_on ? "it says that another page follows" : "";
}

std::string Listed::missing() const {
  if (has_unread) return "some of its items cannot be read";
  if (has_stale) return "it is from before a change that is known of one of its tasks";
  return has_empty ? "a part of it lists no tasks" : cut_off();
}

}  // namespace hebb
