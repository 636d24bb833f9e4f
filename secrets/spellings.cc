#include "secrets/spellings.h"

#include <algorithm>
#include <utility>

#include "secrets/canonical.h"
#include "text/base64.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kBase64Bytes = 8;  // a shorter part of base64 would match by chance

// The part of the base64 of a text containing `value` that does not depend on the rest of the text,
// if `value` is preceded by `before` bytes (0, 1 or 2) modulo 3.
std::string base64_core(std::string_view value, std::size_t before, std::string_view digits) {
  const std::size_t skip = (3 - before) % 3;  // bytes that share a base64 group with preceding ones
  if (value.size() <= skip) return {};
  return base64_encoded(value.substr(skip, (value.size() - skip) / 3 * 3), digits);
}

}  // namespace

std::vector<Spelling> spellings(std::string_view value) {
  std::vector<Spelling> all{{std::string(value), 0}};
  for (std::size_t before = 0; before < 3; ++before) {
    for (const std::string_view digits : {kBase64, kBase64Url}) {
      std::string core = base64_core(value, before, digits);
      if (core.size() >= kBase64Bytes) all.push_back({std::move(core), 0});
    }
  }
  // A backslash at the end of a value may be left out where the value ends.
  all.push_back({std::string(Canonical(value).text()), value.find_last_not_of('\\') + 1});
  const auto before = [](const Spelling& a, const Spelling& b) { return a.text < b.text; };
  std::stable_sort(all.begin(), all.end(), before);  // of equal spellings the first stays
  const auto same = [](const Spelling& a, const Spelling& b) { return a.text == b.text; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace hebb::secrets
