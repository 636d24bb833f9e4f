#include "tests/support/history.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <sqlite3.h>

#include "reward/ranking.h"
#include "tests/support/log_sync.h"
#include "tests/support/ranking.h"

namespace hebb::test {

namespace {

Event make(TimeMs at, std::string subject, Payload payload) {
  Event e;
  e.at = at;
  e.subject = std::move(subject);
  e.payload = std::move(payload);
  return e;
}

Event outcome(TimeMs at, std::string task, OutcomeKind kind) {
  OutcomeSignal signal;
  signal.outcome = kind;
  return make(at, std::move(task), std::move(signal));
}

}  // namespace

Event node(TimeMs at, std::string id, std::string type, std::string state,
           std::vector<float> vector) {
  NodeUpsert upsert;
  upsert.type = std::move(type);
  if (!state.empty()) upsert.state = std::move(state);
  upsert.vector = std::move(vector);
  return make(at, std::move(id), std::move(upsert));
}

Event named(TimeMs at, std::string id, std::string name) {
  Event e = node(at, std::move(id));
  std::get<NodeUpsert>(e.payload).name = std::move(name);
  return e;
}

Event remove(TimeMs at, std::string id) { return make(at, std::move(id), NodeDelete{}); }

Event link(TimeMs at, std::string source, std::string type, std::string target, double weight) {
  return make(at, std::move(source), Link{std::move(target), std::move(type), weight, {}});
}

Event unlink(TimeMs at, std::string source, std::string type, std::string target) {
  return make(at, std::move(source), Unlink{std::move(target), std::move(type)});
}

Event state(TimeMs at, std::string id, std::string state) {
  return make(at, std::move(id), StateChange{std::move(state)});
}

Event success(TimeMs at, std::string task, std::vector<std::string> related, double score) {
  Event e = success(at, std::move(task));
  auto& signal = std::get<OutcomeSignal>(e.payload);
  signal.related = std::move(related);
  signal.score = score;
  return e;
}

Event success(TimeMs at, std::string task) {
  return outcome(at, std::move(task), OutcomeKind::success);
}
Event failure(TimeMs at, std::string task) {
  return outcome(at, std::move(task), OutcomeKind::failure);
}
Event partial(TimeMs at, std::string task) {
  return outcome(at, std::move(task), OutcomeKind::partial);
}

Event pivot(TimeMs at, std::string target, double weight) {
  return make(at, std::move(target), Pivot{weight});
}

Event policy(TimeMs at, std::vector<std::pair<std::string, std::string>> settings) {
  return make(at, "policy", PolicyChange{false, std::move(settings)});
}

Event guide(TimeMs at, std::vector<Guide> guides) {
  return make(at, std::string(kFrontier), Recalibration{std::move(guides)});
}

Event forget(TimeMs at, std::vector<EdgeName> edges, std::vector<std::string> nodes) {
  return make(at, "ledger", Forget{std::move(edges), std::move(nodes)});
}

Event keyed(Event e, const std::string& rest) {
  e.key = event_key(e.payload, rest);
  return e;
}

// --- engines -------------------------------------------------------------------------------------

Engine open(const std::string& path, std::optional<std::size_t> graph_cache_from) {
  EngineOptions options;
  options.path = path;
  if (std::getenv("HEBB_TEST_GRAPH_CACHES")) options.graph_cache_from = 0;
  if (graph_cache_from) options.graph_cache_from = *graph_cache_from;
  Engine engine(options);
  without_disk(tables_of(engine));
  return engine;
}

void without_disk(sql::Database& db) {
  db.exec("PRAGMA synchronous=OFF");
  on_log_sync(db.handle(), [] { return SQLITE_OK; });
}

IngestSummary ingest(Engine& engine, std::string_view content, std::string_view format, TimeMs now,
                     const std::string& file) {
  IngestRequest request;
  request.content = content;
  request.file = file;
  request.read.now = now;
  for (const Format& f : formats()) {
    if (f.name == format) request.format = &f;
  }
  return engine.ingest(request);
}

std::string exported(Engine& engine) {
  std::string log;
  export_log(engine, [&](std::string_view line) { log += line; });
  return log;
}

IngestSummary import_log(Engine& engine, const std::string& log) {
  IngestRequest request;
  request.content = log;
  request.file = "log";
  request.read.of_ledger = true;
  for (const Format& f : formats()) {
    if (f.name == "history") request.format = &f;
  }
  return engine.ingest(request);
}

double weight(const State& state, const EdgeName& edge) {
  const auto e = state.find_edge(edge);
  return e ? state.graph().edges().weight[*e] : 0;
}

double weight(const State& state, const EdgeName& edge, TimeMs now) {
  const auto e = state.find_edge(edge);
  if (!e) return 0;
  return reward::effective(type_policy(state, state.graph().type(*e)), weight(state, edge),
                           state.graph().edges().touched_at[*e], now);
}

std::string state_of(const State& state, std::string_view id) {
  const auto n = state.find(id);
  return n ? state.graph().states().name(state.graph().nodes().state[*n]) : "(no such node)";
}

std::vector<std::string> top(Engine& engine, std::size_t k, TimeMs now) {
  RankQuery query;
  query.top = k;
  query.now = now;
  std::vector<std::string> ids;
  for (const RankRow& row : engine.rank(query)) ids.push_back(row.id);
  return ids;
}

std::vector<std::string> ranking(Engine& engine, TimeMs now) { return top(engine, 1'000'000, now); }

// --- text ----------------------------------------------------------------------------------------

namespace {

std::string joined(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, "\n")) + "\n";
}

std::string factors_text(std::string_view id, std::initializer_list<double> factors) {
  std::string text(id);
  for (const double f : factors) text += fmt::format(" {:a}", f);
  return text;
}

std::string cell(const sql::Statement& row, int i) {
  if (row.is_null(i)) return "NULL";
  if (row.is_real(i)) return fmt::format("{:a}", row.real(i));
  std::string hex;
  for (const std::byte b : row.blob(i)) hex += fmt::format("{:02x}", static_cast<unsigned>(b));
  return hex;
}

}  // namespace

std::string ranking_at_stamp(const State& s) {
  const auto view = s.view();
  std::vector<std::string> lines;
  for (const auto& r : reward::rank(view, s.facts().ranked_at())) {
    const auto& f = r.factors;
    lines.push_back(factors_text(
        s.graph().id(r.node),
        {f.priority, f.base, f.semantic, f.structural, f.recency, f.age, f.time_proximity,
         f.order_proximity, f.context_overlap, f.reward, f.attention, f.success_rate,
         f.failure_penalty, f.urgency, f.unblocks, f.duration, static_cast<double>(f.tier)}));
  }
  return joined(std::move(lines));
}

std::string mirrored_ranking(Engine& engine) {
  RankQuery query;
  query.top = 1'000'000;
  std::vector<std::string> lines;
  for (const RankRow& row : engine.rank(query)) {
    const auto& f = row.factors;
    lines.push_back(factors_text(
        row.id,
        {f.priority, f.base, f.semantic, f.structural, f.recency, f.age, f.time_proximity,
         f.order_proximity, f.context_overlap, f.reward, f.attention, f.success_rate,
         f.failure_penalty, f.urgency, f.unblocks, f.duration, static_cast<double>(f.tier)}));
  }
  return joined(std::move(lines));
}

std::string dump(const State& s) {
  const auto& g = s.graph();
  std::vector<std::string> lines;
  for (graph::NodeId n = 0; n < g.node_bound(); ++n) {
    const auto& c = g.nodes();
    if (c.created_at[n] == graph::kNever) continue;
    std::string line =
        fmt::format("node {} {} {} {} {} {} {} {} {}", g.id(n), g.node_types().name(c.type[n]),
                    g.states().name(c.state[n]), c.created_at[n], c.updated_at[n], c.reopened_at[n],
                    c.outcome_at[n], c.completed_at[n], c.deleted_at[n]);
    line +=
        fmt::format(" {:a} {:a} {} {} {} {} {} {}", c.successes[n], c.failures[n], c.tried_at[n],
                    c.priority[n], c.due_at[n], c.snoozed_until[n], c.pinned[n], c.estimate[n]);
    line += fmt::format(" failed {} took {}", c.failed[n], c.duration_ms[n]);
    for (const float x : s.vectors().row(n)) line += fmt::format(" {:a}", x);
    lines.push_back(std::move(line));
  }
  for (graph::EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    const auto& c = g.edges();
    lines.push_back(fmt::format("edge {} {} {} {:a} {} {:a}", g.id(g.source(e)), g.id(g.target(e)),
                                g.edge_types().name(g.type(e)), c.weight[e], c.touched_at[e],
                                c.gained[e]));
  }
  for (const auto& [key, value] : reward::settings(s.policy()))
    lines.push_back(fmt::format("policy {} {}", key, value));
  lines.push_back(fmt::format("stamp {} {}", s.facts().ranked_at(), s.facts().recalibrated()));
  lines.push_back(fmt::format("vectors {} {}", s.facts().embedder, s.facts().dimension));
  return joined(std::move(lines)) + ranking_at_stamp(s);
}

std::string difference(const std::string& got, const std::string& expected) {
  const auto lines = [](const std::string& text) {
    std::istringstream in(text);
    std::set<std::string> found;
    for (std::string line; std::getline(in, line);) found.insert(line);
    return found;
  };
  const auto a = lines(got), b = lines(expected);
  std::string text;
  for (const auto& line : a) text += b.contains(line) ? "" : "got      " + line + "\n";
  for (const auto& line : b) text += a.contains(line) ? "" : "expected " + line + "\n";
  return text;
}

std::string dump_mirror(Engine& engine) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& table, const std::string& sql, int first = 0) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(tables_of(engine).handle(), sql.c_str(), -1, &statement, nullptr) !=
        SQLITE_OK)
      throw std::runtime_error(sql);
    sql::Statement row(statement, table);
    while (row.step()) {
      std::string line = table;
      for (int i = first; i < row.columns(); ++i) line += " " + cell(row, i);
      lines.push_back(std::move(line));
    }
    sqlite3_finalize(statement);
  };
  add("node", "SELECT * FROM node", 1);  // without keys of rows, which may differ
  add("edge",
      "SELECT s.id, t.id, y.name, weight, touched_at, gained, e.properties FROM edge e "
      "JOIN node s ON s.key = source JOIN node t ON t.key = target JOIN edge_type y ON y.key = "
      "e.type");
  add("policy", "SELECT key, value FROM policy");
  add("ranking", "SELECT at, candidates, largest, tasks FROM ranking");
  return joined(std::move(lines));
}

}  // namespace hebb::test
