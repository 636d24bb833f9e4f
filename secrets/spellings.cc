#include "secrets/spellings.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "secrets/canonical.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kBase64Bytes = 8;  // a shorter part of base64 would match by chance

// The part of the base64 of a text containing `value` that does not depend on the rest of the text,
// if `value` is preceded by `before` bytes (0, 1 or 2) modulo 3.
std::string base64_core(std::string_view value, std::size_t before, bool for_url) {
  const std::string_view digits =
      for_url ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
              : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  const std::size_t skip = (3 - before) % 3;  // bytes in one base64 group with those before
  for (std::size_t i = skip; i + 2 < value.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(value[i + k]));
    };
    const std::uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (const int shift : {18, 12, 6, 0}) out += digits[group >> shift & 63];
  }
  return out;
}

}  // namespace

std::vector<Spelling> spellings(std::string_view value) {
  std::vector<Spelling> all{{std::string(value), 0}};
  for (std::size_t before = 0; before < 3; ++before) {
    for (const bool for_url : {false, true}) {
      std::string core = base64_core(value, before, for_url);
      if (core.size() >= kBase64Bytes) all.push_back({std::move(core), 0});
    }
  }
  // A backslash at the end of a value may be left out where the value ends.
  all.push_back({std::string(Canonical(value).text()), value.find_last_not_of('\\') + 1});
  const auto before = [](const Spelling& a, const Spelling& b) { return a.text < b.text; };
  std::stable_sort(all.begin(), all.end(), before);  // of the same ones, the first is kept
  const auto same = [](const Spelling& a, const Spelling& b) { return a.text == b.text; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace hebb::secrets
