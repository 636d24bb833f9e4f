// Strict reading of JSON objects: every member has the expected type, and there are no unexpected
// ones.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/values/read_json.h"

namespace hebb::skill {

using Json = nlohmann::ordered_json;

// The input is not valid. what() has the place, the value and the allowed values.
class Invalid : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws Invalid; `path` begins the message.
[[noreturn]] void invalid(std::string_view path, std::string_view what);

// Parses JSON of at most `limit` bytes; `what` names it in messages. Throws Invalid.
Json parse_json(std::string_view text, std::string_view what, std::size_t limit);

// JSON text that is always valid UTF-8, even if strings in `value` are not.
std::string dump(const Json& value, int indent = -1);

// The member; null: it is absent, or the value is no object.
Json member(const Json& object, const char* key);
// The member if it has the type; else empty, false, or `otherwise`.
std::string text_member(const Json& object, const char* key);
bool is_true(const Json& object, const char* key);
double number_member(const Json& object, const char* key, double otherwise = 0);

// Removes the first line from a text, and returns it without its end.
std::string_view take_line(std::string_view& text);

// The first line of a text, cut at 80 bytes: for a message.
std::string first_line(std::string_view text);

class Fields {
 public:
  static constexpr std::size_t kTextBytes = 16 << 10;

  // Throws Invalid if the value is not an object. The value must outlive this.
  Fields(const Json& value, std::string path);

  // The member, or nullptr if it is absent. done() accepts the members that were looked up.
  const Json* find(std::string_view key);
  const Json& need(std::string_view key);

  // Members that done() accepts although they are read elsewhere.
  void allow(const std::vector<std::string>& keys) {
    known_.insert(known_.end(), keys.begin(), keys.end());
  }

  // These throw Invalid if the member has another type or is out of bounds.
  std::optional<std::string> text(std::string_view key, std::size_t limit = kTextBytes);
  std::string need_text(std::string_view key, std::size_t limit = kTextBytes);  // not empty

  std::string at(std::string_view key) const;  // the member's path
  // Throws Invalid if there is a member that was not looked up; suggests the known name.
  void done() const;

 private:
  const Json& value_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace hebb::skill
