// Retrying dead letters: each is read again from its stored text.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "engine/batch.h"
#include "engine/values/refusals.h"
#include "engine/without_secrets.h"

namespace hebb {

void note_refusal(IngestSummary& summary, std::int64_t line, const Refusal& refusal) {
  constexpr std::size_t kKept = 100;
  ++summary.refused;
  if (summary.refusals.size() >= kKept) return;
  // The detail may quote the item.
  summary.refusals.push_back({line, {refusal.reason, text_without_secrets(refusal.detail)}});
}

std::variant<Applied, Refusal> add_item(Batch& batch, Event e) {
  try {
    return batch.add(std::move(e));
  } catch (const reward::BadPolicy& bad) {
    return Refusal{std::string(refusal::kBadValue), bad.what()};
  }
}

std::optional<Refusal> add_text(EngineImpl& impl, Batch& batch, const Format& format,
                                std::string_view text, const ReadOptions& read,
                                Unembedded& unembedded, IngestSummary& summary) {
  std::optional<Refusal> refusal;
  std::vector<Event> events;
  ReadOptions again = read;
  again.single_item = true;
  try {
    Input input(text);
    format.read(input, again, [&](Item item) {
      if (auto* r = std::get_if<Refusal>(&item.parsed)) {
        refusal = *r;
      } else {
        events.push_back(std::move(std::get<Event>(item.parsed)));
      }
    });
  } catch (const UnreadableInput& e) {
    refusal = Refusal{std::string(refusal::kNotJson), e.what()};
  }
  if (refusal) return refusal;
  std::vector<Event*> pointers;
  for (Event& e : events) pointers.push_back(&e);
  embed_nodes(impl.folded, pointers, nullptr, brings_vectors(pointers), unembedded);
  Applied applied = Applied::duplicate;
  for (Event& e : events) {
    auto result = add_item(batch, std::move(e));
    if (auto* r = std::get_if<Refusal>(&result)) return std::move(*r);
    if (std::get<Applied>(result) == Applied::applied) applied = Applied::applied;
  }
  ++(applied == Applied::applied ? summary.applied : summary.duplicates);
  return std::nullopt;
}

namespace {

bool is_of_past(const DeadLetter& letter) {
  const Format* format = kept_format(letter.format).format;
  return format && format->of_past;
}

// Tries a letter again. Returns why it is still refused; nullopt if it was taken.
std::optional<Refusal> add_letter(EngineImpl& impl, Batch& batch, const DeadLetter& letter,
                                  ReadOptions read, Unembedded& unembedded,
                                  IngestSummary& summary) {
  const auto [format, prefix] = kept_format(letter.format);
  if (!format) {
    return Refusal{letter.reason, fmt::format("the format \"{}\" is not known", letter.format)};
  }
  if (!letter.hash.empty()) {
    return Refusal{letter.reason,
                   fmt::format("of its {} bytes only the first {} are kept, so it cannot be "
                               "retried; read it again in a file where it is shorter, and drop "
                               "this one",
                               letter.bytes, letter.text.size())};
  }
  // Letters are kept without their newline. kTruncatedLine means that the line had none.
  const bool cut = letter.reason == refusal::kTruncatedLine;
  read.prefix = prefix;
  read.now = letter.at;  // an item without a time gets the time when it came
  return add_text(impl, batch, *format, cut ? letter.text : letter.text + "\n", read, unembedded,
                  summary);
}

// The outcome counts already: outcome_taken is called for it again, and drops the letter on
// success.
void tell_again(EngineImpl& impl, const DeadLetter& letter, IngestSummary& summary) {
  if (impl.folded.undone().contains(letter.line)) {
    impl.inbox.drop_dead_letter(letter.id);
    ++summary.duplicates;
  } else if (const auto outcome = impl.ledger.event(letter.line);
             outcome && impl.options.outcome_taken) {
    impl.options.outcome_taken(*outcome);
    ++summary.applied;
  } else {
    note_refusal(summary, letter.id,
                 {letter.reason, "nobody is told of it here; --on-outcome COMMAND does that"});
  }
}

void retry(EngineImpl& impl, Batch& batch, const DeadLetter& letter, const ReadOptions& read,
           Unembedded& unembedded, IngestSummary& summary) {
  ++summary.items;
  if (letter.format == kHookPending) return tell_again(impl, letter, summary);
  if (!impl.inbox.set_dead_letter(letter)) {  // another process has taken it
    ++summary.duplicates;
    return;
  }
  const auto refusal = add_letter(impl, batch, letter, read, unembedded, summary);
  if (!refusal) {
    impl.inbox.drop_dead_letter(letter.id);
    return;
  }
  note_refusal(summary, letter.id, *refusal);
  if (!letter.hash.empty()) return;  // the stored reason says more: keep it
  DeadLetter again = letter;
  again.reason = refusal->reason;
  again.detail = refusal->detail;
  take_secrets_out(again.text, again.detail, false);
  impl.inbox.set_dead_letter(again);
}

}  // namespace

IngestSummary Engine::retry_dead_letters(std::span<const std::int64_t> ids, TimeMs now,
                                         std::optional<TimeMs> latest) {
  require_writable(*impl_);
  ReadOptions read;
  read.now = now;
  IngestSummary summary;
  Unembedded unembedded;
  std::vector<DeadLetter> letters = impl_->inbox.dead_letters();
  const std::unordered_set<std::int64_t> wanted(ids.begin(), ids.end());
  std::erase_if(letters, [&](const DeadLetter& l) { return !wanted.contains(l.id); });
  for (std::size_t from = 0; from < letters.size();) {
    const bool past = is_of_past(letters[from]);
    Batch batch(*impl_, latest, !past);
    const reward::Policy policy = impl_->folded.loaded()->policy();
    read.policy = &policy;
    const std::size_t end = std::min(letters.size(), from + kBatchItems);
    for (; from < end && is_of_past(letters[from]) == past; ++from)
      retry(*impl_, batch, letters[from], read, unembedded, summary);
    batch.commit();
  }
  summary.missing_vectors = unembedded.count(impl_->folded);
  return summary;
}

}  // namespace hebb
