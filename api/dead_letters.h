// dead_letters_list, dead_letters_retry, dead_letters_drop: input that was refused, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/ingest.h"
#include "api/operation.h"

namespace hebb::api {

struct DeadLettersListRequest {
  std::optional<std::int64_t> limit;
  std::int64_t after = 0;  // an id
  static const Fields& fields();
};
struct RefusedLetter {
  std::int64_t id = 0;
  std::string reason, file;
  std::int64_t line = 0;
  std::string text;
  std::int64_t bytes = 0;
  std::optional<std::string> hash;  // of the whole text, if only a part is kept
  std::string detail, format;
  Time at;
  static const Fields& fields();
};
struct DeadLettersListResult {
  std::vector<RefusedLetter> dead_letters;  // by id
  std::optional<std::int64_t> next;         // `after` for the next page; absent: no more
  static const Fields& fields();
};
DeadLettersListResult dead_letters_list(Session& session, const DeadLettersListRequest& request);
Operation dead_letters_list_operation();

struct DeadLettersRetryRequest {
  std::vector<std::int64_t> ids;
  bool all = false, allow_future = false;
  static const Fields& fields();
};
// A refusal's `line` is the letter's id.
IngestResult dead_letters_retry(Session& session, const DeadLettersRetryRequest& request);
Operation dead_letters_retry_operation();

struct DeadLettersDropRequest {
  std::vector<std::int64_t> ids;
  bool all = false;
  static const Fields& fields();
};
struct DeadLettersDropResult {
  std::int64_t dropped = 0;
  static const Fields& fields();
};
DeadLettersDropResult dead_letters_drop(Session& session, const DeadLettersDropRequest& request);
Operation dead_letters_drop_operation();

}  // namespace hebb::api
