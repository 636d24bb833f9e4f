// A ledger as a history log.
#include "engine/engine_impl.h"

namespace hebb {

namespace {

using Ids = std::unordered_set<std::string>;

// Takes the names of nodes that were not made out of an event. False: nothing is left of it.
bool keep_names(Event& e, const Ids& made) {
  const auto gone = [&](const std::string& id) { return !made.contains(id); };
  if (std::holds_alternative<PolicyChange>(e.payload)) return true;
  if (auto* forget = std::get_if<Forget>(&e.payload)) {
    std::erase_if(forget->nodes, gone);
    std::erase_if(forget->edges,
                  [&](const EdgeName& n) { return gone(n.source) || gone(n.target); });
    return !forget->nodes.empty() || !forget->edges.empty();
  }
  if (gone(e.subject)) return false;
  if (const auto* link = std::get_if<Link>(&e.payload)) return !gone(link->target);
  if (const auto* unlink = std::get_if<Unlink>(&e.payload)) return !gone(unlink->target);
  if (auto* outcome = std::get_if<OutcomeSignal>(&e.payload)) {
    std::erase_if(outcome->contexts, gone);
    if (outcome->related) std::erase_if(*outcome->related, gone);
  } else if (auto* recalibration = std::get_if<Recalibration>(&e.payload)) {
    std::erase_if(recalibration->guides, [&](const Guide& g) { return gone(g.node); });
  }
  return true;
}

}  // namespace

// Claims are left out: they are known by their positions in this ledger. So is the name of a node
// that only undone or damaged events had made, wherever it stands: no import could take it.
void export_log(Engine& engine, const std::function<void(std::string_view line)>& write) {
  EngineImpl& impl = engine.impl();
  const auto moment = impl.storage.one_moment();
  impl.folded.state();
  const Undone& left_out = impl.folded.undone();
  const auto each = [&](const EventSink& sink) {
    impl.ledger.events_until(kEndOfTime, [&](Event&& e) {
      const bool counts = !left_out.contains(e.position);
      const bool stays = counts && !std::holds_alternative<Undo>(e.payload);
      if (stays && !is_claim(e.payload)) sink(std::move(e));
    });
  };
  const bool lacks_nodes = !left_out.events.empty() || !impl.folded.left_out().why().empty();
  Ids made{std::string(kFrontier)};
  if (lacks_nodes) {
    each([&](Event&& e) {
      if (makes_node(e.payload)) made.insert(std::move(e.subject));
    });
  }
  // What a gc took was there before it: one that another event made later is another node to it.
  Ids made_before{std::string(kFrontier)};
  each([&](Event&& e) {
    if (lacks_nodes && makes_node(e.payload)) made_before.insert(e.subject);
    const Ids& known = std::holds_alternative<Forget>(e.payload) ? made_before : made;
    if (!lacks_nodes || keep_names(e, known)) write(export_line(e) + "\n");
  });
}

}  // namespace hebb
