// Slots in place of secrets: stored texts have ${SECRET:NAME}, and the value is filled in only
// during a replay.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "secrets/memory.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill {

// The names in a text's slots, in order.
std::vector<std::string> slot_names(std::string_view text);
std::string slot(std::string_view name);

// A slot's name for a field of this name: "Card number" gives CARD_NUMBER.
std::string slot_name(std::string_view field);

// A free name like `name`, if some names are used: NAME, NAME_2, …
std::string free_name(const std::string& name, const std::set<std::string>& taken);

// Replaces by slots the values of secret fields, secrets by their format or by the text before them
// (secrets/find.h), and values masked before; and the same values wherever else they occur. In
// selectors, whose words are needed to find an element, only values that are secrets in any place.
// Returns a text for each: "step 2: PASSWORD".
std::vector<std::string> hide_secrets(Artifact& artifact);

// The same, also for texts that are stored beside the artifact. Each value has one slot, and each
// slot one value.
class SecretSlots {
 public:
  explicit SecretSlots(std::string_view kept);  // a text whose slots keep their values
  std::vector<std::string> artifact(Artifact& artifact);
  // `name`: of the slot, if the text does not give one. `selects`: the text is of a selector.
  std::string text(std::string_view text, std::string_view name = "VALUE", bool selects = false);
  void json(Json& value, std::string_view name = "VALUE", bool selects = false);
  // The content of a field: a slot if the field is secret. Returns the slot's name.
  std::optional<std::string> typed(const Chain& field, std::string& text);

 private:
  std::vector<std::string> step(Step& step);
  std::string new_name(const std::string& name);
  std::string name_of(const std::string& value, const std::string& name);
  std::string masked_name(const std::string& name);

  std::map<std::string, std::string> names_;   // of slots, by value
  std::map<std::string, std::string> masked_;  // masked values, by name
  std::set<std::string> taken_;
  std::vector<std::string> last_;  // names of the last slots
};

// The same for one step, whose value is known to be a secret. Returns the slot's name; nothing if
// the step has no value, or a slot.
std::optional<std::string> hide_value(Artifact& artifact, std::size_t step,
                                      const std::string& name);

// Values for slots, from the environment (HEBB_SECRET_NAME) or a list of NAME=VALUE lines.
class SecretValues {
 public:
  static constexpr std::size_t kLeastBytes = 4;

  // Lines as in a .env file: NAME=VALUE, quotes around the value optional, # comments. Throws
  // Invalid.
  void add_lines(std::string_view text);
  void add(std::string_view name, std::string_view value);

  // The text with its slots filled. Throws Invalid if a slot has no value, or one of fewer than
  // kLeastBytes bytes, which could not be found reliably in evidence.
  std::string fill(std::string_view text);
  void fill(Chain& chain);
  void fill_selectors(Step& step);

  // The text with every value that fill() has ever used replaced by its slot, and all other secrets
  // by format or by the text before them masked. `cut`: the text is only a beginning; the beginning
  // of a value at its end is masked as well.
  std::string scrub(std::string_view text, bool cut = false) const;
  const std::map<std::string, std::string>& used() const { return used_; }  // value → name

 private:
  std::optional<std::string> find(const std::string& name) const;

  std::map<std::string, std::string> given_;
  std::map<std::string, std::string> used_;  // value → name
  secrets::SecretMemory memory_;
};

}  // namespace hebb::skill
