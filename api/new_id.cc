#include "api/new_id.h"

#include <cstdint>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <xxhash.h>

namespace hebb::api {

namespace {

constexpr std::string_view kCharacters = "abcdefghjkmnpqrstuvwxyz23456789";
constexpr std::uint64_t kLetters = 23;
constexpr std::size_t kShortest = 4;

// The candidate id after n others. Stored in ledgers; do not change.
std::string nth_id(const std::string& name, TimeMs at, std::int64_t n, std::size_t length) {
  const std::string trial = fmt::format("{}/{}", at, n);
  std::uint64_t hash =
      XXH3_64bits_withSeed(trial.data(), trial.size(), XXH3_64bits(name.data(), name.size())) | 1;
  std::string id{kCharacters[hash % kLetters]};
  for (hash /= kLetters; id.size() < length; hash /= kCharacters.size())
    id += kCharacters[hash % kCharacters.size()];
  return id;
}

// Whether new_id() made this id: all earlier candidates are ids of other nodes.
bool is_tried(const State& s, const std::string& id, const std::string& name, TimeMs at) {
  for (std::int64_t n = 0;; ++n) {
    const std::string tried = nth_id(name, at, n, id.size());
    if (tried == id) return true;
    if (!s.graph().find_node(tried)) return false;
  }
}

}  // namespace

std::string new_id(const State& s, const std::string& name, TimeMs at) {
  const double nodes = s.graph().node_bound();
  double ids = static_cast<double>(kLetters) * 31 * 31 * 31;
  std::size_t length = kShortest;
  for (; ids < 500 * nodes * nodes; ids *= 31) ++length;
  for (std::int64_t n = 0;; ++n) {
    std::string id = nth_id(name, at, n, length);
    if (!s.graph().find_node(id)) return id;
  }
}

bool is_generated_id(Engine& engine, const std::string& id) {
  const State& s = engine.state();
  bool found = false;
  if (id.size() < kShortest) return found;
  engine.ledger().events_of_subject(id, [&](Event&& event) {
    const auto* node = std::get_if<NodeUpsert>(&event.payload);
    if (!found && node && node->name) found = is_tried(s, id, *node->name, event.at);
  });
  return found;
}

}  // namespace hebb::api
