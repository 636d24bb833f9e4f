#include "skill/store/skill.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/values/limits.h"
#include "skill/artifact/stored.h"
#include "skill/store/secrets.h"
#include "text/ascii.h"

namespace hebb::skill {

RECORD(PageSignature, FIELD(origin, "Such as http://localhost:8080"),
       FIELD(path, "With * for numbers and ids"),
       FIELD(fields, "For each form field and button a hash of its role and name"))

namespace {

constexpr std::size_t kNameBytes = 200;
constexpr std::string_view kIdPrefix = "skill:";    // stored
constexpr std::string_view kSkillMember = "skill";  // of the node's properties; stored

bool plain_line(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytes && is_utf8(text) &&
         std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Json skill_properties(const Skill& s) {
  Json out{{"domain", s.domain}, {"name", s.name}, {"recorded_at", s.recorded_at}};
  if (s.contract_id) out["contract_id"] = *s.contract_id;
  if (!s.start_url.empty()) out["start_url"] = s.start_url;
  if (!s.signature.origin.empty()) out["page"] = stored_json(s.signature);
  out["intents"] = s.intents;
  if (s.artifact) out["artifact"] = write_artifact(*s.artifact);
  if (s.artifact && s.elements.size() == s.artifact->steps.size()) {
    out["elements"] = Json::array();
    for (const auto& traits : s.elements)
      out["elements"].push_back(traits ? write_traits(*traits) : Json(nullptr));
  }
  return out;
}

Skill read_properties(std::string_view id, const Json& properties) {
  const auto found = properties.find(std::string(kSkillMember));
  if (found == properties.end()) invalid(id, "is no skill: its properties hold none");
  Fields fields(*found, std::string(kSkillMember));
  Skill s;
  s.id = id;
  s.domain = fields.need_text("domain");
  s.name = fields.need_text("name");
  if (const Json* at = fields.find("recorded_at")) {
    if (!at->is_number_unsigned() || at->get<std::uint64_t>() > Limits::kLatestTime)
      invalid(fields.at("recorded_at"), "is " + dump(*at) + "; it has to be a time in ms");
    s.recorded_at = at->get<TimeMs>();
  }
  s.contract_id = fields.text("contract_id");
  s.start_url = fields.text("start_url").value_or("");
  if (const Json* page = fields.find("page"); page != nullptr && page->is_object())
    s.signature = read_known_members<PageSignature>(*page);
  if (const Json* intents = fields.find("intents"); intents != nullptr && intents->is_array()) {
    for (const Json& text : *intents) s.intents.push_back(text.is_string() ? text : Json(""));
  }
  if (const Json* artifact = fields.find("artifact")) s.artifact = read_artifact(*artifact);
  if (s.artifact && s.artifact->steps.size() != s.intents.size())
    invalid(fields.at("intents"),
            fmt::format("has {} texts for {} steps", s.intents.size(), s.artifact->steps.size()));
  if (const Json* elements = fields.find("elements"); elements != nullptr && elements->is_array()) {
    for (const Json& traits : *elements) s.elements.push_back(read_traits(traits));
  }
  return s;
}

const Json* artifact_of(const Json& properties) {
  const auto skill = properties.find(std::string(kSkillMember));
  if (skill == properties.end() || !skill->is_object()) return nullptr;
  const auto artifact = skill->find("artifact");
  return artifact == skill->end() ? nullptr : &*artifact;
}

// Why the run at this position of the ledger failed.
std::string failure_code(Engine& engine, std::int64_t position) {
  const auto run = engine.ledger().event(position);
  const auto* outcome = run ? std::get_if<OutcomeSignal>(&run->payload) : nullptr;
  const Json input = outcome == nullptr ? Json() : json_or_discarded(outcome->input);
  const auto code = input.is_object() ? input.find("code") : input.end();
  const bool given = input.is_object() && code != input.end() && code->is_string();
  return given ? code->get<std::string>() : "FAILED";
}

bool no_longer_proven(Engine& engine, const Skill& skill) {
  const EdgeName proof{std::string(kProofNode), skill.id, std::string(kProvenType)};
  if (!engine.state().find_edge(proof)) return false;
  const auto before = load_skill(engine, skill.id);
  const bool same = before && before->artifact && skill.artifact &&
                    before->artifact->steps == skill.artifact->steps;
  return !same;
}

// Hides the secrets in a skill's members besides its steps.
void hide_beside(Skill& skill, SecretSlots& slots) {
  const auto hide = [&](std::string& text) { text = slots.text(text); };
  hide(skill.start_url);
  hide(skill.description);
  std::for_each(skill.intents.begin(), skill.intents.end(), hide);
  for (auto& traits : skill.elements) {
    if (!traits) continue;
    Json json = write_traits(*traits);
    slots.json(json, "VALUE", true);
    traits = read_traits(json);
  }
}

}  // namespace

std::string skill_id(std::string_view domain, std::string_view name) {
  const bool host = plain_line(domain) && domain.find_first_of("/ ?#") == std::string_view::npos &&
                    std::none_of(domain.begin(), domain.end(), is_upper);
  if (!host) {
    invalid("domain",
            fmt::format("is \"{}\"; must be a host, with a port perhaps, in lower case", domain));
  }
  if (!plain_line(name)) {
    invalid("name", fmt::format("must be a line of 1 to {} bytes", kNameBytes));
  }
  return fmt::format("{}{}/{}", kIdPrefix, domain, name);
}

std::string contract_node_id(std::string_view contract_id) {
  if (!plain_line(contract_id)) {
    invalid("contract_id", fmt::format("must be a line of 1 to {} bytes", kNameBytes));
  }
  return fmt::format("contract:{}", contract_id);
}

std::vector<std::string> contracts_of(const Skill& skill) {
  std::vector<std::string> ids;
  if (skill.contract_id) ids.push_back(*skill.contract_id);
  if (!skill.artifact) return ids;
  for (const Step& step : skill.artifact->steps) {
    if (step.contract_id) ids.push_back(*step.contract_id);
  }
  return ids;
}

std::vector<std::string> nodes_of(Engine& engine, std::string_view type) {
  std::vector<std::string> ids;
  const State& state = engine.state();
  const auto& graph = state.graph();
  const auto wanted = graph.node_types().find(type);
  if (!wanted) return ids;
  for (graph::NodeId n = 0; n < graph.node_bound(); ++n) {
    if (graph.nodes().type[n] != *wanted || !state.exists(graph.id(n))) continue;
    ids.emplace_back(graph.id(n));
  }
  return ids;
}

std::vector<std::string> skills_named(Engine& engine, std::string_view name) {
  std::vector<std::string> ids = nodes_of(engine, kSkillType);
  std::erase_if(ids, [name](std::string_view id) {
    if (!id.starts_with(kIdPrefix)) return true;
    id.remove_prefix(kIdPrefix.size());
    return id != name && id.substr(std::min(id.find('/') + 1, id.size())) != name;
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

Saved save_skill(Engine& engine, Skill skill, TimeMs now) {
  Saved saved;
  skill.id = skill_id(skill.domain, skill.name);
  if (skill.contract_id) contract_node_id(*skill.contract_id);
  if (skill.artifact) {
    SecretSlots slots(dump(skill_properties(skill)) + skill.description);
    saved.slots = slots.artifact(*skill.artifact);
    hide_beside(skill, slots);
    if (skill.intents.empty()) {
      for (const Step& step : skill.artifact->steps) skill.intents.push_back(describe(step));
    }
    if (skill.intents.size() != skill.artifact->steps.size()) {
      invalid("steps", fmt::format("{} are described, the recording has {}", skill.intents.size(),
                                   skill.artifact->steps.size()));
    }
    // Throws if the artifact could not be read again after storing it.
    read_artifact(write_artifact(*skill.artifact));
  }
  if (skill.intents.empty()) invalid("steps", "there are none");
  skill.recorded_at = now;
  std::string text = dump(Json{{kSkillMember, skill_properties(skill)}});
  // If it is too large, without the neighbours of its elements, or with its chains only.
  for (const bool all : {false, true}) {
    if (text.size() <= ArtifactLimits::kBytes) break;
    for (auto& traits : skill.elements) {
      if (traits) traits->before = traits->after = {};
    }
    if (all) skill.elements.clear();
    text = dump(Json{{kSkillMember, skill_properties(skill)}});
  }
  if (text.size() > ArtifactLimits::kBytes) {
    invalid("skill", fmt::format("takes {} bytes; at most {} are taken: record it in parts",
                                 text.size(), ArtifactLimits::kBytes));
  }
  auto properties = canonical_properties(text, "skill");
  if (auto* refusal = std::get_if<Refusal>(&properties)) throw Refused(std::move(*refusal));
  NodeUpsert upsert;
  upsert.type = kSkillType;
  upsert.state = kOpen;
  upsert.name = skill.name;
  upsert.description = skill.description;
  upsert.project = skill.domain;
  upsert.properties = std::get<std::string>(std::move(properties));
  saved.created = !engine.state().exists(skill.id);
  std::vector<Event> events;
  Event event;
  event.at = now;
  event.subject = skill.id;
  event.payload = std::move(upsert);
  events.push_back(std::move(event));
  if (!saved.created && no_longer_proven(engine, skill)) {
    Event end;
    end.at = now;
    end.subject = kProofNode;
    end.payload = Unlink{skill.id, std::string(kProvenType)};
    events.push_back(std::move(end));
  }
  engine.append(std::move(events));
  return saved;
}

std::optional<Skill> load_skill(Engine& engine, std::string_view id) {
  const State& state = engine.state();
  const auto node = state.find(id);
  if (!node || !state.exists(id)) return std::nullopt;
  const auto& graph = state.graph();
  if (graph.node_types().name(graph.nodes().type[*node]) != kSkillType) return std::nullopt;
  const NodeContent content = engine.content(id);
  const Json properties = json_or_discarded(content.properties.value_or("{}"));
  if (!properties.is_object()) invalid(id, "is no skill: its properties are no object");
  Skill skill = read_properties(id, properties);
  skill.description = content.description.value_or("");
  return skill;
}

SkillHistory skill_history(Engine& engine, std::string_view id) {
  SkillHistory history;
  std::string steps;
  std::int64_t failed = 0;  // the position of the last run, if it failed
  records_of_node(engine, id, [&](Ledger::Record&& record) {
    if (const auto* result = std::get_if<OutcomeKind>(&record.what)) {
      const bool ok = *result == OutcomeKind::success;
      ++history.runs;
      history.last_run_at = record.at;
      history.successes += ok;
      history.clean_in_a_row = ok ? history.clean_in_a_row + 1 : 0;
      failed = ok ? 0 : record.position;
      return;
    }
    const auto& upsert = std::get<NodeUpsert>(record.what);
    if (!upsert.properties) return;
    const Json properties = json_or_discarded(*upsert.properties);
    const Json* artifact = properties.is_object() ? artifact_of(properties) : nullptr;
    std::string now = artifact == nullptr ? "" : dump(artifact->value("steps", Json()));
    if (now == steps) return;
    steps = std::move(now);
    history.clean_in_a_row = 0;
    failed = 0;
  });
  if (failed != 0) history.last_code = failure_code(engine, failed);
  return history;
}

std::vector<ListedSkill> list_skills(Engine& engine,
                                     const std::function<bool(const Skill&)>& wanted) {
  std::vector<ListedSkill> out;
  for (const std::string& id : nodes_of(engine, kSkillType)) {
    try {
      auto skill = load_skill(engine, id);
      if (skill && wanted(*skill)) out.push_back({std::move(*skill), skill_history(engine, id)});
    } catch (const Invalid&) {  // a node that hebb has not written
      continue;
    }
  }
  const auto used = [](const ListedSkill& s) {
    return std::max(s.skill.recorded_at, s.history.last_run_at.value_or(0));
  };
  std::sort(out.begin(), out.end(), [&](const ListedSkill& a, const ListedSkill& b) {
    return used(a) != used(b) ? used(a) > used(b) : a.skill.id < b.skill.id;
  });
  return out;
}

Json skill_json(const Skill& s, const SkillHistory& h) {
  Json steps = Json::array();
  for (std::size_t i = 0; i < s.intents.size(); ++i) {
    steps.push_back(
        {{"index", i},
         {"description", s.intents[i]},
         {"replay_artifact", s.artifact ? write_step(s.artifact->steps[i]) : Json(nullptr)}});
  }
  const auto text = [](const std::string& t) { return t.empty() ? Json(nullptr) : Json(t); };
  Json slots = Json::array();
  if (s.artifact) {
    for (const Step& step : s.artifact->steps) {
      for (const std::string& name : slot_names(dump(write_step(step)))) {
        if (std::find(slots.begin(), slots.end(), name) == slots.end()) slots.push_back(name);
      }
    }
  }
  Json out{{"skill_id", s.id},
           {"domain", s.domain},
           {"name", s.name},
           {"description", text(s.description)},
           {"contract_id", s.contract_id ? Json(*s.contract_id) : Json(nullptr)},
           {"recorded_at", fields::time_text(s.recorded_at)},
           {"last_run_at", h.last_run_at ? Json(fields::time_text(*h.last_run_at)) : Json(nullptr)},
           {"runs", h.runs},
           {"successes", h.successes},
           {"clean_in_a_row", h.clean_in_a_row},
           {"proven", h.proven()},
           {"stale", h.stale()},
           {"last_failure", text(h.last_code)},
           {"replayable", s.artifact.has_value()},
           {"start_url", text(s.start_url)},
           {"page", s.signature.origin.empty() ? Json(nullptr) : stored_json(s.signature)},
           {"secrets", std::move(slots)},
           {"schema_version", s.artifact ? Json(s.artifact->schema_version()) : Json(nullptr)},
           {"steps", std::move(steps)}};
  return out;
}

}  // namespace hebb::skill
