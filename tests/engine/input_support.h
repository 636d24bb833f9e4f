// The items that a reader made from a text, for tests.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/input/input.h"

namespace hebb {

struct Got {  // an Item that owns its text
  std::int64_t line = 0;
  std::string text;
  Parsed parsed;
};

inline constexpr TimeMs kTestNow = 1'700'000'000'000;
inline constexpr TimeMs kCreated2020 = 1'577'836'800'000;  // 2020-01-01, of GitHub's issues

inline const Reader read_github = find_format("github")->read;
inline const Reader read_beads = find_format("beads")->read;
inline const Reader read_taskwarrior = find_format("taskwarrior")->read;

inline std::vector<Got> read_all(const Reader& reader, std::string_view content,
                                 const ReadOptions& options = {kTestNow, ""}) {
  std::vector<Got> all;
  Input input(content);
  reader(input, options, [&all](Item item) {
    all.push_back({item.line, std::string(item.text), std::move(item.parsed)});
  });
  return all;
}

// "" if the item was taken.
inline std::string reason_of(const Got& got) {
  const auto* refusal = std::get_if<Refusal>(&got.parsed);
  return refusal == nullptr ? "" : refusal->reason;
}
inline std::string detail_of(const Got& got) {
  const auto* refusal = std::get_if<Refusal>(&got.parsed);
  return refusal == nullptr ? "" : refusal->detail;
}
inline const Event& event_of(const Got& got) { return std::get<Event>(got.parsed); }
template <typename T>
const T& payload_of(const Got& got) {
  return std::get<T>(event_of(got).payload);
}

// Reads a text of one item; "" if it was taken.
inline std::string reason_of(const Reader& reader, std::string_view content) {
  const auto all = read_all(reader, content);
  return all.size() == 1 ? reason_of(all.front()) : "not one item";
}

}  // namespace hebb
