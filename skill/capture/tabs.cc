#include "skill/capture/tabs.h"

#include <algorithm>
#include <charconv>

namespace hebb::skill {
namespace {

// The number before a colon, as in "3: Shop (http://a/)"; nullopt: it is another line.
std::optional<std::int64_t> number_of(std::string_view line) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  const bool listed = error == std::errc() && end != line.data() + line.size() && *end == ':';
  return listed ? std::optional(number) : std::nullopt;
}

// The lines below one of these headings that list a page: each has the bullet, a number, and the
// mark.
std::vector<std::string_view> listed(std::string_view text,
                                     std::initializer_list<std::string_view> headings,
                                     std::string_view bullet, std::string_view mark) {
  std::vector<std::string_view> lines;
  bool below = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with('#')) {
      below = std::find(headings.begin(), headings.end(), line) != headings.end();
    } else if (below && line.starts_with(bullet) && line.find(mark) != line.npos &&
               number_of(line.substr(bullet.size()))) {
      lines.push_back(line.substr(bullet.size()));
    }
  }
  return lines;
}

std::optional<std::int64_t> integer(const Json& args, const char* key) {
  const auto found = args.find(key);
  if (found == args.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

}  // namespace

void Tabs::see(std::string_view text) {
  const auto places = listed(text, {"### Open tabs", "### Result"}, "- ", "](");
  // With several pages, information about one comes with the list of all.
  const bool page = text.starts_with("### Page\n") || text.find("\n### Page\n") != text.npos;
  if (!places.empty()) see_places(places);
  if (places.empty() && page && places_.size() > 1) lost_ = true;
  see_ids(listed(text, {"## Pages", "## Opened pages"}, "", ""));
}

void Tabs::see_places(const std::vector<std::string_view>& lines) {
  if (lines.size() < places_.size()) lost_ = true;
  while (places_.size() < lines.size()) places_.push_back(next_++);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find(": (current) ") != std::string_view::npos) current_ = i;
  }
}

void Tabs::see_ids(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    const std::int64_t id = *number_of(line);
    if (line.ends_with(" [selected]")) selected_ = id;
    if (tabs_.empty()) {
      before_.insert(id);
    } else if (!before_.contains(id) && !tabs_.contains(id)) {
      tabs_.emplace(id, next_++);
    }
  }
}

bool Tabs::has_ids(const Json& args) const { return selected_ != 0 || integer(args, "pageId"); }
std::int64_t Tabs::id_of(const Json& args) const {
  return integer(args, "pageId").value_or(selected_);
}

std::optional<std::int64_t> Tabs::of(const Json& args) const {
  if (has_ids(args)) {
    if (tabs_.empty()) return 0;
    const auto found = tabs_.find(id_of(args));
    return found == tabs_.end() ? std::nullopt : std::optional(found->second);
  }
  if (lost_ || current_ >= places_.size()) return std::nullopt;
  return places_[current_];
}

void Tabs::begin(const Json& args) {
  if (has_ids(args) && tabs_.empty()) tabs_.emplace(id_of(args), 0);
}

std::optional<std::int64_t> Tabs::close(const Json& args) {
  if (has_ids(args)) return of(args);
  const auto place = integer(args, "index").value_or(static_cast<std::int64_t>(current_));
  if (lost_ || place < 0 || place >= static_cast<std::int64_t>(places_.size())) return std::nullopt;
  const std::int64_t tab = places_[static_cast<std::size_t>(place)];
  places_.erase(places_.begin() + place);
  current_ = 0;
  return tab;
}

}  // namespace hebb::skill
