#include "capture/secrets/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "capture/actions/payload.h"
#include "capture/secrets/names.h"
#include "capture/secrets/scan.h"
#include "capture/secrets/spellings.h"

namespace hebb::capture {
namespace {

constexpr std::size_t kStart = 4;
constexpr std::size_t kLeastBits = 1024;
constexpr std::size_t kBitsPerForm = 16;  // so that few other places look as if a form began there

// Common words. A secret that is one of these is masked in its place but not looked for elsewhere.
constexpr auto kCommon = std::to_array<std::string_view>(
    {"true",     "false",   "null",  "none",    "undefined", "password", "passwort", "secret",
     "token",    "text",    "type",  "content", "name",      "value",    "test",     "tests",
     "admin",    "user",    "users", "root",    "guest",     "example",  "default",  "string",
     "number",   "object",  "array", "login",   "email",     "role",     "button",   "textbox",
     "http",     "https",   "html",  "json",    "data",      "error",    "result",   "masked",
     "file",     "path",    "page",  "home",    "main",      "index",    "demo",     "hello",
     "1234",     "2024",    "2025",  "2026",    "localhost", "iserror",  "bearer",   "basic",
     "required", "optional"});

bool is_common(std::string_view value) {
  const std::string folded = fold_name(value);
  return folded.size() == value.size() &&
         std::find(kCommon.begin(), kCommon.end(), folded) != kCommon.end();
}

// Whether the letter at `at` belongs to an escape such as \n, so that a word may begin after it.
bool is_escape(std::string_view text, std::size_t at) {
  return at > 0 && text[at - 1] == '\\' &&
         std::string_view("nrtbf").find(text[at]) != std::string_view::npos;
}

bool is_whole_word(std::string_view text, std::size_t from, std::size_t to) {
  const bool begins = from == 0 || !is_word_char(text[from - 1]) || is_escape(text, from - 1);
  return begins && (to >= text.size() || !is_word_char(text[to]));
}

std::size_t common_length(std::string_view a, std::string_view b) {
  const std::size_t length = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + length, b.begin()).first -
                                  a.begin());
}

}  // namespace

bool SecretMemory::remember(std::string_view value, Origin origin) {
  if (value.size() < kLeastBytes || value.size() > kValueBytes || is_common(value)) return false;
  const auto found = places_.find(value);
  const bool is_new = found == places_.end();
  if (is_new) {
    const auto at = queue(origin).insert(queue(origin).end(), std::string(value));
    places_.emplace(*at, Place{origin, at});
    add_forms(value);
  } else {
    Place& place = found->second;
    const Origin surest = std::min(place.origin, origin);
    queue(surest).splice(queue(surest).end(), queue(place.origin), place.value);
    place.origin = surest;
  }
  for (const Origin bounded : {Origin::typed, Origin::shown}) {
    if (queue(bounded).size() > limit_) forget(queue(bounded));
  }
  return is_new;
}

void SecretMemory::add_forms(std::string_view value) {
  for (std::string& form : spellings(value)) {
    if (form.size() < kStart) continue;
    const auto [added, is_new] = forms_.try_emplace(std::move(form), 0);
    ++added->second;
    if (is_new && starts_.size() * 64 >= forms_.size() * kBitsPerForm) mark(added->first);
  }
  if (starts_.size() * 64 < forms_.size() * kBitsPerForm) mark_all();
}

void SecretMemory::forget(Queue& from) {
  for (const std::string& form : spellings(from.front())) {
    const auto at = forms_.find(form);
    if (at != forms_.end() && --at->second == 0) forms_.erase(at);
  }
  places_.erase(from.front());
  from.pop_front();
  if (++forgotten_ >= limit_) mark_all();
}

void SecretMemory::mark(std::string_view form) {
  const std::size_t bit = bit_of(form.data());
  starts_[bit / 64] |= std::uint64_t{1} << bit % 64;
}

// Twice as many bits as are needed, so that this happens seldom.
void SecretMemory::mark_all() {
  const std::size_t bits = std::max(kLeastBits, std::bit_ceil(forms_.size() * kBitsPerForm * 2));
  starts_.assign(bits / 64, 0);
  forgotten_ = 0;
  for (const auto& [form, values] : forms_) mark(form);
}

std::size_t SecretMemory::bit_of(const char* start) const {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, start, kStart);
  return bytes * 2654435761u >> (32 - std::countr_zero(starts_.size() * 64));
}

bool SecretMemory::may_begin(const char* at) const {
  const std::size_t bit = bit_of(at);
  return (starts_[bit / 64] >> bit % 64 & 1) != 0;
}

// A form that the text begins with is at or before the text in order. Where the nearest one before
// differs, a shorter one that fits can have no more than the bytes that they share.
std::size_t SecretMemory::match(std::string_view text, std::size_t at, bool cut) const {
  const std::string_view rest = text.substr(at);
  const auto fits = [&](std::size_t form_length, std::size_t length) {
    return form_length >= kWordBytes || is_whole_word(text, at, at + length);
  };
  for (auto it = cut ? forms_.lower_bound(rest) : forms_.end();
       it != forms_.end() && it->first.starts_with(rest); ++it) {
    if (fits(it->first.size(), rest.size())) return rest.size();
  }
  for (std::string_view head = rest; head.size() >= kStart;) {
    const auto after = forms_.upper_bound(head);
    if (after == forms_.begin()) return 0;
    const std::string& form = std::prev(after)->first;
    const std::size_t shared = common_length(form, head);
    if (shared == form.size() && fits(shared, shared)) return shared;
    head = head.substr(0, shared == form.size() ? shared - 1 : shared);
  }
  return 0;
}

std::string SecretMemory::scrub(std::string_view text, bool cut) const {
  if (empty()) return std::string(text);
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i + kStart <= text.size();) {
    const std::size_t length = may_begin(text.data() + i) ? match(text, i, cut) : 0;
    if (length > 0) {
      out += text.substr(done, i - done);
      out += kMasked;
      done = i + length;
    }
    i += std::max<std::size_t>(length, 1);
  }
  out += text.substr(done);
  return out;
}

}  // namespace hebb::capture
