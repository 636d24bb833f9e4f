#include "engine/without_secrets.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/values/ascii.h"
#include "secrets/json_text.h"
#include "secrets/secrets.h"

namespace hebb {
namespace {

using secrets::skip_space;
using secrets::skip_string;
using secrets::skip_value;

// Names of things, which may look like a token.
constexpr auto kNames = std::to_array<std::string_view>(
    {"\"taskId\"", "\"id\"", "\"relatedNodes\"", "\"agentId\"", "\"sessionId\"", "\"source\"",
     "\"target\"", "\"key\"", "\"subject\""});

// Members of a valid outcome that say nothing else.
constexpr auto kFixed = std::to_array<std::string_view>(
    {"\"outcome\"", "\"score\"", "\"timestamp\"", "\"kind\"", "\"at\""});

bool is_kept(std::string_view key, std::string_view value) {
  if (key == "\"token\"") return !value.empty() && is_digit(value.front());  // of a claim
  return std::find(kNames.begin(), kNames.end(), key) != kNames.end();
}

// A place in the text of an object. Masking leaves the keys and the order of all that is in it.
class Members {
 public:
  explicit Members(std::string_view object) : text_(object) {}

  // Goes to the next member; false: there is none.
  bool next() {
    at_ = skip_space(text_, end_);
    if (at_ >= text_.size() || text_[at_] == '}') return false;
    if (text_[at_] == ',') at_ = skip_space(text_, at_ + 1);
    if (at_ >= text_.size() || text_[at_] != '"') return false;
    const std::size_t key_end = skip_string(text_, at_);
    key_ = text_.substr(at_, key_end - at_);
    const std::size_t colon = skip_space(text_, key_end);
    if (colon >= text_.size() || text_[colon] != ':') return false;
    value_at_ = skip_space(text_, colon + 1);
    end_ = skip_value(text_, value_at_);
    return true;
  }
  std::string_view key() const { return key_; }
  std::string_view value() const { return text_.substr(value_at_, end_ - value_at_); }
  std::size_t value_at() const { return value_at_; }
  std::size_t end() const { return end_; }

 private:
  std::string_view text_, key_;
  std::size_t at_ = 0, value_at_ = 0;
  std::size_t end_ = 1;  // of the member before
};

// The masked object with what is kept as it was given.
std::string with_kept(std::string_view given, std::string_view masked) {
  if (!given.starts_with('{') || !masked.starts_with('{')) return std::string(masked);
  Members of_given(given), of_masked(masked);
  std::string out;
  std::size_t done = 0;
  while (of_given.next() && of_masked.next() && of_given.key() == of_masked.key()) {
    out += masked.substr(done, of_masked.value_at() - done);
    out += is_kept(of_given.key(), of_given.value())
               ? std::string(of_given.value())
               : with_kept(of_given.value(), of_masked.value());
    done = of_masked.end();
  }
  return out.append(masked.substr(done));
}

// Whether a valid outcome says anything in words of its own.
bool says_more(std::string_view outcome) {
  if (!outcome.starts_with('{')) return true;
  Members members(outcome);
  while (members.next()) {
    const bool fixed = std::find(kFixed.begin(), kFixed.end(), members.key()) != kFixed.end();
    if (!fixed && !is_kept(members.key(), members.value())) return true;
  }
  return false;
}

std::string masked(secrets::Secrets& session, std::string_view text, bool cut) {
  if (!secrets::holds_json(text)) return session.text(text);
  const std::size_t from = skip_space(text, 0);
  const std::string_view json = text.substr(from);
  return std::string(text.substr(0, from)).append(with_kept(json, session.result(json, cut)));
}

}  // namespace

std::string outcome_without_secrets(std::string_view outcome) {
  secrets::Secrets session;
  return says_more(outcome) ? masked(session, outcome, false) : std::string(outcome);
}

MaskedItem item_without_secrets(std::string_view item, std::string_view detail, bool cut) {
  secrets::Secrets session;
  MaskedItem out;
  out.text = masked(session, item, cut);
  out.detail = session.text(detail);
  return out;
}

}  // namespace hebb
