#include "reward/states.h"

#include <algorithm>
#include <array>

namespace hebb::reward {
namespace {

// That the work is done, or that nobody will do it.
constexpr std::array<std::string_view, 28> kOver{
    "CLOSED",   "DONE",      "COMPLETE", "COMPLETED", "FINISHED",  "RESOLVED",    "FIXED",
    "MERGED",   "RELEASED",  "SHIPPED",  "CANCELLED", "CANCELED",  "ABANDONED",   "REJECTED",
    "DECLINED", "WONTFIX",   "WONT_FIX", "WON'T_FIX", "WONTDO",    "WONT_DO",     "WON'T_DO",
    "INVALID",  "DUPLICATE", "OBSOLETE", "DELETED",   "TOMBSTONE", "NOT_PLANNED", "SUPERSEDED"};

char plain(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  return c == '-' || c == ' ' ? '_' : c;
}

}  // namespace

bool is_over(std::string_view state) {
  return std::any_of(kOver.begin(), kOver.end(), [&](std::string_view over) {
    return std::equal(state.begin(), state.end(), over.begin(), over.end(),
                      [](char a, char b) { return plain(a) == b; });
  });
}

}  // namespace hebb::reward
