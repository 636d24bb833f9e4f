#include "api/stats.h"

#include "api/common.h"
#include "engine/fold/blocking.h"

namespace hebb::api {

const Fields& StatsRequest::fields() {
  static const Fields kFields{};
  return kFields;
}

const Fields& StatsResult::fields() {
  using R = StatsResult;
  static const Fields kFields{
      field("database", &R::database, "Where it is"),
      field("bytes", &R::bytes, "Its size", {.unit = "bytes"}),
      field("events", &R::events, "Events in the ledger"),
      field("outcomes", &R::outcomes, "How many of these are outcomes"),
      field("nodes", &R::nodes, "Nodes that exist"),
      field("open", &R::open, "How many of these are OPEN"),
      field("candidates", &R::candidates,
            "How many of these can be done now: not blocked, not snoozed, and neither a test nor a "
            "skill"),
      field("blocking_cycle", &R::blocking_cycle,
            "Tasks that block one another in a ring: none of them can be ranked"),
      field("edges", &R::edges, "Edges"),
      field("dormant", &R::dormant, "How many of these are dormant"),
      field("vectors", &R::vectors, "Nodes with a vector"),
      field("dimension", &R::dimension, "How many numbers a vector has"),
      field("embedder", &R::embedder, "The embedder that made the vectors"),
      field("dead_letters", &R::dead_letters, "Items that were refused and are kept"),
      field("recalibrated_at", &R::recalibrated_at, "When it was last recalibrated"),
      field("latest_at", &R::latest_at, "When the latest event happened"),
  };
  return kFields;
}

StatsResult stats(Session& session, const StatsRequest&) {
  Engine& engine = session.engine(Access::read);
  const Stats s = stats_of(engine, session.now());
  StatsResult result;
  result.database = session.path();
  result.bytes = s.bytes;
  result.events = s.events;
  result.outcomes = s.outcomes;
  result.nodes = s.nodes;
  result.open = s.open;
  result.candidates = s.candidates;
  result.blocking_cycle = blocking_cycle(engine.state(), session.now());
  result.edges = s.edges;
  result.dormant = s.dormant;
  result.vectors = s.vectors;
  result.dimension = s.dimension;
  if (!s.embedder.empty()) result.embedder = s.embedder;
  result.dead_letters = s.dead_letters;
  if (s.recalibrated_at) result.recalibrated_at = Time{*s.recalibrated_at};
  if (s.latest_at) result.latest_at = Time{*s.latest_at};
  return result;
}

Operation stats_operation() {
  return operation<StatsRequest, StatsResult>({.name = "stats",
                                               .command = "stats",
                                               .summary = "Counts of what the database holds",
                                               .example = "  hebb stats\n  hebb stats --json",
                                               .effect = Effect::reads,
                                               .path = "/stats"},
                                              stats);
}

}  // namespace hebb::api
