// What people say of a task, and how it came out: fields that several operations share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "engine/look/look.h"
#include "engine/values/limits.h"

namespace hebb::api {

struct Said {
  MEMBER(std::optional<std::int64_t>, priority,
         "How urgent it is: 0 (most) to 4", {.min = 0, .max = kLastPriority});
  MEMBER(std::optional<Time>, due_at, "When it is due; a day is meant to its end",
         {.option = "--due,--due-at", .whole_day = true});
  MEMBER(std::optional<Time>, snoozed_until,
         "Not ranked before that time", {.option = "--snooze,--snoozed-until"});
  MEMBER(std::optional<Duration>, estimate, "How long it takes", {.unit = "ms"});
  MEMBER(bool, pinned, "Ranked above everything that is not, whatever its failures");
};

struct TakenBack {
  MEMBER(std::vector<std::string>, unset, "Fields to clear",
         {.choices = {"priority", "due_at", "snoozed_until", "estimate", "pinned"}});
};

RECORD(ToldOutcome,
       TIME_FIELD(at, "When"),
       FIELD(outcome, "success, partial or failure"),
       FIELD(agent, "Who did it", {.may_be_absent = true}),
       FIELD(because, "Why it came out so", {.may_be_absent = true}))

// Why a task is not handed out, although nothing of its own holds it back.
inline constexpr const char* kStuck =
    "stuck: three claims of it have expired; an outcome or a release ends that";

// Throws Problem for what is both said and taken back.
void say(const Said& said, const TakenBack& back, NodeUpsert& upsert);

}  // namespace hebb::api
