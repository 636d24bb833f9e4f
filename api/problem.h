// Errors, in the same form everywhere: as JSON on stderr, as application/problem+json (RFC 9457)
// over HTTP, as a tool's error over MCP.
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
  no_file,           // a file in the request cannot be read
  busy,              // another process holds the database: try again
  no_database,       // there is none, or it is damaged, cannot be opened or is not hebb's
  damaged_ledger,    // the ledger is damaged, so nothing was done
  read_only,         // the database cannot be written
  no_memory,         // too little memory: nothing was done
  cancelled,         // the caller cancelled it; what it had committed stays
  failed,            // anything else
};

// The version of the answers' members and their meaning: it grows when a member goes or changes its
// meaning, not when one is added. Every answer has it as a member, errors too.
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

// A placeholder for the name of a field in a Problem's detail: what() writes the JSON member in
// quotes, the command line writes its option.
std::string named(std::string_view field);

class Problem : public std::runtime_error {
 public:
  Problem(ProblemType type, std::string detail, std::string field = {});

  // The detail with name(field) for each of its marked fields.
  std::string detail(const std::function<std::string(const std::string& field)>& name) const;

  ProblemType type;
  std::string marked;  // the detail, with marks around named() fields
  std::string field;   // the field that is wrong: "settings[0]"; empty: none
  std::string reason;  // for ProblemType::refused: the code of engine/values/refusals.h
  std::optional<std::int64_t> line;
  std::optional<std::int64_t> retry_after_ms;

  // {type, title, detail, field?, reason?, line?, retry_after_ms?, schema_version}
  nlohmann::ordered_json json() const;
};

// A Problem whose detail is made by fmt::format(); field: as Problem::field.
template <class... T>
Problem problem(ProblemType type, std::string_view field, fmt::format_string<T...> words,
                T&&... values) {
  return {type, fmt::format(words, std::forward<T>(values)...), std::string(field)};
}
// The invalid_argument Problem for a field.
template <class... T>
Problem invalid(std::string_view field, fmt::format_string<T...> words, T&&... values) {
  return problem(ProblemType::invalid_argument, field, words, std::forward<T>(values)...);
}

// Converts any exception that an operation threw to a Problem.
Problem problem_of(const std::exception_ptr& thrown);

}  // namespace hebb::api
