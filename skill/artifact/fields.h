// Strict reading of JSON objects: every member is of the type that is asked for, and none is left
// over that nobody asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace hebb::skill {

using Json = nlohmann::ordered_json;

// What was given cannot be. what() says where in it, what is there and what is allowed.
class Invalid : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws Invalid; `path` begins the message.
[[noreturn]] void invalid(std::string_view path, std::string_view what);

// Of a text that is JSON of at most `limit` bytes; `what` names it in messages. Throws Invalid.
Json parse_json(std::string_view text, std::string_view what, std::size_t limit);

// Always valid UTF-8, whatever the strings hold.
std::string dump(const Json& value, int indent = -1);

class Fields {
 public:
  static constexpr std::size_t kTextBytes = 16 << 10;

  // Throws Invalid where the value is no object. The value must outlive this.
  Fields(const Json& value, std::string path);

  // nullptr where the member is absent. A member that was asked for is known: see done().
  const Json* find(std::string_view key);
  const Json& need(std::string_view key);

  // These throw Invalid where the member is there and of another type or out of bounds.
  std::optional<std::string> text(std::string_view key, std::size_t limit = kTextBytes);
  std::string need_text(std::string_view key, std::size_t limit = kTextBytes);  // not empty
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most);
  std::optional<bool> flag(std::string_view key);
  std::optional<double> number(std::string_view key);

  std::string at(std::string_view key) const;  // the member's path
  // Throws Invalid where a member is there that nobody asked for.
  void done() const;

 private:
  const Json& value_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace hebb::skill
