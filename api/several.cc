#include "api/several.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/problem.h"

namespace hebb::api {

OrderQuery query_of(const Order& order) {
  if (!order.near.empty() && !order.vector.empty()) {
    throw invalid("vector", "{} and {} say the same thing: give one of them", named("near"),
                  named("vector"));
  }
  OrderQuery asked{{}, embedder_of(order.vectors)};
  asked.query.which = order;
  for (auto* labels : {&asked.query.which.labels, &asked.query.which.not_labels})
    std::erase(*labels, "");  // as of other fields, an empty one is none
  asked.query.seed = order.profile == "seed";
  asked.query.near = order.near;
  asked.query.vector = order.vector;
  asked.query.embedder = asked.embedder.get();
  asked.query.selection = {order.among, {}, order.changed, {}};
  if (order.budget) asked.query.selection.budget_seconds = order.budget->value;
  return asked;
}

bool asks_several(const Session& session) { return !session.several().empty(); }

void in_database(Session& asked, Session& one, const std::function<void()>& use) {
  if (!asks_several(asked)) return use();
  try {
    use();
  } catch (...) {
    const Problem thrown = problem_of(std::current_exception());
    Problem problem(thrown.type, one.path() + ": " + thrown.marked, thrown.field);
    problem.reason = thrown.reason;
    problem.line = thrown.line;
    problem.retry_after_ms = thrown.retry_after_ms;
    throw problem;
  }
}

void each_database(Session& session, const std::function<void(Session&)>& use) {
  if (!asks_several(session)) return use(session);
  for (Session* one : session.several()) in_database(session, *one, [&] { use(*one); });
}

std::string database_name(const Session& asked, const Session& one) {
  return asks_several(asked) ? one.path() : "";
}

std::optional<TimeMs> common_stamp(Session& session) {
  std::optional<TimeMs> latest;
  if (!asks_several(session)) return latest;
  each_database(session, [&](Session& one) {
    const TimeMs stamp = one.engine(Access::read).state().marks().stamp();
    latest = std::max(latest.value_or(stamp), stamp);
  });
  return latest;
}

void refuse_of_several(const Session& session, bool given, std::string_view field) {
  if (!given || !asks_several(session)) return;
  throw invalid(std::string(field), "{} is for one database; {} were given", named(field),
                session.several().size());
}

void refuse_of_several(Session& session, const Order& order) {
  refuse_of_several(session, order.budget.has_value(), "budget");
  if (order.near.empty()) return;
  each_database(session, [&](Session& one) {  // to which the others would be near as to a text
    if (!asks_several(session) || !one.engine(Access::read).state().find(order.near)) return;
    throw invalid("near", "{} names a node of this one; of several, give a text or {}",
                  named("near"), named("vector"));
  });
}

void keep_known(const Session& asked, Session& one, Selection& selection) {
  if (!asks_several(asked) || !selection.among) return;
  const State& state = one.engine(Access::read).state();
  std::erase_if(*selection.among, [&](const std::string& id) { return !state.exists(id); });
}

void put_in_order(const Session& session, std::vector<Found>& found, std::size_t offset,
                  std::size_t count) {
  if (!asks_several(session)) return;
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return goes_before(a.row, b.row); });
  if (found.size() > offset + count) found.resize(offset + count);
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].row.rank = static_cast<std::int64_t>(i) + 1;
    largest = std::max(largest, found[i].row.factors.priority);
  }
  for (Found& one : found) one.row.relative = largest > 0 ? one.row.factors.priority / largest : 0;
  found.erase(found.begin(),
              found.begin() + static_cast<std::ptrdiff_t>(std::min(offset, found.size())));
}

}  // namespace hebb::api
