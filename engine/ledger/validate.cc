// The checks of whole events.
#include <fmt/format.h>

#include "engine/ledger/event_fields.h"
#include "engine/values/json.h"
#include "engine/values/refusals.h"

namespace hebb {

namespace {

using input::throw_if;

void check_subject(const Event& e, const KindInfo& kind) {
  if (kind.only_subject.empty()) return throw_if(kind.check_subject(e.subject, kind.subject_label));
  if (e.subject == kind.only_subject) return;
  input::refuse(refusal::kBadValue,
                fmt::format("subject: that of a {} event is \"{}\"", kind.name, kind.only_subject));
}

// --- what depends on more than one field ---------------------------------------------------------

void check_whole(const auto& /*payload*/) {}

void check_whole(const NodeUpsert& node) {
  if (!node.because || node.snoozed_until.value_or(graph::kNever) != graph::kNever) return;
  input::refuse(refusal::kMissingField,
                "because: says why a task is snoozed; give \"snoozed_until\" with it");
}

void check_whole(const OutcomeSignal& outcome) {
  if (outcome.outcome > OutcomeKind::failure) {
    input::refuse(refusal::kBadOutcome, "outcome: allowed are success, partial and failure");
  }
  throw_if(check_score_of(outcome));
}

void check_whole(const PolicyChange& change) {
  for (const auto& [key, value] : change.settings) {
    throw_if(check_name(key, "settings"));
    throw_if(check_name(value, key));
  }
}

template <class P>
void check_expiry(const Event& e, const P& payload) {
  if constexpr (requires { payload.expires_at; }) {
    if (payload.expires_at <= e.at)
      input::refuse(refusal::kOutOfRange, "expires_at: has to be after the time of the claim");
  }
}

template <class P>
void check_names(const Event& e, const P& payload) {
  if constexpr (std::is_same_v<P, Forget>) {
    if (e.subject == kWholeGc) return;
    const auto& [edges, nodes] = payload;
    const bool is_of_node = edges.empty() && nodes.size() == 1 && nodes[0] == e.subject;
    const bool is_of_edge = nodes.empty() && edges.size() == 1 &&
                            (edges[0].source == e.subject || edges[0].target == e.subject);
    if (is_of_node || is_of_edge) return;
    input::refuse(refusal::kBadValue,
                  "of: has to be the one node of a gc event, or an end of its one edge");
  }
}

// --- the fields of a kind ------------------------------------------------------------------------

template <class F, class T>
constexpr bool kTakes = std::is_invocable_v<decltype(F::check), const T&, std::string_view>;

template <class F, class T>
void check_value(const F& field, const T& value, std::string_view path) {
  if constexpr (kTakes<F, T>) throw_if(field.check(value, path));
}

// Checks each element of a list, unless there is a check of the whole.
template <class F, class T>
void check_value(const F& field, const std::vector<T>& values, std::string_view path) {
  if constexpr (kTakes<F, std::vector<T>>) return throw_if(field.check(values, path));
  for (const T& value : values) {
    if constexpr (std::is_class_v<T>) check_value(field, value, path);
    each_field<T>([&](const auto& part) {
      const auto place = kIsRow<T> ? std::string(path) : fmt::format("{}.{}", path, part.name);
      check_value(part, value.*part.member, place);
    });
  }
}

// is_canonical: a reader wrote its JSON so.
template <class P>
void check_fields(const P& payload, bool is_canonical) {
  each_field<P>([&](const auto& field) {
    if (!is_given(field, payload)) return;
    const auto& value = value_of(payload.*field.member);
    if (!is_taken_back(field, value)) check_value(field, value, field.name);
    if constexpr (std::decay_t<decltype(field)>::kForm == Form::json)
      if (!is_canonical) throw_if(check_canonical(value, field.name));
  });
}

// A key with the wrong prefix would sort into the wrong place of the fold's order, or be equal to
// one that the ledger makes for a later event.
void check_key(const Event& e) {
  if (e.key.empty()) return;
  if (e.resolved && e.key.starts_with(kExportedKey)) return throw_if(check_name(e.key, "key"));
  const std::string prefix = event_key(e.payload, "");
  if (!e.key.starts_with(prefix)) {
    input::refuse(refusal::kBadValue,
                  fmt::format("key: that of a {} event begins with \"{}\"; event_key() makes one",
                              kind_name(e.payload), prefix));
  }
  const std::string_view rest = std::string_view(e.key).substr(prefix.size());
  throw_if(check_name(rest, "key"));
  if (!rest.starts_with(kRecalibrateKey) || !e.key.starts_with(event_key(Recalibration{}, "")))
    return;
  if (std::holds_alternative<Recalibration>(e.payload) && e.key == recalibration_key(e.at)) return;
  input::refuse(refusal::kReserved, "key: that of the recalibration of another time");
}

}  // namespace

std::optional<Refusal> validate(const Event& e) {
  try {
    throw_if(check_time(e.at, "at"));
    check_subject(e, kEventKinds[e.payload.index()]);
    std::visit(
        [&e](const auto& payload) {
          check_whole(payload);
          check_fields(payload, e.json != JsonText::unchecked);
          check_expiry(e, payload);
          check_names(e, payload);
        },
        e.payload);
    check_key(e);
  } catch (input::ItemRefused& refused) {
    return std::move(refused.refusal);
  }
  return std::nullopt;
}

}  // namespace hebb
