// The ranking: docs/ranking.md, Priority. What each open task's edges and contexts say, and its
// factors. Pure: same view and times, same bits, whatever the order in which
// nodes and edges were added (sums are taken on a grid, see exact_sum.h).
//
// A kept ranking is updated by the changes of the graph rather than made anew, and gives the same
// bits. Whoever changes the graph notes which nodes and edges. Plain columns, which a graph cache
// holds too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reward/order.h"
#include "reward/readiness.h"

namespace hebb::reward {

// One open task.
struct Candidate {
  graph::NodeId node = graph::kNoNode;
  std::uint32_t is_blocked = 0;  // no candidate (readiness.h); the members below mean nothing
  std::uint32_t first_context = 0, context_count = 0;
  Evidence evidence;  // of no time yet: see Common::apply()
};

class Ranking {
 public:
  Ranking() = default;
  // Made anew. O(nodes + edges of candidates and their contexts), and O(nodes log nodes) where ids
  // were not given in the order of filing.
  Ranking(const View& view, Times times) { update(view, times); }

  // --- keeping it --------------------------------------------------------------------------------
  // A node's columns or its vector changed; an edge came, changed or went. No cost while nothing is
  // kept.
  void note_node(graph::NodeId n);
  void note_edge(graph::NodeId source, graph::NodeId target, graph::TypeId type);
  bool has_notes() const { return !noted_nodes_.empty() || !noted_edges_.empty(); }
  // Brings it to the view and times. For the same stamp and policy it costs the edges of noted
  // nodes, the edges into contexts that learned, and a pass over the tasks where `now`, the focus
  // or a context's evidence differs; O(1) where nothing differs. Else it is made anew.
  void update(const View& view, Times times);
  bool keeps(TimeMs stamp) const { return keeps() && key_[0].stamp == stamp; }
  void clear();
  void pack(graph::Packing& packing);  // precondition: no notes

  // --- reading it: what follows is of the view that it was updated with --------------------------
  Focus focus() const;  // of the tasks completed last; valid until the next change
  std::vector<graph::NodeId> completed() const;  // the tasks completed last, latest first
  // The focus as if `own`, a completed task of the asking agent, had been completed after all
  // others. Valid until the next change.
  Focus focus_after(const View& view, graph::NodeId own) const;
  Times times() const { return {key_[0].stamp, key_[0].now}; }
  std::span<const Candidate> open() const { return {rows_.data(), rows_.size()}; }  // in no order
  const Factors& factors_of(const Candidate& row) const {  // precondition: it is one of open()
    return factors_[static_cast<std::size_t>(&row - rows_.data())];
  }
  std::size_t candidates() const { return rows_.size() - blocked_; }
  const Candidate* find(graph::NodeId n) const;  // nothing if it is not open
  std::span<const graph::NodeId> contexts_of(const Candidate& row) const;  // by NodeId
  ContextEvidence context(const View& view, graph::NodeId context) const;  // as of the stamp
  // general_rate() of the contexts of all candidates: the rate of a task that has none.
  double general() const { return key_[0].general; }
  double usual_days() const { return key_[0].durations.days(); }  // see Evidence
  Common common(const View& view) const;
  // The evidence of any node, candidate or not, for a focus. O(its edges and those of its
  // contexts).
  Evidence evidence_of(const View& view, const Focus& focus, graph::NodeId n) const;
  // The first of the ranking, best first. O(open tasks + count log count).
  std::vector<Ranked> first(const graph::Graph& g, std::size_t count) const;
  std::vector<Ranked> all(const graph::Graph& g) const { return first(g, rows_.size()); }
  // All candidates, in no order, scored for another focus. O(open tasks).
  std::vector<Ranked> score(const View& view, const Focus& focus) const;

 private:
  struct RankingKey {
    TimeMs stamp, now, anchor, completed_at;
    std::uint64_t frontier;
    double general;
    Durations durations;  // of all tasks, each as days_ has it
  };
  struct Context {
    ContextEvidence seen;
    std::uint64_t node;
    std::uint64_t tasks;  // candidates that have it
  };
  struct Completed {
    TimeMs at;
    std::uint64_t node;
  };
  struct NotedEdge {
    graph::NodeId source, target;
    graph::TypeId type;
  };
  // Which parts of the focus differ from the one before.
  struct Moved {
    bool vector = false, anchor = false, order = false, contexts = false;
    bool common = false;  // the values that all tasks share
    bool of_rows() const { return vector || anchor || order || contexts; }
    bool any() const { return of_rows() || common; }
  };
  struct Work;

  bool keeps() const { return !key_.empty(); }
  bool is_of(const Policy& policy);
  std::vector<graph::AnyColumn*> columns();
  std::vector<graph::NodeId> open_nodes() const;  // of each row
  void bound_notes();
  void start(const View& view, Times times);
  void note_woken(const View& view, TimeMs now);
  void find_work(const View& view, const KnownNames& kinds, Work& work);
  void find_waiting(const View& view, const KnownNames& kinds, Work& work);
  void learn_contexts(const View& view, const KnownNames& kinds, Work& work);
  void add_changed_by_time(TimeMs before, Work& work) const;
  void update_row(const View& view, const KnownNames& kinds, graph::NodeId n, Readiness& readiness,
                  Work& work);
  void remove(graph::NodeId n);
  void keep_duration(const View& view, const KnownNames& kinds, graph::NodeId n);
  void compact_pool();
  std::uint32_t slot_of(const View& view, const KnownNames& kinds, graph::NodeId context);
  void keep_completed(const View& view, const std::vector<graph::NodeId>& nodes);
  // True: other nodes moved, too.
  bool refile(const View& view, const std::vector<graph::NodeId>& nodes);
  void remerge(const View& view, std::vector<graph::NodeId>& moved);
  Moved take_focus(const Focus& focus);
  void rescore(const View& view, const Focus& focus, const Common& common,
               const Common& common_before, Moved moved, const Work& work);
  // Recomputes the parts of `out` that `moved` names, but not the distance.
  void compare_to_focus(const Focus& focus, Moved moved, graph::NodeId n,
                        std::span<const graph::NodeId> contexts, Evidence& out) const;
  void sum_contexts(const View& view, std::span<const graph::NodeId> contexts,
                    Evidence& evidence) const;
  void count_contexts(const Candidate& row, int change);
  bool learn_general(const View& view, const Common& common);  // whether it differs
  std::span<const std::uint32_t> places() const;

  graph::Column<RankingKey> key_;              // one, or nothing is kept
  graph::Column<char> policy_;                 // its settings, as text
  graph::Column<std::uint8_t> seen_;           // by NodeId: flags, of ranking.cc
  graph::Column<Candidate> rows_;              // in no order
  graph::Column<Factors> factors_;             // of each row
  graph::Column<std::uint32_t> row_of_;        // by NodeId
  graph::Column<double> days_;                 // by NodeId: its days in key_.durations, or 0
  graph::Column<graph::NodeId> context_pool_;  // lists of the rows
  graph::Column<Context> contexts_;            // in the order in which they were met
  graph::Column<std::uint32_t> slot_of_;       // by NodeId, in contexts_
  graph::Column<graph::NodeId> filed_;         // in the order of filing
  graph::Column<std::uint32_t> place_of_;      // by NodeId, in filed_
  graph::Column<Completed> completed_;         // the last, latest first
  graph::Column<double> focus_vector_;
  graph::Column<graph::NodeId> focus_completed_, focus_contexts_;
  std::optional<Policy> policy_known_;  // what policy_ says, once it was compared
  std::size_t blocked_ = 0, pool_live_ = 0;
  std::vector<graph::NodeId> noted_nodes_;
  std::vector<NotedEdge> noted_edges_;
};

}  // namespace hebb::reward
