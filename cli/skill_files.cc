// hebb skill import, export
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/skill.h"
#include "skill/format/format.h"
#include "skill/learn/learn.h"
#include "skill/replay/replay.h"

namespace hebb::cli {

namespace {

struct Options {
  std::string file, format, domain, name, contract, skill;
};

std::string domain_of(const std::string& url) {
  std::string origin = skill::origin_of(url);
  const std::size_t scheme = origin.find("://");
  origin.erase(0, scheme == std::string::npos ? 0 : scheme + 3);
  for (char& c : origin) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return origin;
}

void import_file(const Context& context, const Options& o) {
  const std::string text = read_file(o.file);
  auto imported = with_valid([&] { return skill::import_recording(text, o.format); });
  skill::Skill s;
  s.domain = o.domain.empty() ? domain_of(imported.start_url) : o.domain;
  s.name = o.name.empty() ? imported.title : o.name;
  if (s.domain.empty()) throw Stop(kUsage, "the recording names no site: give --domain");
  if (s.name.empty()) throw Stop(kUsage, "the recording has no title: give --name");
  if (!o.contract.empty()) s.contract_id = o.contract;
  s.artifact = std::move(imported.artifact);
  s.artifact->recorded_at = context.now();
  s.artifact->hebb_version = HEBB_VERSION;
  Engine engine = context.open(Context::Access::create);
  const auto saved = with_valid([&] { return skill::save_skill(engine, s, context.now()); });
  engine.sync();
  const std::string id = skill::skill_id(s.domain, s.name);
  const auto stored = require_skill(engine, id);
  if (context.json)
    return context.print_json(skill::skill_json(stored, skill::skill_history(engine, id)));
  for (const std::string& slot : saved.slots)
    context.note(fmt::format("the value of {} is a secret and is not kept", slot));
  context.report(fmt::format("{} {}, {} steps", saved.created ? "imported" : "imported anew", id,
                             stored.intents.size()));
}

void export_skill(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::read);
  const auto s = require_skill(engine, o.skill);
  if (!s.artifact) throw Stop(kFailed, fmt::format("{} was recorded without artifacts", s.id));
  std::optional<skill::Contract> contract;
  if (s.contract_id) contract = skill::load_contract(engine, *s.contract_id);
  for (const auto& format : skill::export_formats()) {
    if (format.name != o.format) continue;
    const skill::Exported out{s.name, s.start_url, &*s.artifact, contract ? &*contract : nullptr};
    return context.data(format.write(out));
  }
}

}  // namespace

void add_skill_files(CLI::App& skill, Context& context) {
  const auto in = std::make_shared<Options>();
  CLI::App* importer =
      add_command(skill, context, "import", "Take what another program recorded as a skill",
                  "  hebb skill import checkout.json\n"
                  "  hebb skill import checkout.spec.ts --format playwright --name checkout\n"
                  "  hebb skill import shop.side --domain shop.example",
                  [&context, in] { import_file(context, *in); });
  importer->add_option("FILE", in->file, "The recording; \"-\": standard input")->required();
  std::vector<std::string> formats;
  for (const auto& format : skill::import_formats()) formats.emplace_back(format.name);
  importer->add_option("--format", in->format, "What it is (else what it looks like)")
      ->check(CLI::IsMember(formats));
  importer->add_option("--domain", in->domain, "The site (else that of its first address)");
  importer->add_option("--name", in->name, "What the skill is called (else its title)");
  importer->add_option("--contract", in->contract, "The contract that must hold at the end");
  const auto out = std::make_shared<Options>();
  out->format = "artifact";
  CLI::App* exporter = add_command(skill, context, "export", "Write a skill for other programs",
                                   "  hebb skill export checkout --format playwright\n"
                                   "  hebb skill export checkout --format recorder",
                                   [&context, out] { export_skill(context, *out); });
  exporter->add_option("SKILL", out->skill, "Its id, or its name")->required();
  std::vector<std::string> outputs;
  for (const auto& format : skill::export_formats()) outputs.emplace_back(format.name);
  exporter->add_option("--format", out->format, "artifact, recorder or playwright")
      ->check(CLI::IsMember(outputs))
      ->capture_default_str();
}

}  // namespace hebb::cli
