// What went wrong, in the same form everywhere: as JSON on stderr, as application/problem+json
// (RFC 9457) over HTTP, as a tool's error over MCP.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hebb::api {

// Stored in clients' code; do not rename.
enum class ProblemType : std::uint8_t {
  invalid_argument,  // a field is wrong: nothing was done
  refused,           // the event was refused; `reason` has the code
  not_found,         // there is no such node, edge, event or path
  conflict,          // the present state of the database does not allow it
  unreadable,        // the input is not of its format as a whole
  no_file,           // a file that was named cannot be read
  busy,              // another process holds the database: try again
  no_database,       // there is none, it cannot be opened, is damaged, or is not hebb's
  damaged_ledger,    // the ledger is damaged, so this was not done
  read_only,         // the database cannot be written
  no_memory,         // there is too little memory for it: nothing was done
  failed,            // anything else
};

// Which members an answer has, and what they mean: it is counted up where one goes or comes to mean
// something else, not where one comes along. It is a member of every answer, of errors too.
inline constexpr const char* kSchemaVersion = "schema_version";
inline constexpr int kSchemaVersionNow = 1;

struct ProblemInfo {
  ProblemType type;
  std::string_view name;   // "invalid_argument"
  std::string_view title;  // the same in words
  int exit_code;           // of the command line
  int http_status;
};
std::span<const ProblemInfo> problem_types();
const ProblemInfo& info_of(ProblemType type);

// The name of a field in the detail of a Problem. Each door writes what the field is called there:
// what() has it in quotes, as JSON has it, the command line names the option.
std::string named(std::string_view field);

class Problem : public std::runtime_error {
 public:
  Problem(ProblemType type, std::string detail, std::string field = {});

  // The detail with what `name` gives for each of its fields.
  std::string detail(const std::function<std::string(const std::string& field)>& name) const;

  ProblemType type;
  std::string marked;  // the detail as it was given, with its named() fields
  std::string field;   // the field that is wrong: "settings[0]"; empty: none
  std::string reason;  // for ProblemType::refused: the code of engine/values/refusals.h
  std::optional<std::int64_t> line;
  std::optional<std::int64_t> retry_after_ms;

  // {type, title, detail, field?, reason?, line?, retry_after_ms?, schema_version}
  nlohmann::ordered_json json() const;
};

// One with the words that fmt::format() makes; field: as Problem::field.
template <class... T>
Problem problem(ProblemType type, std::string_view field, fmt::format_string<T...> words,
                T&&... values) {
  return {type, fmt::format(words, std::forward<T>(values)...), std::string(field)};
}
// That a field is wrong.
template <class... T>
Problem invalid(std::string_view field, fmt::format_string<T...> words, T&&... values) {
  return problem(ProblemType::invalid_argument, field, words, std::forward<T>(values)...);
}

// Converts any exception that an operation threw to a Problem.
Problem problem_of(const std::exception_ptr& thrown);

}  // namespace hebb::api
