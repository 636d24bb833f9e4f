// The ids of tasks of several repositories or sites in one database.
#include <fmt/format.h>

#include "engine/input/tracker.h"

namespace hebb::input {

std::string TaskIds::own(const std::string& id, std::string_view path) {
  return own_ = id_at(id, home_, path, false);
}

std::string TaskIds::other(const std::string& id, std::string_view home,
                           std::string_view path) const {
  return id_at(id, home, path, home != home_ || is_anothers(id, home));
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
  if (!is_here && !several_) return std::nullopt;
  const std::string site(here.substr(0, here.size() - name(here).size()));
  return other(fmt::format("{}{}", m_["number"].text(), number),
               is_here ? home_ : site + std::string(name(there)), path);
}

const HeldBefore::Node* TaskIds::known(const std::string& id) const {
  return options_.before ? options_.before->find(id) : nullptr;
}

// The tracker's own id, with the prefix that was asked for. The home stands before it where the
// list has tasks of several, where such an id is known, or where the task is of another home.
std::string TaskIds::id_at(const std::string& id, std::string_view home, std::string_view path,
                           bool is_elsewhere) const {
  std::string here = options_.prefix + id, longer = id_with_home(options_.prefix, home, id);
  const HeldBefore::Node* node = home.empty() ? nullptr : known(here);
  const bool is_here = node && home_of(m_, node->url) == home;
  const bool has_home = is_elsewhere || several_ || known(longer);
  std::string& chosen = home.empty() || is_here || !has_home ? here : longer;
  check_id(chosen, path);
  return std::move(chosen);
}

// Whether a task of that home, of which only the id is known, is another one than that with the id
// here. A repository that got another name has its tasks here under the old one.
bool TaskIds::is_anothers(const std::string& id, std::string_view home) const {
  const HeldBefore::Node *node = known(options_.prefix + id), *own = known(own_);
  const bool is_renamed = own && home_of(m_, own->url) != home_;
  const std::string_view before = node ? home_of(m_, node->url) : "";
  return !home.empty() && !before.empty() && before != home && !is_renamed;
}

}  // namespace hebb::input
