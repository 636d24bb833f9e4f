// A program of one's own on libhebb-cxx: three tasks, an outcome, and a ranking.
#include <cstdio>

#include <engine/engine.h>

int main() {
  hebb::Engine engine({.path = ":memory:"});

  // Times come from the caller, in milliseconds; so do keys, by which an event counts only once.
  constexpr hebb::TimeMs kNow = 1'700'000'000'000;
  const auto node = [&](const char* id, const char* type, const char* state) {
    hebb::NodeUpsert upsert;
    upsert.type = type;
    upsert.state = state;
    engine.append(
        {.at = kNow, .subject = id, .key = hebb::event_key(upsert, id), .payload = upsert});
  };
  node("task-1", "TASK", "OPEN");
  node("task-2", "TASK", "OPEN");
  node("task-3", "TASK", "OPEN");

  // task-1 succeeded, and it had to do with task-3: that one gains.
  hebb::OutcomeSignal success;
  success.outcome = hebb::OutcomeKind::success;
  success.related = {"task-3"};
  engine.append({.at = kNow + 1000,
                 .subject = "task-1",
                 .key = hebb::event_key(success, "task-1 done"),
                 .payload = success});

  for (const hebb::RankRow& row : engine.rank({.top = 3, .now = kNow + 2000})) {
    std::printf("%d %s %.3f\n", static_cast<int>(row.rank), row.id.c_str(), row.relative);
  }
}
