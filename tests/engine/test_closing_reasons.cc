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
  for (const char* failed : {"Not planned", "failed: the tests are red", "Gave up", "Failure"}) {
    CAPTURE(failed);
    CHECK(reason_of_text(failed) == ClosingReason::failed);
  }
}

TEST_CASE("a value of a field is done, not done, failed or not known") {
  for (const char* done : {"", "Done", "Fixed", "COMPLETED", "completed", "Resolved Locally",
                           "Done-Errata", "Implemented", "Delivered", "Fixed in Upstream"}) {
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
  CHECK(reason_of_field("NOT_PLANNED") == ClosingReason::failed);
  CHECK(reason_of_field("not_planned") == ClosingReason::failed);
  for (const char* unknown : {"Migrated to another ITS", "Partially Completed", "Ausgeliefert",
                              "Moved", "Workaround", "Question", "\xFF"}) {
    CAPTURE(unknown);
    CHECK(reason_of_field(unknown) == ClosingReason::unknown);
  }
}
