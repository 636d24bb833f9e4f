// Means over all candidates, which the reasons of a ranking compare a task with: the mirror keeps
// them beside the stored priorities, so that reasons need no other candidates.
#pragma once

#include <optional>
#include <span>

#include "reward/ranking.h"
#include "sql/database.h"

namespace hebb {

struct CandidateMeans {
  double semantic = 0, structural = 0;
  double log_recency = 0, log_time_proximity = 0;
  graph::TimeMs anchor = graph::kNever;  // of the focus that they were ranked by
};

// `ranked`: all candidates, best first; the order matters to the last bit.
CandidateMeans means_of(std::span<const reward::Ranked> ranked, const reward::Focus& focus);

void write_means(sql::Database& db, const CandidateMeans& means);  // as marks of the mirror
// Nothing where the mirror was written by a program that kept none.
std::optional<CandidateMeans> read_means(sql::Database& db);

}  // namespace hebb
