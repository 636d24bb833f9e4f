// The ids of tasks of several repositories or sites in one database.
#include <cstdlib>

#include <fmt/format.h>

#include "engine/input/tracker.h"

namespace hebb::input {

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
