// Splits the gcs of hebb before 0.3 into an event for each node or edge.
#include "engine/current/folded.h"

namespace hebb {

const std::vector<Event>& WholeGcs::removals_of(const std::string& id) const {
  if (!read_) {
    read_ = Read{ledger_.last_position(), {}};
    ledger_.gcs_of_subject(kWholeGc, [&](Event&& e) { read_->add(e); });
  }
  static const std::vector<Event> kNone;
  const auto found = read_->by_subject.find(id);
  return found == read_->by_subject.end() ? kNone : found->second;
}

void WholeGcs::take(const Event& e) {
  const bool is_one = std::holds_alternative<Forget>(e.payload) && e.subject == kWholeGc;
  if (!is_one || !read_ || e.position <= read_->position) return;
  read_->position = e.position;
  read_->add(e);
}

void WholeGcs::Read::add(const Event& e) {
  const auto part = [&](const std::string& subject) -> Forget& {
    auto& events = by_subject[subject];
    if (events.empty() || events.back().position != e.position) {
      events.push_back({e.position, e.at, subject, e.key, Forget{}});
    }
    return std::get<Forget>(events.back().payload);
  };
  const auto& [edges, nodes] = std::get<Forget>(e.payload);
  for (const EdgeName& edge : edges)
    part(edge.source == kFrontier ? edge.target : edge.source).edges.push_back(edge);
  for (const std::string& id : nodes) part(id).nodes.push_back(id);
}

}  // namespace hebb
