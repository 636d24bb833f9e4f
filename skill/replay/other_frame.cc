// For `hebb skill heal` alone: an element whose frame is another one since.
#include <algorithm>

#include "skill/replay/capture_element.h"
#include "skill/replay/steps.h"

namespace hebb::skill {

// The frame in which more than half of the steps that were in one frame find their elements, each
// by its whole chain, and this step among them; no other may have as many as it.
std::optional<Element> StepRunner::in_other_frame(const Step& step, const std::string& recorded,
                                                  StepResult& result, Deadline deadline) {
  if (run_.steps == nullptr || recorded_identity(step.selectors).name.empty()) return std::nullopt;
  if (static_cast<std::size_t>(step.tab) >= run_.browser.pages()) return std::nullopt;
  std::vector<std::string> frames;
  for (const Frame& f : run_.browser.page(static_cast<std::size_t>(step.tab)).frames) {
    const bool own = f.id != recorded && (!f.url.starts_with("http") || run_.reach.allows(f.url));
    if (own) frames.push_back(f.id);
  }
  std::size_t most = 0, next = 0;
  std::optional<Element> best;
  for (const std::string& frame : frames) {
    StepResult ignored;
    const Found found =
        look(frame, step.selectors, known(RunContext::Part::target), ignored, deadline);
    if (!found.element) continue;
    std::size_t there = 0, together = 0;
    for (const Step& other : *run_.steps) {
      const bool beside = other.tab == step.tab && other.frames == step.frames &&
                          other.frame_ordinal == step.frame_ordinal && !other.selectors.empty();
      together += beside ? 1 : 0;
      if (beside && look(frame, other.selectors, nullptr, ignored, deadline).element) ++there;
    }
    next = std::max(next, std::min(there, most));
    if (there <= most || there * 2 <= together) continue;
    most = there;
    best = found.element;
  }
  if (!best || most == next) return std::nullopt;
  std::vector<Chain> path = capture_frames(run_.browser, tab_, best->frame, deadline);
  if (path.empty()) return std::nullopt;
  const Identity was = recorded_identity(step.selectors);
  const std::string said = was.role + " \"" + was.name + "\"";
  result.healed = Healing{said, said, "frame"};
  result.frames = std::move(path);
  return best;
}

}  // namespace hebb::skill
