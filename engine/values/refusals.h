// Why an item is not taken: the code of every reason, as a dead letter stores it. What each means
// is in tests/support/reasons.h, from which docs/formats.md is made.
//
// Codes are stored; do not rename. All code that refuses uses these constants.
#pragma once

#include <string>
#include <string_view>

namespace hebb {

// Why an item was not taken. `reason` is one of the codes below; `detail` says what is wrong, where
// in the item, and what is allowed.
struct Refusal {
  std::string reason;
  std::string detail;
};

namespace refusal {

// --- the text ------------------------------------------------------------------------------------
inline constexpr std::string_view kNotJson = "not_json";
inline constexpr std::string_view kNotUtf8 = "not_utf8";
inline constexpr std::string_view kTruncatedLine = "truncated_line";
inline constexpr std::string_view kTooLong = "too_long";
inline constexpr std::string_view kTooDeep = "too_deep";
inline constexpr std::string_view kDuplicateKey = "duplicate_key";
// --- fields --------------------------------------------------------------------------------------
inline constexpr std::string_view kMissingField = "missing_field";
inline constexpr std::string_view kWrongType = "wrong_type";
inline constexpr std::string_view kNotFinite = "not_finite";
inline constexpr std::string_view kOutOfRange = "out_of_range";
inline constexpr std::string_view kBadValue = "bad_value";
inline constexpr std::string_view kBadId = "bad_id";
inline constexpr std::string_view kIdTooLong = "id_too_long";
inline constexpr std::string_view kBadTime = "bad_time";
inline constexpr std::string_view kUnknownKind = "unknown_kind";
inline constexpr std::string_view kBadOutcome = "bad_outcome";
inline constexpr std::string_view kScoreOutOfRange = "score_out_of_range";
inline constexpr std::string_view kTooManyRelated = "too_many_related";
inline constexpr std::string_view kPropertiesTooLarge = "properties_too_large";
inline constexpr std::string_view kVectorTooLong = "vector_too_long";
// --- the graph (given by the engine) -------------------------------------------------------------
inline constexpr std::string_view kUnknownNode = "unknown_node";
inline constexpr std::string_view kUnknownTask = "unknown_task";
inline constexpr std::string_view kReserved = "reserved";
inline constexpr std::string_view kSelfBlock = "self_block";
inline constexpr std::string_view kVectorDimension = "vector_dimension";
inline constexpr std::string_view kVectorEmbedder = "vector_embedder";
inline constexpr std::string_view kFuture = "future";
inline constexpr std::string_view kConflict = "conflict";
inline constexpr std::string_view kTooManyTypes = "too_many_types";
inline constexpr std::string_view kCannotUndo = "cannot_undo";
inline constexpr std::string_view kClaimed = "claimed";
inline constexpr std::string_view kStaleLease = "stale_lease";
// --- outcomes whose hook is pending (engine/inbox/inbox.h) ---------------------------------------
inline constexpr std::string_view kHookNotRun = "not_told";

}  // namespace refusal
}  // namespace hebb
