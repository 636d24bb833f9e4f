// skill recall, show, export.
#include "api/skill.h"

#include <algorithm>
#include <set>

#include "api/common.h"
#include "engine/recall/recall.h"
#include "skill/format/format.h"
#include "text/ascii.h"

namespace hebb::api {

struct SkillsResult {
  std::vector<skill::ListedSkill> skills;
};
RECORD(SkillsResult, FIELD(skills, "With their steps"))

namespace {

using skill::ListedSkill;

}  // namespace

std::string domain_of(std::string_view url) {
  const std::string origin = skill::origin_of(url);
  const std::size_t scheme = origin.find("://");
  return scheme == std::string::npos ? "" : to_lower(origin.substr(scheme + 3));
}

skill::Skill require_skill(Engine& engine, const std::string& id_or_name) {
  if (auto found = skill::load_skill(engine, id_or_name)) return *std::move(found);
  const std::vector<std::string> named = skill::skills_named(engine, id_or_name);
  if (named.empty()) {
    throw problem(ProblemType::not_found, "skill",
                  "no skill \"{}\"; `hebb skill recall` lists them", id_or_name);
  }
  if (named.size() > 1) {
    throw invalid("skill", "{} skills are called \"{}\"; give the id: {} or {}", named.size(),
                  id_or_name, named[0], named[1]);
  }
  return skill::load_skill(engine, named.front()).value();
}

// --- recall --------------------------------------------------------------------------------------

struct SkillRecallRequest {
  std::string domain, name, url, intent;
  bool stale = false;
  int limit = 20;
};
RECORD(SkillRecallRequest, FIELD(domain, "The host, with its port if it has one"),
       FIELD(name, "The skill's name"), FIELD(url, "The address of a page: skills of its host"),
       FIELD(intent,
             "What is to be done: skills with one of these words, those with most of them first"),
       FIELD(stale, "Only those whose last run failed"),
       FIELD(limit, "At most so many", {.unit = "skills", .min = 1, .max = 1000}))

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

static SkillsResult skill_recall(Session& session, const SkillRecallRequest& request) {
  const std::string domain = domain_of(request.url);
  if (!request.url.empty() && domain.empty()) {
    throw invalid("url", "{} is \"{}\", which is no address as http://HOST/PATH", named("url"),
                  request.url);
  }
  const auto wanted_words = lower_words(request.intent);
  const auto differs = [](const std::string& wanted, const std::string& value) {
    return !wanted.empty() && wanted != value;
  };
  SkillsResult result{skill::list_skills(session.engine(Access::read), [&](const skill::Skill& s) {
    return !differs(request.domain, s.domain) && !differs(request.name, s.name) &&
           !differs(domain, s.domain) && (request.intent.empty() || words_in(s, wanted_words) > 0);
  })};
  std::erase_if(result.skills,
                [&](const ListedSkill& s) { return request.stale && !s.history.stale(); });
  // Sorted by the number of matching words, then proven skills, then the last used.
  const auto sort_by = [&result](const auto& key) {
    std::stable_sort(result.skills.begin(), result.skills.end(),
                     [&key](const auto& a, const auto& b) { return key(a) > key(b); });
  };
  sort_by([](const ListedSkill& s) { return s.history.proven(); });
  if (!request.intent.empty()) {
    sort_by([&](const ListedSkill& s) { return words_in(s.skill, wanted_words); });
  }
  const auto limit = static_cast<std::size_t>(request.limit);
  if (result.skills.size() > limit) result.skills.resize(limit);
  return result;
}

// --- get -----------------------------------------------------------------------------------------

struct SkillGetRequest {
  std::string skill;
};
RECORD(SkillGetRequest, FIELD(skill, "Its id, or its name", {.required = true, .positional = true}))

struct SkillResult {
  skill::ListedSkill skill;
};
RECORD(SkillResult, FIELD(skill, "With its steps and its runs"))

static SkillResult skill_get(Session& session, const SkillGetRequest& request) {
  Engine& engine = session.engine(Access::read);
  SkillResult result;
  result.skill.skill = require_skill(engine, request.skill);
  result.skill.history = skill::skill_history(engine, result.skill.skill.id);
  return result;
}

// --- export --------------------------------------------------------------------------------------

struct SkillExportRequest {
  std::string skill, format = "artifact";
};
RECORD(SkillExportRequest,
       FIELD(skill, "Its id, or its name", {.required = true, .positional = true}),
       FIELD(format, "The format", {.choices = names_of(skill::export_formats())}))

struct SkillExportResult {
  std::string content;
};
RECORD(SkillExportResult, FIELD(content, "A file of that format"))

static SkillExportResult skill_export(Session& session, const SkillExportRequest& request) {
  Engine& engine = session.engine(Access::read);
  const auto s = require_skill(engine, request.skill);
  if (!s.artifact) {
    throw problem(ProblemType::conflict, "skill", "{} has no recording", s.id);
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

Operations skill_operations() {
  return {
      operation(
          {.name = "skill_recall",
           .summary = "Skills, or those for a site or a purpose; the proven ones first",
           .example =
               "  hebb skill recall\n"
               "  hebb skill recall --domain shop.example\n"
               "  hebb skill recall --url http://localhost:8080/cart --intent \"pay the order\"\n"
               "  hebb skill recall --domain localhost:8080 --name checkout --json",
           .route = "GET /skills",
           .tool = Tool::all},
          skill_recall),
      operation(
          {.name = "skill_get",
           .command = "skill show",
           .summary = "One skill with its steps and its runs",
           .example =
               "  hebb skill show checkout\n  hebb skill show skill:localhost:8080/checkout --json",
           .route = "GET /skill",
           .problems = {ProblemType::not_found}},
          skill_get),
      operation({.name = "skill_export",
                 .summary = "Write a skill for other programs",
                 .example = "  hebb skill export checkout --format playwright\n"
                            "  hebb skill export checkout --format recorder",
                 .route = "GET /skill/export",
                 .problems = {ProblemType::not_found, ProblemType::conflict}},
                skill_export),
  };
}

}  // namespace hebb::api
