#include "skill/browser/element.h"

#include <algorithm>
#include <array>

namespace hebb::skill {
namespace {

constexpr std::size_t kFound = 200;  // most elements to look up for one selector

// Chromium's name of a role that has another name in other programs.
std::string role_here(const std::string& role) {
  if (role == "img") return "image";
  return role;
}
std::string role_elsewhere(const std::string& role) {
  if (role == "image") return "img";
  return role;
}

// Nodes of the accessibility tree that are only parts of an element's text.
bool is_text_part(const std::string& role) {
  return role == "StaticText" || role == "InlineTextBox" || role == "LineBreak";
}

}  // namespace

std::string value_in(const Json& node, const char* key) {
  return text_member(member(node, key), "value");
}

std::string squeeze(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool no_break = text.substr(i).starts_with("\u00a0");
    if (no_break || text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) {
      if (!out.empty() && out.back() != ' ') out += ' ';
      i += no_break ? 1 : 0;
    } else {
      out += text[i];
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

Identity recorded_identity(const Chain& chain) {
  for (const Selector& s : chain) {
    if (s.type == SelectorType::role_name && s.exact) return {s.role, squeeze(s.value)};
  }
  for (const Selector& s : chain) {
    if (s.type == SelectorType::accessible_name && s.exact) return {"", squeeze(s.value)};
  }
  return {};
}

std::vector<Element> Finder::find(const std::string& frame, const Selector& selector,
                                  Deadline deadline) {
  try {
    std::optional<Element> root;
    for (const Selector& outer : selector.within) {
      const auto found = find_in(frame, outer, root, deadline);
      if (found.size() != 1) return {};
      root = found.front();
    }
    return find_in(frame, selector, root, deadline);
  } catch (const CdpRefused&) {
    return {};  // the page changed during the search
  }
}

std::vector<std::vector<Element>> Finder::find_all(const std::string& frame, const Chain& chain,
                                                   Deadline deadline) {
  std::vector<std::vector<Element>> found(chain.size());
  std::vector<std::size_t> at;
  Json together = Json::array();
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const Selector& s = chain[i];
    const bool script = s.type != SelectorType::node_ref && !uses_name(s.type);
    if (script && s.within.empty() && s.has_text.empty() && !s.nth) {
      at.push_back(i);
      together.push_back(in_json(s));
    } else {
      found[i] = find(frame, s, deadline);
    }
  }
  if (at.empty()) return found;
  auto all = by_script(frame, together, std::nullopt, deadline);
  for (std::size_t k = 0; k < at.size(); ++k) found[at[k]] = std::move(all[k]);
  return found;
}

std::vector<Element> Finder::find_in(const std::string& frame, const Selector& s,
                                     const std::optional<Element>& root, Deadline deadline) {
  // A node_ref is a number within the recorder's page load, without meaning in another one.
  if (s.type == SelectorType::node_ref) return {};
  // Unlike ARIA, Chromium does not name rows by their content, and does not report some rows.
  const bool row = s.type == SelectorType::role_name && s.role == "row" && !s.value.empty();
  const Selector rows = by(SelectorType::css, "tr:not([role]), [role=row]");
  auto found =
      uses_name(s.type) && !row
          ? by_accessibility(frame, s, root, deadline)
          : by_script(frame, Json::array({in_json(row ? rows : s)}), root, deadline).front();
  if (row) {
    found = kept("(s, ...all) => all.map((e) => __hebb.same(__hebb.textOf(e), s))", in_json(s),
                 std::move(found), deadline);
  }
  if (!s.has_text.empty()) {
    found = kept("(t, ...all) => all.map((e) => __hebb.hasText(e, t))", s.has_text,
                 std::move(found), deadline);
  }
  if (!s.nth) return found;
  const auto count = static_cast<std::int64_t>(found.size());
  const std::int64_t at = *s.nth < 0 ? count + *s.nth : *s.nth;
  if (at < 0 || at >= count) return {};
  return {found[static_cast<std::size_t>(at)]};
}

Json Finder::in_json(const Selector& s) const {
  return {{"type", selector_type_name(s.type)},
          {"value", s.value},
          {"exact", s.exact},
          {"begins", begins_}};
}

std::vector<Element> Finder::kept(const std::string& function, const Json& argument,
                                  std::vector<Element> elements, Deadline deadline) {
  if (elements.empty()) return elements;
  Json given = Json::array({argument});
  for (const Element& e : elements) given.push_back(e.reference());
  const Json is = browser_.run(elements.front().frame, function, given, deadline);
  std::vector<Element> left;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (is.is_array() && i < is.size() && is[i] == true) left.push_back(std::move(elements[i]));
  }
  return left;
}

std::vector<Element> Finder::by_accessibility(const std::string& frame, const Selector& s,
                                              const std::optional<Element>& root,
                                              Deadline deadline) {
  Json asked{{"objectId", root ? root->object : browser_.document(frame, deadline)}};
  if (s.type == SelectorType::role_name) asked["role"] = role_here(s.role);
  if (s.exact) asked["accessibleName"] = s.value;
  const Json answer = query_tree(frame, {asked}, deadline).front();
  std::vector<Json> ids;
  Json names = Json::array();
  for (const Json& node : answer.value("nodes", Json::array())) {
    if (!node.is_object() || is_true(node, "ignored")) continue;
    const std::string role = value_in(node, "role"), name = value_in(node, "name");
    if (is_text_part(role) || (s.exact && squeeze(name) != squeeze(s.value))) continue;
    // A name without a role finds only elements that a person can act on.
    const bool plain =
        role == "generic" || role == "LabelText" || role == "none" || role == "RootWebArea";
    if (s.type == SelectorType::accessible_name && plain) continue;
    const Json id = node.value("backendDOMNodeId", Json());
    if (!id.is_number_integer()) continue;
    ids.push_back(id);
    names.push_back(name);
    if (ids.size() == kFound) break;
  }
  if (!s.exact && !s.value.empty() && !ids.empty()) {
    const Json is = browser_.run(frame, "(s, names) => names.map((n) => __hebb.same(n, s))",
                                 {in_json(s), names}, deadline);
    std::vector<Json> fit;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (is.is_array() && i < is.size() && is[i] == true) fit.push_back(ids[i]);
    }
    ids = std::move(fit);
  }
  return elements_of_nodes(frame, ids, deadline);
}

std::vector<Json> Finder::query_tree(const std::string& frame, const std::vector<Json>& params,
                                     Deadline deadline) {
  const std::string session = browser_.require_frame(frame).session;
  std::vector<Command> asked;
  for (const Json& p : params) asked.push_back({"Accessibility.queryAXTree", p, session});
  // Chromium answers queries when it next brings the tree up to date, which can be 16 ms later,
  // with the page's next frame. For the tree of one node it updates at once after a change.
  asked.push_back({"Accessibility.getPartialAXTree",
                   {{"objectId", browser_.document(frame, deadline)}, {"fetchRelatives", false}},
                   session,
                   true});
  auto answers = browser_.call_all(asked, deadline);
  answers.pop_back();
  return answers;
}

std::vector<std::vector<Element>> Finder::by_script(const std::string& frame, const Json& selectors,
                                                    const std::optional<Element>& root,
                                                    Deadline deadline) {
  const Json list =
      browser_.run(frame, "(all, r) => all.flatMap((s) => [...__hebb.find(s, r), null])",
                   {selectors, root ? root->reference() : Json(nullptr)}, deadline, false);
  std::vector<std::vector<Element>> found(1);
  const Json members =
      browser_.call("Runtime.getProperties",
                    {{"objectId", text_member(list, "objectId")}, {"ownProperties", true}},
                    browser_.require_frame(frame).session, deadline);
  for (const Json& member : members.value("result", Json::array())) {
    const std::string name = text_member(member, "name");
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string object = text_member(member.value("value", Json()), "objectId");
    if (object.empty()) found.emplace_back();
    if (!object.empty() && found.back().size() < kFound) found.back().push_back({frame, object});
  }
  return found;
}

std::vector<Element> Finder::elements_of_nodes(const std::string& frame,
                                               const std::vector<Json>& ids, Deadline deadline) {
  if (ids.empty()) return {};
  // The objects must belong to hebb's own world, because its functions accept no others.
  const std::int64_t world = browser_.world_of(frame, deadline);
  const std::string session = browser_.require_frame(frame).session;
  std::vector<Command> asked;
  for (const Json& id : ids) {
    asked.push_back(
        {"DOM.resolveNode", {{"backendNodeId", id}, {"executionContextId", world}}, session});
  }
  std::vector<Element> found;
  for (const Json& answer : browser_.call_all(asked, deadline)) {
    const std::string object = text_member(answer.value("object", Json()), "objectId");
    if (object.empty()) throw CdpRefused("the element is gone");
    found.push_back({frame, object});
  }
  return found;
}

Identity Finder::identity(const Element& element, Deadline deadline) {
  return identity_of(browser_.call_all({identity_command(element)}, deadline).front());
}

Command Finder::identity_command(const Element& element) {
  return {"Accessibility.getPartialAXTree",
          {{"objectId", element.object}, {"fetchRelatives", false}},
          browser_.require_frame(element.frame).session};
}

Identity Finder::identity_of(const Json& answer) {
  for (const Json& node : answer.value("nodes", Json::array())) {
    if (!node.is_object()) continue;
    return {role_elsewhere(value_in(node, "role")), squeeze(value_in(node, "name"))};
  }
  return {};
}

std::vector<Identity> Finder::controls(const std::string& frame, Deadline deadline) {
  constexpr auto kRoles = std::to_array<std::string_view>(
      {"textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "button", "spinbutton",
       "slider", "switch", "Date", "DateTime", "InputTime", "ColorWell"});
  const std::string document = browser_.document(frame, deadline);
  std::vector<Json> asked;
  for (const std::string_view role : kRoles)
    asked.push_back({{"objectId", document}, {"role", role}});
  const auto answers = query_tree(frame, asked, deadline);
  std::vector<Identity> found;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (const Json& node : answers[i].value("nodes", Json::array())) {
      if (!node.is_object() || is_true(node, "ignored")) continue;
      found.push_back({std::string(kRoles[i]), squeeze(value_in(node, "name"))});
      if (found.size() == kFound) return found;
    }
  }
  return found;
}

}  // namespace hebb::skill
