// Files in: batches of items, each batch one transaction with its dead letters and how far it read.
#include <algorithm>
#include <functional>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/canonical_json.h"
#include "engine/engine_impl.h"
#include "engine/refusals.h"

namespace hebb {

namespace {

constexpr std::size_t kBatchItems = 1000;
constexpr std::size_t kRefusalsKept = 100;

bool may_come_right(std::string_view reason) {
  return reason == refusal::kUnknownNode || reason == refusal::kUnknownTask;
}

struct Pending {
  std::int64_t line = 0;
  std::string_view text;
  Parsed parsed;
};

// One reading of one content, a batch at a time.
class Ingest {
 public:
  Ingest(EngineImpl& impl, const IngestRequest& request)
      : impl_(impl),
        request_(request),
        content_(fmt::format("{}:{}:{}", request.format->name, request.read.task,
                             content_hash(request.content))) {}

  IngestSummary run() {
    if (request_.strict) {
      run_strict();
    } else {
      done_before_ = impl_.store.progress(content_);
      if (done_before_ > 0) recall_letters();
      request_.format->read(request_.content, request_.read,
                            [&](Item item) { take(std::move(item)); });
      flush(true);
      if (!again_.empty()) retry_in_file();
    }
    if (request_.progress) request_.progress(request_.content.size(), request_.content.size());
    return std::move(summary_);
  }

 private:
  void take(Item item) {
    ++summary_.items;
    if (!request_.strict && summary_.items <= done_before_) {
      const auto letter = letter_of(item.line, item.text);
      if (letter && waiting_.contains(*letter)) {
        ++summary_.refused;
        // One without a key may have been taken since: it stays a letter, lest it count twice.
        if (!counts_each_time(item.parsed)) again_.push_back({item.line, item.text});
      } else {
        ++summary_.duplicates;
      }
      return;
    }
    pending_.push_back({item.line, item.text, std::move(item.parsed)});
    if (!request_.strict && pending_.size() == kBatchItems) flush(false);
  }

  // Events of a batch in the fold's order, so that a file in any order is folded in order.
  std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order(pending_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto stamp = [&](std::size_t i) -> std::pair<TimeMs, std::string_view> {
      const auto* e = std::get_if<Event>(&pending_[i].parsed);
      return e ? std::pair{e->at, std::string_view(e->key)}
               : std::pair{graph::kNever, std::string_view()};
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const auto [at_a, key_a] = stamp(a);
      const auto [at_b, key_b] = stamp(b);
      if (at_a != at_b) return at_a < at_b;
      // Without a key it gets one by position, which sorts after all others of its instant.
      if (key_a.empty() != key_b.empty()) return key_b.empty();
      return key_a < key_b;
    });
    return order;
  }

  // Nothing of its own says whether it is the same as another one.
  static bool counts_each_time(const Parsed& parsed) {
    const auto* e = std::get_if<Event>(&parsed);
    return e && e->key.empty();
  }

  std::optional<std::int64_t> letter_of(std::int64_t line, std::string_view text) {
    return impl_.store.same_dead_letter(request_.format->name, request_.file, line, text);
  }

  void refuse(const Pending& item, const Refusal& refusal, bool counts_each_time) {
    ++summary_.refused;
    if (summary_.refusals.size() < kRefusalsKept) summary_.refusals.push_back({item.line, refusal});
    if (request_.strict) return;
    DeadLetter letter{0,
                      request_.read.now,
                      std::string(request_.format->name),
                      refusal.reason,
                      refusal.detail,
                      request_.file,
                      item.line,
                      std::string(item.text)};
    const auto same = counts_each_time ? std::nullopt : letter_of(item.line, item.text);
    if (!same) return impl_.store.add_dead_letter(letter);
    letter.id = *same;
    impl_.store.set_dead_letter(letter);
  }

  void add(EngineImpl::Batch& batch, Pending& item) {
    if (auto* refusal = std::get_if<Refusal>(&item.parsed)) return refuse(item, *refusal, false);
    const bool each_time = counts_each_time(item.parsed);
    auto result = batch.add(std::move(std::get<Event>(item.parsed)));
    if (auto* refusal = std::get_if<Refusal>(&result)) {
      if (may_come_right(refusal->reason)) again_.push_back({item.line, item.text});
      refuse(item, *refusal, each_time);
    } else {
      ++(std::get<Applied>(result) == Applied::applied ? summary_.applied : summary_.duplicates);
    }
  }

  void embed() {
    std::vector<Event*> events;
    for (auto& p : pending_) {
      if (auto* e = std::get_if<Event>(&p.parsed)) events.push_back(e);
    }
    if (!has_vectors_) has_vectors_ = find_vectors();
    summary_.without_vector += embed_nodes(impl_, events, request_.embedder, *has_vectors_);
  }

  // Whether the input brings vectors, asked only where it decides whose vectors a database holds.
  bool find_vectors() {
    if (request_.embedder || !impl_.state().embedder().empty()) return false;
    if (request_.content.find("\"vector\"") == std::string_view::npos) return false;
    bool found = false;
    request_.format->read(request_.content, request_.read, [&](Item item) {
      auto* e = std::get_if<Event>(&item.parsed);
      found = found || (e && brings_vectors(std::span<Event* const>(&e, 1)));
    });
    return found;
  }

  void flush(bool last) {
    if (!pending_.empty() || last) {
      embed();
      EngineImpl::Batch batch(impl_, request_.latest);
      for (const std::size_t i : in_order()) add(batch, pending_[i]);
      const bool done = last && again_.empty();
      impl_.store.set_progress(content_, done ? 0 : summary_.items);
      batch.commit();
    }
    if (request_.progress && !pending_.empty()) {
      // Some formats give a text of their own rather than a part of the content.
      const auto* end = pending_.back().text.data() + pending_.back().text.size();
      const auto* begin = request_.content.data();
      const std::less_equal<const char*> before;
      if (before(begin, end) && before(end, begin + request_.content.size())) {
        request_.progress(static_cast<std::size_t>(end - begin), request_.content.size());
      }
    }
    pending_.clear();
  }

  void run_strict() {
    request_.format->read(request_.content, request_.read,
                          [&](Item item) { take(std::move(item)); });
    embed();
    EngineImpl::Batch batch(impl_, request_.latest);
    // What waits for a node that comes later in the file gets one more chance after it.
    std::vector<std::size_t> again;
    const auto order = in_order();
    for (const std::size_t i : order) {
      auto* e = std::get_if<Event>(&pending_[i].parsed);
      auto copy = e ? std::optional<Event>(*e) : std::nullopt;
      const auto refused = summary_.refused;
      add(batch, pending_[i]);
      if (summary_.refused > refused && copy &&
          may_come_right(summary_.refusals.back().refusal.reason)) {
        pending_[i].parsed = std::move(*copy);
        again.push_back(i);
        summary_.refused = refused;
        summary_.refusals.pop_back();
      }
      if (summary_.refused == static_cast<std::int64_t>(kRefusalsKept)) break;
    }
    for (const std::size_t i : again) {
      if (summary_.refused < static_cast<std::int64_t>(kRefusalsKept)) add(batch, pending_[i]);
    }
    if (summary_.refused > 0) {
      summary_.applied = 0;
      return;  // the batch rolls back
    }
    batch.commit();
  }

  // A reading before this one was cut short: what it refused may be waiting still.
  void recall_letters() {
    for (const DeadLetter& l : impl_.store.dead_letters()) {
      if (l.file == request_.file && l.format == request_.format->name && may_come_right(l.reason))
        waiting_.insert(l.id);
    }
  }

  // Items refused because their node came later in this file are taken now.
  void retry_in_file() {
    EngineImpl::Batch batch(impl_, request_.latest);
    for (const Waiting& w : again_) {
      IngestSummary once;
      const auto refusal = read_again(impl_, batch, *request_.format, w.text, request_.read, once);
      summary_.without_vector += once.without_vector;
      if (refusal) continue;
      if (const auto letter = letter_of(w.line, w.text)) impl_.store.drop_dead_letter(*letter);
      --summary_.refused;
      summary_.applied += once.applied;
      summary_.duplicates += once.duplicates;
      std::erase_if(summary_.refusals, [&](const RefusedItem& r) {
        return r.line == w.line && may_come_right(r.refusal.reason);
      });
    }
    impl_.store.set_progress(content_, 0);
    batch.commit();
  }

 public:
  static IngestSummary retry(EngineImpl& impl, std::span<const std::int64_t> ids,
                             const ReadOptions& read, std::optional<TimeMs> latest) {
    IngestSummary summary;
    std::vector<DeadLetter> letters = impl.store.dead_letters();
    const std::unordered_set<std::int64_t> wanted(ids.begin(), ids.end());
    std::erase_if(letters, [&](const DeadLetter& l) { return !wanted.contains(l.id); });
    for (std::size_t from = 0; from < letters.size(); from += kBatchItems) {
      const auto count = std::min(kBatchItems, letters.size() - from);
      EngineImpl::Batch batch(impl, latest);
      for (const DeadLetter& l : std::span(letters).subspan(from, count)) {
        retry_one(impl, batch, l, read, summary);
      }
      batch.commit();
    }
    return summary;
  }

 private:
  // Reads one item's text and adds what it says; why not, if any of it is refused.
  static std::optional<Refusal> read_again(EngineImpl& impl, EngineImpl::Batch& batch,
                                           const Format& format, std::string_view text,
                                           const ReadOptions& read, IngestSummary& summary) {
    std::optional<Refusal> refusal;
    std::vector<Event> events;
    ReadOptions again = read;
    again.kept = true;
    try {
      format.read(text, again, [&](Item item) {
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
    summary.without_vector += embed_nodes(impl, pointers, nullptr, brings_vectors(pointers));
    Applied applied = Applied::duplicate;
    for (Event& e : events) {
      auto result = batch.add(std::move(e));
      if (auto* r = std::get_if<Refusal>(&result)) return std::move(*r);
      if (std::get<Applied>(result) == Applied::applied) applied = Applied::applied;
    }
    ++(applied == Applied::applied ? summary.applied : summary.duplicates);
    return std::nullopt;
  }

  static void retry_one(EngineImpl& impl, EngineImpl::Batch& batch, const DeadLetter& letter,
                        const ReadOptions& read, IngestSummary& summary) {
    const auto format = std::find_if(formats().begin(), formats().end(),
                                     [&](const Format& f) { return f.name == letter.format; });
    ++summary.items;
    if (!impl.store.set_dead_letter(letter)) {  // another process has taken it
      ++summary.duplicates;
      return;
    }
    // The line had a newline, unless that was what it was refused for.
    const bool cut = letter.reason == refusal::kTruncatedLine;
    const std::string text = cut ? letter.text : letter.text + "\n";
    ReadOptions then = read;
    then.now = letter.at;  // what has no time of its own had happened when it came
    const auto refusal =
        format == formats().end()
            ? std::optional(Refusal{letter.reason,
                                    fmt::format("the format \"{}\" is not known", letter.format)})
            : read_again(impl, batch, *format, text, then, summary);
    if (!refusal) {
      impl.store.drop_dead_letter(letter.id);
      return;
    }
    ++summary.refused;
    if (summary.refusals.size() < kRefusalsKept) summary.refusals.push_back({letter.id, *refusal});
    DeadLetter again = letter;
    again.reason = refusal->reason;
    again.detail = refusal->detail;
    impl.store.set_dead_letter(again);
  }

  EngineImpl& impl_;
  const IngestRequest& request_;
  const std::string content_;  // names the bytes in `progress`
  std::int64_t done_before_ = 0;
  struct Waiting {
    std::int64_t line = 0;
    std::string_view text;
  };
  std::vector<Waiting> again_;                // refused for a node that may come later in the file
  std::unordered_set<std::int64_t> waiting_;  // letters of a reading cut short
  std::optional<bool> has_vectors_;
  std::vector<Pending> pending_;
  IngestSummary summary_;
};

}  // namespace

IngestSummary Engine::ingest(const IngestRequest& request) {
  impl_->require_writable();
  return Ingest(*impl_, request).run();
}

IngestSummary Engine::retry_dead_letters(std::span<const std::int64_t> ids, TimeMs now,
                                         std::optional<TimeMs> latest) {
  impl_->require_writable();
  ReadOptions read;
  read.now = now;
  return Ingest::retry(*impl_, ids, read, latest);
}

}  // namespace hebb
