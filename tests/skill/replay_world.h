// A site with one page at /, and a skill that starts there.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "skill/replay/record.h"
#include "tests/skill/pages.h"
#include "tests/support/process.h"

namespace hebb::skill::test {

// One for all runs of a test: to start it takes longer than most runs.
inline std::unique_ptr<Browser>& kept_browser() {
  static std::unique_ptr<Browser> browser;
  return browser;
}

struct ReplayWorld {
  hebb::test::Site site;
  hebb::test::Folder folder;
  Skill skill;
  ReplayOptions options;
  std::map<std::string, Contract> contracts;

  explicit ReplayWorld(const std::string& html, std::vector<Step> steps = {}) {
    site.put("/", html);
    skill.id = "skill:x/y";
    skill.start_url = site.url("/");
    skill.artifact = Artifact{0, "0.2.0", std::move(steps), Json::object()};
    options.step_timeout_ms = 10'000;
    options.kept = &kept_browser();
  }
  // From now on a run that fails leaves evidence, with a picture, which takes its time.
  void keep_evidence() { options.evidence_folder = folder.file("evidence"); }
  ReplayResult run() {
    return replay(skill, options, [&](const std::string& id) -> std::optional<Contract> {
      const auto found = contracts.find(id);
      if (found == contracts.end()) return std::nullopt;
      return found->second;
    });
  }
  // Does the steps once, and keeps how their elements are found again.
  void record() {
    options.capture = ReplayOptions::Capture::chains;
    skill.elements.clear();
    const ReplayResult r = run();
    INFO((r.failure ? r.failure->detail : ""));
    REQUIRE(r.ok);
    std::vector<std::string> slots;
    skill = with_captured(skill, r, slots);
    options.capture = ReplayOptions::Capture::nothing;
  }
  // A good run, after which it is known what the elements were like, as of an imported skill.
  void learn() {
    options.capture = ReplayOptions::Capture::traits;
    const ReplayResult r = run();
    INFO((r.failure ? r.failure->detail : ""));
    REQUIRE(r.ok);
    skill = with_traits(skill, r);
    options.capture = ReplayOptions::Capture::nothing;
  }
  void contract(const std::string& id, const char* assertions) {
    contracts[id] = read_contract(id, Json::parse(assertions));
  }
};

inline std::string failure(const ReplayResult& r) {
  return r.failure ? r.failure->code + ": " + r.failure->detail : "";
}

}  // namespace hebb::skill::test
