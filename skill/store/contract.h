// Contracts: named assertions on a page, checked after a step or at the end of a replay.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill {

struct Assertion {
  enum class Kind : std::uint8_t { url, title, text, element };
  Kind kind = Kind::text;
  std::string value;    // for url (* stands for any part), title and text (a part of it)
  bool absent = false;  // negates it: there must be no such address, title, text or element
  Chain selectors;      // for element
  std::string state;    // for element: visible (default), hidden, enabled, disabled, checked,
                        // unchecked, editable
  std::optional<std::string> has_value;  // for element: its value
  std::optional<std::string> has_text;   // for element: a part of its text
  std::optional<std::int64_t> count;     // for element: how many its first selector finds

  bool operator==(const Assertion&) const = default;
};

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
