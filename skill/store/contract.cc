#include "skill/store/contract.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "skill/artifact/stored.h"
#include "skill/store/secrets.h"
#include "skill/store/skill.h"

namespace hebb::skill {

struct Selectors {
  Chain selectors;
};
RECORD(Selectors, FIELD(selectors, "The best first", {.least = 1, .required = true}))
RECORD(Contract, FIELD(assertions, "All must hold", {.least = 1, .most = 100, .required = true}))

namespace {

constexpr std::string_view kContractMember = "contract";  // of the node's properties; stored

// The words of an assertion are needed to check it, like a selector's.
void hide_secrets(std::vector<Assertion>& assertions, SecretSlots& slots) {
  for (Assertion& a : assertions) {
    if (a.value) slots.typed(a.selectors, *a.value);
    Json json = stored_json(a);
    slots.json(json, "VALUE", true);
    a = read_stored_json<Assertion>(json, "assertion");
  }
}

// The contract's texts in the skills that use it: their secrets are hidden together with its own.
std::string skills_with(Engine& engine, std::string_view id) {
  std::string text;
  for (const std::string& node : nodes_of(engine, kSkillType)) {
    try {
      const auto skill = load_skill(engine, node);
      const auto ids = skill ? contracts_of(*skill) : std::vector<std::string>();
      if (std::find(ids.begin(), ids.end(), id) != ids.end()) text += dump(skill_json(*skill, {}));
    } catch (const Invalid&) {  // a node that hebb has not written
      continue;
    }
  }
  return text;
}

}  // namespace

void Assertion::check() const {
  const int conditions = !url.empty() + !title.empty() + !text.empty() + !selectors.empty();
  if (conditions != 1) throw fields::Invalid("", "must have one of url, title, text and element");
  const char* of_element = !state.empty() ? "state"
                           : value        ? "value"
                           : contains     ? "contains"
                           : count        ? "count"
                                          : nullptr;
  if (selectors.empty() && of_element != nullptr)
    throw fields::Invalid(of_element, "is only for an element");
}

Contract read_contract(std::string_view id, const Json& json) {
  contract_node_id(id);
  auto contract = read_stored_json<Contract>(json);
  contract.id = id;
  return contract;
}

Json write_contract(const Contract& contract) { return stored_json(contract); }

std::string describe(const Assertion& a) {
  assert(!a.selectors.empty() || !(a.url.empty() && a.title.empty() && a.text.empty()));
  const std::string_view no = a.absent ? "no " : "";
  if (!a.url.empty()) return fmt::format("{}address {}", no, a.url);
  if (!a.title.empty()) return fmt::format("{}title \"{}\"", no, a.title);
  if (!a.text.empty()) return fmt::format("{}text \"{}\"", no, a.text);
  std::string out = fmt::format("{}{}", no, describe(a.selectors.front()));
  if (!a.state.empty()) out += fmt::format(" {}", a.state);
  if (a.value) out += fmt::format(" with the value \"{}\"", *a.value);
  if (a.contains) out += fmt::format(" with the text \"{}\"", *a.contains);
  if (a.count) out += fmt::format(", {} of them", *a.count);
  return out;
}

void fill_slots(Contract& contract, SecretValues& secrets) {
  for (Assertion& a : contract.assertions) {
    for (std::string* text : {&a.url, &a.title, &a.text}) *text = secrets.fill(*text);
    if (a.value) a.value = secrets.fill(*a.value);
    if (a.contains) a.contains = secrets.fill(*a.contains);
    secrets.fill(a.selectors);
  }
}

bool save_contract(Engine& engine, Contract contract, TimeMs now) {
  SecretSlots slots(dump(write_contract(contract)) + skills_with(engine, contract.id));
  hide_secrets(contract.assertions, slots);
  const std::string id = contract_node_id(contract.id);
  auto properties = canonical_properties(dump(Json{{kContractMember, write_contract(contract)}}),
                                         kContractMember);
  if (auto* refusal = std::get_if<Refusal>(&properties)) throw Refused(std::move(*refusal));
  NodeUpsert upsert;
  upsert.type = kContractType;
  upsert.name = contract.id;
  upsert.properties = std::get<std::string>(std::move(properties));
  const bool created = !engine.state().exists(id);
  Event event;
  event.at = now;
  event.subject = id;
  event.payload = std::move(upsert);
  engine.append(std::move(event));
  return created;
}

std::optional<Contract> load_contract(Engine& engine, std::string_view id) {
  const std::string node = contract_node_id(id);
  if (!engine.state().exists(node)) return std::nullopt;
  const Json properties = json_or_discarded(engine.content(node).properties.value_or("{}"));
  if (!properties.is_object() || !properties.contains(std::string(kContractMember)))
    return std::nullopt;
  return read_contract(id, properties[std::string(kContractMember)]);
}

std::vector<Contract> list_contracts(Engine& engine) {
  constexpr std::string_view kPrefix = "contract:";
  std::vector<std::string> ids;
  for (const std::string& id : nodes_of(engine, kContractType)) {
    if (id.starts_with(kPrefix)) ids.push_back(id.substr(kPrefix.size()));
  }
  std::sort(ids.begin(), ids.end());
  std::vector<Contract> out;
  for (const std::string& id : ids) {
    if (auto contract = load_contract(engine, id)) out.push_back(*std::move(contract));
  }
  return out;
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace hebb::skill

namespace hebb::fields {

using ElementCodec = CodecAs<AssertedElement, skill::Chain>;

Json ElementCodec::get(const skill::Chain& chain) {
  return chain.empty() ? Json() : Codec<skill::Selectors>::get({chain});
}

void ElementCodec::set(skill::Chain& chain, const Json& json) {
  if (json.contains("selectors")) {
    skill::Selectors read;
    Codec<skill::Selectors>::set(read, json);
    chain = std::move(read.selectors);
    return;
  }
  if (!json.contains("role") && json.size() != 1)
    throw Invalid("", "names no element; give role and name, css, or selectors");
  Json selector{{"type", "role_name"}};
  if (json.contains("role")) {
    selector.update(json);
  } else {
    const std::string type = json.begin().key();
    selector = {{"type", type == "name" ? "accessible_name" : type}, {"value", json.front()}};
  }
  Codec<skill::Selector>::set(chain.emplace_back(), selector);
}

}  // namespace hebb::fields
