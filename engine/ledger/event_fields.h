// The kinds of events and their fields, in one table. All that stores, reads, checks, compares and
// folds events walks it, so a field is named here and nowhere else. Internal to the engine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

#include "engine/ledger/event.h"

namespace hebb {

// --- what the ledger calls a kind ----------------------------------------------------------------

struct KindInfo {
  std::string_view name;  // stored; do not rename
  char digit;             // stored in keys; do not renumber. Causes before effects.
  // The field of a history line that holds the subject, and what a refusal calls the subject.
  std::string_view subject, subject_label;
  std::optional<Refusal> (*check_subject)(std::string_view subject, std::string_view field);
  std::string_view only_subject = {};  // the one that there can be; empty: any
};

// By Payload::index().
inline constexpr auto kEventKinds = std::to_array<KindInfo>({
    {"node", '1', "id", "id", check_name},
    {"delete", '6', "id", "id", check_utf8},
    {"edge", '2', "source", "source", check_utf8},
    {"unlink", '3', "source", "source", check_utf8},
    {"state", '4', "id", "id", check_utf8},
    {"outcome", '5', "taskId", "taskId", check_utf8},
    {"pivot", '6', "id", "target", check_name},
    {"recalibrate", '6', "of", "of", check_utf8, "frontier"},
    {"policy", '6', "of", "of", check_utf8, "policy"},
    {"undo", '6', "id", "id", check_utf8, "ledger"},
    {"gc", '6', "of", "of", check_utf8},
    {"claim", '6', "id", "task", check_name},
    {"renew", '6', "id", "task", check_name},
    {"release", '6', "id", "task", check_name},
});
static_assert(kEventKinds.size() == std::variant_size_v<Payload>);

// --- what a field is -----------------------------------------------------------------------------

enum class Form : std::uint8_t {
  plain,     // as its type says
  json,      // canonical JSON, which validate() checks; nested as JSON
  time,      // milliseconds; people may write RFC 3339 instead
  priority,  // a whole number; people may write what parse_priority() reads instead
  beside     // a vector: not in the JSON of the ledger, but beside it
};

// When a field is written. One that is not there is as in a new payload.
enum class Use : std::uint8_t {
  always,  // and an event without it cannot be read
  given,   // if it is not as in a new payload
  engine   // likewise, but it is the engine's own: it is not compared, and no history line has it
           // but those of an export
};

// Check: gives the refusal of a value, or std::nullptr_t. Of a list, it checks each element.
// Column: of a field that people set and can take back, the graph's column that keeps it.
template <Form form, class P, class T, class Check, class Column>
struct Field {
  using Owner = P;
  static constexpr Form kForm = form;
  static constexpr bool kChecked = !std::is_null_pointer_v<Check>;
  static constexpr bool kOfUser = !std::is_null_pointer_v<Column>;
  std::string_view name;  // stored; do not rename
  T P::*member;
  Use use;
  Check check;
  Column column;
  std::int64_t taken_back;  // the value that does so; it is written as null, unless it is false
};

template <class P, class T, class Check = std::nullptr_t>
constexpr auto always(std::string_view name, T P::*member, Check check = nullptr) {
  return Field<Form::plain, P, T, Check, std::nullptr_t>{name, member, Use::always, check, {}, 0};
}
template <Form form = Form::plain, class P, class T, class Check = std::nullptr_t>
constexpr auto given(std::string_view name, T P::*member, Check check = nullptr) {
  return Field<form, P, T, Check, std::nullptr_t>{name, member, Use::given, check, {}, 0};
}
template <class P, class T, class Check = std::nullptr_t>
constexpr auto of_engine(std::string_view name, T P::*member, Check check = nullptr) {
  return Field<Form::plain, P, T, Check, std::nullptr_t>{name, member, Use::engine, check, {}, 0};
}
template <Form form = Form::plain, class P, class T, class Column, class Check = std::nullptr_t>
constexpr auto user_field(std::string_view name, T P::*member, Column column,
                          std::int64_t taken_back, Check check = nullptr) {
  return Field<form, P, T, Check, Column>{name, member, Use::given, check, column, taken_back};
}

// --- the fields, in the order in which they are stored -------------------------------------------

inline std::optional<Refusal> check_estimate(TimeMs ms, std::string_view field) {
  constexpr TimeMs kLongest = 3660 * 24 * 3'600'000LL;
  if (ms > 0 && ms <= kLongest) return std::nullopt;
  return Refusal{std::string(refusal::kOutOfRange),
                 std::string(field) + ": has to be more than 0 and at most ten years"};
}

inline std::optional<Refusal> check_multiple(double multiple, std::string_view field) {
  if (multiple >= 0 && multiple <= reward::kMostLearned) return std::nullopt;
  return Refusal{std::string(refusal::kOutOfRange),
                 std::string(field) + ": what is learned is a number of 0 to 3"};
}

inline std::optional<Refusal> check_rate(double rate, std::string_view field) {
  if (rate >= 0 && rate <= 1) return std::nullopt;
  return Refusal{std::string(refusal::kOutOfRange),
                 std::string(field) + ": a rate is a number of 0 to 1"};
}

// Only a success needs a score.
inline std::optional<Refusal> check_score_of(const OutcomeSignal& signal) {
  const bool is_absent = signal.outcome != OutcomeKind::success && signal.score == 0;
  return is_absent ? std::nullopt : check_score(signal.score, "score");
}

using graph::NodeColumns;
using reward::Learned;
using PolicySetting = decltype(PolicyChange::settings)::value_type;

inline constexpr std::tuple kEventFields{
    given("type", &NodeUpsert::type, check_name),
    given("state", &NodeUpsert::state, check_name),
    given("name", &NodeUpsert::name, check_text),
    given("description", &NodeUpsert::description, check_text),
    given("project", &NodeUpsert::project, check_text),
    given("scope", &NodeUpsert::scope, check_text),
    given<Form::json>("properties", &NodeUpsert::properties, check_size),
    of_engine("embedder", &NodeUpsert::embedder, check_name),
    given<Form::beside>("vector", &NodeUpsert::vector, check_vector),
    user_field<Form::priority>("priority", &NodeUpsert::priority, &NodeColumns::priority,
                               graph::kNoPriority, check_priority),
    user_field<Form::time>("due_at", &NodeUpsert::due_at, &NodeColumns::due_at, graph::kNever,
                           check_time),
    user_field<Form::time>("snoozed_until", &NodeUpsert::snoozed_until, &NodeColumns::snoozed_until,
                           graph::kNever, check_time),
    given("because", &NodeUpsert::because, check_text),
    user_field("pinned", &NodeUpsert::pinned, &NodeColumns::pinned, false),
    user_field("estimate", &NodeUpsert::estimate, &NodeColumns::estimate, graph::kNever,
               check_estimate),
    of_engine("opens", &NodeUpsert::opens),
    always("target", &Link::target, check_utf8),
    always("type", &Link::type, check_name),
    always("weight", &Link::weight, check_weight),
    given<Form::json>("properties", &Link::properties, check_size),
    always("target", &Unlink::target, check_utf8),
    always("type", &Unlink::type, check_name),
    always("state", &StateChange::state, check_name),
    of_engine("opens", &StateChange::opens),
    always("outcome", &OutcomeSignal::outcome),
    always("score", &OutcomeSignal::score),
    given("related", &OutcomeSignal::related, check_related),
    always("contexts", &OutcomeSignal::contexts, check_utf8),
    given<Form::json>("input", &OutcomeSignal::input),
    given("token", &OutcomeSignal::token, check_token),
    of_engine("learned", &OutcomeSignal::learned),
    always("recency", &Learned::recency, check_multiple),
    always("age", &Learned::age, check_multiple),
    always("time_proximity", &Learned::time_proximity, check_multiple),
    always("order_proximity", &Learned::order_proximity, check_multiple),
    always("context_overlap", &Learned::context_overlap, check_multiple),
    always("attention", &Learned::attention, check_multiple),
    given("urgency", &Learned::urgency, check_multiple),
    always("base_rate", &Learned::base_rate, check_rate),
    always("completed", &Learned::completed, check_position),
    always("weight", &Pivot::weight, check_weight),
    always("node", &Guide::node, check_utf8),
    always("x", &Guide::x, check_weight),
    always("guides", &Recalibration::guides),
    always("key", &PolicySetting::first),
    always("value", &PolicySetting::second),
    always("replace", &PolicyChange::replace),
    always("settings", &PolicyChange::settings),
    always("event", &Undo::event, check_position),
    given("damage", &Undo::damage, check_text),
    given("repeats", &Undo::repeats),
    given("last", &Undo::last, check_position),
    always("source", &EdgeName::source, check_utf8),
    always("target", &EdgeName::target, check_utf8),
    always("type", &EdgeName::type, check_utf8),
    always("edges", &Forget::edges),
    always("nodes", &Forget::nodes, check_utf8),
    always("agent", &Claim::agent, check_name),
    always("expires_at", &Claim::expires_at, check_time),
    given("expiry_is_failure", &Claim::expiry_is_failure),
    always("token", &Renew::token, check_token),
    always("expires_at", &Renew::expires_at, check_time),
    always("token", &Release::token, check_token)};

// What is stored as an array of its fields, without their names.
template <class P>
constexpr bool kIsRow = std::is_same_v<P, EdgeName> || std::is_same_v<P, PolicySetting>;

// --- walking -------------------------------------------------------------------------------------

// Calls f for each field of a payload, or of a member of one of its lists.
template <class P, class F>
constexpr void each_field(const F& f) {
  const auto one = [&f](const auto& field) {
    if constexpr (std::is_same_v<typename std::decay_t<decltype(field)>::Owner, P>) f(field);
  };
  std::apply([&one](const auto&... field) { (one(field), ...); }, kEventFields);
}

template <class P>
inline const P kNew{};

// Whether the payload gives the field.
template <class P, class F>
bool is_given(const F& field, const P& payload) {
  return field.use == Use::always || payload.*field.member != kNew<P>.*field.member;
}

// Whether the value of a field that is given takes back what a user had set.
template <class F, class T>
bool is_taken_back(const F& field, const T& value) {
  if constexpr (F::kOfUser && !std::is_same_v<T, bool>) return value == field.taken_back;
  return false;
}

// The value of a field that is given.
template <class T>
const T& value_of(const std::optional<T>& value) {
  return *value;
}
template <class T>
const T& value_of(const T& value) {
  return value;
}

}  // namespace hebb
