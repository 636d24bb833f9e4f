// How a step of a replay finds its elements.
#include <algorithm>

#include <fmt/format.h>

#include "skill/replay/resolve.h"
#include "skill/replay/run.h"
#include "skill/replay/signature.h"

namespace hebb::skill {

// One pass over the chain.
Run::Found Run::look(const std::string& frame, const Chain& chain, const ElementTraits* known,
                     StepResult& result, Deadline deadline) {
  Resolution r =
      Resolver(*browser_, frame, chain, known, alternatives(), of_other_step_, deadline).resolve();
  result.selector_attempts = static_cast<std::int64_t>(std::min(r.selector + 1, chain.size()));
  result.resolved_via.reset();
  const bool by_chain = r.selector < chain.size();
  if (by_chain && (r.element || r.contradicted)) result.found_by.push_back(r.selector);
  result.found_by.insert(result.found_by.end(), r.agreed.begin(), r.agreed.end());
  if (r.element) result.resolved_via = by_chain ? chain[r.selector].type : SelectorType::role_name;
  // Selectors that missed it only before the page was drawn do not count as misses.
  result.missed.clear();
  for (std::size_t k = 0; k < r.selector; ++k) {
    const auto& by = result.found_by;
    if (std::find(by.begin(), by.end(), k) == by.end()) result.missed.push_back(chain[k].type);
  }
  return {std::move(r.element), std::move(r.why), r.contradicted, r.gone};
}

// The frame's id; empty: it does not exist (yet).
std::string Run::frame_of(const Step& step, Deadline deadline) {
  frame_why_ = "the frame is not there";
  if (static_cast<std::size_t>(step.tab) >= browser_->pages()) return "";
  tab_ = static_cast<std::size_t>(step.tab);
  const PageState& page = browser_->page(tab_);
  if (page.main() == nullptr || page.closed) return "";
  if (step.frame_ordinal > 0) {
    const auto at = static_cast<std::size_t>(step.frame_ordinal);
    return at < page.frames.size() ? known_frame(page.frames[at].id, deadline) : "";
  }
  std::string frame = page.main()->id;
  for (const Chain& chain : step.frames) {
    StepResult ignored;
    const Found owner = look(frame, chain, nullptr, ignored, deadline);
    if (!owner.element) {
      frame_why_ += ": " + owner.why;
      return "";
    }
    const Frame* f = browser_->frame(frame);
    if (f == nullptr) return "";
    const Json node = browser_->call("DOM.describeNode", {{"objectId", owner.element->object}},
                                     f->session, deadline);
    const Json id = node.value("node", Json::object()).value("frameId", Json());
    if (!id.is_string()) return "";
    frame = id.get<std::string>();
    if (browser_->frame(frame) == nullptr) return "";
  }
  return known_frame(frame, deadline);
}

// The frame, if it is the recorded one or none is recorded; else empty.
std::string Run::known_frame(const std::string& frame, Deadline deadline) {
  const ElementTraits* traits = known(Part::target);
  if (traits == nullptr || traits->frame.empty()) return frame;
  const std::string is = frame_identity(*browser_, tab_, frame, deadline);
  if (is == traits->frame || is.starts_with(traits->frame + " \""))
    return frame;  // recorded before headings were compared
  frame_why_ = fmt::format("the frame is {}, and not {}", is, traits->frame);
  return "";
}

// All elements that the step needs, or why one is missing.
Run::Targets Run::find(const Step& step, StepResult& result, Deadline deadline) {
  Targets targets;
  std::string frame = frame_of(step, deadline);
  Found found;
  found.why = frame_why_;
  if (!frame.empty()) found = look(frame, step.selectors, known(Part::target), result, deadline);
  targets.target = std::move(found.element);
  if (!targets.target) targets.why = std::move(found.why);
  targets.gone = found.gone;
  // For a target that a person wrote, records the control rather than the element drawn in it.
  if (targets.target && alternatives() && step.kind == StepKind::click) {
    const Json control = browser_->run(frame, "(e) => __hebb.pressedFor(e)",
                                       Json::array({targets.target->reference()}), deadline, false);
    targets.target->object = text_member(control, "objectId");
  }
  if (!targets.target || step.kind != StepKind::drag) return targets;
  StepResult ignored;
  Found to = look(frame, step.to, known(Part::drag_end), ignored, deadline);
  targets.to = std::move(to.element);
  if (!targets.to) targets.why = "where to drag it: " + to.why;
  return targets;
}

}  // namespace hebb::skill
