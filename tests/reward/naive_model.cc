// A room's tests link that room alone, and the library of test support needs every room; the model
// needs none, so it is compiled in here.
#include "tests/support/naive_model.cc"  // NOLINT(bugprone-suspicious-include)

#include "tests/support/naive_factors.cc"  // NOLINT(bugprone-suspicious-include)
#include "tests/support/naive_ranking.cc"  // NOLINT(bugprone-suspicious-include)
#include "tests/support/naive_rules.cc"    // NOLINT(bugprone-suspicious-include)
