// Doing one step of a run.
#include <algorithm>

#include <fmt/format.h>

#include "skill/replay/risk.h"
#include "skill/replay/run.h"

namespace hebb::skill {
namespace {

constexpr std::int64_t kSettleMs = 60;  // how long to wait for a page to react to an action
constexpr std::int64_t kTakenMs = 300;  // how long a pressed element may take to be drawn again

}  // namespace

std::string Run::value(const Step& step, const char* key) {
  const auto found = step.args.find(key);
  if (found == step.args.end() || !found->is_string()) return "";
  return secrets_.fill(found->get<std::string>());
}

std::vector<std::string> Run::values(const Step& step, std::initializer_list<const char*> keys) {
  std::vector<std::string> out;
  for (const char* key : keys) {
    const auto found = step.args.find(key);
    if (found == step.args.end()) continue;
    if (found->is_string()) return {secrets_.fill(found->get<std::string>())};
    for (const Json& v : *found) out.push_back(secrets_.fill(v.get<std::string>()));
    return out;
  }
  return out;
}

void Run::guard(const Step& step, const Element& e, Deadline deadline) {
  const Frame* frame = browser_->frame(e.frame);
  const std::string url = frame == nullptr ? "" : frame->url;
  if (!slot_names(dump(step.args)).empty() && url.starts_with("http") && !reach_.allows(url)) {
    throw StepFailed(code::kRiskyAction,
                     fmt::format("a secret would be given to {}", origin_of(url)));
  }
  if (options_.allow_risky) return;
  const bool checked_later = skill_.contract_id.has_value() || step.contract_id.has_value();
  const std::string risk = risk_of(*browser_, step, e, checked_later, reach_, deadline);
  if (!risk.empty()) throw StepFailed(code::kRiskyAction, risk);
}

void Run::scroll(const Step& step, const std::optional<Element>& e, Deadline deadline) {
  const PageState& page = browser_->page(tab_);
  if (step.args.contains("dx") || step.args.contains("dy")) {
    browser_->call("Input.dispatchMouseEvent",
                   {{"type", "mouseWheel"},
                    {"x", 1},
                    {"y", 1},
                    {"deltaX", number_member(step.args, "dx")},
                    {"deltaY", number_member(step.args, "dy")}},
                   page.session, deadline);
    return;
  }
  if (page.main() == nullptr) throw CdpRefused("no page");
  const bool place = step.args.contains("x") || step.args.contains("y");
  if (e && !place) {
    browser_->run(e->frame, "(e) => __hebb.reveal(e)", Json::array({e->reference()}), deadline);
    return;
  }
  browser_->run(e ? e->frame : page.main()->id, "(e, x, y) => __hebb.scrollTo(e, x, y)",
                {e ? e->reference() : Json(nullptr), number_member(step.args, "x"),
                 number_member(step.args, "y")},
                deadline);
}

void Run::act(const Step& step, const Element& e, const std::optional<Element>& to,
              Deadline deadline) {
  Input input(*browser_, tab_);
  act(input, step, e, to, deadline);
  answered_ = input.answered();
  acted_ = e;
  remember_focus(step, e, deadline);
}

void Run::act(Input& input, const Step& step, const Element& e, const std::optional<Element>& to,
              Deadline deadline) {
  const ElementTraits* recorded = known(Part::target);
  const auto options = recorded == nullptr ? std::vector<std::string>() : recorded->options;
  switch (step.kind) {
    case StepKind::click: {
      ClickOptions click;
      click.button = mouse_button(step.args);
      click.count = static_cast<int>(number_member(step.args, "count", 1));
      for (const Json& m : step.args.value("modifiers", Json::array()))
        if (m.is_string()) click.modifiers.push_back(m.get<std::string>());
      if (step.args.contains("offsetX")) click.x = number_member(step.args, "offsetX");
      if (step.args.contains("offsetY")) click.y = number_member(step.args, "offsetY");
      return input.click(e, click, deadline);
    }
    case StepKind::fill:
      return input.fill(e, value(step, "value"), options, deadline);
    case StepKind::press:
      input.focus(e, deadline);
      return input.press_in(e, value(step, "key"), deadline);
    case StepKind::select:
      return input.select(e, chosen(step), options, deadline);
    case StepKind::submit:
      return input.submit(e, deadline);
    case StepKind::scroll:
      return scroll(step, e, deadline);
    case StepKind::check:
    case StepKind::uncheck:
      return input.set_checked(e, step.kind == StepKind::check, deadline);
    case StepKind::hover:
      return input.hover(e, deadline);
    case StepKind::upload:
      return input.upload(e, values(step, {"files"}), deadline);
    case StepKind::drag:
      return input.drag(e, *to, deadline);
    default:
      input.focus(e, deadline);
      return input.key(value(step, "key"), step.kind == StepKind::key_down, deadline);
  }
}

// In DevTools, no speed in either direction means that there is no network.
void Run::set_network(const Json& args, Deadline deadline) {
  const double down = number_member(args, "download", -1), up = number_member(args, "upload", -1);
  browser_->call("Network.emulateNetworkConditions",
                 {{"offline", down == 0 && up == 0},
                  {"latency", number_member(args, "latency")},
                  {"downloadThroughput", down},
                  {"uploadThroughput", up}},
                 browser_->page(tab_).session, deadline);
}

void Run::act_without_element(const Step& step, Deadline deadline) {
  if (static_cast<std::size_t>(step.tab) < browser_->pages())
    tab_ = static_cast<std::size_t>(step.tab);
  if (step.kind != StepKind::navigate && step.kind != StepKind::close) require_own_page();
  Input input(*browser_, tab_);
  const PageState& page = browser_->page(tab_);
  switch (step.kind) {
    case StepKind::navigate:
      return navigate(value(step, "url"), deadline);
    case StepKind::press:
    case StepKind::key_down:
      return keys_without_element(step, deadline);
    case StepKind::key_up:
      return input.key(value(step, "key"), false, deadline);
    case StepKind::scroll:
      return scroll(step, std::nullopt, deadline);
    case StepKind::viewport:
      browser_->call("Emulation.setDeviceMetricsOverride",
                     {{"width", step.args["width"]},
                      {"height", step.args["height"]},
                      {"deviceScaleFactor", number_member(step.args, "deviceScaleFactor", 1)},
                      {"mobile", is_true(step.args, "isMobile")}},
                     page.session, deadline);
      return;
    case StepKind::network:
      return set_network(step.args, deadline);
    case StepKind::close:
      focus_.reset();
      browser_->call("Target.closeTarget", {{"targetId", page.target}}, "", deadline);
      browser_->wait_for([&] { return page.closed; }, deadline);
      return;
    case StepKind::dialog: {
      const auto seen = [&] { return browser_->dialogs().count() > dialogs_before_; };
      if (!browser_->wait_for(seen, deadline))
        throw StepFailed(code::kResolutionFailed, "the page shows no dialog");
      const DialogSeen* dialog = browser_->dialogs().find(dialogs_before_++);
      if (dialog == nullptr) throw StepFailed(code::kResolutionFailed, "too many dialogs came");
      if (!dialog->refused.empty()) throw StepFailed(code::kResolutionFailed, dialog->refused);
      return;
    }
    default:
      throw StepFailed(code::kResolutionFailed,
                       fmt::format("a step of kind {} cannot be replayed", kind_name(step.kind)));
  }
}

// Why the dialog is not the recorded one, or needs permission; it is then dismissed.
std::string Run::why_not(const DialogSeen& dialog, const ElementTraits* known, bool accept) const {
  if (known != nullptr && !known->message.empty()) {
    if (known->message == dialog.text()) return "";
    return fmt::format("the dialog says \"{}\", and not \"{}\"", dialog.text(), known->message);
  }
  const std::string risk = accept && !options_.allow_risky ? risk_of_words(dialog.message) : "";
  return risk.empty() ? "" : fmt::format("the dialog needs --allow-risky: {}", risk);
}

void Run::until_done(const Step& step, StepResult& result, Deadline deadline) {
  std::string why;
  const Deadline answer = for_answer(deadline);
  std::optional<Deadline> taken;  // until when a vanished element may reappear
  for (bool found = false;;) {
    try {
      const Targets targets = find(step, result, answer);
      found = targets.why.empty();
      why = targets.why;
      // The element reacted to the beginning of the press, and is gone.
      if (targets.gone && taken && is_over(*taken)) return;
      if (found) {
        require_own_page();
        guard(step, *targets.target, answer);
        capture(*targets.target, Part::target, answer);
        if (targets.to) capture(*targets.to, Part::drag_end, answer);
        return act(step, *targets.target, targets.to, answer);
      }
    } catch (const PressLost& e) {
      // The page may have drawn it again. The second time is no coincidence.
      if (taken) throw StepFailed(code::kStepTimeout, e.what());
      why = e.what();
      taken = std::min(answer, in_ms(kTakenMs));
    } catch (const NotActionable& e) {
      why = e.what();
    } catch (const CdpRefused& e) {
      why = e.what();  // the page is changing: try again below
    } catch (const CdpTimeout& e) {
      throw StepFailed(code::kStepTimeout, e.what());
    }
    require_own_page();
    if (is_over(deadline)) {
      throw StepFailed(found ? code::kStepTimeout : code::kResolutionFailed, why);
    }
    browser_->rest(std::min(deadline, in_ms(kAgainMs)));
  }
}

// Prepares the answers to the step's dialogs, from the steps after it.
void Run::expect_dialogs(std::size_t after) {
  dialogs_before_ = browser_->dialogs().count();
  browser_->answers.clear();
  for (std::size_t i = after + 1; i <= to_ && steps()[i].kind == StepKind::dialog; ++i) {
    const bool accept = steps()[i].args.value("accept", Json(true)) == true;
    const ElementTraits* recorded = known(Part::target, i - after);
    browser_->answers.push_back(
        {accept, value(steps()[i], "value"), [this, recorded, accept](const DialogSeen& dialog) {
           return why_not(dialog, recorded, accept);
         }});
  }
}

void Run::run_step(std::size_t index, StepResult& result, Deadline deadline) {
  const Step& step = steps()[index];
  at_ = index;
  answered_ = false;
  if (step.kind != StepKind::dialog) expect_dialogs(index);
  try {
    if (step.kind == StepKind::wait) {
      wait_step(step, result, deadline);
    } else if (step.selectors.empty()) {
      act_without_element(step, deadline);
    } else {
      until_done(step, result, deadline);
    }
    settle(deadline);
  } catch (const CdpTimeout& e) {
    throw StepFailed(code::kStepTimeout, e.what());
  } catch (const CdpRefused& e) {
    throw StepFailed(code::kResolutionFailed, e.what());
  }
}

void Run::navigate(const std::string& url, Deadline deadline) {
  if (const std::string why = reach_.why_not(url); !why.empty())
    throw StepFailed(code::kRiskyAction, why);
  focus_.reset();
  PageState& page = browser_->page(tab_);
  page.ready = false;
  const Json answer = browser_->call("Page.navigate", {{"url", url}}, page.session, deadline);
  const std::string error = answer.value("errorText", "");
  // ERR_ABORTED is not a failure: a download, for example, loads no page.
  if (!error.empty() && error != "net::ERR_ABORTED")
    throw StepFailed(code::kNavigatedAway, fmt::format("{}: {}", url, error));
  if (!error.empty() || !answer.contains("loaderId")) {
    page.ready = true;
    return;
  }
  if (!browser_->wait_for([&] { return page.ready || page.crashed; }, deadline))
    throw StepFailed(code::kStepTimeout, fmt::format("{} does not load in time", url));
}

void Run::settle(Deadline deadline) {
  const PageState* page = &browser_->page(tab_);
  // If the action closed its page, go on in the page that was opened before it.
  while (page->closed && tab_ > 0) {
    page = &browser_->page(--tab_);
    answered_ = false;
  }
  if (page->closed) return;
  const Deadline soon = std::min(deadline, in_ms(kSettleMs));
  try {
    const std::string main = page->main()->id;
    if (!answered_) browser_->run(main, "() => 0", Json::array(), deadline);
  } catch (const CdpRefused&) {
    browser_->rest(soon);
  }
  const auto usable = [&] { return (page->ready && !page->navigating) || page->crashed; };
  if (!browser_->wait_for(usable, deadline))
    throw StepFailed(code::kStepTimeout, "the page does not come to rest");
  require_own_page();
}

void Run::require_own_page() const {
  const PageState& page = browser_->page(tab_);
  if (page.crashed) throw StepFailed(code::kNavigatedAway, "the page has crashed");
  if (page.closed || page.main() == nullptr) return;
  // Resources of another origin are not loaded either.
  const bool failed = !page.failed_url.empty();
  const std::string& url = failed ? page.failed_url : page.main()->url;
  if (!reach_.allows(url)) {
    const std::string origin = origin_of(url);
    throw StepFailed(code::kNavigatedAway,
                     fmt::format("the page is now {}", origin.empty() ? first_line(url) : origin));
  }
  if (failed) throw StepFailed(code::kNavigatedAway, fmt::format("{} cannot be reached", url));
}

}  // namespace hebb::skill
