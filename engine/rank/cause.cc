#include "engine/rank/cause.h"

#include <fmt/format.h>

namespace hebb {
namespace {

constexpr std::size_t kPropertiesShown = 1024;  // bytes; an action's sequence always fits

// A link's properties for one line; only their size if they are longer than kPropertiesShown.
std::string told_of(const Link& link) {
  if (!link.properties || *link.properties == "{}") return {};
  if (link.properties->size() > kPropertiesShown) {
    return fmt::format(" ({} bytes of properties)", link.properties->size());
  }
  return " " + *link.properties;
}

std::string describe(const Event& e) {
  if (const auto* p = std::get_if<Link>(&e.payload)) {
    return fmt::format("link {} {} {}{}", e.subject, p->type, p->target, told_of(*p));
  }
  if (const auto* p = std::get_if<Unlink>(&e.payload)) {
    return fmt::format("unlink {} {} {}", e.subject, p->type, p->target);
  }
  if (const auto* p = std::get_if<OutcomeSignal>(&e.payload)) {
    switch (p->outcome) {
      case OutcomeKind::success:
        return fmt::format("success of {} (score {})", e.subject, p->score);
      case OutcomeKind::failure:
        return fmt::format("failure of {}", e.subject);
      case OutcomeKind::partial:
        return fmt::format("partial outcome of {}", e.subject);
    }
  }
  if (const auto* p = std::get_if<StateChange>(&e.payload)) {
    return fmt::format("state of {} becomes {}", e.subject, p->state);
  }
  if (std::holds_alternative<Pivot>(e.payload))
    return fmt::format("change of direction to {}", e.subject);
  if (std::holds_alternative<Recalibration>(e.payload)) return "recalibration";
  if (const auto* p = std::get_if<Undo>(&e.payload); p && !p->damage.empty()) {
    return fmt::format("quarantine of event {}: {}", p->event, p->damage);
  }
  if (const auto* p = std::get_if<Undo>(&e.payload); p && p->repeats) {
    return fmt::format("event {} tells of a completion that another outcome tells of", p->event);
  }
  if (const auto* p = std::get_if<Claim>(&e.payload))
    return fmt::format("claim of {} by {}", e.subject, p->agent);
  return fmt::format("{} {}", kind_name(e.payload), e.subject);
}

}  // namespace

Cause cause_of(const Event& e) { return {e.position, e.at, describe(e)}; }

}  // namespace hebb
