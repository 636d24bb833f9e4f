#include "engine/ledger/validate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/fold/state.h"
#include "engine/input/json.h"
#include "engine/ledger/refusals.h"

namespace hebb {

namespace {

std::optional<Refusal> refusal_of(std::string_view reason, std::string detail) {
  return Refusal{std::string(reason), std::move(detail)};
}

bool is_control(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x20 || byte == 0x7f) return true;
  if (byte != 0xc2 || i + 1 == text.size()) return false;
  return static_cast<unsigned char>(text[i + 1]) < 0xa0;  // U+0080 to U+009F
}

// --- what the checks of a kind are made of: each throws input::ItemRefused
// ---------------------------

void need(std::optional<Refusal> refusal) {
  if (refusal) throw input::ItemRefused{std::move(*refusal)};
}

void need_name(const std::string& text, std::string_view field) { need(check_name(text, field)); }

// For an id that is only mentioned: resolve() checks that the graph has it.
void need_utf8(const std::string& text, std::string_view field) {
  if (is_utf8(text)) return;
  input::refuse(refusal::kNotUtf8, fmt::format("{}: is not valid UTF-8", field));
}

void need_text(const std::optional<std::string>& text, std::string_view field) {
  if (!text) return;
  if (text->size() > Limits::kLineBytes) {
    input::refuse(refusal::kTooLong, fmt::format("{}: has {} bytes; at most {} are allowed", field,
                                                 text->size(), Limits::kLineBytes));
  }
  need_utf8(*text, field);
}

void need_token(std::int64_t token) {
  if (token > 0) return;
  input::refuse(refusal::kOutOfRange, fmt::format("token: is {}; it has to be at least 1", token));
}

void need_subject(const Event& e, std::string_view subject) {
  if (e.subject == subject) return;
  input::refuse(refusal::kBadValue, fmt::format("subject: that of a {} event is \"{}\"",
                                                kind_name(e.payload), subject));
}

// The JSON object must be canonical, so that decoding gives back the same bytes.
void need_canonical(const std::string& json, std::string_view field) {
  static thread_local input::JsonReader reader;
  std::string canonical;
  try {
    canonical = reader.canonical(reader.parse_object(json));
  } catch (input::ItemRefused& refused) {
    refused.refusal.detail = fmt::format("{}: {}", field, refused.refusal.detail);
    throw;
  }
  if (canonical == json) return;
  input::refuse(
      refusal::kBadValue,
      fmt::format("{}: is no canonical JSON; canonical_properties() writes it so", field));
}

void need_properties(const std::optional<std::string>& properties) {
  if (!properties) return;
  if (properties->size() > Limits::kPropertiesBytes) {
    input::refuse(refusal::kPropertiesTooLarge,
                  fmt::format("properties: {} bytes of canonical JSON; at most {} are allowed",
                              properties->size(), Limits::kPropertiesBytes));
  }
  need_canonical(*properties, "properties");
}

// --- the kinds -----------------------------------------------------------------------------------

void check(const Event& e, const NodeUpsert& node) {
  need_name(e.subject, "id");
  if (node.type) need_name(*node.type, "type");
  if (node.state) need_name(*node.state, "state");
  need_text(node.name, "name");
  need_text(node.description, "description");
  need_text(node.project, "project");
  need_text(node.scope, "scope");
  need_properties(node.properties);
  if (!node.embedder.empty()) need_name(node.embedder, "embedder");
  if (!node.vector.empty()) need(check_vector(node.vector, "vector"));
  if (node.priority) need(check_priority(*node.priority, "priority"));
  if (node.due_at.value_or(graph::kNever) != graph::kNever)
    need(check_time(*node.due_at, "due_at"));
  if (node.snoozed_until.value_or(graph::kNever) != graph::kNever)
    need(check_time(*node.snoozed_until, "snoozed_until"));
}

void check(const Event& e, const NodeDelete& /*deletion*/) { need_utf8(e.subject, "id"); }

void check(const Event& e, const Link& link) {
  need_utf8(e.subject, "source");
  need_utf8(link.target, "target");
  need_name(link.type, "type");
  need(check_weight(link.weight, "weight"));
  need_properties(link.properties);
}

void check(const Event& e, const Unlink& unlink) {
  need_utf8(e.subject, "source");
  need_utf8(unlink.target, "target");
  need_name(unlink.type, "type");
}

void check(const Event& e, const StateChange& change) {
  need_utf8(e.subject, "id");
  need_name(change.state, "state");
}

void check(const Event& e, const OutcomeSignal& outcome) {
  need_utf8(e.subject, "taskId");
  if (outcome.outcome > OutcomeKind::failure) {
    input::refuse(refusal::kBadOutcome, "outcome: allowed are success, partial and failure");
  }
  const bool unused = outcome.outcome != OutcomeKind::success && outcome.score == 0;
  if (!unused) need(check_score(outcome.score, "score"));
  if (outcome.related) {
    if (outcome.related->size() > Limits::kRelatedNodes) {
      input::refuse(refusal::kTooManyRelated,
                    fmt::format("relatedNodes: at most {} ids are allowed", Limits::kRelatedNodes));
    }
    for (const auto& id : *outcome.related) need_utf8(id, "relatedNodes");
  }
  for (const auto& id : outcome.contexts) need_utf8(id, "contexts");
  if (!outcome.input.empty()) need_canonical(outcome.input, "input");
  if (outcome.token != 0) need_token(outcome.token);
}

void check(const Event& e, const Pivot& pivot) {
  need_name(e.subject, "target");
  need(check_weight(pivot.weight, "weight"));
}

void check(const Event& e, const Recalibration& recalibration) {
  need_subject(e, kFrontier);
  for (const Guide& guide : recalibration.guides) {
    need_utf8(guide.node, "guides.node");
    need(check_weight(guide.x, "guides.x"));
  }
}

void check(const Event& e, const PolicyChange& change) {
  need_subject(e, "policy");
  for (const auto& [key, value] : change.settings) {
    need_name(key, "settings");
    need_name(value, key);
  }
}

void check(const Event& e, const Undo& undo) {
  need_subject(e, "ledger");
  need_text(undo.damage, "damage");
  if (undo.event > 0) return;
  input::refuse(refusal::kOutOfRange,
                fmt::format("event: is {}; positions begin with 1", undo.event));
}

void check(const Event& e, const Forget& forget) {
  need_subject(e, "ledger");
  for (const EdgeName& edge : forget.edges) {
    for (const auto* text : {&edge.source, &edge.target, &edge.type}) need_utf8(*text, "edges");
  }
  for (const auto& id : forget.nodes) need_utf8(id, "nodes");
}

void need_expiry(const Event& e, TimeMs expires_at) {
  need(check_time(expires_at, "expires_at"));
  if (expires_at > e.at) return;
  input::refuse(refusal::kOutOfRange, "expires_at: has to be after the time of the claim");
}

void check(const Event& e, const Claim& claim) {
  need_name(e.subject, "task");
  need_name(claim.agent, "agent");
  need_expiry(e, claim.expires_at);
}

void check(const Event& e, const Renew& renew) {
  need_name(e.subject, "task");
  need_token(renew.token);
  need_expiry(e, renew.expires_at);
}

void check(const Event& e, const Release& release) {
  need_name(e.subject, "task");
  need_token(release.token);
}

// A key with the wrong prefix would sort into the wrong place of the fold's order, or be equal to
// one that the ledger makes for a later event.
void check_key(const Event& e) {
  if (e.key.empty()) return;
  if (e.resolved && e.key.starts_with(kExportedKey)) return need(check_name(e.key, "key"));
  const std::string prefix = event_key(e.payload, "");
  if (!e.key.starts_with(prefix)) {
    input::refuse(refusal::kBadValue,
                  fmt::format("key: that of a {} event begins with \"{}\"; event_key() makes one",
                              kind_name(e.payload), prefix));
  }
  const std::string_view rest = std::string_view(e.key).substr(prefix.size());
  need(check_name(rest, "key"));
  if (!rest.starts_with(kRecalibrateKey) || !e.key.starts_with(event_key(Recalibration{}, "")))
    return;
  if (std::holds_alternative<Recalibration>(e.payload) && e.key == recalibration_key(e.at)) return;
  input::refuse(refusal::kReserved, "key: that of the recalibration of another time");
}

}  // namespace

std::optional<Refusal> validate(const Event& e) {
  try {
    need(check_time(e.at, "at"));
    std::visit([&e](const auto& payload) { check(e, payload); }, e.payload);
    check_key(e);
  } catch (input::ItemRefused& refused) {
    return std::move(refused.refusal);
  }
  return std::nullopt;
}

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::optional<Refusal> check_name(std::string_view text, std::string_view field) {
  if (text.empty()) return refusal_of(refusal::kBadId, fmt::format("{}: must not be empty", field));
  if (text.size() > Limits::kIdBytes) {
    return refusal_of(refusal::kIdTooLong, fmt::format("{}: has {} bytes; at most {} are allowed",
                                                       field, text.size(), Limits::kIdBytes));
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(text, i)) {
      return refusal_of(refusal::kBadId,
                        fmt::format("{}: has a control character at byte {}", field, i));
    }
  }
  if (!is_utf8(text)) {
    return refusal_of(refusal::kNotUtf8, fmt::format("{}: is not valid UTF-8", field));
  }
  return std::nullopt;
}

std::optional<Refusal> check_vector(std::span<const float> vector, std::string_view field) {
  if (vector.empty()) {
    return refusal_of(refusal::kOutOfRange, fmt::format("{}: is empty; 1 to {} numbers are allowed",
                                                        field, Limits::kVectorDimension));
  }
  if (vector.size() > Limits::kVectorDimension) {
    return refusal_of(refusal::kVectorTooLong, fmt::format("{}: at most {} numbers are allowed",
                                                           field, Limits::kVectorDimension));
  }
  const auto infinite =
      std::find_if_not(vector.begin(), vector.end(), [](float x) { return std::isfinite(x); });
  if (infinite != vector.end()) {
    return refusal_of(refusal::kNotFinite, fmt::format("{}[{}]: is not a finite 32-bit float",
                                                       field, infinite - vector.begin()));
  }
  return std::nullopt;
}

std::optional<Refusal> check_time(TimeMs at, std::string_view field) {
  if (at >= 0 && at <= Limits::kLatestTime) return std::nullopt;
  return refusal_of(refusal::kBadTime,
                    fmt::format("{}: is {}; allowed are milliseconds since 1970 up to {}, the end "
                                "of the year 9999",
                                field, at, Limits::kLatestTime));
}

std::optional<Refusal> check_priority(std::int64_t priority, std::string_view field) {
  if (priority == graph::kNoPriority || (priority >= 0 && priority <= kLastPriority))
    return std::nullopt;
  return refusal_of(
      refusal::kOutOfRange,
      fmt::format("{}: is {}; allowed are 0 (most urgent) to {}", field, priority, kLastPriority));
}

std::optional<Refusal> check_weight(double weight, std::string_view field) {
  if (weight > 0 && std::isfinite(weight)) return std::nullopt;
  return refusal_of(refusal::kOutOfRange,
                    fmt::format("{}: is {}; must be more than 0 and finite", field, weight));
}

std::optional<Refusal> check_score(double score, std::string_view field) {
  if (score > 0 && score <= 1) return std::nullopt;
  return refusal_of(refusal::kScoreOutOfRange,
                    fmt::format("{}: is {}; allowed is more than 0, at most 1", field, score));
}

std::variant<std::string, Refusal> canonical_properties(std::string_view json,
                                                        std::string_view field) {
  try {
    input::JsonReader reader;
    return input::as_properties(reader, reader.parse(json), field);
  } catch (input::ItemRefused& refused) {
    return std::move(refused.refusal);
  }
}

}  // namespace hebb
