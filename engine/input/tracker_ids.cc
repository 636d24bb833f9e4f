// Where tasks of a tracker come from, and their ids: a database may have tasks of several
// repositories or sites.
#include <cstdlib>

#include <fmt/format.h>

#include "engine/input/tracker.h"
#include "engine/values/canonical_json.h"

namespace hebb::input {

Origin origin_of(const Mapping& mapping, Element whole, Element item) {
  const auto text = [&](Key key) -> std::string {
    auto value = value_of(whole, mapping[key]);
    if (!value) value = value_of(item, mapping[key]);
    std::uint64_t n = 0;
    if (value && value->get(n) == simdjson::SUCCESS) return std::to_string(n);
    return value && value->is_string() ? std::string(value->get_string().value()) : std::string();
  };
  Origin origin{text("shown_number"), text("url")};
  std::string& url = origin.url;
  if (const std::string_view before = mapping["url_before"].text(); !before.empty()) {
    const auto end = url.find(before);
    url = end == url.npos ? ""
                          : fmt::format("{}{}{}", url.substr(0, end), mapping["url_then"].text(),
                                        origin.number);
  }
  if (const std::string name = text("home_name"); url.empty() && !name.empty())
    url = fmt::format("{}{}{}{}", mapping["home_site"].text(), name, mapping["home_before"].text(),
                      origin.number);
  if (!url.starts_with("https://") && !url.starts_with("http://")) url.clear();
  return origin;
}

std::string origin_json(const Mapping& mapping, const Origin& origin, std::string_view prefix,
                        bool is_dated) {
  std::string json = "{";
  const auto add = [&](std::string_view name, std::string_view value) {
    constexpr std::size_t kMost = 2048;  // bytes; a longer text is left out, and the task is taken
    if (value.empty() || value.size() > kMost) return;
    json += fmt::format(R"({}"{}":{})", json.size() > 1 ? "," : "", name, json_text(value));
  };
  if (!is_dated) add("made", "unknown");
  add("number", origin.number);
  add("prefix", prefix);
  add("source", mapping.name);
  add("url", origin.url);
  return json + "}";
}

std::string_view home_of(const Mapping& mapping, std::string_view url) {
  const Setting& behind = mapping[mapping["home_before"] ? Key("home_before") : Key("url_then")];
  const std::size_t end = behind ? url.rfind(behind.text()) : url.npos;
  return end == url.npos ? std::string_view() : url.substr(0, end);
}

std::string home_in(const Mapping& mapping, Element item) {
  return std::string(home_of(mapping, origin_of(mapping, item, item).url));
}

std::string id_with_home(std::string_view prefix, std::string_view home, std::string_view id) {
  for (const std::string_view start : {"https://", "http://"})
    if (home.starts_with(start)) home.remove_prefix(start.size());
  return fmt::format("{}{}/{}", prefix, home, id);
}

std::string id_in_tracker(const Mapping& mapping, Element value, std::string_view path) {
  if (!mapping["number"]) return std::string(as_name(value, path));
  std::uint64_t n = 0;
  if (value.get(n) != simdjson::SUCCESS || n == 0) {
    refuse(value.is_number() ? refusal::kOutOfRange : refusal::kWrongType,
           fmt::format("{}: must be a whole number of at least 1", path));
  }
  return fmt::format("{}{}", mapping["number"].text(), n);
}

bool is_same_second(TimeMs a, TimeMs b) {
  constexpr TimeMs kSecond = 1000;
  return std::abs(a - b) < kSecond;
}

bool is_made_at(const HeldBefore::Node& node, std::optional<TimeMs> time) {
  return time && !node.is_undated && node.made_at != graph::kNever &&
         is_same_second(node.made_at, *time);
}

std::string TaskIds::own(const std::string& id, std::string_view path,
                         std::optional<TimeMs> made_at) const {
  const HeldBefore::Node* node = known(options_.prefix + id);
  return id_at(id, home_, path, node && is_made_at(*node, made_at), false);
}

// A task of another home has an id with that home, and so has one whose number belongs to a task of
// another home here. A repository that was renamed has its tasks here under its earlier name.
std::string TaskIds::other(const std::string& id, std::string_view home,
                           std::string_view path) const {
  const HeldBefore::Node* node = known(options_.prefix + id);
  const std::string before(node ? home_of(m_, node->url) : "");
  const bool is_known = !before.empty() && !home.empty();
  const bool is_renamed = is_known && home == home_ && homes_.earlier.contains(before);
  return id_at(id, home, path, is_renamed,
               home != home_ || (is_known && before != home && !is_renamed));
}

std::optional<std::string> TaskIds::at_end(std::string_view address, std::string_view path) const {
  const std::string_view number = address.substr(address.rfind('/') + 1);
  if (number.empty() || number.find_first_not_of("0123456789") != number.npos)
    refuse(refusal::kBadValue, fmt::format("{}: does not end with a number", path));
  const auto name = [](std::string_view home) {  // OWNER/REPOSITORY
    return home.substr(home.rfind('/', home.rfind('/') - 1) + 1);
  };
  const std::string_view here = home_, there = home_of(m_, address);
  const bool is_here = here.empty() || there.empty() || name(here) == name(there);
  if (!is_here && !homes_.are_several) return std::nullopt;
  const std::string site(here.substr(0, here.size() - name(here).size()));
  return other(fmt::format("{}{}", m_["number"].text(), number),
               is_here ? home_ : site + std::string(name(there)), path);
}

const HeldBefore::Node* TaskIds::known(const std::string& id) const {
  return options_.before ? options_.before->find(id) : nullptr;
}

// The tracker's own id, with the prefix that was asked for. The home stands before it where the
// list has tasks of several, where such an id is known, or where the task is of another home.
// is_here: it is known to be that of the task.
std::string TaskIds::id_at(const std::string& id, std::string_view home, std::string_view path,
                           bool is_here, bool is_elsewhere) const {
  std::string here = options_.prefix + id, longer = id_with_home(options_.prefix, home, id);
  const HeldBefore::Node* node = home.empty() ? nullptr : known(here);
  is_here = is_here || (node && home_of(m_, node->url) == home);
  const bool has_home = is_elsewhere || homes_.are_several || known(longer);
  std::string& chosen = home.empty() || is_here || !has_home ? here : longer;
  check_id(chosen, path);
  return std::move(chosen);
}

}  // namespace hebb::input
