#include "engine/batch.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/fold/resolve.h"
#include "engine/ledger/event_fields.h"
#include "engine/rank/cause.h"
#include "engine/values/canonical_json.h"
#include "engine/values/future.h"
#include "engine/values/json.h"
#include "engine/values/refusals.h"
#include "engine/values/times.h"
#include "engine/without_secrets.h"
#include "secrets/mask.h"

namespace hebb {

namespace {

// --- whether an event is the one that is there already -------------------------------------------

using Json = nlohmann::json;

// The object without its time, which is compared as a time: it may be written in two ways.
std::optional<Json> beside_time(const std::string& input) {
  if (input.empty()) return std::nullopt;
  Json object = Json::parse(input);
  for (const char* field : {"kind", "at", "timestamp"}) object.erase(field);
  return object;
}

bool same(const OutcomeSignal& a, const OutcomeSignal& b) {
  if (a.input == b.input && !a.input.empty()) return true;
  if (!a.input.empty() || !b.input.empty()) {
    // hebb before 0.2 stored outcomes with the secrets in them.
    const auto stored = beside_time(b.input);
    return beside_time(a.input) == stored ||
           beside_time(outcome_without_secrets(a.input)) == stored;
  }
  return a.outcome == b.outcome && a.score == b.score;
}

template <class P>
bool same(const P& a, const P& b) {
  bool is_same = true;
  each_field<P>([&](const auto& field) {
    if (field.use != Use::engine && std::decay_t<decltype(field)>::kForm != Form::beside)
      is_same = is_same && a.*field.member == b.*field.member;
  });
  return is_same;
}

// Vectors that an embedder made on arrival are not compared: the caller did not send them.
bool same(const NodeUpsert& a, const NodeUpsert& b) {
  const auto external = [](const NodeUpsert& node) {
    return node.embedder == "external" ? node.vector : std::vector<float>();
  };
  return same<NodeUpsert>(a, b) && external(a) == external(b);
}

bool same(const Payload& a, const Payload& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& payload) {
        return same(payload, std::get<std::decay_t<decltype(payload)>>(b));
      },
      a);
}

// Compares `came` with `there`, the event in the ledger that has the same key. nullopt: they are
// the same; else the refusal. Fields that were looked up on arrival are not compared, and times
// only if `came` had one.
std::optional<Refusal> conflict(const Event& there, const Event& came) {
  if (came.may_differ) return std::nullopt;
  const bool same_time = !came.dated || came.at == there.at;
  if (same_time && came.subject == there.subject && same(there.payload, came.payload)) {
    return std::nullopt;
  }
  return Refusal{
      std::string(refusal::kConflict),
      fmt::format("the id \"{}\" is that of event {}, {} at {}, which says something else; give "
                  "what is another one an id of its own",
                  came.key.substr(came.key.find(':') + 1), there.position, cause_of(there).what,
                  format_rfc3339(there.at))};
}

// The row of an outcome whose `--on-outcome` command is still to be run. Without secrets, as the
// ledger has it.
DeadLetter hook_pending(const Event& outcome) {
  const auto& signal = std::get<OutcomeSignal>(outcome.payload);
  DeadLetter letter;
  letter.at = outcome.at;
  letter.format = letter.file = kHookPending;
  letter.reason = refusal::kHookNotRun;
  letter.detail = "its command has not run yet, or hebb ended before it was done";
  letter.line = outcome.position;
  letter.text = fmt::format(
      R"({{"task":{},"outcome":"{}","score":{},"at":"{}","event":{},"given":{}}})",
      json_text(outcome.subject), outcome_name(signal.outcome), json_number(signal.score),
      format_rfc3339(outcome.at), outcome.position, signal.input.empty() ? "{}" : signal.input);
  return letter;
}

// Loads the state of a copy first: while the transaction is open, other machines wait.
std::unique_ptr<sql::Transaction> begin(EngineImpl& impl) {
  require_writable(impl);
  if (impl.storage.upstream()) impl.folded.state();
  return std::make_unique<sql::Transaction>(impl.storage.database());
}

// Writes the mirror of a copy, once other machines can go on. False: another process of this
// machine writes, for example; the next writer does it.
bool mirror_if_free(EngineImpl& impl) {
  const std::shared_ptr<void> wait_again(
      nullptr, [&](void*) { impl.storage.set_busy_timeout(impl.options.busy_timeout_ms); });
  impl.storage.set_busy_timeout(0);
  try {
    write_mirror(impl);
    return true;
  } catch (const std::exception&) {
    impl.folded.state();  // a full disk, for example, may have dropped it
    return false;
  }
}

}  // namespace

Batch::Batch(EngineImpl& impl, std::optional<TimeMs> latest, bool notifies)
    : impl_(impl),
      latest_(latest),
      notifies_(notifies && impl.options.outcome_taken),
      outcomes_before_(impl.committed_outcomes.size()),
      transaction_(begin(impl)) {
  impl_.folded.state();
  began_at_ = impl_.folded.position();
}

Batch::~Batch() {
  if (committed_) return;
  impl_.committed_outcomes.resize(outcomes_before_);
  // Events that a server sent as the transaction began are rolled back, too.
  const bool took = impl_.storage.upstream() && !transaction_->is_part();
  if (took || writes_tables_ || impl_.folded.position() != began_at_) impl_.folded.drop();
}

std::optional<Refusal> Batch::refuse(Event& e) {
  if (auto refusal = refuse_future(e.at, latest_)) return refusal;
  // The claims of another ledger are not in this one.
  if (!e.resolved || is_claim(e.payload)) {
    if (auto refusal = impl_.folded.claims().refuse(e)) return refusal;
  }
  State& state = *impl_.folded.loaded();
  auto why = resolve(state, e);
  const bool lacks_room = why && why->reason == refusal::kTooManyTypes;
  if (!lacks_room || std::exchange(dropped_names_, true)) return why;
  state.drop_unused_names();
  return resolve(state, e);
}

// The key is in the ledger already: a duplicate if the event there says the same, else a refusal.
std::variant<Applied, Refusal> Batch::known(const Event& e) {
  const auto position = impl_.ledger.position_of(e.key);
  if (const auto there = impl_.ledger.event(*position)) {
    if (auto refusal = conflict(*there, e)) return std::move(*refusal);
  }
  return Applied::duplicate;
}

namespace {

std::string key_of_content(const Event& e, std::string_view input) {
  return event_key(e.payload, content_hash(input));
}

// Takes the secrets out of an outcome. Its key stays that of the original text, so that the same
// text counts once. The text without secrets may have come by itself, from a retried dead letter:
// returns the key of that event, if the ledger has it.
std::optional<std::string> mask(const Ledger& ledger, const Event& e, OutcomeSignal& outcome) {
  if (outcome.input.empty()) return std::nullopt;
  const std::string given = std::move(outcome.input);
  const std::string masked = outcome_without_secrets(given);
  outcome.input = given;
  if (masked != given) {
    input::JsonReader reader;
    outcome.input = reader.canonical(reader.parse_object(masked));
  }
  if (masked.find(secrets::kMasked) == std::string::npos || e.key != key_of_content(e, given)) {
    return std::nullopt;
  }
  if (masked != given) {
    std::string key = key_of_content(e, outcome.input);
    return ledger.position_of(key) ? std::optional(std::move(key)) : std::nullopt;
  }
  std::optional<std::string> key;
  ledger.events_of_subject(e.subject, [&](Event&& there) {
    const auto* other = std::get_if<OutcomeSignal>(&there.payload);
    if (other && there.at == e.at && other->input == given) key = there.key;
  });
  return key;
}

}  // namespace

std::variant<Applied, Refusal> Batch::add(Event e) {
  if (auto refusal = validate(e)) return *refusal;
  if (auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
      outcome && e.json != JsonText::names_only) {
    if (mask(impl_.ledger, e, *outcome)) return Applied::duplicate;
  }
  if (auto* node = std::get_if<NodeUpsert>(&e.payload); node && node->because)
    node->because = text_without_secrets(*node->because);
  if (impl_.folded.late().is_read_by(e, *impl_.folded.loaded())) impl_.folded.settle();
  if (auto refusal = refuse(e)) {
    if (!e.key.empty() && impl_.ledger.position_of(e.key)) return known(e);
    return *refusal;
  }
  const bool removes =
      std::holds_alternative<Undo>(e.payload) || std::holds_alternative<Forget>(e.payload);
  if (removes) return add_removal(e);
  // Checked together with the policy events that are later than this one and in the ledger already.
  State& state = *impl_.folded.loaded();
  const bool checks = std::holds_alternative<PolicyChange>(e.payload) && state.policies().hold();
  if (!append_and_fold(e)) return known(e);
  if (checks) impl_.folded.loaded()->policies().check();
  return Applied::applied;
}

void Batch::add_own(Event& e) {
  if (auto refusal = validate(e)) throw Refused(std::move(*refusal));
  append_and_fold(e);
}

bool Batch::append_and_fold(Event& e) {
  if (!impl_.ledger.append(e)) return false;
  impl_.folded.take(e);
  if (notifies_ && std::holds_alternative<OutcomeSignal>(e.payload)) outcomes_.push_back(e);
  return true;
}

void Batch::commit(bool mirrors) {
  Folded& folded = impl_.folded;
  folded.state();  // a part of the transaction that was rolled back may have dropped it
  for (const Event& outcome : outcomes_) impl_.inbox.add_dead_letter(hook_pending(outcome));
  auto& outcomes = impl_.committed_outcomes;
  std::ranges::move(outcomes_, std::back_inserter(outcomes));
  const bool is_part = transaction_->is_part();
  const bool is_copy = impl_.storage.upstream() != nullptr;
  mirrors = mirrors && !is_part && folded.position() - began_at_ <= kMirroredAtOnce &&
            folded.position() - impl_.mirror.position() > (is_copy ? kMirroredAtOnce : 0);
  writes_tables_ = true;
  if (mirrors && !is_copy) folded.write_mirror();
  transaction_->commit();
  committed_ = true;
  if (is_part) return;
  if (mirrors && is_copy) mirrors = mirror_if_free(impl_);
  if (mirrors) {
    impl_.graph_cache.write_if_due(*folded.loaded(), folded.position(),
                                   GraphCacheKeeper::Due::when_old);
  }
  for (const Event& outcome : std::exchange(outcomes, {})) impl_.options.outcome_taken(outcome);
}

}  // namespace hebb
