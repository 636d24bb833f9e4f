// Every reason for which an item is refused, and what it means: for docs/formats.md, and for tests
// that look whether the list is complete.
#pragma once

#include <array>
#include <string_view>

#include "engine/values/refusals.h"

namespace hebb::refusal {

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
    {kSelfBlock, "a node cannot block itself, or be a part of itself"},
    {kVectorDimension, "the vector has another dimension than those of the database"},
    {kVectorEmbedder, "the vector comes from another embedder than those of the database"},
    {kFuture, "the time is more than five minutes after now"},
    {kConflict, "another outcome or event has the id already, and says something else"},
    {kTooManyTypes, "the database has 65000 edge types, node types or states already"},
    {kCannotUndo, "what is to be undone is not there, is undone already, or others need it"},
    {kClaimed, "another agent has claimed the task, and the claim has not expired"},
    {kStaleLease,
     "the claim with the token has ended, or another agent has claimed the task since"},
    {kHookNotRun,
     "an outcome that counts, but the command of --on-outcome has not succeeded for it yet"},
});

}  // namespace hebb::refusal
