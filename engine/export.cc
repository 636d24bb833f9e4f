// A ledger as a history log.
#include "engine/engine_impl.h"

namespace hebb {

namespace {

using Ids = std::unordered_set<std::string>;

// Removes the names of nodes that no event made from an event. False: nothing is left of it.
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

// Claims are left out: they are known by their positions in this ledger. So is the name of a node
// that only undone or damaged events had made, wherever it stands: no import could take it.
void write_log(const Ledger& ledger, const std::unordered_set<std::int64_t>& left_out,
               const LineSink& write) {
  const auto each = [&](const EventSink& sink) {
    const auto take = [&](Event&& e) {
      if (!std::holds_alternative<Undo>(e.payload) && !is_claim(e.payload)) sink(std::move(e));
    };
    ledger.events_until(kEndOfTime, take, left_out);
  };
  const bool lacks_nodes = !left_out.empty();
  Ids made{std::string(kFrontier)};
  if (lacks_nodes) {
    each([&](Event&& e) {
      if (makes_node(e.payload)) made.insert(std::move(e.subject));
    });
  }
  // A gc removed nodes that were made before it: a node made later is another one to it.
  Ids made_before{std::string(kFrontier)};
  each([&](Event&& e) {
    if (lacks_nodes && makes_node(e.payload)) made_before.insert(e.subject);
    const Ids& known = std::holds_alternative<Forget>(e.payload) ? made_before : made;
    if (!lacks_nodes || keep_names(e, known)) write(export_line(e) + "\n");
  });
}

}  // namespace

std::vector<std::string> export_log(Engine& engine, const LineSink& write, bool salvage) {
  EngineImpl& impl = engine.impl();
  const auto moment = impl.storage.read_snapshot();
  std::vector<std::string> damage;
  if (!salvage) {
    impl.folded.state();
    write_log(impl.ledger, impl.folded.undone().events, write);
    return damage;
  }
  std::vector<Event> undos;
  const auto faults = impl.ledger.check([&](Event&& e) {
    if (std::holds_alternative<Undo>(e.payload)) undos.push_back(std::move(e));
  });
  std::unordered_set<std::int64_t> left_out;
  for (const LedgerFault& fault : faults) {
    if (fault.is_whole) continue;
    left_out.insert(fault.first);  // the only one, but where several are missing
    damage.push_back(fault.what);
  }
  std::erase_if(undos, [&](const Event& e) { return left_out.contains(e.position); });
  left_out.merge(undone_by(std::move(undos)).events);
  write_log(impl.ledger, left_out, write);
  return damage;
}

}  // namespace hebb
