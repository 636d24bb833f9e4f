// hebb skill contract set, list, show
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/skill.h"

namespace hebb::cli {

namespace {

struct Options {
  std::string id, file;
  std::vector<std::string> urls, texts, titles, roles;
};

skill::Json element_of(const std::string& spec) {
  // ROLE:NAME
  const std::size_t colon = spec.find(':');
  if (colon == std::string::npos || colon == 0)
    throw Stop(kUsage, fmt::format("--element \"{}\" is not ROLE:NAME", spec));
  return {{"element", {{"role", spec.substr(0, colon)}, {"name", spec.substr(colon + 1)}}}};
}

skill::Json assertions_of(const Options& o) {
  skill::Json list = skill::Json::array();
  for (const auto& url : o.urls) list.push_back({{"url", url}});
  for (const auto& title : o.titles) list.push_back({{"title", title}});
  for (const auto& text : o.texts) list.push_back({{"text", text}});
  for (const auto& role : o.roles) list.push_back(element_of(role));
  return {{"assertions", std::move(list)}};
}

skill::Json contract_json(const skill::Contract& contract) {
  skill::Json out{{"contract_id", contract.id}};
  out.update(skill::write_contract(contract));
  return out;
}

void set(const Context& context, const Options& o) {
  const auto contract = with_valid([&] {
    constexpr std::size_t kBytes = 60 << 10;
    const skill::Json json =
        o.file.empty() ? assertions_of(o) : skill::parse_json(read_file(o.file), o.file, kBytes);
    return skill::read_contract(o.id, json);
  });
  Engine engine = context.open(Context::Access::create);
  const bool created = skill::save_contract(engine, contract, context.now());
  engine.sync();
  if (context.json) return context.print_json(contract_json(contract));
  context.report(fmt::format("{} contract {}, {} assertions", created ? "set" : "replaced", o.id,
                             contract.assertions.size()));
}

void list(const Context& context) {
  Engine engine = context.open(Context::Access::read);
  const auto contracts = with_valid([&] { return skill::list_contracts(engine); });
  if (context.json) {
    Json rows = Json::array();
    for (const auto& contract : contracts) rows.push_back(contract_json(contract));
    return context.print_json(rows);
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& contract : contracts) {
    for (const auto& assertion : contract.assertions)
      rows.push_back({contract.id, skill::describe(assertion)});
  }
  if (rows.empty()) return context.note("no contracts; `hebb skill contract set` makes one");
  context.table({{"contract"}, {"holds when there is", false, true}}, rows);
}

}  // namespace

void add_skill_contract(CLI::App& skill, Context& context) {
  CLI::App* contract =
      add_command(skill, context, "contract", "Conditions that must hold when a skill is done",
                  "  hebb skill contract set done --text \"Thank you\"\n"
                  "  hebb skill contract list",
                  {});
  contract->require_subcommand(1);
  const auto o = std::make_shared<Options>();
  CLI::App* setter =
      add_command(*contract, context, "set", "Set all conditions of a contract",
                  "  hebb skill contract set done --text \"Thank you\" --url \"*/done\"\n"
                  "  hebb skill contract set saved --element \"button:Edit\"\n"
                  "  hebb skill contract set saved --from saved.json",
                  [&context, o] { set(context, *o); });
  setter->add_option("ID", o->id, "The contract")->required();
  setter->add_option("--text", o->texts, "Text on the page")->allow_extra_args(false);
  setter->add_option("--url", o->urls, "The page's address; * is any part of it")
      ->allow_extra_args(false);
  setter->add_option("--title", o->titles, "A part of the page's title")->allow_extra_args(false);
  setter->add_option("--element", o->roles, "ROLE:NAME of an element that can be seen")
      ->allow_extra_args(false);
  setter->add_option("--from", o->file, "A file with {\"assertions\": […]}; see docs/skills.md");
  add_command(*contract, context, "list", "All contracts",
              "  hebb skill contract list\n  hebb skill contract list --json",
              [&context] { list(context); });
}

}  // namespace hebb::cli
