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
#include "engine/input/recognise.h"
#include "engine/input/sort_items.h"
#include "engine/values/counted.h"
#include "engine/values/refusals.h"
#include "engine/without_secrets.h"

namespace hebb {

namespace {

// Whether the item was refused for a node that a later item may bring.
bool lacks_node(std::string_view reason) {
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
        read_(options_with_before(request.read)),
        is_whole_(request.strict || request.format->at_once()) {
    read_.latest = request.latest;
  }
  Ingest(const Ingest&) = delete;
  Ingest& operator=(const Ingest&) = delete;

  IngestSummary run() {
    summary_.format = request_.format;
    read_all();
    append_buffered(true);
    if (request_.strict && summary_.refused > 0) {
      batch_.reset();  // rolls back
      summary_.applied = 0;
      unembedded_ = {};
    }
    summary_.missing_vectors = unembedded_.count(impl_.folded);
    if (!request_.strict || summary_.refused == 0) {
      list_changed();
      if (summary_.listed.is_list && !summary_.listed.ids.empty())
        summary_.tasks = summary_.listed.ids.size();
    }
    report_progress(1);
    return std::move(summary_);
  }

 private:
  // --- snapshots ---------------------------------------------------------------------------------

  ReadOptions options_with_before(ReadOptions read) {
    read.note = [this](const std::string& note) { summary_.notes.push_back(note); };
    if (!request_.format->at_once()) return read;
    read.before = &before_;
    policy_ = impl_.folded.state().policy();
    read.policy = &policy_;
    if (request_.format->of_tracker) read.listed = &summary_.listed;
    return read;
  }

  // Lists what changed about the tasks that were there.
  void list_changed() {
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
              {[this](Item item) { return buffer(std::move(item)); },
               [this] { append_buffered(false); }});
    } catch (const UnreadableInput& e) {
      if (committed_ == 0) throw;
      throw UnreadableInput(
          fmt::format("{} of it are taken: {}", counted(committed_, "item"), e.what()));
    }
  }

  // True: no more can be buffered.
  bool buffer(Item item) {
    // A snapshot lists the tasks of refused items all the same.
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
    buffered_bytes_ += memory_of(item);
    buffered_.push_back(std::move(item));
    return !is_whole_ && buffered_bytes_ > request_.memory_bytes;
  }

  void report_progress(double share) const {
    constexpr std::size_t kParts = 1000;
    if (!request_.progress) return;
    request_.progress(static_cast<std::size_t>(share * kParts), kParts);
  }
  void report_items(std::int64_t items) const {
    if (summary_.items > items)
      report_progress(input_.share() * static_cast<double>(items) /
                      static_cast<double>(summary_.items));
  }

  // --- dead letters ------------------------------------------------------------------------------

  // Without the secrets in the item and in the detail, which may quote it.
  DeadLetter dead_letter_of(const Item& item, std::string detail = {}) const {
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
    DeadLetter letter = dead_letter_of(item, refusal.detail);
    const bool is_there = !counts_each_time && impl_.inbox.find_same(letter);
    letter.reason = refusal.reason;
    if (is_there) {
      impl_.inbox.set_dead_letter(letter);
    } else {
      impl_.inbox.add_dead_letter(letter);
    }
  }

  // --- appending ---------------------------------------------------------------------------------

  // Appends the buffered items. last: no items come after them.
  void append_buffered(bool last) {
    sort_items(buffered_, read_.now);
    one_transaction_ = request_.strict || request_.format->of_tracker || has_keyless_;
    const bool in_parts = !request_.strict && !request_.format->of_tracker;
    const std::size_t most = in_parts ? kBatchItems : buffered_.size();
    if (one_transaction_) embed(buffered_);
    std::span<Item> rest = buffered_;
    do {
      const auto some = rest.first(std::min(most, rest.size()));
      rest = rest.subspan(some.size());
      add_all(some);
      commit(last && rest.empty() && to_retry_.empty());
      if (in_parts && some.size() == most) report_items(processed_);
    } while (!rest.empty());
    buffered_.clear();
    buffered_bytes_ = 0;
    if (!to_retry_.empty() && (last || retry_bytes_ > request_.memory_bytes)) retry_all(last);
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
    if (!one_transaction_) embed(items);
    batch();  // refused items are written in it, too
    for (Item& item : items) {
      if (!add(item)) continue;
      retry_bytes_ += memory_of(item);
      to_retry_.push_back(std::move(item));
    }
    processed_ += static_cast<std::int64_t>(items.size());
  }

  // True if the item lacks_node().
  bool add(Item& item) {
    if (auto* refusal = std::get_if<Refusal>(&item.parsed)) {
      refuse(item, *refusal, false);
      return false;
    }
    const bool each_time = counts_each_time(item.parsed);
    auto result = add_item(batch(), std::move(std::get<Event>(item.parsed)));
    if (auto* refusal = std::get_if<Refusal>(&result)) {
      refuse(item, *refusal, each_time);
      return lacks_node(refusal->reason);
    }
    ++(std::get<Applied>(result) == Applied::applied ? summary_.applied : summary_.duplicates);
    return false;
  }

  // done: nothing of the input is left.
  void commit(bool done) {
    if (one_transaction_ && !done) return;
    if (request_.strict && summary_.refused > 0) return;
    batch().commit();
    batch_.reset();
    committed_ = processed_;
  }

  // Retries the items that were refused for a node that has come since.
  void retry_all(bool last) {
    for (std::size_t from = 0; from < to_retry_.size(); from += kBatchItems) {
      const std::size_t to = std::min(to_retry_.size(), from + kBatchItems);
      for (std::size_t i = from; i < to; ++i) retry(to_retry_[i]);
      commit(last && to == to_retry_.size());
    }
    to_retry_.clear();
    retry_bytes_ = 0;
  }

  void retry(const Item& item) {
    if (add_text(impl_, batch(), *request_.format, item.text, read_, unembedded_, summary_)) return;
    if (DeadLetter letter = dead_letter_of(item); !request_.strict && impl_.inbox.find_same(letter))
      impl_.inbox.drop_dead_letter(letter.id);
    --summary_.refused;
    std::erase_if(summary_.refusals, [&](const RefusedItem& r) {
      return r.line == item.line && lacks_node(r.refusal.reason);
    });
  }

  EngineImpl& impl_;
  const IngestRequest& request_;
  GraphBefore before_{impl_};  // of a snapshot
  reward::Policy policy_;      // in force when a snapshot is read
  ReadOptions read_;
  const bool is_whole_;  // all of the input is buffered
  Input content_{request_.content};
  Input& input_ = request_.input ? *request_.input : content_;
  std::vector<Item> buffered_;  // read and not appended yet
  std::size_t buffered_bytes_ = 0;
  bool has_keyless_ = false, has_vectors_ = false;  // any item read so far
  bool one_transaction_ = false;                    // the rest of the input is one transaction
  std::optional<Batch> batch_;
  std::vector<Item> to_retry_;  // refused for a node that a later item may bring
  std::size_t retry_bytes_ = 0;
  std::int64_t processed_ = 0, committed_ = 0;  // items, refused ones too
  Unembedded unembedded_;
  IngestSummary summary_;
};

}  // namespace

IngestSummary Engine::ingest(const IngestRequest& request) {
  require_writable(*impl_);
  IngestRequest whole = request;
  whole.strict = request.strict || request.format->whole;
  return Ingest(*impl_, whole).run();
}

}  // namespace hebb
