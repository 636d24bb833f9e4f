// Contracts: named assertions on a page, checked after a step or at the end of a replay.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill {

// A condition of a page: it has exactly one of url, title, text and selectors.
struct Assertion {
  std::string url, title, text;
  Chain selectors;  // of an element
  bool absent = false;
  std::string state;
  std::optional<std::string> value, contains;
  std::optional<std::int64_t> count;

  bool operator==(const Assertion&) const = default;
  void check() const;  // throws fields::Invalid
};

}  // namespace hebb::skill

namespace hebb::fields {

// {"selectors": […]}. One selector is read as well: {"role", "name"}, {"css": "…"} and the like.
struct AssertedElement;
template <>
struct CodecAs<AssertedElement, skill::Chain> : Plain<skill::Chain, Kind::object> {
  using Described = Json;
  static Json get(const skill::Chain& chain);
  static void set(skill::Chain& chain, const Json& json);
};

}  // namespace hebb::fields

namespace hebb::skill {

RECORD(Assertion,
       FIELD(url, "The page's address; * is any part of it",
             {.min = 1, .max = ArtifactLimits::kTextBytes, .may_be_absent = true}),
       FIELD(title, "A part of the page's title",
             {.min = 1, .max = ArtifactLimits::kTextBytes, .may_be_absent = true}),
       FIELD(text, "A text on the page",
             {.min = 1, .max = ArtifactLimits::kTextBytes, .may_be_absent = true}),
       field_as<AssertedElement>("element", self.selectors, "An element that can be seen",
                                 {.may_be_absent = true}),
       FIELD(absent, "The page must not have it", {.may_be_absent = true}),
       FIELD(state, "What the element is, instead of visible",
             {.choices = {"visible", "hidden", "enabled", "disabled", "checked", "unchecked",
                          "editable"},
              .may_be_absent = true}),
       FIELD(value, "The element's value", {.max = Fields::kTextBytes}),
       FIELD(contains, "A part of the element's text", {.max = Fields::kTextBytes}),
       FIELD(count, "How many elements the first selector finds", {.min = 0, .max = 100'000}))

class SecretValues;

struct Contract {
  std::string id;
  std::vector<Assertion> assertions;  // all must hold
};

// {"assertions": [{"url": "*/done"}, {"text": "Thank you"}, {"element": {"role": "button", "name":
// "Save"}, "state": "disabled"}]}. Throws Invalid.
Contract read_contract(std::string_view id, const Json& json);
Json write_contract(const Contract& contract);
std::string describe(const Assertion& assertion);

// Fills slots (skill/store/secrets.h). Throws Invalid where one has no value.
void fill_slots(Contract& contract, SecretValues& secrets);

// True: created. Secrets become slots.
bool save_contract(Engine& engine, Contract contract, TimeMs now);
std::optional<Contract> load_contract(Engine& engine, std::string_view id);
std::vector<Contract> list_contracts(Engine& engine);  // by id

// Whether the text fits a pattern in which * stands for any part, as in contracts and origins.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace hebb::skill
