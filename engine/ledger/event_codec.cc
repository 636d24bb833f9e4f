// The payloads of events as JSON, as rows of the ledger hold them, and as lines of a history log
// say them; and the keys of events.
//
// JSON that came with an event (properties, an outcome's input) is nested in the payload as JSON,
// so that SQL can look into it. It is canonical, so decoding gives back the same text.
#include <algorithm>
#include <array>
#include <cassert>

#include <fmt/format.h>

#include "engine/ledger/event_fields.h"
#include "engine/ledger/read_payload.h"
#include "engine/values/canonical_json.h"

namespace hebb {

namespace {

constexpr std::size_t kTimeDigits = 12;  // of a time until the year 10889
constexpr std::size_t kHashDigits = 32;  // of content_hash()

constexpr std::array<std::string_view, 3> kOutcomeNames = {"success", "partial", "failure"};

// --- encoding ------------------------------------------------------------------------------------

void append_value(std::string& out, const std::string& text) { append_json_string(out, text); }
void append_value(std::string& out, double number) { append_json_number(out, number); }
void append_value(std::string& out, std::int64_t number) { out += std::to_string(number); }
void append_value(std::string& out, int number) { out += std::to_string(number); }
void append_value(std::string& out, bool yes) { out += yes ? "true" : "false"; }
void append_value(std::string& out, OutcomeKind outcome) {
  append_json_string(out, outcome_name(outcome));
}

template <class P>
requires std::is_class_v<P>
void append_value(std::string& out, const P& payload);

template <class T>
void append_value(std::string& out, const std::vector<T>& values) {
  out += '[';
  for (const T& value : values) {
    if (&value != values.data()) out += ',';
    append_value(out, value);
  }
  out += ']';
}

template <class P, class F>
void append_field(std::string& out, const P& payload, const F& field) {
  if (F::kForm == Form::beside || !is_given(field, payload)) return;
  if (out.back() != '{' && out.back() != '[') out += ',';
  if constexpr (!kIsRow<P>) {
    out += '"';
    out += field.name;
    out += "\":";
  }
  const auto& value = value_of(payload.*field.member);
  if (is_taken_back(field, value)) {
    out += "null";
  } else if constexpr (F::kForm == Form::json) {
    out += value;
  } else {
    append_value(out, value);
  }
}

template <class P>
requires std::is_class_v<P>
void append_value(std::string& out, const P& payload) {
  out += kIsRow<P> ? '[' : '{';
  each_field<P>([&](const auto& field) { append_field(out, payload, field); });
  out += kIsRow<P> ? ']' : '}';
}

// --- decoding ------------------------------------------------------------------------------------

using input::Element;
using input::Object;

void take_value(Element value, std::string_view path, std::string& text) {
  text = input::as_text(value, path);
}
void take_value(Element value, std::string_view path, double& number) {
  number = input::as_number(value, path);
}
void take_value(Element value, std::string_view path, std::int64_t& number) {
  number = input::as_integer(value, path);
}
void take_value(Element value, std::string_view path, bool& yes) {
  yes = input::as_boolean(value, path);
}
void take_value(Element value, std::string_view path, OutcomeKind& outcome) {
  outcome = input::as_outcome(value, path);
}

// Numbers whose bounds the fold depends on, so that those of the ledger are checked again.
template <class T>
constexpr bool kIsBounded = std::is_same_v<T, double> || std::is_same_v<T, int>;

// A payload within another. Of a row all fields have to be there.
template <class P>
void take_value(Element value, std::string_view path, P& row) {
  if constexpr (kIsRow<P>) {
    const input::Array values = input::as_array(value, path);
    std::size_t size = 0;
    each_field<P>([&](const auto& /*field*/) { ++size; });
    if (values.size() != size)
      input::refuse(refusal::kWrongType, fmt::format("{}: has another size", path));
    auto next = values.begin();
    each_field<P>([&](const auto& field) {
      take_value(*next, path, row.*field.member);
      ++next;
    });
  } else {
    const Object object = input::as_object(value, path);
    each_field<P>([&](const auto& field) {
      if (field.use != Use::always && object.at_key(field.name).error() != simdjson::SUCCESS)
        return;
      take_value(input::need(object, field.name), field.name, row.*field.member);
      if constexpr (kIsBounded<std::decay_t<decltype(row.*field.member)>>)
        input::throw_if(field.check(row.*field.member, field.name));
    });
  }
}

template <class T>
void take_value(Element value, std::string_view path, std::vector<T>& values) {
  for (const Element element : input::as_array(value, path))
    take_value(element, path, values.emplace_back());
}

struct Reading {
  input::JsonReader& reader;
  Object object;
  bool stored;                // as the ledger holds it; false: as people write it
  std::vector<float> vector;  // stored beside the JSON
};

template <Form form, class T>
void take_as(const Reading& from, Element value, std::string_view path, T& out) {
  if constexpr (form == Form::json) {
    out = from.stored ? from.reader.canonical(input::as_object(value, path))
                      : input::as_properties(from.reader, value, path);
  } else if constexpr (form == Form::beside) {
    out = input::as_vector(value, path);
  } else if constexpr (form == Form::time) {
    out = from.stored ? input::as_integer(value, path) : input::as_time(value, path);
  } else if constexpr (form == Form::priority) {
    out = from.stored ? input::as_integer(value, path) : input::as_priority(value, path);
  } else {
    take_value(value, path, out);
  }
}

template <class P, class F>
void read_value(const Reading& from, Element value, const F& field, P& payload) {
  auto& member = payload.*field.member;
  using T = std::decay_t<decltype(value_of(member))>;
  std::conditional_t<std::is_same_v<T, int>, std::int64_t, T> out{};
  take_as<F::kForm>(from, value, field.name, out);
  if constexpr (std::is_same_v<T, std::string> && F::kForm == Form::plain) {
    // A required text that people write is a name.
    const bool is_name = std::is_same_v<decltype(member), std::string&>;
    if (!from.stored) input::throw_if((is_name ? check_name : field.check)(out, field.name));
  } else if constexpr (std::is_arithmetic_v<T> && F::kChecked) {
    if (!from.stored || kIsBounded<T>) input::throw_if(field.check(out, field.name));
  }
  if constexpr (std::is_same_v<T, int>) {
    member = static_cast<int>(out);
  } else {
    member = std::move(out);
  }
}

template <class P, class F>
void read_field(Reading& from, const F& field, P& payload) {
  auto& member = payload.*field.member;
  if constexpr (F::kForm == Form::beside) {
    member = std::move(from.vector);
    if (from.stored) return;
  }
  if (!from.stored && field.use == Use::engine) return;
  Element value;
  const bool is_there = from.object.at_key(field.name).get(value) == simdjson::SUCCESS;
  if (is_there && !value.is_null()) return read_value(from, value, field, payload);
  if constexpr (F::kOfUser) {
    if (is_there) member = static_cast<std::decay_t<decltype(*member)>>(field.taken_back);
  } else if (field.use == Use::always) {
    // People may leave a number out: it is then as in a new payload.
    if (from.stored || !std::is_arithmetic_v<std::decay_t<decltype(member)>>)
      input::need(from.object, field.name);  // refuses
  }
}

void check_read(const auto& /*payload*/) {}

void check_read(const OutcomeSignal& signal) { input::throw_if(check_score_of(signal)); }

template <class P>
Payload read_as(Reading& from) {
  Payload payload{std::in_place_type<P>};
  P& read = std::get<P>(payload);
  each_field<P>([&](const auto& field) { read_field(from, field, read); });
  check_read(read);
  return payload;
}

template <class... P>
constexpr auto readers_of(const std::variant<P...>* /*payload*/) {
  return std::array{&read_as<P>...};
}
constexpr auto kReaders = readers_of(static_cast<const Payload*>(nullptr));  // by Payload::index()

// kReaders.size() for a name that is no kind's.
std::size_t index_of(std::string_view kind) {
  const auto found = std::ranges::find(kEventKinds, kind, &KindInfo::name);
  return static_cast<std::size_t>(found - kEventKinds.begin());
}

}  // namespace

std::string_view outcome_name(OutcomeKind outcome) {
  return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

std::optional<OutcomeKind> outcome_named(std::string_view name) {
  const auto known = std::ranges::find(kOutcomeNames, name);
  if (known == kOutcomeNames.end()) return std::nullopt;
  return static_cast<OutcomeKind>(known - kOutcomeNames.begin());
}

bool is_event_kind(std::string_view name) { return index_of(name) < kEventKinds.size(); }

std::string_view subject_field(std::string_view kind) {
  return is_event_kind(kind) ? kEventKinds[index_of(kind)].subject : "id";
}

std::string encode_payload(const Payload& payload) {
  std::string out;
  std::visit([&out](const auto& p) { append_value(out, p); }, payload);
  return out;
}

Payload decode_payload(std::string_view kind, std::string_view json, std::vector<float> vector) {
  // A payload is one level deeper than the JSON that it nests.
  static thread_local input::JsonReader reader(Limits::kDepth + 1);
  const std::size_t index = index_of(kind);
  if (index == kEventKinds.size())
    throw std::invalid_argument(fmt::format("its kind \"{}\" is not known", kind));
  try {
    Reading from{reader, reader.parse_object(json), true, std::move(vector)};
    return kReaders[index](from);
  } catch (const input::ItemRefused& refused) {
    throw std::invalid_argument(fmt::format("its payload: {}", refused.refusal.detail));
  }
}

Payload input::read_payload(std::string_view kind, JsonReader& reader, Object line) {
  Reading from{reader, line, false, {}};
  return kReaders.at(index_of(kind))(from);
}

OutcomeKind input::as_outcome(Element value, std::string_view path) {
  const std::string_view name = as_text(value, path);
  if (const auto kind = outcome_named(name)) return *kind;
  refuse(refusal::kBadOutcome,
         fmt::format("{}: \"{}\"; allowed are success, partial and failure", path, name));
}

// --- keys ----------------------------------------------------------------------------------------

std::string_view kind_name(const Payload& payload) { return kEventKinds[payload.index()].name; }

std::string event_key(const Payload& payload, std::string_view rest) {
  std::string key;
  key.reserve(rest.size() + 2);
  key += kEventKinds[payload.index()].digit;
  key += ':';
  key += rest;
  return key;
}

std::string timed_key(const Payload& payload, TimeMs at, std::string_view hash) {
  assert(at >= 0 && hash.size() == kHashDigits);
  return event_key(payload, fmt::format("{:0{}x}{}", at, kTimeDigits, hash));
}

std::optional<std::string> key_of_0_1(std::string_view key) {
  constexpr std::size_t kPrefix = 2;  // the digit and the colon
  const bool timed = key.size() == kPrefix + kTimeDigits + kHashDigits &&
                     key.find_first_not_of("0123456789abcdef", kPrefix) == std::string_view::npos;
  if (!timed) return std::nullopt;
  std::string old(key.substr(0, kPrefix));
  return old.append(key.substr(kPrefix + kTimeDigits));
}

std::string recalibration_key(TimeMs at) {
  return event_key(Recalibration{}, fmt::format("{}{}", kRecalibrateKey, at));
}

}  // namespace hebb
