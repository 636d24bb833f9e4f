#include "engine/without_secrets.h"

#include <cstddef>

#include "engine/input/outcome_report.h"
#include "engine/values/members.h"
#include "secrets/json_text.h"
#include "secrets/secrets.h"
#include "text/ascii.h"

namespace hebb {
namespace {

using secrets::skip_space;

bool is_kept(std::string_view key, std::string_view value) {
  if (key == "\"token\"") return !value.empty() && is_digit(value.front());  // of a claim
  return is_name_field(key.substr(1, key.size() - 2));
}

// The masked object, with its kept fields as they were given.
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

std::string masked(secrets::Redactor& session, std::string_view text, bool cut) {
  if (!secrets::holds_json(text)) return session.text(text);
  const std::size_t from = skip_space(text, 0);
  const std::string_view json = text.substr(from);
  return std::string(text.substr(0, from)).append(with_kept(json, session.result(json, cut)));
}

}  // namespace

std::string outcome_without_secrets(std::string_view outcome) {
  secrets::Redactor session;
  return masked(session, outcome, false);
}

void take_secrets_out(std::string& item, std::string& detail, bool cut) {
  secrets::Redactor session;
  item = masked(session, item, cut);
  detail = session.text(detail);
}

std::string text_without_secrets(std::string_view text) { return secrets::Redactor().text(text); }

}  // namespace hebb
