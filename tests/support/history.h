// Histories for tests of the engine: functions that make events, and dumps of states as text.
#pragma once

#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/storage/storage.h"
#include "engine/tables.h"

namespace hebb::test {

inline constexpr TimeMs kStart = 1'700'000'000'000;  // 2023-11-14T22:13:20Z
inline constexpr TimeMs kMinute = 60'000;
inline constexpr TimeMs kHour = 60 * kMinute;
inline constexpr TimeMs kDay = 24 * kHour;

// --- events; without a key they count always, see keyed() --------------------------------------
Event node(TimeMs at, std::string id, std::string type = "TASK", std::string state = "OPEN",
           std::vector<float> vector = {});
Event named(TimeMs at, std::string id, std::string name);  // an OPEN TASK with a name
Event remove(TimeMs at, std::string id);
Event link(TimeMs at, std::string source, std::string type, std::string target, double weight = 1);
Event unlink(TimeMs at, std::string source, std::string type, std::string target);
Event state(TimeMs at, std::string id, std::string state);
Event success(TimeMs at, std::string task, std::vector<std::string> related, double score = 1);
Event success(TimeMs at, std::string task);  // related nodes are found on arrival
Event failure(TimeMs at, std::string task);
Event partial(TimeMs at, std::string task);
Event pivot(TimeMs at, std::string target, double weight = 1);
Event policy(TimeMs at, std::vector<std::pair<std::string, std::string>> settings);
Event guide(TimeMs at, std::vector<Guide> guides);
Event forget(TimeMs at, std::vector<EdgeName> edges, std::vector<std::string> nodes);
Event keyed(Event e, const std::string& rest);  // counts once

// --- engines ------------------------------------------------------------------------------------
// Opens an engine that does not wait for the disk, since tests of the fold do not need that.
// graph_cache_from: as in EngineOptions; default: that, or 0 where HEBB_TEST_GRAPH_CACHES is set.
Engine open(const std::string& path, std::optional<std::size_t> graph_cache_from = {});
void without_disk(sql::Database& db);  // its commits wait for no disk from now on
inline constexpr std::size_t kNoGraphCache = std::numeric_limits<std::size_t>::max();
IngestSummary ingest(Engine& engine, std::string_view content, std::string_view format,
                     TimeMs now = kStart, const std::string& file = "file");
std::string exported(Engine& engine);                              // as a history log
IngestSummary import_log(Engine& engine, const std::string& log);  // of a ledger's own lines
double weight(const State& state, const EdgeName& edge);           // stored; 0 where there is none
double weight(const State& state, const EdgeName& edge, TimeMs now);  // effective
std::string state_of(const State& state, std::string_view id);
std::vector<std::string> ranking(Engine& engine, TimeMs now);  // of all candidates
std::vector<std::string> top(Engine& engine, std::size_t k, TimeMs now);

// --- what is held, as text: equal where every bit is ------------------------------------------
std::string dump(const State& state);     // nodes, vectors, edges, policy, ranking at stamp()
std::string dump_mirror(Engine& engine);  // nodes, priorities, edges, policy
std::string ranking_at_stamp(const State& state);  // as the mirror must hold it
std::string mirrored_ranking(Engine& engine);

// The lines that only one of two dumps has; "" where they are equal.
std::string difference(const std::string& got, const std::string& expected);

// How much more than usual to try: HEBB_SOAK=N.
inline int soak(int usual) {
  const char* times = std::getenv("HEBB_SOAK");
  return times ? usual * std::max(1, std::atoi(times)) : usual;
}

}  // namespace hebb::test
