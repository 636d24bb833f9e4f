// Ingest: an input is read, sorted into the fold's order, and appended in batches, each a
// transaction with its dead letters. An input longer than memory_bytes is taken part by part. If
// the process ends between two batches, the same input given again goes on, since the keys of its
// items show which are there. An item with neither id nor time has no key; from the first part with
// such an item on, the input is one transaction.
#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/batch.h"
#include "engine/before.h"
#include "engine/inbox/sorted_items.h"
#include "engine/input/recognise.h"
#include "engine/values/counted.h"
#include "engine/values/refusals.h"
#include "engine/without_secrets.h"

namespace hebb {

namespace {

// Whether it was refused for a node that a later item may bring.
bool may_be_taken_later(std::string_view reason) {
  return reason == refusal::kUnknownNode || reason == refusal::kUnknownTask;
}

// Without a key an event cannot be recognised as the same one again.
bool counts_each_time(const Parsed& parsed) {
  const auto* e = std::get_if<Event>(&parsed);
  return e && e->key.empty();
}

// One reading of one input.
class Ingest {
 public:
  Ingest(EngineImpl& impl, const IngestRequest& request)
      : impl_(impl),
        request_(request),
        read_(with_before(request.read)),
        is_whole_(request.strict || request.format->at_once()) {
    read_.latest = request.latest;
  }
  Ingest(const Ingest&) = delete;
  Ingest& operator=(const Ingest&) = delete;

  IngestSummary run() {
    summary_.format = request_.format;
    read_all();
    take(true);
    if (request_.strict && summary_.refused > 0) {
      batch_.reset();  // rolls back
      summary_.applied = 0;
      unembedded_ = {};
    }
    summary_.missing_vectors = unembedded_.count(impl_.folded);
    if (!request_.strict || summary_.refused == 0) {
      tell_changed();
      if (summary_.listed.is_list && !summary_.listed.ids.empty())
        summary_.tasks = summary_.listed.ids.size();
    }
    tell(1);
    return std::move(summary_);
  }

 private:
  // --- snapshots ---------------------------------------------------------------------------------

  ReadOptions with_before(ReadOptions read) {
    read.note = [this](const std::string& note) { summary_.notes.push_back(note); };
    if (!request_.format->at_once()) return read;
    read.before = &before_;
    policy_ = impl_.folded.state().policy();
    read.policy = &policy_;
    if (request_.format->of_tracker) read.listed = &summary_.listed;
    return read;
  }

  // Lists what changed about the tasks that were there.
  void tell_changed() {
    constexpr std::size_t kMost = 100;
    GraphBefore after(impl_);
    for (const std::string& id : summary_.listed.ids) {
      const HeldBefore::Node* then = before_.find(id);
      const HeldBefore::Node* now = then ? after.find(id) : nullptr;
      if (!now) continue;
      const auto changes = changes_of(*then, *now);
      if (changes.empty() || ++summary_.tasks_changed > kMost) continue;
      summary_.changed.push_back(fmt::format("{}: {}", id, fmt::join(changes, ", ")));
    }
  }

  // --- reading -----------------------------------------------------------------------------------

  void read_all() {
    try {
      read_as(*request_.format, input_, read_,
              {[this](Item item) { return hold(std::move(item)); }, [this] { take(false); }});
    } catch (const UnreadableInput& e) {
      if (committed_ == 0) throw;
      throw UnreadableInput(
          fmt::format("{} of it are taken: {}", counted(committed_, "item"), e.what()));
    }
  }

  // True: no more can be held.
  bool hold(Item item) {
    // The snapshot lists their tasks all the same.
    if (std::holds_alternative<Refusal>(item.parsed)) summary_.listed.has_unread = true;
    if (request_.strict && input_.bytes() > Limits::kDocumentBytes) {
      throw UnreadableInput(fmt::format(
          "this is longer than {}, which is the most that is taken as a whole (--strict)",
          size_text(Limits::kDocumentBytes)));
    }
    ++summary_.items;
    if (const auto* e = std::get_if<Event>(&item.parsed)) {
      const auto* upsert = std::get_if<NodeUpsert>(&e->payload);
      has_keyless_ = has_keyless_ || e->key.empty();
      has_vectors_ = has_vectors_ || (upsert && !upsert->vector.empty());
    }
    held_bytes_ += memory_of(item);
    held_.push_back(std::move(item));
    return !is_whole_ && held_bytes_ > request_.memory_bytes;
  }

  void tell(double share) const {
    constexpr std::size_t kParts = 1000;
    if (!request_.progress) return;
    request_.progress(static_cast<std::size_t>(share * kParts), kParts);
  }
  void tell_items(std::int64_t items) const {
    if (summary_.items > items)
      tell(input_.share() * static_cast<double>(items) / static_cast<double>(summary_.items));
  }

  // --- dead letters ------------------------------------------------------------------------------

  // Without the secrets in the item and in the detail, which may quote it.
  DeadLetter letter_for(const Item& item, std::string detail = {}) const {
    DeadLetter letter;
    letter.at = read_.now;
    letter.format = kept_format_text(*request_.format, request_.read.prefix);
    letter.file = request_.file;
    letter.line = item.line;
    letter.text = item.text;
    letter.detail = std::move(detail);
    take_secrets_out(letter.text, letter.detail, !item.hash.empty());
    letter.bytes = static_cast<std::int64_t>(item.bytes);
    letter.hash = item.hash;
    return letter;
  }

  void refuse(const Item& item, const Refusal& refusal, bool counts_each_time) {
    note_refusal(summary_, item.line, refusal);
    if (request_.strict) return;
    DeadLetter letter = letter_for(item, refusal.detail);
    const bool is_there = !counts_each_time && impl_.inbox.find_same(letter);
    letter.reason = refusal.reason;
    if (is_there) {
      impl_.inbox.set_dead_letter(letter);
    } else {
      impl_.inbox.add_dead_letter(letter);
    }
  }

  // --- taking ------------------------------------------------------------------------------------

  // Takes the held items. last: no items come after them.
  void take(bool last) {
    sort_items(held_, read_.now);
    one_commit_ = request_.strict || request_.format->of_tracker || has_keyless_;
    const bool in_parts = !request_.strict && !request_.format->of_tracker;
    const std::size_t most = in_parts ? kBatchItems : held_.size();
    if (one_commit_) embed(held_);
    std::span<Item> rest = held_;
    do {
      const auto some = rest.first(std::min(most, rest.size()));
      rest = rest.subspan(some.size());
      add_all(some);
      commit(last && rest.empty() && again_.empty());
      if (in_parts && some.size() == most) tell_items(taken_);
    } while (!rest.empty());
    held_.clear();
    held_bytes_ = 0;
    if (!again_.empty() && (last || again_bytes_ > request_.memory_bytes)) take_again(last);
  }

  // The open batch. It locks the database: an embedder is asked before. Only where one transaction
  // goes on from part to part, it is asked, and the rest of the input is waited for, within it.
  Batch& batch() {
    if (!batch_) batch_.emplace(impl_, request_.latest, !request_.format->of_past);
    return *batch_;
  }

  void embed(std::span<Item> items) {
    std::vector<Event*> events;
    for (Item& item : items) {
      if (auto* e = std::get_if<Event>(&item.parsed)) events.push_back(e);
    }
    embed_nodes(impl_.folded, events, request_.embedder, has_vectors_, unembedded_);
  }

  void add_all(std::span<Item> items) {
    if (!one_commit_) embed(items);
    batch();  // refused items are written in it, too
    for (Item& item : items) {
      if (!add(item)) continue;
      again_bytes_ += memory_of(item);
      again_.push_back(std::move(item));
    }
    taken_ += static_cast<std::int64_t>(items.size());
  }

  // True if it was refused for a node that may come later in the input.
  bool add(Item& item) {
    if (auto* refusal = std::get_if<Refusal>(&item.parsed)) {
      refuse(item, *refusal, false);
      return false;
    }
    const bool each_time = counts_each_time(item.parsed);
    auto result = add_item(batch(), std::move(std::get<Event>(item.parsed)));
    if (auto* refusal = std::get_if<Refusal>(&result)) {
      refuse(item, *refusal, each_time);
      return may_be_taken_later(refusal->reason);
    }
    ++(std::get<Applied>(result) == Applied::applied ? summary_.applied : summary_.duplicates);
    return false;
  }

  // done: nothing of the input is left.
  void commit(bool done) {
    if (one_commit_ && !done) return;
    if (request_.strict && summary_.refused > 0) return;
    batch().commit();
    batch_.reset();
    committed_ = taken_;
  }

  // Retries the items that were refused because their node came later in this input.
  void take_again(bool last) {
    for (std::size_t from = 0; from < again_.size(); from += kBatchItems) {
      const std::size_t to = std::min(again_.size(), from + kBatchItems);
      for (std::size_t i = from; i < to; ++i) take_again(again_[i]);
      commit(last && to == again_.size());
    }
    again_.clear();
    again_bytes_ = 0;
  }

  void take_again(const Item& item) {
    if (add_text(impl_, batch(), *request_.format, item.text, read_, unembedded_, summary_)) return;
    if (DeadLetter letter = letter_for(item); !request_.strict && impl_.inbox.find_same(letter))
      impl_.inbox.drop_dead_letter(letter.id);
    --summary_.refused;
    std::erase_if(summary_.refusals, [&](const RefusedItem& r) {
      return r.line == item.line && may_be_taken_later(r.refusal.reason);
    });
  }

  EngineImpl& impl_;
  const IngestRequest& request_;
  GraphBefore before_{impl_};  // of a snapshot
  reward::Policy policy_;      // in force when a snapshot is read
  ReadOptions read_;
  const bool is_whole_;  // it is held in memory whole
  Input content_{request_.content};
  Input& input_ = request_.input ? *request_.input : content_;
  std::vector<Item> held_;  // items read and not taken yet
  std::size_t held_bytes_ = 0;
  bool has_keyless_ = false, has_vectors_ = false;  // any item read so far
  bool one_commit_ = false;                         // the rest of the input is one transaction
  std::optional<Batch> batch_;
  std::vector<Item> again_;  // to try again
  std::size_t again_bytes_ = 0;
  std::int64_t taken_ = 0, committed_ = 0;  // items
  Unembedded unembedded_;
  IngestSummary summary_;
};

}  // namespace

IngestSummary Engine::ingest(const IngestRequest& request) {
  require_writable(*impl_);
  return Ingest(*impl_, request).run();
}

}  // namespace hebb
