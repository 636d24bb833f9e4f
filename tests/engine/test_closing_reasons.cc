// Why a tracker closed a task: what of that means done, and what does not.
#include <catch2/catch.hpp>

#include "engine/input/closing_reasons.h"

using namespace hebb::input;

TEST_CASE("a reason in a person's words is done, unless it begins by saying that it is not") {
  for (const char* done : {"",
                           "Verified and merged: duplicate rows are rejected now",
                           "Session invalidation shipped, 8 tests pass",
                           "Cancel button implemented",
                           "All tests pass, stale cache handled",
                           "Landed: cancellation is safe now",
                           "Duplicate rows are refused",
                           "Duplicates are refused now",
                           "Invalid input is refused",
                           "Rejected-row counter added",
                           "Superseded docs removed",
                           "Stale locks are taken over",
                           "Cancelled requests free their slot",
                           "Timed out requests are tried again",
                           "Abandoned carts get a mail",
                           "Merged into main",
                           "Failure to start on arm64 fixed",
                           "Failed to start: fixed by retry",
                           "Out of date dependencies bumped",
                           "No response headers: fixed in PR #3",
                           "No feedback on save: toast added",
                           "Not required fields are optional now",
                           "Not valid tokens are now rejected",
                           "Covered by unit tests in foo_test.go",
                           "Covered by new unit tests, merged",
                           "Replaced by the new parser, done",
                           "Tracked in git now",
                           "Third-party library upgraded",
                           "Reverted-index fixed",
                           "Dropped from 5 s to 1 s",
                           "Invalid now returns 400",
                           "Reverted to the old parser: works",
                           "Skipped with a clear message",
                           "Closed",
                           "Resolved in 4f91a87",
                           "Failed tests mended",
                           "Nothing is lost any more",
                           "Deferred loading of images",
                           "\xE2\x9C\x85 Done"}) {
    CAPTURE(done);
    CHECK(reason_of_text(done) == ClosingReason::done);
  }
  for (const char* not_done : {"Duplicate of b-7",
                               "duplicate",
                               "Duplicate, see b-7",
                               "Closed as a duplicate",
                               "This issue is a duplicate of #4",
                               "[duplicate] b-7",
                               "won't fix: out of proportion",
                               "won\xE2\x80\x99t fix",
                               "Won't-fix",
                               "WONTFIX",
                               "Will not do",
                               "Rejected: not worth it",
                               "Rejected",
                               "Rejected by the owner",
                               "Abandoned",
                               "Abandoned in favor of b-3",
                               "Out of scope for 1.0",
                               "out-of-scope",
                               "Stale",
                               "Stale \xE2\x80\x94 no repro",
                               "\xE2\x9D\x8C Rejected",
                               "Closing as stale",
                               "No longer needed, b-3 did it",
                               "Superseded by b-3",
                               "obsolete",
                               "Invalid issue",
                               "As designed",
                               "Closed as designed",
                               "As expected",
                               "Auto-closed: inactivity",
                               "On-hold",
                               "Timed-out",
                               "Third-party bug",
                               "Aborted",
                               "Reverted in 4f91a87",
                               "Infeasible",
                               "Not going to fix",
                               "Not completed",
                               "Not implemented",
                               "We won't do this",
                               "User decided not to pursue",
                               "I can't reproduce this",
                               "Can no longer reproduce",
                               "No longer an issue",
                               "False positive",
                               "Redundant with bd-4",
                               "Already tracked in bd-4",
                               "Covered by bd-12",
                               "Tracked in #12",
                               "Replaced by web-3",
                               "Same as bd-7",
                               "Probably duplicate of bd-3",
                               "Superceded by bd-3",
                               "dup bd-7",
                               "NOTABUG",
                               "Out of date",
                               "Out of date since 2.0",
                               "Not needed anymore",
                               "No response from the reporter",
                               "No activity in 90 days",
                               "Invalid: a question",
                               "Cannot reproduce",
                               "can't reproduce on 2.0",
                               "Failed to reproduce",
                               "Not a bug",
                               "Works as designed",
                               "Deferred until 2.0",
                               "timed out",
                               "Needs more info",
                               "cancelled",
                               "Canceled by user",
                               "By design."}) {
    CAPTURE(not_done);
    CHECK(reason_of_text(not_done) == ClosingReason::not_done);
  }
  for (const char* failed :
       {"Not planned", "failed: the tests are red", "Gave up", "Failure", "Agent gave up",
        "Failed after 3 attempts", "Could not complete", "Unable to fix", "Can't fix", "CANTFIX",
        "Cannot be done", "Tests failed", "Build failed", "Implementation failed: no API",
        "Unsuccessful attempt"}) {
    CAPTURE(failed);
    CHECK(reason_of_text(failed) == ClosingReason::failed);
  }
}

TEST_CASE("a value of a field is done, not done, failed or not known") {
  for (const char* done :
       {"", "Done", "Fixed", "COMPLETED", "completed", "Resolved Locally", "Done-Errata",
        "Fixed/Done", "Implemented", "Delivered", "Fixed in Upstream"}) {
    CAPTURE(done);
    CHECK(reason_of_field(done) == ClosingReason::done);
  }
  for (const char* not_done : {"Won't Fix",       "Won't Do",    "DUPLICATE",
                               "Duplicate Issue", "Incomplete",  "Cannot Reproduce",
                               "Needs more info", "Not Our Bug", "Works for Me",
                               "As Designed",     "Timed out",   "Superseded",
                               "Not A Bug",       "Declined",    "Declined - No Budget",
                               "Abandoned",       "deleted",     "Out of Scope",
                               "Out-of-Scope",    "Deferred",    "Later",
                               "Invalid",         "Obsolete",    "Not Applicable"}) {
    CAPTURE(not_done);
    CHECK(reason_of_field(not_done) == ClosingReason::not_done);
  }
  for (const char* not_done : {"Resolved - Duplicate", "Done (won't fix)", "Verified: not a bug",
                               "Released - rolled back"}) {
    CAPTURE(not_done);
    CHECK(reason_of_field(not_done) == ClosingReason::not_done);
  }
  CHECK(reason_of_field("NOT_PLANNED") == ClosingReason::failed);
  CHECK(reason_of_field("not_planned") == ClosingReason::failed);
  for (const char* unknown :
       {"Migrated to another ITS", "Partially Completed", "Ausgeliefert", "Moved", "Workaround",
        "Question", "Fix Not Needed", "Answered - no change", "\xFF"}) {
    CAPTURE(unknown);
    CHECK(reason_of_field(unknown) == ClosingReason::unknown);
  }
}
