// Conditions that hold for every reader and all input bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/input/input.h"
#include "engine/ledger/event.h"
#include "tests/support/reasons.h"

namespace hebb::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// The ledger takes the event unless the graph does not allow it, and the payload is stored
// unchanged.
inline void check_event(const Event& event) {
  require(!check_name(event.subject, "subject"), "a subject is a name");
  require(!validate(event), "what a reader gives is valid");
  const std::string json = encode_payload(event.payload);
  require(nlohmann::json::accept(json), "a payload is JSON");
  const auto* node = std::get_if<NodeUpsert>(&event.payload);
  const std::vector<float> vector = node == nullptr ? std::vector<float>{} : node->vector;
  const Payload decoded = decode_payload(kind_name(event.payload), json, vector);
  require(encode_payload(decoded) == json, "a payload comes back");
}

inline void check_refusal(const Refusal& refusal) {
  bool listed = false;
  for (const auto& reason : refusal::kReasons) listed = listed || reason.code == refusal.reason;
  require(listed, "a reason is in the list");
  require(!refusal.detail.empty(), "a refusal says what is wrong");
}

// A dead letter is retried by reading its text again: it must say the same.
inline void check_again(const Reader& reader, std::string_view text, const Event& event,
                        ReadOptions options) {
  options.single_item = true;
  bool found = false;
  Input input(text);
  reader(input, options, [&](const Item& item) {
    const auto* again = std::get_if<Event>(&item.parsed);
    found =
        found || (again != nullptr && again->key == event.key && again->subject == event.subject);
  });
  require(found, "an item's text read again gives its event");
}

// The result as text, to check that it does not depend on how the input is cut into pieces.
inline std::string summary_of(const Reader& reader, Input& input, const ReadOptions& options) {
  std::string all;
  try {
    reader(input, options, [&](const Item& item) {
      const auto* refusal = std::get_if<Refusal>(&item.parsed);
      const auto* event = std::get_if<Event>(&item.parsed);
      all += std::to_string(item.line) + " " + std::string(item.text) + " " +
             (refusal ? refusal->reason + refusal->detail : event->subject + event->key) + "\n";
    });
  } catch (const UnreadableInput& e) {
    all += e.what();
  }
  return all;
}

inline void check_pieces(const Reader& reader, std::string_view content,
                         const ReadOptions& options) {
  Input whole(content);
  const std::size_t size = 1 + content.size() / 16;
  Input in_pieces(
      [rest = content, size](char* to, std::size_t room) mutable {
        const auto piece = rest.substr(0, std::min(size, room));
        std::copy(piece.begin(), piece.end(), to);
        rest.remove_prefix(piece.size());
        return piece.size();
      },
      content.size());
  require(summary_of(reader, whole, options) == summary_of(reader, in_pieces, options),
          "an input in pieces says the same");
}

inline void check_reader(const Reader& reader, const std::uint8_t* data, std::size_t size,
                         bool of_tracker = false) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  const ReadOptions options{1'700'000'000'000, "task", false};
  check_pieces(reader, content, options);
  constexpr std::size_t kRereads = 16;  // enough, and keeps large inputs quick
  std::size_t reread = 0;
  std::int64_t line = 0;
  bool in_order = true;
  try {
    Input input(content);
    reader(input, options, [&](const Item& item) {
      in_order = in_order && item.line >= line;
      line = item.line;
      require(item.line >= 1, "lines count from 1");
      if (const auto* refusal = std::get_if<Refusal>(&item.parsed)) return check_refusal(*refusal);
      require(nlohmann::json::accept(item.text), "what was taken is JSON");
      check_event(std::get<Event>(item.parsed));
      if (++reread <= kRereads) {
        check_again(reader, item.text, std::get<Event>(item.parsed), options);
      }
    });
  } catch (const UnreadableInput& e) {
    require(*e.what() != '\0', "what is unreadable is said");
  }
  require(in_order || of_tracker, "items come in the order of the file");
}

inline void check_tracker(std::string_view format, const std::uint8_t* data, std::size_t size) {
  check_reader(find_format(format)->read, data, size, true);
}

}  // namespace hebb::fuzz
