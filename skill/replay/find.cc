// How a step of a replay finds its elements.
#include <algorithm>

#include <fmt/format.h>

#include "skill/replay/agree.h"
#include "skill/replay/steps.h"

namespace hebb::skill {

bool StepRunner::is_recorded(const Element& e, const Chain& chain, Deadline deadline) {
  const Identity wanted = recorded_identity(chain);
  if (wanted.role.empty() && wanted.name.empty()) return true;
  Finder finder(run_.browser);
  const Identity seen = finder.identity(e, deadline);
  return (wanted.role.empty() || wanted.role == seen.role) && wanted.name == seen.name;
}

// One pass over the chain, and a look at what the rest of it finds.
StepRunner::Found StepRunner::look(const std::string& frame, const Chain& chain, StepResult& result,
                                   Deadline deadline) {
  Finder finder(run_.browser);
  Found found;
  result.selector_attempts = 0;
  result.missed.clear();
  result.resolved_via.reset();
  bool several = false;  // elements have the recorded name
  std::size_t i = 0;
  for (; i < chain.size() && !found.element; ++i) {
    const Selector& s = chain[i];
    ++result.selector_attempts;
    const auto elements = finder.find(frame, s, deadline);
    if (elements.size() != 1) {
      found.why += fmt::format("{}{} finds {}", found.why.empty() ? "" : "; ", describe(s),
                               elements.empty() ? "nothing" : std::to_string(elements.size()));
      const bool named =
          s.type == SelectorType::role_name || s.type == SelectorType::accessible_name;
      several = several || (named && elements.size() > 1);
    } else if (several && counts_places(s)) {
      found.why += fmt::format("; {} says only which place it has", describe(s));
    } else if (is_structural(s.type) && !is_recorded(elements.front(), chain, deadline)) {
      found.why += fmt::format("{}{} finds an element of another role or name",
                               found.why.empty() ? "" : "; ", describe(s));
    } else {
      found.element = elements.front();
    }
  }
  const std::size_t tried = found.element ? i - 1 : i;
  if (found.element) result.found_by.push_back(tried);
  if (found.element && !run_.alternatives) {
    Agreement agreed =
        agreement(run_.browser, chain, tried, *found.element, run_.stood_beside, deadline);
    result.found_by.insert(result.found_by.end(), agreed.agreed.begin(), agreed.agreed.end());
    found.contradicted = !agreed.against.empty();
    if (found.contradicted) found = {std::nullopt, std::move(agreed.against), true};
  }
  // What missed it only because the page was not yet drawn does not count as having missed it.
  for (std::size_t k = 0; k < tried; ++k) {
    const auto& by = result.found_by;
    if (std::find(by.begin(), by.end(), k) == by.end()) result.missed.push_back(chain[k].type);
  }
  if (found.element) result.resolved_via = chain[tried].type;
  return found;
}

// The frame's id; empty: it does not exist (yet).
std::string StepRunner::frame_of(const Step& step, Deadline deadline) {
  frame_why_ = "the frame is not there";
  if (static_cast<std::size_t>(step.tab) >= run_.browser.pages()) return "";
  tab_ = static_cast<std::size_t>(step.tab);
  const PageState& page = run_.browser.page(tab_);
  if (page.main() == nullptr || page.closed) return "";
  if (step.frame_ordinal > 0) {
    const auto at = static_cast<std::size_t>(step.frame_ordinal);
    return at < page.frames.size() ? page.frames[at].id : "";
  }
  std::string frame = page.main()->id;
  for (const Chain& chain : step.frames) {
    StepResult ignored;
    const Found owner = look(frame, chain, ignored, deadline);
    if (!owner.element) {
      frame_why_ += ": " + owner.why;
      return "";
    }
    const Frame* f = run_.browser.frame(frame);
    if (f == nullptr) return "";
    const Json node = run_.browser.call("DOM.describeNode", {{"objectId", owner.element->object}},
                                        f->session, deadline);
    const Json id = node.value("node", Json::object()).value("frameId", Json());
    if (!id.is_string()) return "";
    frame = id.get<std::string>();
    if (run_.browser.frame(frame) == nullptr) return "";
  }
  return frame;
}

// All elements that the step needs, or why one is missing.
StepRunner::Targets StepRunner::find(const Step& step, bool may_guess, StepResult& result,
                                     Deadline deadline) {
  Targets targets;
  const bool guess = run_.guess && may_guess;
  std::string frame = frame_of(step, deadline);
  Found found;
  found.why = frame_why_;
  if (!frame.empty()) found = look(frame, step.selectors, result, deadline);
  const bool lost = guess && !found.element && !found.contradicted;
  if (lost) found.element = in_other_frame(step, frame, result, deadline);
  if (lost && found.element) frame = found.element->frame;
  if (lost && !found.element && !frame.empty())
    found.element = run_.guess(frame, step.selectors, RunContext::Part::target, deadline);
  targets.target = std::move(found.element);
  if (!targets.target) targets.why = std::move(found.why);
  if (!targets.target || step.kind != Kind::drag) return targets;
  StepResult ignored;
  Found to = look(frame, step.to, ignored, deadline);
  if (!to.element && !to.contradicted && guess)
    to.element = run_.guess(frame, step.to, RunContext::Part::drag_end, deadline);
  targets.to = std::move(to.element);
  if (!targets.to) targets.why = "where to drag it: " + to.why;
  return targets;
}

}  // namespace hebb::skill
