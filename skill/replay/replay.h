// A skill's steps done again in a browser, exactly or not at all.
//
// A step's element is what a selector of its chain finds alone; the whole chain is tried again
// until the step's time is over. A structural selector counts only where the element has the
// recorded role and name. Nothing is guessed and nothing is assumed to have worked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "skill/browser/process.h"
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
  std::vector<std::string> allow_origins;  // beside the skill's own; * for any part
  std::string evidence_folder;             // where folders of evidence are made; empty: none
  BrowserOptions browser;
  SecretValues* secrets = nullptr;
};
using ContractLookup = std::function<std::optional<Contract>(const std::string& id)>;

inline constexpr std::int64_t kStartMs = 30'000;  // for the browser to start

// Never throws for what the page or the browser does, and returns within run_timeout_ms, the
// browser's start and its end.
ReplayResult replay(const Skill& skill, const ReplayOptions& options,
                    const ContractLookup& contracts);

// False with HEBB_SKILL_REPLAY=0.
bool replay_enabled();

// "http://host:port" of an address; empty where it has none.
std::string origin_of(std::string_view url);
std::string host_of(std::string_view url);  // without the port

}  // namespace hebb::skill
