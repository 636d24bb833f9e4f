// Secret values that a session has shown, so that they are known where they come again.
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
  static constexpr std::size_t kValues = 256;       // the oldest beyond are forgotten
  static constexpr std::size_t kValueBytes = 1024;  // a longer value is not remembered
  static constexpr std::size_t kLeastBytes = 4;     // nor a shorter one

  // Shorter than this, a value is looked for as a whole word only.
  static constexpr std::size_t kWordBytes = 8;

  // False where the value is known, too short, too long or too common a word to be looked for.
  bool remember(std::string_view value);
  bool empty() const { return values_.empty(); }

  // The text with kMasked in the place of every remembered value, as it stands or escaped for JSON
  // (once or twice), for an address or for HTML, or within base64. `is_json`: the result is JSON
  // too, if the text was. `cut`: the text goes on where it ends; the beginning of a value there is
  // masked as well. O(text), whatever is remembered.
  std::string scrub(std::string_view text, bool is_json, bool cut) const;

 private:
  struct Form {
    std::string text;
    bool word = false;       // found as a whole word only
    bool fits_json = false;  // within a string of JSON
  };
  struct Value {
    std::string text;
    std::vector<Form> forms;
  };

  // How much of the text from `at` on is a value; 0: nothing.
  std::size_t match(std::string_view text, std::size_t at, bool is_json, bool cut) const;
  void index(const Value& value);
  void index_all();

  std::deque<Value> values_;                                      // the oldest first
  std::unordered_multimap<std::uint32_t, const Form*> by_start_;  // by their first four bytes
  std::array<std::uint64_t, 1024> starts_{};  // a bit for each hash of four bytes that begin a form
};

}  // namespace hebb::capture
