#include "skill/replay/replay.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "skill/replay/check.h"
#include "skill/replay/evidence.h"
#include "skill/replay/quiet.h"
#include "skill/replay/reach.h"
#include "skill/replay/risk.h"
#include "skill/replay/run.h"
#include "skill/replay/signature.h"

namespace hebb::skill {
namespace {

// Opening the first page may take this many times as long as a step.
constexpr std::int64_t kOpenFactor = 3;

// Whether the file is in the folder or below it, after symbolic links are followed.
bool is_below(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  if (folder.empty()) return false;
  std::error_code gone;
  const fs::path path = fs::canonical(file, gone), root = fs::canonical(folder, gone);
  if (gone) return false;
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

Run::Run(const Skill& skill, const ReplayOptions& options, const ContractLookup& contracts)
    : skill_(skill),
      options_(options),
      contracts_(contracts),
      secrets_(options.secrets == nullptr ? own_ : *options.secrets),
      of_other_step_([this](const std::string& called) { return is_of_other_step(called); }) {
  result_.total = steps().size();
}

ReplayResult Run::go() {
  const Deadline began = Clock::now();
  bool usable = false;
  try {
    check();
    open();
    replay_steps();
    check_contract(skill_.contract_id, std::min(end_, in_ms(options_.step_timeout_ms)));
    let_pages_finish(*browser_, std::min(end_, in_ms(options_.step_timeout_ms)));
    result_.ok = !result_.failure;
    usable = true;
  } catch (const StepFailed& e) {
    fail(e.code(), e.what());
    usable = browser_ != nullptr;
  } catch (const Invalid& e) {
    fail(code::kInvalidArgs, e.what());
  } catch (const BrowserGone& e) {
    fail(code::kNavigatedAway, e.what());
  } catch (const CdpTimeout& e) {
    fail(code::kStepTimeout, e.what());
  } catch (const BrowserError& e) {
    fail(browser_ ? code::kNavigatedAway : code::kInvalidArgs, e.what());
  }
  end(usable);
  result_.elapsed_ms = ms_since(began);
  return std::move(result_);
}

void Run::check() {
  check_arguments();
  reach_ = Reach(own_addresses(), options_.allow_origins, options_.only_origins);
  check_limits();
  refuse_risks();
}

void Run::check_arguments() {
  const std::size_t last = result_.total - 1;
  from_ = options_.range ? options_.range->first : 0;
  to_ = options_.range ? options_.range->second : last;
  if (from_ > to_ || to_ > last) {
    invalid("step_range", fmt::format("{} to {}; the steps are 0 to {}", from_, to_, last));
  }
  const auto positive = [](std::int64_t ms) { return ms > 0 && ms <= 3'600'000; };
  if (!positive(options_.step_timeout_ms) || !positive(options_.run_timeout_ms))
    invalid("step_timeout_ms", "must be from 1 to 3600000");
  // Throws if a slot has no value, before anything is done.
  for (std::size_t i = from_; i <= to_; ++i) {
    secrets_.fill(dump(steps()[i].args));
    secrets_.fill_selectors(skill_.artifact->steps[i]);
  }
  start_ = secrets_.fill(options_.url.empty() ? skill_.start_url : options_.url);
  if (start_.empty() && steps()[from_].kind != StepKind::navigate &&
      steps()[from_].kind != StepKind::viewport) {
    invalid("url", "the skill does not say where it starts: give --url");
  }
  require_contract(skill_.contract_id, from_);
  for (std::size_t i = from_; i <= to_; ++i) require_contract(steps()[i].contract_id, i);
}

void Run::require_contract(const std::optional<std::string>& id, std::size_t step) {
  if (!id) return;
  if (auto contract = contracts_(*id)) return fill_slots(*contract, secrets_);
  at_ = step;
  throw StepFailed(code::kContractFailed, fmt::format("there is no contract {}", *id));
}

std::string Run::address(const Step& step) const {
  return step.kind == StepKind::navigate ? secrets_.fill(text_member(step.args, "url")) : "";
}

std::vector<std::string> Run::own_addresses() const {
  std::vector<std::string> own{start_};
  if (options_.url.empty()) own.push_back(skill_.signature.origin);
  // Without a start page, the first address that a step visits counts as the skill's own.
  for (const Step& step : steps()) {
    if (std::any_of(own.begin(), own.end(), is_place)) break;
    own.push_back(address(step));
  }
  return own;
}

// Refuses addresses beyond the limits of the request, before anything is done.
void Run::check_limits() {
  const auto disabled = [](const std::string& what) { throw StepFailed(code::kDisabled, what); };
  const auto open = [&](const std::string& address, bool pattern) {
    if (!reach_.within_limits(address, pattern))
      disabled(fmt::format("pages of \"{}\" may not be opened here", address));
  };
  for (const std::string& origin : options_.allow_origins) open(origin, true);
  if (!start_.empty()) open(start_, false);
  for (std::size_t i = from_; i <= to_; ++i) {
    if (steps()[i].kind == StepKind::navigate) open(address(steps()[i]), false);
  }
  if (!options_.upload_folder) return;
  for (std::size_t i = from_; i <= to_; ++i) {
    const Json& args = steps()[i].args;
    if (steps()[i].kind != StepKind::upload || !args.contains("files")) continue;
    at_ = i;
    for (const Json& file : args["files"]) {
      if (!is_below(secrets_.fill(file.get<std::string>()), *options_.upload_folder))
        disabled(fmt::format("the file {} may not be uploaded here", dump(file)));
    }
  }
  at_ = from_;
}

// Checks the steps' own descriptions for risks, before anything is done.
void Run::refuse_risks() {
  const auto refuse = [](const std::string& why) {
    if (!why.empty()) throw StepFailed(code::kRiskyAction, why);
  };
  refuse(reach_.why_not(start_));
  for (at_ = from_; at_ <= to_; ++at_) {
    const Step& step = steps()[at_];
    refuse(reach_.why_not(address(step)));
    const std::string script = text_member(step.args, "expression");
    if (!script.empty() && !options_.allow_script)
      refuse(fmt::format("the recording runs a script: {}", first_line(script)));
    if (!options_.allow_risky) refuse(risk_of(step));
  }
  at_ = from_;
}

void Run::open() {
  start_browser();
  end_ = in_ms(options_.run_timeout_ms);
  if (start_.empty()) return;
  const Deadline deadline = std::min(end_, in_ms(kOpenFactor * options_.step_timeout_ms));
  navigate(start_, deadline);
  settle(deadline);
  result_.start_url = start_;
  compare_page(deadline);
}

void Run::start_browser() {
  BrowserOptions browser = options_.browser;
  browser.open = reach_.open();
  if (options_.kept != nullptr) browser_ = std::move(*options_.kept);
  if (browser_ && !browser_->serves(browser)) browser_.reset();
  try {
    if (browser_) return browser_->begin_anew(browser.cancelled, in_ms(kStartMs));
  } catch (const BrowserGone&) {
    browser_.reset();  // it has ended since the last run
  }
  browser_ = std::make_unique<Browser>(browser, in_ms(kStartMs));
  if (options_.kept != nullptr) browser_->begin_anew(browser.cancelled, in_ms(kStartMs));
}

// A browser that failed itself is not used again.
void Run::end(bool usable) {
  if (browser_) browser_->answers.clear();
  if (options_.kept != nullptr && usable) *options_.kept = std::move(browser_);
  browser_.reset();
}

void Run::compare_page(Deadline deadline) {
  const PageSignature& recorded = skill_.signature;
  const bool elsewhere = !options_.url.empty() || from_ != 0;
  try {
    result_.signature = signature_of(*browser_, 0, for_answer(deadline));
    if (recorded.origin.empty()) return;
    PageSignature same = recorded;
    // With --url origin and path may differ, but the page has to look the same.
    if (elsewhere) {
      same.origin = result_.signature.origin;
      same.path = result_.signature.path;
    }
    std::string why = difference(same, result_.signature);
    // The page may still be building its form, so look again.
    while (!why.empty() && !is_over(deadline)) {
      browser_->rest(std::min(deadline, in_ms(kAgainMs)));
      result_.signature = signature_of(*browser_, 0, for_answer(deadline));
      why = difference(same, result_.signature);
    }
    if (!why.empty()) throw StepFailed(code::kPageMismatch, why);
  } catch (const CdpRefused& e) {
    if (!recorded.origin.empty()) throw StepFailed(code::kPageMismatch, e.what());
  }
}

void Run::replay_steps() {
  result_.attempted = true;
  for (at_ = from_; at_ <= to_; ++at_) {
    if (is_over(end_)) throw StepFailed(code::kStepTimeout, "the run's time is over");
    const Step& step = steps()[at_];
    const Deadline began = Clock::now();
    StepResult& r = result_.steps.emplace_back();
    r.index = at_;
    const Deadline deadline = std::min(end_, in_ms(options_.step_timeout_ms));
    browser_->open_requests.clear();
    try {
      run_step(at_, r, deadline);
      r.elapsed_ms = ms_since(began);
    } catch (...) {
      r.elapsed_ms = ms_since(began);
      throw;
    }
    r.ok = true;
    capture_message();
    ++result_.executed;
    check_contract(step.contract_id, deadline);
  }
  at_ = to_;
}

std::string Run::broken(const std::string& contract_id, Deadline deadline) {
  auto contract = contracts_(contract_id);
  if (!contract)
    throw StepFailed(code::kContractFailed, fmt::format("there is no contract {}", contract_id));
  fill_slots(*contract, secrets_);
  return broken_assertion(*browser_, tab_, *contract, deadline);
}

void Run::check_contract(const std::optional<std::string>& id, Deadline deadline) {
  if (!id) return;
  const std::string why = broken(*id, deadline);
  if (why.empty()) return;
  if (options_.stop_on_contract_failure) throw StepFailed(code::kContractFailed, why);
  fail(code::kContractFailed, why);
}

void Run::fail(std::string_view code, const std::string& what) {
  if (result_.failure) return;  // only the first failure counts
  Failure failure{std::string(code), at_, secrets_.scrub(what), ""};
  const bool seen = result_.attempted || code == code::kPageMismatch;
  if (browser_ && seen) {
    failure.evidence =
        keep_evidence(browser_.get(), tab_, options_.evidence_folder, skill_, failure, secrets_);
  }
  result_.failure = std::move(failure);
}

bool replay_enabled() {
  const char* value = std::getenv("HEBB_SKILL_REPLAY");
  return value == nullptr || std::string_view(value) != "0";
}

ReplayResult replay(const Skill& skill, const ReplayOptions& options,
                    const ContractLookup& contracts) {
  if (!replay_enabled()) return refused(code::kDisabled, "HEBB_SKILL_REPLAY is 0");
  if (!options.disabled.empty()) return refused(code::kDisabled, options.disabled);
  if (!skill.artifact) {
    ReplayResult r = refused(code::kArtifactMissing, "the skill has no recording");
    r.total = skill.intents.size();
    return r;
  }
  return Run(skill, options, contracts).go();
}

}  // namespace hebb::skill
