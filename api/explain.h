// explain, explain_edge: why a task has its place, and how an edge got its weight.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

// An event as a reason.
struct CauseLine {
  std::int64_t event = 0;  // its position in the ledger
  Time at;
  std::string what;
  static const Fields& fields();
};

// An edge or a fact that a factor is computed from.
struct GroundLine {
  std::string what;
  double value = 0;
  std::vector<CauseLine> causes;
  std::int64_t cause_count = 0;
  static const Fields& fields();
};

struct FactorExplained {
  std::string name;
  double value = 0;
  std::string formula;
  std::vector<GroundLine> grounds;
  static const Fields& fields();
};

// Two tasks beside each other.
struct FactorAgainst {
  std::string name;
  double mine = 0, theirs = 0;
  double ratio = 0;  // mine / theirs
  static const Fields& fields();
};
struct Against {
  std::string id, name;
  std::optional<std::int64_t> rank;
  double priority = 0;
  bool pinned = false;
  std::string winner;   // the id of the one that goes first
  std::string decides;  // the factor that speaks for it most; or "pinned", "why_not", …
  std::vector<FactorAgainst> factors;
  static const Fields& fields();
};

struct ExplainRequest {
  std::string id;
  std::optional<Time> as_of;
  std::string against = {};
  static const Fields& fields();
};
struct ExplainResult {
  std::string id, name, type, state;
  Time at;
  bool ranked = false;
  std::optional<std::string> why_not;  // why it is not ranked, if so
  std::vector<std::string> blockers;
  bool pinned = false;
  std::optional<std::int64_t> rank, candidates;  // if it is ranked
  std::optional<double> relative;
  double priority = 0;
  std::vector<FactorExplained> factors;
  std::vector<CauseLine> history;  // for a node without a state
  std::optional<Against> against;  // if it was asked for
  static const Fields& fields();
};
ExplainResult explain(Session& session, const ExplainRequest& request);
Operation explain_operation();

struct ExplainEdgeRequest {
  std::string source, target, type;
  std::optional<Time> as_of;
  static const Fields& fields();
};
struct EdgeStepLine {
  std::int64_t event = 0;
  Time at;
  std::string what, rule;
  std::optional<double> before, after;  // the weight; absent: the edge was not there
  static const Fields& fields();
};
struct ExplainEdgeResult {
  std::string source, target, type;
  Time at;
  bool exists = false;
  double weight = 0, stored_weight = 0;
  std::optional<Time> touched_at;
  bool dormant = false;
  Json properties = Json::object();
  std::vector<EdgeStepLine> history;
  static const Fields& fields();
};
ExplainEdgeResult explain_edge(Session& session, const ExplainEdgeRequest& request);
Operation explain_edge_operation();

}  // namespace hebb::api
