// Remembers secret values that a session has shown, to mask them wherever they occur again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "secrets/canonical.h"
#include "secrets/find.h"

namespace hebb::secrets {

// How a value became known as a secret, the most reliable first.
enum class Origin : std::uint8_t {
  configured,  // given to the recorder
  typed,       // by the client, in arguments
  shown,       // in a result, or anywhere in running text
};

class SecretMemory {
 public:
  static constexpr std::size_t kValueBytes = 1024;  // longer values are not remembered
  static constexpr std::size_t kLeastBytes = 4;     // nor are shorter ones

  // A shorter value is found only as a whole word.
  static constexpr std::size_t kWordBytes = 8;

  static constexpr std::size_t kValues = 1024;

  // Remembers the last `values` typed and the last `values` shown values, and all configured ones.
  explicit SecretMemory(std::size_t values = kValues) : limit_(values) {}
  SecretMemory(const SecretMemory&) = delete;

  // False if the value is known already, too short, too long or a common word.
  bool remember(std::string_view value, Origin origin);
  bool empty() const { return places_.empty(); }

  // The text with kMasked in the place of every remembered value, in any of spellings(), in the
  // text and in its canonical form. `cut`: the text is only a beginning; the beginning of a value
  // at its end is masked as well. O(text), and the logarithm of the number of values where one may
  // begin.
  std::string scrub(std::string_view text, bool cut) const;

 private:
  using Queue = std::list<std::string>;  // the next value to forget is in front
  struct Place {
    Origin origin;
    Queue::iterator value;
  };

  struct Form {
    std::size_t values = 0;  // how many values are spelt like this
    std::size_t least = 0;   // Spelling::least, the least of these values
  };
  // The text to search: the source, or its canonical form.
  struct Reading {
    std::string_view source, text;
    const Canonical* canonical = nullptr;

    std::size_t place(std::size_t at) const { return canonical ? canonical->place(at) : at; }
    bool is_whole_word(std::size_t from, std::size_t to) const;
  };

  Queue& queue(Origin origin) { return values_[static_cast<std::size_t>(origin)]; }
  void add_forms(std::string_view value);
  void forget(Queue& from);
  void mark(std::string_view form);
  void mark_all();
  // The length of the value that begins at `at`; 0: none does.
  std::size_t match(const Reading& reading, std::size_t at, bool cut) const;
  // Adds where values stand in the source.
  void find(const Reading& reading, bool cut, std::vector<SecretSpan>& found) const;

  std::size_t limit_;
  std::array<Queue, 3> values_;  // by origin
  std::unordered_map<std::string_view, Place> places_;
  std::map<std::string, Form, std::less<>> forms_;
  std::vector<std::uint64_t> starts_;  // a bit for each hash of a form's first four bytes
  std::size_t forgotten_ = 0;          // values forgotten since starts_ was made
};

}  // namespace hebb::secrets
