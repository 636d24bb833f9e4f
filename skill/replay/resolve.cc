#include "skill/replay/resolve.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "text/ascii.h"

namespace hebb::skill {
namespace {

// Whether the selector uses the place of the element among others.
bool uses_place(const Selector& s) { return s.nth.has_value() || counts_places(s); }

// Whether an xpath compares something with a text.
bool uses_text(const Selector& s) {
  return s.type == SelectorType::xpath && s.value.find_first_of("'\"") != std::string::npos;
}

bool counts_siblings(const Selector& s) {
  const std::size_t at = s.value.find('[');
  const bool number = at != std::string::npos && s.value.find_first_of("123456789", at) == at + 1;
  return s.has_text.empty() && s.within.empty() && is_structural(s.type) &&
         (number || s.value.find(":nth-") != std::string::npos);
}

// Whether the selector uses visible words other than the element's name.
bool uses_words(const Selector& s) {
  return s.type == SelectorType::text || s.type == SelectorType::label ||
         s.type == SelectorType::placeholder;
}

// Whether the selector uses an id or another name in the page's code, and no visible words.
bool uses_code_names(const Selector& s) {
  constexpr auto kRead = std::to_array<std::string_view>(
      {"aria-label", "placeholder", "title=", "alt=", "text()", "contains(", "value="});
  const bool read = std::any_of(kRead.begin(), kRead.end(), [&](std::string_view part) {
    return s.value.find(part) != std::string::npos;
  });
  return s.type == SelectorType::test_id || (is_structural(s.type) && !uses_place(s) && !read);
}

// Whether the role is one of elements without a role of their own, which Chromium lists only if
// they have event listeners, or never.
bool has_no_role(const std::string& role) {
  return role == "none" || role == "generic" || role == "LabelText";
}

// The letters of a name, in lower case. Bytes of other alphabets stay unchanged.
std::string only_letters(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (is_letter(c) || static_cast<unsigned char>(c) >= 0x80) out += to_lower(c);
  }
  return out;
}

// The elements around it that the chain's selectors give in `within`; they apply to the other
// selectors, too.
Json around(const Chain& chain) {
  Json found = Json::array();
  for (const Selector& s : chain) {
    for (const Selector& outer : s.within) {
      const bool says = outer.type == SelectorType::css && !outer.has_text.empty();
      if (says) found.push_back({{"kind", outer.value}, {"text", outer.has_text}});
    }
  }
  return found;
}

}  // namespace

Resolver::Resolver(Browser& browser, const std::string& frame, const Chain& chain,
                   const ElementTraits* known, bool alternatives,
                   const std::function<bool(const std::string& called)>& of_other_step,
                   Deadline deadline)
    : browser_(browser),
      finder_(browser, alternatives),
      frame_(frame),
      chain_(chain),
      alternatives_(alternatives),
      of_other_step_(of_other_step),
      deadline_(deadline) {
  recorded_ = {{"any", alternatives},
               {"inner", nullptr},
               {"around", Json::array()},
               {"known", Json::object()}};
  if (alternatives) return;
  identity_ = recorded_identity(chain);
  recorded_["around"] = around(chain);
  if (known == nullptr) return;
  recorded_["known"] = write_traits(*known);
  if (known->role.empty()) return;
  recorded_["inner"] = known->inner;
  if (identity_.role.empty()) identity_.role = known->role;
  if (identity_.name.empty()) identity_.name = known->accessible_name;
}

std::string Resolver::other_identity(const Identity& seen, const Selector* by) const {
  const auto& [role, name] = identity_;
  const bool plain = has_no_role(role) && has_no_role(seen.role);
  if (plain && (name.empty() || seen.name.empty())) return "";
  if (!role.empty() && role != seen.role && !plain)
    return fmt::format("is a {}, and not a {}", seen.role, role);
  // An inexact selector accepts another number beside the words.
  const bool loose = by != nullptr && !by->exact;
  const bool same = loose ? name.empty() || only_letters(name) == only_letters(seen.name)
                          : (role.empty() && name.empty()) || name == seen.name;
  if (!same) return fmt::format("is called \"{}\", and not \"{}\"", seen.name, name);
  return "";
}

// `by`: the selector that found the element; elements of the other selectors are then compared with
// it.
Resolver::Seen Resolver::compare(const Element& e, const Selector* by) {
  Json values = Json::array(), given{recorded_, Json(), Json(), e.reference()};
  if (by != nullptr) given[1] = by->value;
  for (std::size_t i = 0; by != nullptr && i < all_.size(); ++i) {
    for (std::size_t k = 0; &chain_[i] != by && k < all_[i].size(); ++k) {
      values.push_back(chain_[i].value);
      given.push_back(all_[i][k].reference());
    }
  }
  given[2] = std::move(values);
  // The page stores the element's present state before its name is read, so that later changes are
  // noticed when it is pressed.
  const auto answers = browser_.call_all(
      {browser_.script(frame_, "(r, by, all, e, ...o) => __hebb.compare(r, by, all, e, o)", given,
                       deadline_),
       finder_.identity_command(e)},
      deadline_);
  const Json page = Browser::value_of(answers.front());
  if (!page.is_object()) throw CdpRefused("the page has changed");
  Seen seen{text_member(page, "why"), page.value("related", Json::array()), "", ""};
  if (alternatives_ || !seen.why.empty()) return seen;
  Identity id = Finder::identity_of(answers.back());
  std::string why = other_identity(id, by);
  const bool part = is_true(page, "part") && !has_no_role(identity_.role);
  const bool text = by != nullptr && by->type == SelectorType::text;
  if (part && (!why.empty() || text)) {
    const Json core = browser_.run(frame_, "(e) => __hebb.core(e)", Json::array({e.reference()}),
                                   deadline_, false);
    id = finder_.identity({frame_, text_member(core, "objectId")}, deadline_);
    why = other_identity(id, by);
  }
  // The text on a control does not identify it if it has another name.
  const bool acts = is_true(page, "acts");
  if (text && acts && why.empty() && !id.name.empty() &&
      id.name.find(squeeze(by->value)) == std::string::npos && by->exact)
    why = fmt::format("is called \"{}\"", id.name);
  // Of elements with one name in rows without names, only the order is recorded.
  if (by != nullptr && why.empty() && !is_true(page, "alone") &&
      std::all_of(chain_.begin(), chain_.end(), counts_siblings))
    why = "is one of several that nothing tells apart";
  seen.why = std::move(why);
  seen.reads = text_member(page, "reads");
  seen.new_neighbour = text_member(page, "new_neighbour");
  return seen;
}

std::string Resolver::difference(const Element& element) { return compare(element, nullptr).why; }

Resolution Resolver::resolve() {
  Resolution result = by_chain();
  const bool known =
      !recorded_["known"].empty() && !identity_.role.empty() && !identity_.name.empty();
  if (result.element || result.contradicted || !known) return result;
  const Selector named = by_role(identity_.role, identity_.name);
  const auto all = finder_.find(frame_, named, deadline_);
  Json given = Json::array({recorded_});
  for (const Element& e : all) given.push_back(e.reference());
  const Json at = browser_.run(frame_, "(r, ...all) => __hebb.only(r, all)", given, deadline_);
  if (at.is_number_integer()) judge(all.at(at.get<std::size_t>()), named, result);
  return result;
}

// Why it is not the recorded element; empty: it is, or other selectors contradict it.
std::string Resolver::judge(const Element& e, const Selector& by, Resolution& result) {
  const Seen seen = compare(e, &by);
  if (!seen.why.empty()) return seen.why;
  result.why = alternatives_ ? "" : contradiction(e, by, seen, result.agreed);
  result.contradicted = !result.why.empty();
  if (!result.contradicted) result.element = e;
  return "";
}

Resolution Resolver::by_chain() {
  Resolution result;
  bool several = false;  // several elements have the recorded name
  // Targets of a person are searched only until one is found.
  all_.assign(chain_.size(), {});
  if (!alternatives_) all_ = finder_.find_all(frame_, chain_, deadline_);
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    const Selector& s = chain_[i];
    if (alternatives_) all_[i] = finder_.find(frame_, s, deadline_);
    std::string why;
    if (all_[i].size() != 1) {
      why = "finds " + (all_[i].empty() ? "nothing" : std::to_string(all_[i].size()));
      several = several || (uses_name(s.type) && all_[i].size() > 1);
    } else if (several && counts_places(s)) {
      why = "says only which place it has";
    } else {
      result.selector = i;
      why = judge(all_[i].front(), s, result);
      // Looks again for elements that the page has drawn since.
      for (std::size_t k = 0; why.empty() && k < i; ++k) {
        if (all_[k].empty() && !finder_.find(frame_, chain_[k], deadline_).empty())
          throw CdpRefused("the page has changed");
      }
      if (why.empty()) return result;
      why = "finds an element that is not the recorded one: " + why;
    }
    result.why += fmt::format("{}{} {}", result.why.empty() ? "" : "; ", describe(s), why);
  }
  result.selector = chain_.size();
  result.gone = true;
  for (std::size_t i = 0; i < chain_.size(); ++i)
    result.gone = result.gone && (all_[i].empty() || uses_place(chain_[i]));
  return result;
}

std::string Resolver::contradiction(const Element& e, const Selector& chosen, const Seen& seen,
                                    std::vector<std::size_t>& agreed) {
  struct Other {
    std::size_t selector;
    bool place, rival;
    std::string called, read;
    Element element;
  };
  std::vector<Other> others;
  // Other recorded evidence: a name in the code, and, without an accessible name, words.
  bool confirmed = uses_code_names(chosen), coded = confirmed;
  bool read = uses_words(chosen) || !identity_.name.empty(), worded = false;
  bool exact = false, found = false;  // a selector that is not by place; one that found it
  std::size_t at = 0;
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    coded = coded || uses_code_names(chain_[i]);
    worded = worded || uses_words(chain_[i]);
    exact = exact || !uses_place(chain_[i]) || uses_text(chain_[i]);
    if (&chain_[i] == &chosen || all_[i].empty()) continue;
    bool same = false;
    Other other{i, uses_place(chain_[i]), false, "", "", {}};
    for (const Element& o : all_[i]) {
      const Json relation = seen.related.at(at++);
      const bool is = is_true(relation, "same");
      same = same || is;
      other.place = other.place || is_true(relation, "place");
      other.rival = other.rival || is_true(relation, "like");
      if (is || !other.element.object.empty()) continue;
      other.element = o;
      other.called = text_member(relation, "called");
      other.read = text_member(relation, "read");
    }
    if (same && all_[i].size() == 1) agreed.push_back(i);
    confirmed = confirmed || (same && uses_code_names(chain_[i]));
    read = read || (same && uses_words(chain_[i]));
    found = found || (same && (!other.place || uses_text(chain_[i])));
    if (!same) others.push_back(std::move(other));
  }
  if (chosen.nth && exact && !found)
    return fmt::format("{} finds it by its place alone", describe(chosen));
  if (worded && !read)
    return fmt::format("{} finds an element without the recorded words", describe(chosen));
  if (coded && !confirmed && !seen.reads.empty())
    return fmt::format("{} finds an element that reads \"{}\"", describe(chosen), seen.reads);
  if (!confirmed && !seen.new_neighbour.empty())
    return fmt::format("beside what {} finds stands the new {}", describe(chosen),
                       seen.new_neighbour);
  const Json beside = recorded_["known"].value("others", Json::array());
  for (const Other& o : others) {
    if (o.place) {
      if (all_[o.selector].size() != 1 || confirmed || !o.rival) continue;
      if (std::find(beside.begin(), beside.end(), o.called) != beside.end()) continue;
      if (of_other_step_ && of_other_step_(o.read)) continue;
      const bool kept = !recorded_["known"].empty() &&
                        browser_.run(frame_, "(t, e, o) => __hebb.keptPlace(t, e, o)",
                                     {recorded_["known"], e.reference(), o.element.reference()},
                                     deadline_) == true;
      if (kept) continue;
    }
    return contradiction_text(e, chosen, o.selector, o.element);
  }
  return "";
}

std::string Resolver::contradiction_text(const Element& e, const Selector& chosen,
                                         std::size_t other, const Element& rival) {
  const auto named = [&](const Element& x) {
    const Identity id = finder_.identity(x, deadline_);
    return fmt::format("{} \"{}\"", id.role, id.name);
  };
  const std::size_t count = all_[other].size();
  return fmt::format("the selectors contradict each other: {} finds {}; {} finds {}{}",
                     describe(chosen), named(e), describe(chain_[other]),
                     count == 1 ? "" : fmt::format("{} others, such as ", count), named(rival));
}

}  // namespace hebb::skill
