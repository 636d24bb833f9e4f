// Why an item is not taken: every reason, with the code that a dead letter stores, and what it
// means.
//
// Codes are stored; do not rename. All code that refuses uses these constants, so that the list
// is complete.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace hebb {

// Why an item was not taken. `reason` is one of the codes below; `detail`
// says what, where in the item, and what is allowed.
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
// --- what was taken and is still to be told (engine/untold.h) ------------------------------------
inline constexpr std::string_view kNotTold = "not_told";

struct Reason {
  std::string_view code;
  std::string_view meaning;
};

inline constexpr auto kReasons = std::to_array<Reason>({
    {kNotJson, "the text is not JSON"},
    {kNotUtf8, "the text is not UTF-8"},
    {kTruncatedLine, "the last line of the file has no newline and is not JSON: it was cut off"},
    {kTooLong, "the item is longer than 1 MiB"},
    {kTooDeep, "objects and arrays are nested more than 64 deep"},
    {kDuplicateKey, "an object has the same key twice"},
    {kMissingField, "a required field is absent or null"},
    {kWrongType, "a field has another JSON type than it must have"},
    {kNotFinite, "a number is too large for a double, or for the float of a vector"},
    {kOutOfRange, "a number is outside what is allowed, or an integer has more than 64 bits"},
    {kBadValue, "a text is not one of those allowed"},
    {kBadId, "an id, type or state is empty or contains a control character"},
    {kIdTooLong, "an id, type or state is longer than 512 bytes"},
    {kBadTime, "a time is neither integer milliseconds of the years 1973 to 9999 nor RFC 3339"},
    {kUnknownKind, "the kind of a history line is not node, edge, unlink, state or outcome"},
    {kBadOutcome, "an outcome is not success, partial or failure"},
    {kScoreOutOfRange, "a score is not above 0 and at most 1"},
    {kTooManyRelated, "relatedNodes has more than 1024 ids"},
    {kPropertiesTooLarge, "properties are larger than 64 KiB as canonical JSON"},
    {kVectorTooLong, "a vector has more than 4096 numbers"},
    {kUnknownNode, "a node that the item names does not exist"},
    {kUnknownTask, "the task of an outcome does not exist"},
    {kReserved, "`frontier` is hebb's own node"},
    {kSelfBlock, "a node cannot block itself"},
    {kVectorDimension, "the vector has another dimension than those of the database"},
    {kVectorEmbedder, "the vector comes from another embedder than those of the database"},
    {kFuture, "the time is more than five minutes after now"},
    {kConflict, "another outcome or event has the id already, and says something else"},
    {kTooManyTypes, "the database has 65000 edge types, node types or states already"},
    {kCannotUndo, "what is to be undone is not there, is undone already, or others need it"},
    {kClaimed, "another agent has claimed the task, and the claim has not expired"},
    {kStaleLease,
     "the claim with the token has ended, or another agent has claimed the task since"},
    {kNotTold, "an outcome that counts, of which the command of --on-outcome is still to be told"},
});

}  // namespace refusal
}  // namespace hebb
