// Canonical JSON: equal values have equal text, so that a hash of the text can identify a value.
//
// Keys sorted by their UTF-8 bytes at every level, no blanks, numbers in their shortest form (1.0
// and 1 are the same number), strings with only the escapes JSON demands. The canonical text of
// canonical text is the text itself.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace hebb {

void append_json_string(std::string& out, std::string_view text);  // with its quotes; text is UTF-8
void append_json_number(std::string& out, double value);           // precondition: finite
std::string json_text(std::string_view text);                      // the same, by itself
std::string json_number(double value);

// 32 lower-case hexadecimal digits of XXH3-128, as `xxh128sum` prints them.
std::string content_hash(std::string_view bytes);

// content_hash() of bytes that come a piece at a time.
class ContentHash {
 public:
  ContentHash();
  void add(std::string_view bytes);
  std::string hex() const;  // of all that was added so far

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace hebb
