// Claiming: the tail is folded, the best unclaimed task is found and its claim is appended in one
// write transaction, so that no two processes can get the same task.
#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/batch.h"
#include "engine/rank/rank.h"

namespace hebb {

using graph::NodeId;

namespace {

constexpr std::size_t kLookedAt = 64;  // tasks beyond those asked for, where contexts count

// Stored; do not change. The agent ends at the second slash.
std::string claim_key(const ClaimNext& request, std::size_t i) {
  std::string agent;
  for (const char c : request.agent) {
    if (c == '/' || c == '%') {
      agent += c == '/' ? "%2F" : "%25";
    } else {
      agent += c;
    }
  }
  return event_key(Claim{}, fmt::format("claim/{}/{}/{}", agent, request.request, i));
}

// Calls use() with each context of the task.
template <class Use>
void each_context(const State& s, std::string_view task, Use use) {
  const auto n = s.find(task);
  if (!n) return;
  const auto& g = s.graph();
  for (const auto e : g.out_edges(*n)) {
    if (type_policy(s, g.type(e)).context) use(g.target(e));
  }
}

// A task counts less by the number of claimed tasks that share a context with it; tiers stay in
// their order.
void spread(const State& s, const Claims& claims, TimeMs now, std::vector<RankRow>& rows) {
  std::unordered_map<NodeId, int> busy;
  for (const auto& [task, claim] : claims.rows()) {
    if (claim.active(now)) each_context(s, task, [&](NodeId n) { ++busy[n]; });
  }
  std::unordered_map<std::string, double> value;
  for (const RankRow& row : rows) {
    int shared = 0;
    each_context(s, row.id, [&](NodeId n) {
      const auto it = busy.find(n);
      if (it != busy.end()) shared += it->second;
    });
    value[row.id] = row.factors.priority / (1 + shared);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const RankRow& a, const RankRow& b) {
    return reward::RankKey{a.factors.tier, value.at(a.id)} >
           reward::RankKey{b.factors.tier, value.at(b.id)};
  });
}

// One of waiting_share claims is for the task that waits longest: if it is one of these claims,
// that task comes first, in place of the last. claims_before: how many there were ever.
void put_longest_waiting_first(Engine& engine, const reward::Policy& policy,
                               std::int64_t claims_before, RankQuery query,
                               std::vector<RankRow>& rows) {
  const std::int64_t share = policy.waiting_share;
  if (share == 0 || (claims_before + std::ssize(rows)) / share == claims_before / share) return;
  query.longest_waiting = true;
  query.top = 1;
  std::vector<RankRow> longest = engine.rank(query);
  if (longest.empty()) return;
  const auto same = [&](const RankRow& row) { return row.id == longest.front().id; };
  const auto at = std::find_if(rows.begin(), rows.end(), same);
  rows.erase(at == rows.end() ? at - 1 : at);
  longest.front().reasons.insert(longest.front().reasons.begin(), "waits longest");
  rows.insert(rows.begin(), std::move(longest.front()));
}

// A longer one would not hold; see ClaimRow::active().
void require_lease(TimeMs lease_ms) {
  if (lease_ms > kLongestLeaseMs) throw std::invalid_argument("a lease is at most seven days");
}

// The claims of the same request that have not ended, the first made first; empty: there is none.
std::vector<ClaimedTask> still_claimed(EngineImpl& impl, const ClaimNext& request) {
  std::vector<ClaimedTask> found;
  if (request.request.empty()) return found;
  const auto without_number = [](const std::string& key) { return key.substr(0, key.rfind('/')); };
  const std::string sought = without_number(claim_key(request, 0));
  for (const auto& [task, claim] : impl.folded.claims().rows()) {
    if (claim.agent != request.agent || !claim.active(request.now)) continue;
    const auto event = impl.ledger.event(claim.token);
    if (!event || without_number(event->key) != sought) continue;
    ClaimedTask& one = found.emplace_back();
    one.claim = claim;
    one.row.id = task;
    one.row.name = content_of(impl.folded, task).name.value_or("");
  }
  std::ranges::sort(found, {}, [](const ClaimedTask& one) { return one.claim.token; });
  return found;
}

std::vector<ClaimedTask> claim(Engine& engine, const ClaimNext& request) {
  EngineImpl& impl = engine.impl();
  const Ledger& ledger = impl.ledger;
  const Claims& claims = impl.folded.claims();
  Batch batch(impl);
  if (auto claimed = still_claimed(impl, request); !claimed.empty()) {
    batch.commit();
    return claimed;
  }
  RankQuery query = request.query;
  query.reasons = true;
  query.unclaimed_at = request.now;
  if (!query.now) query.now = impl.folded.loaded()->rank_time(request.now);
  query.agent = request.agent;
  query.top = request.n + (request.spread ? kLookedAt : 0);
  for (const auto& [task, claim] : claims.rows()) {
    if (!claim.active(request.now) && claim.stuck(request.now))
      query.selection.without.insert(task);
  }
  if (auto& among = query.selection.among)
    std::erase_if(*among, [&](const std::string& id) { return !impl.folded.loaded()->exists(id); });
  State& s = *impl.folded.loaded();
  s.ranking(s.facts().ranked_at());  // the tables are to have it, too
  auto rows = engine.rank(query);
  if (request.spread) spread(*impl.folded.loaded(), claims, request.now, rows);
  if (rows.size() > request.n) rows.resize(request.n);
  put_longest_waiting_first(engine, impl.folded.loaded()->policy(), claims.total(),
                            std::move(query), rows);

  std::vector<ClaimedTask> taken;
  std::size_t keys = 0;
  for (RankRow& row : rows) {
    Event e;
    e.at = request.now;
    e.subject = row.id;
    e.payload = Claim{request.agent, request.now + request.lease_ms};
    while (!request.request.empty() && ledger.position_of(e.key = claim_key(request, keys))) ++keys;
    auto result = batch.add(std::move(e));
    if (auto* refusal = std::get_if<Refusal>(&result)) throw Refused(std::move(*refusal));
    const ClaimRow claim = *claims.of_task(row.id);
    taken.push_back({std::move(row), claim});
  }
  batch.commit();
  return taken;
}

// The claim's event, which names its task even after the claim has ended.
Event event_of_claim(const Ledger& ledger, std::int64_t token) {
  if (auto event = ledger.event(token); event && std::holds_alternative<Claim>(event->payload))
    return std::move(*event);
  throw std::invalid_argument(fmt::format("there is no claim with the token {}", token));
}

}  // namespace

std::vector<ClaimedTask> Engine::claim_next(const ClaimNext& asked) {
  require_lease(asked.lease_ms);
  ClaimNext request = asked;
  if (!request.query.near.empty() || !request.query.vector.empty()) {
    // Before others have to wait: an embedder may be a server.
    request.query.vector = vector_near(impl_->folded, state(), request.query);
    request.query.near.clear();
  }
  return append_or_retry(*impl_, [&] { return claim(*this, request); });
}

std::optional<ClaimRow> claim_of(Engine& engine, const std::string& task) {
  engine.state();  // up to the last commit
  const ClaimRow* claim = engine.impl().folded.claims().of_task(task);
  return claim ? std::optional(*claim) : std::nullopt;
}

ClaimRow renew_claim(Engine& engine, std::int64_t token, TimeMs now, TimeMs lease_ms) {
  require_lease(lease_ms);
  const std::string task = event_of_claim(engine.ledger(), token).subject;
  Event e;
  e.at = now;
  e.subject = task;
  e.payload = Renew{token, now + lease_ms};
  engine.append(std::move(e));
  return *engine.impl().folded.claims().of_task(task);
}

ClaimRow release_claim(Engine& engine, std::int64_t token, TimeMs now) {
  const Event claimed = event_of_claim(engine.ledger(), token);
  Event e;
  e.at = now;
  e.subject = claimed.subject;
  e.payload = Release{token};
  engine.append(std::move(e));
  const auto& claim = std::get<Claim>(claimed.payload);
  return {claimed.subject, claim.agent, token, claimed.at, now};
}

}  // namespace hebb
