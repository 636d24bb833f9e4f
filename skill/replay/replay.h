// Replays a skill's steps in a browser, exactly or not at all.
//
// A selector finds a step's element only if it finds exactly one. The whole chain is tried again
// and again until the step's time is over. Whichever selector finds it, the element must match all
// that is recorded of it. Nothing is guessed, and no step is assumed to have worked.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "skill/browser/browser.h"
#include "skill/replay/result.h"
#include "skill/store/contract.h"
#include "skill/store/secrets.h"

namespace hebb::skill {

struct ReplayOptions {
  std::string url;                                           // instead of the skill's start
  std::optional<std::pair<std::size_t, std::size_t>> range;  // first and last step
  bool stop_on_contract_failure = true;
  std::int64_t step_timeout_ms = 5000;
  std::int64_t run_timeout_ms = 120'000;
  bool allow_risky = false;
  bool allow_script = false;               // script of the recording, which a step waits for
  std::vector<std::string> allow_origins;  // besides the skill's own; * stands for any part
  // Limits of the request; nullopt: none.
  std::optional<std::vector<std::string>> only_origins;  // patterns, as in `allow_origins`
  std::optional<std::string> upload_folder;              // files must be below it; empty: no files
  std::string disabled;         // why nothing may be replayed; empty: it may
  std::string evidence_folder;  // parent of evidence folders; empty: no evidence
  BrowserOptions browser;
  // What to capture of each element that is acted on: StepResult::captured.
  enum class Capture : std::uint8_t { nothing, traits, chains };
  Capture capture = Capture::nothing;
  std::vector<SelectorType> order;  // of captured chains
  SecretValues* secrets = nullptr;
  // A browser left running by the last run of the same options, and for the next; nullptr: each run
  // starts and ends one. Each run has its own pages and storage.
  std::unique_ptr<Browser>* kept = nullptr;
};
using ContractLookup = std::function<std::optional<Contract>(const std::string& id)>;

inline constexpr std::int64_t kStartMs = 30'000;  // time limit for the start of the browser

// Does not throw for errors of the page or the browser; throws Cancelled, and then only effects of
// the pages are left of the run. Returns within run_timeout_ms plus the time of the browser's start
// and end.
ReplayResult replay(const Skill& skill, const ReplayOptions& options,
                    const ContractLookup& contracts);

// False with HEBB_SKILL_REPLAY=0.
bool replay_enabled();

// "http://host:port" of an address; empty if it has no host.
std::string origin_of(std::string_view url);

}  // namespace hebb::skill
