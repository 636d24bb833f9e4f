#include "secrets/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "secrets/json_text.h"
#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"
#include "secrets/spellings.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kStart = 4;
constexpr std::size_t kLeastBits = 1024;
constexpr std::size_t kBitsPerForm = 32;  // so that few other places look as if a form began there

bool is_common(std::string_view value) {
  const std::string folded = fold_name(value);
  return folded.size() == value.size() && rules().has(List::common, folded);
}

// Whether the letter at `at` belongs to an escape such as \n, so that a word may begin after it.
bool is_escape(std::string_view text, std::size_t at) {
  return at > 0 && text[at - 1] == '\\' &&
         std::string_view("nrtbf").find(text[at]) != std::string_view::npos;
}

bool is_all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_digit);
}

// Whether digits from `from` to `to` are part of a longer number: 1234.5
bool goes_on_as_number(std::string_view text, std::size_t from, std::size_t to) {
  const bool before = from > 1 && text[from - 1] == '.' && is_digit(text[from - 2]);
  return before || (to + 1 < text.size() && text[to] == '.' && is_digit(text[to + 1]));
}

// How many bits of a hash leave one of `words` words of 64 bits each.
int shift_for(std::size_t words) { return 32 - std::countr_zero(words * 64); }

std::size_t hash_of(const char* start, int shift) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, start, kStart);
  return bytes * 2654435761u >> shift;
}

std::size_t common_length(std::string_view a, std::string_view b) {
  const std::size_t length = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + length, b.begin()).first -
                                  a.begin());
}

}  // namespace

// Word boundaries count both in the source and in the canonical form: %22word%22.
bool SecretMemory::Reading::is_whole_word(std::size_t from, std::size_t to) const {
  const std::size_t begin = place(from), end = place(to);
  const bool begins = begin == 0 || !is_word_char(source[begin - 1]) ||
                      is_escape(source, begin - 1) || !is_word_char(text[from - 1]);
  return begins && (end >= source.size() || !is_word_char(source[end]) || !is_word_char(text[to]));
}

bool SecretMemory::remember(std::string_view value, Origin origin) {
  // A line end is no part of a value, and stays where the value occurs again.
  value = value.substr(0, value.find_last_not_of("\r\n") + 1);
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
  for (Spelling& form : spellings(value)) {
    if (form.text.size() < kStart || is_common(form.text)) continue;
    const auto [added, is_new] = forms_.try_emplace(std::move(form.text), Form{0, form.least});
    ++added->second.values;
    added->second.least = std::min(added->second.least, form.least);
    if (is_new && starts_.size() * 64 >= forms_.size() * kBitsPerForm) mark(added->first);
  }
  if (starts_.size() * 64 < forms_.size() * kBitsPerForm) mark_all();
}

void SecretMemory::forget(Queue& from) {
  for (const Spelling& form : spellings(from.front())) {
    const auto at = forms_.find(form.text);
    if (at != forms_.end() && --at->second.values == 0) forms_.erase(at);
  }
  places_.erase(from.front());
  from.pop_front();
  if (++forgotten_ >= limit_) mark_all();
}

void SecretMemory::mark(std::string_view form) {
  const std::size_t bit = hash_of(form.data(), shift_for(starts_.size()));
  starts_[bit / 64] |= std::uint64_t{1} << bit % 64;
}

// Twice as many bits as needed, so that it rarely grows.
void SecretMemory::mark_all() {
  const std::size_t bits = std::max(kLeastBits, std::bit_ceil(forms_.size() * kBitsPerForm * 2));
  starts_.assign(bits / 64, 0);
  forgotten_ = 0;
  for (const auto& [form, values] : forms_) mark(form);
}

// A form that is a prefix of the text sorts at or before it. If the nearest form before differs, a
// matching one can only be as long as their common prefix.
std::size_t SecretMemory::match(const Reading& reading, std::size_t at, bool cut) const {
  const std::string_view rest = reading.text.substr(at);
  const auto fits = [&](std::string_view form, std::size_t length) {
    if (is_all_digits(form)) {
      return reading.is_whole_word(at, at + length) &&
             !goes_on_as_number(reading.text, at, at + length);
    }
    return form.size() >= kWordBytes || reading.is_whole_word(at, at + length);
  };
  for (auto it = cut ? forms_.lower_bound(rest) : forms_.end();
       it != forms_.end() && it->first.starts_with(rest); ++it) {
    if (fits(it->first, rest.size())) return rest.size();
  }
  for (std::string_view head = rest; head.size() >= kStart;) {
    const auto after = forms_.upper_bound(head);
    if (after == forms_.begin()) return 0;
    const auto& [text, form] = *std::prev(after);
    const std::size_t shared = common_length(text, head);
    const bool whole = shared == text.size();
    if (whole && fits(text, shared) &&
        reading.place(at + shared) - reading.place(at) >= form.least) {
      return shared;
    }
    head = head.substr(0, whole ? shared - 1 : shared);
  }
  return 0;
}

void SecretMemory::find(const Reading& reading, bool cut, std::vector<SecretSpan>& found) const {
  const std::string_view text = reading.text;
  const std::uint64_t* const starts = starts_.data();
  const int shift = shift_for(starts_.size());
  for (std::size_t i = 0; i + kStart <= text.size(); ++i) {
    const std::size_t bit = hash_of(text.data() + i, shift);
    if ((starts[bit / 64] >> bit % 64 & 1) == 0) continue;
    const std::size_t length = match(reading, i, cut);
    if (length == 0) continue;
    found.push_back({reading.place(i), reading.place(i + length), true});
    i += length - 1;
  }
}

std::string SecretMemory::scrub(std::string_view text, bool cut) const {
  if (empty()) return std::string(text);
  std::vector<SecretSpan> found;
  find({text, text}, cut, found);
  if (has_spellings(text)) {
    const Canonical canonical(text, cut);
    find({text, canonical.text(), &canonical}, cut, found);
    std::sort(found.begin(), found.end(),
              [](const SecretSpan& a, const SecretSpan& b) { return a.from < b.from; });
  }
  std::string out;
  std::size_t done = 0;
  for (const SecretSpan& span : found) {
    if (span.from >= done) {  // else it overlaps the previous span
      out += text.substr(done, span.from - done);
      out += mask_for(text, span.from, span.to);
    }
    done = std::max(done, span.to);
  }
  out += text.substr(done);
  return out;
}

}  // namespace hebb::secrets
