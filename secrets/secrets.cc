#include "secrets/secrets.h"

#include <algorithm>
#include <vector>

#include "secrets/json_masker.h"
#include "secrets/json_text.h"
#include "secrets/mask.h"
#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"
#include "secrets/values.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

// Whether the tool types into the focused field.
bool types(std::string_view tool) {
  const std::string folded = fold_name(tool);
  const std::vector<std::string>& typing = rules().list(List::typing);
  return std::any_of(typing.begin(), typing.end(), [&](const std::string& word) {
    return folded.find(word) != std::string::npos;
  });
}

}  // namespace

std::string Redactor::arguments(std::string_view tool, std::string_view json, bool cut) {
  const std::string masked =
      JsonMasker(*this, Origin::typed, json, 0, focused_ && types(tool)).run();
  return scrub_json(masked, 0, cut);
}

std::string Redactor::result(std::string_view json, bool cut) {
  const std::string masked = JsonMasker(*this, Origin::shown, json, 0, false).run();
  return scrub_json(masked, 0, cut);
}

std::string Redactor::text(std::string_view plain) {
  return memory_.scrub(masked_text(plain, Origin::shown), false);
}

std::string Redactor::arguments_again(std::string_view json, bool cut) {
  const bool focused = focused_;
  const std::string masked = JsonMasker(*this, Origin::typed, json, 0, false).run();
  focused_ = focused;
  return scrub_json(masked, 0, cut);
}

std::string Redactor::result_again(std::string_view json, bool cut) const {
  return scrub_json(json, 0, cut);
}

std::string Redactor::scrub_text(std::string_view text, int nesting, bool cut) const {
  if (nesting == kNesting || !holds_json(text)) return memory_.scrub(text, cut);
  return memory_.scrub(scrub_json(text, nesting + 1, cut), cut);
}

// Strings are searched without their escapes, because a server may escape any character.
std::string Redactor::scrub_json(std::string_view json, int nesting, bool cut) const {
  if (memory_.empty()) return std::string(json);
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0, end = 0; i < json.size(); i = end) {
    if (json[i] == '"') {
      end = skip_string(json, i);
      const std::string_view quoted = json.substr(i, end - i);
      const bool cut_here = cut && end == json.size() && !is_closed_string(quoted);
      out += with_content(
          quoted, [&](std::string_view text) { return scrub_text(text, nesting, cut_here); });
      continue;
    }
    constexpr std::string_view kBetween = " \t\r\n,:[]{}\"";
    end = std::min(json.find_first_of(kBetween, i), json.size());
    const std::string_view scalar = json.substr(i, end - i);
    const bool secret = nesting == 0 && memory_.scrub(scalar, cut && end == json.size()) == kMasked;
    out += secret ? kMaskedString : scalar;
    if (end == i) out += json[end++];
  }
  return out;
}

std::string Redactor::masked_text(std::string_view plain, Origin origin, Surety highest) {
  const Findings found = find_secrets(plain);
  for (const SnapshotField& field : found.fields) see(field);
  std::string out;
  std::size_t done = 0;
  for (const SecretSpan& span : found.spans) {
    const std::string_view value = plain.substr(span.from, span.to - span.from);
    learn(value, origin, span.sure ? highest : Surety::faint);
    out += plain.substr(done, span.from - done);
    out += mask_for(plain, span.from, span.to);
    done = span.to;
  }
  out += plain.substr(done);
  return out;
}

// A value that a client types as a password is one, whatever it looks like. Any other value may be
// an ordinary word, a number, a version or a path despite its name, so only a value that is none of
// these is masked everywhere.
void Redactor::learn(std::string_view value, Origin origin, Surety surety) {
  if (is_hidden(value)) return;
  const bool given = origin == Origin::typed && surety == Surety::given;
  const bool sure = surety != Surety::faint && is_token_like(value) &&
                    !is_placeholder_value(value) && !is_plain(value) &&
                    std::any_of(value.begin(), value.end(), is_letter);
  if (!given && !sure && !is_generated(value)) return;
  if (memory_.remember(value, origin)) ++version_;
}

void Redactor::see(const SnapshotField& field) {
  if (field.focused) focused_ = field.secret;
  const auto known = fields_.find(field.ref);
  if (known != fields_.end()) {
    const auto place = known->second;
    if (field.secret) return field_order_.splice(field_order_.end(), field_order_, place);
    // The same ref may have named another field on an earlier page.
    fields_.erase(known);
    field_order_.erase(place);
    return;
  }
  if (!field.secret) return;
  ++version_;
  const auto added = field_order_.insert(field_order_.end(), field.ref);
  fields_.emplace(*added, added);
  if (fields_.size() <= bounds_.fields) return;
  fields_.erase(field_order_.front());
  field_order_.pop_front();
}

std::string mask_secrets(std::string_view json) { return Redactor().result(json); }

}  // namespace hebb::secrets
