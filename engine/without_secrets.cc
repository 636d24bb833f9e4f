#include "engine/without_secrets.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/values/ascii.h"
#include "engine/values/members.h"
#include "secrets/json_text.h"
#include "secrets/secrets.h"

namespace hebb {
namespace {

using secrets::skip_space;

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

std::string masked(secrets::Redactor& session, std::string_view text, bool cut) {
  if (!secrets::holds_json(text)) return session.text(text);
  const std::size_t from = skip_space(text, 0);
  const std::string_view json = text.substr(from);
  return std::string(text.substr(0, from)).append(with_kept(json, session.result(json, cut)));
}

}  // namespace

std::string outcome_without_secrets(std::string_view outcome) {
  secrets::Redactor session;
  return says_more(outcome) ? masked(session, outcome, false) : std::string(outcome);
}

void take_secrets_out(std::string& item, std::string& detail, bool cut) {
  secrets::Redactor session;
  item = masked(session, item, cut);
  detail = session.text(detail);
}

std::string text_without_secrets(std::string_view text) { return secrets::Redactor().text(text); }

}  // namespace hebb
