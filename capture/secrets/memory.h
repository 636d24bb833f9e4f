// Remembers secret values that a session has shown, to mask them wherever they occur again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hebb::capture {

class SecretMemory {
 public:
  static constexpr std::size_t kValues = 256;       // beyond it, the oldest is forgotten
  static constexpr std::size_t kValueBytes = 1024;  // longer values are not remembered
  static constexpr std::size_t kLeastBytes = 4;     // nor are shorter ones

  // A shorter value is looked for as a whole word only.
  static constexpr std::size_t kWordBytes = 8;

  // False if the value is known already, too short, too long or a common word.
  bool remember(std::string_view value);
  bool empty() const { return values_.empty(); }

  // The text with kMasked in the place of every remembered value, be it plain, escaped for JSON
  // (once or twice), for a URL or for HTML, or within base64. `is_json`: the text is JSON, and so
  // is the result. `cut`: the text is only a beginning; the beginning of a value at its end is
  // masked as well. O(text), independent of the number of values.
  std::string scrub(std::string_view text, bool is_json, bool cut) const;

 private:
  struct Form {
    std::string text;
    bool word = false;       // found as a whole word only
    bool fits_json = false;  // it can be replaced within a JSON string
  };
  struct Value {
    std::string text;
    std::vector<Form> forms;
  };

  // The length of the value that begins at `at`; 0: none does.
  std::size_t match(std::string_view text, std::size_t at, bool is_json, bool cut) const;
  void index(const Value& value);
  void index_all();

  std::deque<Value> values_;                                      // the oldest first
  std::unordered_multimap<std::uint32_t, const Form*> by_start_;  // by their first four bytes
  std::array<std::uint64_t, 1024> starts_{};  // a bit for each hash of a form's first four bytes
};

}  // namespace hebb::capture
