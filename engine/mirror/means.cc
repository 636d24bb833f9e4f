#include "engine/mirror/means.h"

#include <algorithm>
#include <cmath>

namespace hebb {
namespace {

constexpr std::string_view kAnchor = "mean_anchor";
constexpr struct {
  std::string_view mark;
  double CandidateMeans::*mean;
} kMeans[] = {{"mean_semantic", &CandidateMeans::semantic},
              {"mean_structural", &CandidateMeans::structural},
              {"mean_log_recency", &CandidateMeans::log_recency},
              {"mean_log_time_proximity", &CandidateMeans::log_time_proximity}};

}  // namespace

CandidateMeans means_of(std::span<const reward::Ranked> ranked, const reward::Focus& focus) {
  CandidateMeans means;
  means.anchor = focus.anchor;
  const auto count = static_cast<double>(std::max<std::size_t>(ranked.size(), 1));
  for (const auto& r : ranked) {
    means.semantic += r.factors.semantic / count;
    means.structural += r.factors.structural / count;
    means.log_recency += std::log(r.factors.recency) / count;
    means.log_time_proximity += std::log(r.factors.time_proximity) / count;
  }
  return means;
}

void write_means(sql::Database& db, const CandidateMeans& means) {
  auto& set = db.query(sql::Query::mirror_set);
  for (const auto& [mark, mean] : kMeans) set.bind(1, mark).bind(2, means.*mean).run();
  set.bind(1, kAnchor).bind(2, means.anchor).run();
}

std::optional<CandidateMeans> read_means(sql::Database& db) {
  CandidateMeans means;
  auto& mark = db.query(sql::Query::mirror_get);
  const sql::Reset reset(mark);
  for (const auto& [name, mean] : kMeans) {
    if (!mark.reset().bind(1, name).step()) return std::nullopt;
    means.*mean = mark.real(0);
  }
  if (!mark.reset().bind(1, kAnchor).step()) return std::nullopt;
  means.anchor = mark.integer(0);
  return means;
}

}  // namespace hebb
