// A ledger as a history log.
#include <map>

#include <fmt/format.h>

#include "engine/engine_impl.h"
#include "engine/values/counted.h"

namespace hebb {

namespace {

using Ids = std::unordered_set<std::string>;
using Positions = std::unordered_set<std::int64_t>;

// Removes the names of nodes that are gone from an event. False: nothing is left of it.
bool keep_names(Event& e, const std::function<bool(const std::string& id)>& gone) {
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

// Of a node that only damaged events had made: how many others name it.
struct Lost {
  int left_out = 0, changed = 0;
};

// Claims are left out: they are known by their positions in this ledger. So is the name of a node
// that only undone or damaged events had made, wherever it stands: no import could take it. Returns
// those that damaged ones had made.
std::map<std::string, Lost> write_log(const Ledger& ledger, const Positions& undone,
                                      const Positions& damaged, const LineSink& write) {
  const auto each = [&](const EventSink& sink) { ledger.events_until(kEndOfTime, sink, damaged); };
  const bool lacks_nodes = !undone.empty() || !damaged.empty();
  Ids made{std::string(kFrontier)}, unmade;
  if (lacks_nodes) {
    each([&](Event&& e) {
      if (makes_node(e.payload))
        (undone.contains(e.position) ? unmade : made).insert(std::move(e.subject));
    });
  }
  std::map<std::string, Lost> lost;
  // A gc removed nodes that were made before it: a node made later is another one to it.
  Ids made_before{std::string(kFrontier)};
  each([&](Event&& e) {
    const bool counts = !std::holds_alternative<Undo>(e.payload) && !is_claim(e.payload);
    if (!counts || undone.contains(e.position)) return;
    if (lacks_nodes && makes_node(e.payload)) made_before.insert(e.subject);
    const Ids& known = std::holds_alternative<Forget>(e.payload) ? made_before : made;
    Ids names;
    const auto gone = [&](const std::string& id) {
      if (known.contains(id)) return false;
      if (!damaged.empty() && !made.contains(id) && !unmade.contains(id)) names.insert(id);
      return true;
    };
    const bool kept = !lacks_nodes || keep_names(e, gone);
    for (const std::string& id : names) ++(kept ? lost[id].changed : lost[id].left_out);
    if (kept) write(export_line(e) + "\n");
  });
  return lost;
}

// What is wrong with the damaged events; adds their positions, and those that the undos among the
// others take out.
std::vector<std::string> find_damage(EngineImpl& impl, Positions& damaged, Positions& undone) {
  std::vector<std::string> damage;
  std::vector<Event> undos;
  const auto faults = impl.ledger.check([&](Event&& e) {
    if (std::holds_alternative<Undo>(e.payload)) undos.push_back(std::move(e));
  });
  for (const LedgerFault& fault : faults) {
    if (fault.checksum) continue;
    damaged.insert(fault.first);  // the only one, but where several are missing
    damage.push_back(fault.what + (fault.is_undo ? "; what it had undone counts again" : ""));
  }
  const auto last = impl.ledger.last_position(), mirrored = impl.mirror.position();
  if (mirrored > last) {
    damage.push_back(fmt::format("{} at the end of the ledger: {}",
                                 counted(mirrored - last, "event"),
                                 ahead_of_ledger(mirrored, last)));
  }
  std::erase_if(undos, [&](const Event& e) { return damaged.contains(e.position); });
  undone.merge(undone_by(std::move(undos)).events);
  return damage;
}

}  // namespace

std::vector<std::string> export_log(Engine& engine, const LineSink& write, bool salvage) {
  EngineImpl& impl = engine.impl();
  const auto moment = impl.storage.read_snapshot();
  if (!salvage) {
    impl.folded.state();
    write_log(impl.ledger, impl.folded.undone().events, {}, write);
    return {};
  }
  Positions damaged, undone;
  std::vector<std::string> damage = find_damage(impl, damaged, undone);
  for (const auto& [id, lost] : write_log(impl.ledger, undone, damaged, write)) {
    damage.push_back(fmt::format(
        "the node \"{}\", which no undamaged event made; of the events that name it, {} "
        "left out and {} written without it",
        id, lost.left_out, lost.changed));
  }
  return damage;
}

}  // namespace hebb
