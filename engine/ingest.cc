// Ingest: an input is read to its end, sorted into the fold's order, and appended in batches. One
// batch is one transaction with its dead letters and with how far the input was read.
#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/before.h"
#include "engine/changes.h"
#include "engine/embed_nodes.h"
#include "engine/engine_impl.h"
#include "engine/inbox/sorted_items.h"
#include "engine/ingest_text.h"
#include "engine/input/foreign.h"
#include "engine/values/canonical_json.h"
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
        sorted_(*request.format, read_,
                at_once() ? std::numeric_limits<std::size_t>::max() : request.memory_bytes) {
    read_.latest = request.latest;
  }

  IngestSummary run() {
    read_all();
    const ReadingProgress before = begun();
    done_before_ = before.items;
    if (before.items > 0 && before.now > 0) read_.now = before.now;
    sorted_.sort(read_.now);
    if (request_.strict) {
      take_strictly();
    } else {
      if (done_before_ > 0) recall_letters();
      take_in_batches();
    }
    summary_.missing_vectors = unembedded_.count(impl_);
    if (!request_.strict || summary_.refused == 0) {
      tell_changed();
      if (lists_) find_gone();
    }
    tell(1);
    return std::move(summary_);
  }

 private:
  // How far this engine read the input, or one that is gone and read it within a day; its place is
  // taken. Another that is there reads an input of its own. Whether one in another container is
  // there is not known until it was silent for a while: until then this input has to wait, since to
  // continue it or to begin anew might each count it wrongly. What is taken at once is there as a
  // whole or not.
  ReadingProgress begun() {
    if (at_once()) return {};
    if (impl_.inbox.progress(content_).empty()) return {};
    const auto transaction = impl_.storage->begin(Storage::Access::write);
    const std::string& own = impl_.reader.name();
    TimeMs perhaps_until = 0;
    for (ReadingProgress& found : impl_.inbox.progress(content_)) {
      if (found.reader == own) return found;
      const auto reader = InputReader::find(found.reader, found.seen_at);
      if (reader == InputReader::Found::perhaps_there)
        perhaps_until = std::max(perhaps_until, found.seen_at + InputReader::kSilentMs);
      if (reader != InputReader::Found::gone) continue;
      impl_.inbox.set_progress(content_, {0, 0, found.reader});
      found.reader = own;
      found.seen_at = InputReader::clock();
      const bool is_old = std::abs(read_.now - found.now) > reward::kMsPerDay;
      if (!is_old) impl_.inbox.set_progress(content_, found);
      transaction->commit();
      return is_old ? ReadingProgress{} : found;
    }
    if (perhaps_until == 0) return {};
    throw sql::Error(sql::kBusy,
                     fmt::format("another process, in another container or on another machine, was "
                                 "reading the same input a moment ago; if it has ended, this goes "
                                 "on from there after {}",
                                 format_rfc3339(perhaps_until)));
  }

  // --- snapshots ---------------------------------------------------------------------------------

  bool at_once() const { return request_.format->at_once; }

  ReadOptions with_before(ReadOptions read) {
    read.note = [this](const std::string& note) { summary_.notes.push_back(note); };
    if (!at_once()) return read;
    read.before = &before_;
    read.listed = [this](const std::string& id, bool of_list) {
      lists_ = lists_ || of_list;
      listed_.insert(id);
    };
    return read;
  }

  void find_gone() {
    summary_.tasks = listed_.size();
    constexpr const char* kUnread = "nothing was closed, since some of its items cannot be read";
    if (unread_ > 0 && request_.prune) summary_.notes.emplace_back(kUnread);
    if (unread_ > 0) return;  // their tasks are in it all the same
    summary_.gone = gone(impl_, request_.format->name, listed_);
    if (!request_.prune || summary_.gone.empty()) return;
    EngineImpl::Batch batch(impl_, request_.latest, !request_.format->of_past);
    for (const std::string& id : summary_.gone) {
      Event e;
      e.at = read_.now;
      e.subject = id;
      e.payload = StateChange{std::string(kClosed)};
      e.key = event_key(
          e.payload, content_hash(fmt::format("{}/{}/pruned/{}", request_.format->name, id, e.at)));
      if (std::holds_alternative<Applied>(batch.add(std::move(e)))) ++summary_.pruned;
    }
    batch.commit();
  }

  // What became different of the tasks that were there.
  void tell_changed() {
    constexpr std::size_t kMost = 100;
    GraphBefore after(impl_);
    for (const std::string& id : listed_) {
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
    Input whole(request_.content);
    Input& input = request_.input ? *request_.input : whole;
    read_as(*request_.format, input, read_, [&](Item item) {
      unread_ += std::holds_alternative<Refusal>(item.parsed);
      if (request_.strict && input.bytes() > Limits::kDocumentBytes) {
        throw UnreadableInput(fmt::format(
            "this is longer than {}, which is the most that is taken as a whole (--strict)",
            size_text(Limits::kDocumentBytes)));
      }
      sorted_.add(std::move(item));
    });
    const std::string text = fmt::format("{}:{}:{}", request_.format->name,
                                         request_.read.task + request_.read.key, input.hash());
    content_ = text;
    for (int n = 2; impl_.finished.contains(content_); ++n)
      content_ = fmt::format("{}:{}", text, n);
    summary_.items = sorted_.items();
  }

  void tell(double share) const {
    constexpr std::size_t kParts = 1000;
    if (!request_.progress) return;
    request_.progress(static_cast<std::size_t>(share * kParts), kParts);
  }
  void tell_items(std::int64_t items) const {
    if (summary_.items > items)
      tell(static_cast<double>(items) / static_cast<double>(summary_.items));
  }

  // --- dead letters ------------------------------------------------------------------------------

  // Without the secrets in the item and in the detail, which may quote it.
  DeadLetter letter_for(const InboxItem& item, std::string_view detail = {}) const {
    DeadLetter letter;
    letter.at = read_.now;
    letter.format = request_.format->name;
    letter.file = request_.file;
    letter.line = item.line;
    MaskedItem masked = item_without_secrets(item.text, detail, !item.hash.empty());
    letter.text = std::move(masked.text);
    letter.detail = std::move(masked.detail);
    letter.bytes = static_cast<std::int64_t>(item.bytes);
    letter.hash = item.hash;
    return letter;
  }

  void refuse(const InboxItem& item, const Refusal& refusal, bool counts_each_time) {
    note_refusal(summary_, item.line, refusal);
    if (request_.strict) return;
    DeadLetter letter = letter_for(item, refusal.detail);
    letter.reason = refusal.reason;
    const auto same = counts_each_time ? std::nullopt : impl_.inbox.same_dead_letter(letter);
    if (!same) return impl_.inbox.add_dead_letter(letter);
    letter.id = *same;
    impl_.inbox.set_dead_letter(letter);
  }

  // An earlier reading was cut short before it retried these letters.
  void recall_letters() {
    for (const DeadLetter& l : impl_.inbox.dead_letters()) {
      if (l.file == request_.file && l.format == request_.format->name &&
          may_be_taken_later(l.reason)) {
        waiting_.insert(l.id);
      }
    }
  }

  // --- taking ------------------------------------------------------------------------------------

  void take_in_batches() {
    InboxItem item;
    std::vector<Pending> pending;
    std::int64_t items = 0, events = 0;
    while (sorted_.next(item)) {
      const std::int64_t index = items++;
      if (std::holds_alternative<Event>(item.parsed) && ++events <= done_before_) {
        pass_over(item, index);
        continue;
      }
      pending.push_back({index, std::move(item)});
      if (pending.size() == kBatchItems && (!at_once() || request_.format->keyed)) {
        add_all(pending, events, false);
        tell_items(items);
      }
    }
    add_all(pending, events, true);
    if (!again_.empty()) take_again(events);
  }

  struct Pending {
    std::int64_t index = 0;  // in the order
    InboxItem item;
  };

  // For an item that the earlier reading did already.
  void pass_over(const InboxItem& item, std::int64_t index) {
    const auto letter = impl_.inbox.same_dead_letter(letter_for(item));
    if (letter && waiting_.contains(*letter)) {
      ++summary_.refused;
      // An event without a key may have been taken since; retrying it could make it count twice.
      if (!counts_each_time(item.parsed)) again_.push_back(index);
    } else {
      ++summary_.duplicates;
    }
  }

  void embed(std::vector<Pending>& pending) {
    std::vector<Event*> events;
    for (auto& p : pending) {
      if (auto* e = std::get_if<Event>(&p.item.parsed)) events.push_back(e);
    }
    embed_nodes(impl_, events, request_.embedder, sorted_.brings_vectors(), unembedded_);
  }

  // events: how many events of the input are done after these. last: these are the input's last.
  void add_all(std::vector<Pending>& pending, std::int64_t events, bool last) {
    embed(pending);
    EngineImpl::Batch batch(impl_, request_.latest, !request_.format->of_past);
    for (Pending& p : pending) {
      if (add(batch, p.item)) again_.push_back(p.index);
    }
    commit(batch, events, last && again_.empty());
    pending.clear();
  }

  // True if it was refused for a node that may come later in the input.
  bool add(EngineImpl::Batch& batch, InboxItem& item) {
    if (auto* refusal = std::get_if<Refusal>(&item.parsed)) {
      refuse(item, *refusal, false);
      return false;
    }
    const bool each_time = counts_each_time(item.parsed);
    auto result = batch.add(std::move(std::get<Event>(item.parsed)));
    if (auto* refusal = std::get_if<Refusal>(&result)) {
      refuse(item, *refusal, each_time);
      return may_be_taken_later(refusal->reason);
    }
    ++(std::get<Applied>(result) == Applied::applied ? summary_.applied : summary_.duplicates);
    return false;
  }

  // An input with events without keys keeps its row in `progress` until sync(). If the command is
  // killed before that, the row shows that the input was read, and giving it again adds nothing;
  // later, giving it again counts again.
  void commit(EngineImpl::Batch& batch, std::int64_t events, bool done) {
    const bool stays = !done || sorted_.has_keyless();
    if (done || !at_once()) {
      impl_.inbox.set_progress(
          content_, {stays ? events : 0, read_.now, impl_.reader.name(), InputReader::clock()});
    }
    batch.commit();
    if (done && stays) impl_.finished.insert(content_);
  }

  // The items that were refused because their node came later in this input.
  void take_again(std::int64_t events) {
    sorted_.rewind();
    InboxItem item;
    std::int64_t index = -1;
    for (std::size_t from = 0; from < again_.size(); from += kBatchItems) {
      EngineImpl::Batch batch(impl_, request_.latest, !request_.format->of_past);
      const std::size_t to = std::min(again_.size(), from + kBatchItems);
      for (std::size_t i = from; i < to; ++i) {
        while (index < again_[i] && sorted_.next_text(item)) ++index;
        take_again(batch, item);
      }
      commit(batch, events, to == again_.size());
    }
  }

  void take_again(EngineImpl::Batch& batch, const InboxItem& item) {
    IngestSummary once;
    if (add_text(impl_, batch, *request_.format, item.text, read_, unembedded_, once)) return;
    if (const auto letter = impl_.inbox.same_dead_letter(letter_for(item))) {
      impl_.inbox.drop_dead_letter(*letter);
    }
    --summary_.refused;
    summary_.applied += once.applied;
    summary_.duplicates += once.duplicates;
    std::erase_if(summary_.refusals, [&](const RefusedItem& r) {
      return r.line == item.line && may_be_taken_later(r.refusal.reason);
    });
  }

  // All or nothing, in one transaction: the events are held in memory, so that an embedder is asked
  // before the database is locked.
  void take_strictly() {
    std::vector<Pending> pending;
    InboxItem item;
    std::int64_t events = 0;
    while (sorted_.next(item)) {
      if (std::holds_alternative<Event>(item.parsed) && ++events <= done_before_) {
        ++summary_.duplicates;
        continue;
      }
      pending.push_back({std::ssize(pending), std::move(item)});
    }
    embed(pending);
    EngineImpl::Batch batch(impl_, request_.latest, !request_.format->of_past);
    // Items that name a node which comes later in the input are tried once more at the end.
    std::vector<InboxItem> again;
    for (Pending& p : pending) {
      const InboxItem copy = p.item;
      if (add(batch, p.item)) {
        --summary_.refused;
        if (!summary_.refusals.empty() && summary_.refusals.back().line == copy.line) {
          summary_.refusals.pop_back();
        }
        again.push_back(copy);
      }
      if (summary_.refused == static_cast<std::int64_t>(kRefusalsKept)) break;
    }
    for (InboxItem& i : again) {
      if (summary_.refused < static_cast<std::int64_t>(kRefusalsKept)) add(batch, i);
    }
    if (summary_.refused > 0) {
      summary_.applied = 0;
      unembedded_ = {};
      return;  // the batch rolls back
    }
    commit(batch, events, true);
  }

  EngineImpl& impl_;
  const IngestRequest& request_;
  GraphBefore before_{impl_};     // of a snapshot
  bool lists_ = false;            // it lists tasks, rather than showing one
  std::set<std::string> listed_;  // the ids of a snapshot's tasks
  std::size_t unread_ = 0;        // items that the reader refused
  ReadOptions read_;              // if an earlier reading was cut short, `now` is that reading's
  SortedItems sorted_;
  // Names the bytes in `progress`, and how many times this engine had read them before: two files
  // of one command may hold the same.
  std::string content_;
  std::int64_t done_before_ = 0;              // events of the reading that was cut short
  std::vector<std::int64_t> again_;           // indexes of items to try again
  std::unordered_set<std::int64_t> waiting_;  // ids, see recall_letters()
  Unembedded unembedded_;
  IngestSummary summary_;
};

}  // namespace

IngestSummary Engine::ingest(const IngestRequest& request) {
  impl_->require_writable();
  return Ingest(*impl_, request).run();
}

}  // namespace hebb
