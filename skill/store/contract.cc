#include "skill/store/contract.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "skill/store/secrets.h"
#include "skill/store/skill.h"

namespace hebb::skill {
namespace {

constexpr std::size_t kAssertions = 100;
constexpr std::string_view kContractMember = "contract";  // of the node's properties; stored
constexpr auto kStates = std::to_array<std::string_view>(
    {"visible", "hidden", "enabled", "disabled", "checked", "unchecked", "editable"});

// {"role", "name"}, or {"css": …} and the like, or {"selectors": […]}.
Chain read_asserted_element(const Json& json, const std::string& path) {
  if (!json.is_object()) invalid(path, "must be an object");
  if (const auto list = json.find("selectors"); list != json.end()) {
    Chain chain;
    if (!list->is_array() || list->empty()) invalid(path + ".selectors", "must be a list");
    for (std::size_t i = 0; i < list->size(); ++i)
      chain.push_back(read_selector((*list)[i], fmt::format("{}.selectors[{}]", path, i)));
    return chain;
  }
  if (json.contains("role")) {
    Json selector{{"type", "role_name"}};
    selector.update(json);
    return {read_selector(selector, path)};
  }
  if (json.size() != 1) invalid(path, "names no element; give role and name, css, or selectors");
  const std::string type = json.begin().key();
  return {read_selector(
      {{"type", type == "name" ? "accessible_name" : type}, {"value", json.begin().value()}},
      path)};
}

Assertion read_assertion(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Assertion a;
  int kinds = 0;
  const auto is = [&](std::string_view key, Assertion::Kind kind) {
    const Json* value = fields.find(key);
    if (value == nullptr) return;
    ++kinds;
    a.kind = kind;
    if (kind == Assertion::Kind::element) {
      a.selectors = read_asserted_element(*value, fields.at(key));
    } else {
      a.value = fields.need_text(key, ArtifactLimits::kTextBytes);
    }
  };
  is("url", Assertion::Kind::url);
  is("title", Assertion::Kind::title);
  is("text", Assertion::Kind::text);
  is("element", Assertion::Kind::element);
  if (kinds != 1) invalid(path, "must have one of url, title, text and element");
  a.absent = fields.flag("absent").value_or(false);
  if (a.kind == Assertion::Kind::element) {
    a.state = fields.text("state", 64).value_or("");
    if (!a.state.empty() && std::find(kStates.begin(), kStates.end(), a.state) == kStates.end())
      invalid(fields.at("state"),
              fmt::format("is \"{}\"; allowed are {}", a.state, fmt::join(kStates, ", ")));
    a.has_value = fields.text("value");
    a.has_text = fields.text("contains");
    a.count = fields.integer("count", 0, 100'000);
  }
  fields.done();
  return a;
}

Json write_assertion(const Assertion& a) {
  Json out = Json::object();
  switch (a.kind) {
    case Assertion::Kind::url:
      out["url"] = a.value;
      break;
    case Assertion::Kind::title:
      out["title"] = a.value;
      break;
    case Assertion::Kind::text:
      out["text"] = a.value;
      break;
    case Assertion::Kind::element: {
      Json list = Json::array();
      for (const Selector& s : a.selectors) list.push_back(write_selector(s));
      out["element"] = {{"selectors", std::move(list)}};
    }
  }
  if (a.absent) out["absent"] = true;
  if (!a.state.empty()) out["state"] = a.state;
  if (a.has_value) out["value"] = *a.has_value;
  if (a.has_text) out["contains"] = *a.has_text;
  if (a.count) out["count"] = *a.count;
  return out;
}

// The words of an assertion are needed to check it, like a selector's.
void hide_secrets(std::vector<Assertion>& assertions, SecretSlots& slots) {
  for (Assertion& a : assertions) {
    if (a.has_value) slots.typed(a.selectors, *a.has_value);
    Json json = write_assertion(a);
    slots.json(json, "VALUE", true);
    a = read_assertion(json, "assertion");
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

Contract read_contract(std::string_view id, const Json& json) {
  Contract contract{std::string(id), {}};
  contract_node_id(id);
  Fields fields(json, "");
  const Json& list = fields.need("assertions");
  fields.done();
  if (!list.is_array() || list.empty() || list.size() > kAssertions)
    invalid("assertions", fmt::format("must be a list of 1 to {}", kAssertions));
  for (std::size_t i = 0; i < list.size(); ++i)
    contract.assertions.push_back(read_assertion(list[i], fmt::format("assertions[{}]", i)));
  return contract;
}

Json write_contract(const Contract& contract) {
  Json list = Json::array();
  for (const Assertion& a : contract.assertions) list.push_back(write_assertion(a));
  return {{"assertions", std::move(list)}};
}

std::string describe(const Assertion& a) {
  const std::string_view no = a.absent ? "no " : "";
  switch (a.kind) {
    case Assertion::Kind::url:
      return fmt::format("{}address {}", no, a.value);
    case Assertion::Kind::title:
      return fmt::format("{}title \"{}\"", no, a.value);
    case Assertion::Kind::text:
      return fmt::format("{}text \"{}\"", no, a.value);
    case Assertion::Kind::element:
      break;
  }
  std::string out = fmt::format("{}{}", no, describe(a.selectors.front()));
  if (!a.state.empty()) out += fmt::format(" {}", a.state);
  if (a.has_value) out += fmt::format(" with the value \"{}\"", *a.has_value);
  if (a.has_text) out += fmt::format(" with the text \"{}\"", *a.has_text);
  if (a.count) out += fmt::format(", {} of them", *a.count);
  return out;
}

void fill_slots(Contract& contract, SecretValues& secrets) {
  for (Assertion& a : contract.assertions) {
    a.value = secrets.fill(a.value);
    if (a.has_value) a.has_value = secrets.fill(*a.has_value);
    if (a.has_text) a.has_text = secrets.fill(*a.has_text);
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
