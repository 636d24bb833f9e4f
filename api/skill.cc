// skill list, recall, show, export.
#include "api/skill.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "api/common.h"
#include "engine/values/ascii.h"
#include "recall/search_query.h"
#include "skill/format/format.h"
#include "skill/replay/replay.h"

namespace hebb::api {

namespace {

using skill::ListedSkill;

SkillsResult matching(Session& session, const std::string& domain, const std::string& name,
                      bool stale) {
  SkillsResult result{skill::list_skills(session.engine(Access::read))};
  std::erase_if(result.skills, [&](const ListedSkill& s) {
    return (!domain.empty() && s.skill.domain != domain) ||
           (!name.empty() && s.skill.name != name) || (stale && !s.history.stale());
  });
  return result;
}

std::vector<std::string> export_names() {
  std::vector<std::string> names;
  for (const auto& format : skill::export_formats()) names.emplace_back(format.name);
  return names;
}

}  // namespace

std::string domain_of(std::string_view url) {
  const std::string origin = skill::origin_of(url);
  const std::size_t scheme = origin.find("://");
  return scheme == std::string::npos ? "" : to_lower(origin.substr(scheme + 3));
}

skill::Skill require_skill(Engine& engine, const std::string& id_or_name) {
  if (auto found = skill::load_skill(engine, id_or_name)) return *std::move(found);
  std::vector<ListedSkill> named = skill::list_skills(engine);
  std::erase_if(named, [&](const ListedSkill& s) {
    return s.skill.name != id_or_name && s.skill.domain + "/" + s.skill.name != id_or_name;
  });
  if (named.empty()) {
    throw Problem(ProblemType::not_found,
                  fmt::format("no skill \"{}\"; `hebb skill list` lists them", id_or_name),
                  "skill");
  }
  if (named.size() > 1) {
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("{} skills are called \"{}\"; give the id: {} or {}", named.size(),
                              id_or_name, named[0].skill.id, named[1].skill.id),
                  "skill");
  }
  return std::move(named.front().skill);
}

const Fields& SkillsResult::fields() {
  static const Fields kFields{
      field("skills", &SkillsResult::skills, "With their steps (docs/skills.md)")};
  return kFields;
}

// --- list ----------------------------------------------------------------------------------------

const Fields& SkillListRequest::fields() {
  using R = SkillListRequest;
  static const Fields kFields = with_presets<R>({
      field("domain", &R::domain, "Only of this host"),
      field("stale", &R::stale, "Only those whose last run failed"),
  });
  return kFields;
}

SkillsResult skill_list(Session& session, const SkillListRequest& request) {
  return matching(session, request.domain, "", request.stale);
}

Operation skill_list_operation() {
  return operation<SkillListRequest, SkillsResult>(
      {.name = "skill_list",
       .command = "skill list",
       .summary = "All skills, the last used first",
       .example = "  hebb skill list\n  hebb skill list --stale",
       .path = "/skills"},
      skill_list);
}

// --- recall --------------------------------------------------------------------------------------

const Fields& SkillRecallRequest::fields() {
  using R = SkillRecallRequest;
  static const Fields kFields = with_presets<R>({
      field("domain", &R::domain, "The host, with its port if it has one"),
      field("name", &R::name, "The skill's name"),
      field("url", &R::url, "The address of a page: skills of its host"),
      field("intent", &R::intent,
            "What is to be done: skills with one of these words in their names, descriptions or "
            "steps; those with most of them first"),
      field("limit", &R::limit, "At most so many", {.unit = "skills", .min = 1, .max = 1000}),
  });
  return kFields;
}

namespace {

std::set<std::string> lower_words(std::string_view text) {
  std::set<std::string> words;
  for (const auto word : recall::words_of(text)) words.insert(to_lower(word));
  return words;
}

// How many of the words the skill's texts have.
std::int64_t words_in(const skill::Skill& s, const std::set<std::string>& wanted) {
  std::set<std::string> has;
  const auto add = [&has](const std::string& text) { has.merge(lower_words(text)); };
  add(s.name);
  add(s.domain);
  add(s.description);
  for (const std::string& intent : s.intents) add(intent);
  return std::count_if(wanted.begin(), wanted.end(),
                       [&has](const std::string& word) { return has.contains(word); });
}

}  // namespace

SkillsResult skill_recall(Session& session, const SkillRecallRequest& request) {
  const std::string domain = domain_of(request.url);
  if (!request.url.empty() && domain.empty()) {
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("{} is \"{}\", which is no address as http://HOST/PATH", named("url"),
                              request.url),
                  "url");
  }
  SkillsResult result = matching(session, request.domain, request.name, false);
  if (!domain.empty()) {
    std::erase_if(result.skills, [&](const ListedSkill& s) { return s.skill.domain != domain; });
  }
  // The last used first, and before that: those with most of the words, then the proven ones.
  const auto sort_by = [&result](const auto& key) {
    std::stable_sort(result.skills.begin(), result.skills.end(),
                     [&key](const auto& a, const auto& b) { return key(a) > key(b); });
  };
  sort_by([](const ListedSkill& s) { return s.history.proven(); });
  if (!request.intent.empty()) {
    const auto wanted = lower_words(request.intent);
    const auto found = [&](const ListedSkill& s) { return words_in(s.skill, wanted); };
    std::erase_if(result.skills, [&](const ListedSkill& s) { return found(s) == 0; });
    sort_by(found);
  }
  const auto limit = static_cast<std::size_t>(request.limit);
  if (result.skills.size() > limit) result.skills.resize(limit);
  return result;
}

Operation skill_recall_operation() {
  return operation<SkillRecallRequest, SkillsResult>(
      {.name = "skill_recall",
       .command = "skill recall",
       .summary = "Skills for a site or a purpose, with their steps; the proven ones first",
       .example =
           "  hebb skill recall --domain shop.example\n"
           "  hebb skill recall --url http://localhost:8080/cart --intent \"pay the order\"\n"
           "  hebb skill recall --domain localhost:8080 --name checkout --json",
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/skills/recall"},
      skill_recall);
}

// --- get -----------------------------------------------------------------------------------------

const Fields& SkillGetRequest::fields() {
  static const Fields kFields{field("skill", &SkillGetRequest::skill, "Its id, or its name",
                                    {.required = true, .positional = true, .was = "skill_id"})};
  return kFields;
}

const Fields& SkillResult::fields() {
  static const Fields kFields{
      field("skill", &SkillResult::skill, "With its steps and its runs (docs/skills.md)")};
  return kFields;
}

SkillResult skill_get(Session& session, const SkillGetRequest& request) {
  Engine& engine = session.engine(Access::read);
  SkillResult result;
  result.skill.skill = require_skill(engine, request.skill);
  result.skill.history = skill::skill_history(engine, result.skill.skill.id);
  return result;
}

Operation skill_get_operation() {
  return operation<SkillGetRequest, SkillResult>(
      {.name = "skill_get",
       .command = "skill show",
       .summary = "One skill with its steps and its runs",
       .example =
           "  hebb skill show checkout\n  hebb skill show skill:localhost:8080/checkout --json",
       .path = "/skill",
       .problems = {ProblemType::not_found}},
      skill_get);
}

// --- export --------------------------------------------------------------------------------------

const Fields& SkillExportRequest::fields() {
  using R = SkillExportRequest;
  static const Fields kFields = with_presets<R>({
      field("skill", &R::skill, "Its id, or its name",
            {.required = true, .positional = true, .was = "skill_id"}),
      field("format", &R::format, "artifact, recorder or playwright", {.choices = export_names()}),
  });
  return kFields;
}

const Fields& SkillExportResult::fields() {
  static const Fields kFields{
      field("content", &SkillExportResult::content, "A file of that format")};
  return kFields;
}

SkillExportResult skill_export(Session& session, const SkillExportRequest& request) {
  Engine& engine = session.engine(Access::read);
  const auto s = require_skill(engine, request.skill);
  if (!s.artifact) {
    throw Problem(ProblemType::conflict, fmt::format("{} was recorded without artifacts", s.id),
                  "skill");
  }
  std::optional<skill::Contract> contract;
  if (s.contract_id) contract = skill::load_contract(engine, *s.contract_id);
  SkillExportResult result;
  for (const auto& format : skill::export_formats()) {
    if (format.name != request.format) continue;
    result.content =
        format.write({s.name, s.start_url, &*s.artifact, contract ? &*contract : nullptr});
  }
  return result;
}

Operation skill_export_operation() {
  return operation<SkillExportRequest, SkillExportResult>(
      {.name = "skill_export",
       .command = "skill export",
       .summary = "Write a skill for other programs",
       .example = "  hebb skill export checkout --format playwright\n"
                  "  hebb skill export checkout --format recorder",
       .path = "/skill/export",
       .problems = {ProblemType::not_found, ProblemType::conflict}},
      skill_export);
}

}  // namespace hebb::api
