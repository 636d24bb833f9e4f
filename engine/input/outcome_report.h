// How a task came out, as it is reported: by a command, a request, a line of a file or a tracker.
// Each source fills this struct, which makes the event, so the checks are in one place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/input/input.h"

namespace hebb {

struct OutcomeReport {
  std::string task;
  OutcomeKind outcome = OutcomeKind::partial;
  std::optional<double> score;  // of a success; else by the metrics
  std::optional<std::vector<std::string>> related;
  std::optional<std::string> agent, session, because;
  std::optional<std::int64_t> token;
  std::optional<TimeMs> at;
  std::optional<std::string> id;
  struct Metrics {
    std::optional<double> tests_passed, tests_total, files_modified, execution_time_ms;
  } metrics = {};
  // The object as it came, canonical JSON, with unknown fields. Empty: it did not come as text, and
  // a text of task, outcome, score, agent, because, token, at and id is made.
  std::string text = {};
  bool names_only = false;  // of `text`: see JsonText
};

// The event, or why there is none. It counts once: by its id, else by its text with its time; with
// neither it counts each time. now: the time of one that has none.
Parsed event_of(OutcomeReport report, TimeMs now);

// Gives it the id, where it has none; its text has it then, too.
void set_id(OutcomeReport& report, std::string id);
// The id of the outcome at that place, from 1, of a request that came with a key. Stored; do not
// change.
std::string id_from_key(const std::string& key, std::int64_t place);

// Whether a field of an outcome is the name of a thing, which may look like a secret and is none.
bool is_name_field(std::string_view field);

}  // namespace hebb
