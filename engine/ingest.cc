// Files in: batches of items, each batch one transaction with its dead letters and how far it read.
#include <algorithm>

#include <fmt/format.h>

#include "engine/canonical_json.h"
#include "engine/engine_impl.h"

namespace hebb {

namespace {

constexpr std::size_t kBatchItems = 1000;
constexpr std::size_t kRefusalsKept = 100;

bool may_come_right(const Refusal& r) {
  return r.reason == "unknown_node" || r.reason == "unknown_task";
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
      request_.format->read(request_.content, request_.read,
                            [&](Item item) { take(std::move(item)); });
      flush(true);
      retry_in_file();
    }
    return std::move(summary_);
  }

 private:
  void take(Item item) {
    ++summary_.items;
    if (!request_.strict && summary_.items <= done_before_) {
      ++summary_.duplicates;
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

  void refuse(const Pending& item, const Refusal& refusal) {
    ++summary_.refused;
    if (summary_.refusals.size() < kRefusalsKept) summary_.refusals.push_back({item.line, refusal});
    if (request_.strict) return;
    impl_.store.put_dead_letter({0, request_.read.now, std::string(request_.format->name),
                                 refusal.reason, refusal.detail, request_.file, item.line,
                                 std::string(item.text)});
  }

  void add(EngineImpl::Batch& batch, Pending& item) {
    if (auto* refusal = std::get_if<Refusal>(&item.parsed)) return refuse(item, *refusal);
    auto result = batch.add(std::move(std::get<Event>(item.parsed)));
    if (auto* refusal = std::get_if<Refusal>(&result)) {
      may_retry_ = may_retry_ || may_come_right(*refusal);
      refuse(item, *refusal);
    } else {
      ++(std::get<Applied>(result) == Applied::applied ? summary_.applied : summary_.duplicates);
    }
  }

  void embed() {
    std::vector<Event*> events;
    for (auto& p : pending_) {
      if (auto* e = std::get_if<Event>(&p.parsed)) events.push_back(e);
    }
    summary_.without_vector += embed_nodes(impl_, events, request_.embedder);
  }

  void flush(bool last) {
    if (!pending_.empty() || last) {
      EngineImpl::Batch batch(impl_);
      embed();
      for (const std::size_t i : in_order()) add(batch, pending_[i]);
      impl_.store.set_progress(content_, last ? 0 : summary_.items);
      batch.commit();
    }
    if (request_.progress && !pending_.empty()) {
      const auto& end = pending_.back().text;
      request_.progress(static_cast<std::size_t>(end.data() + end.size() - request_.content.data()),
                        request_.content.size());
    }
    pending_.clear();
  }

  void run_strict() {
    request_.format->read(request_.content, request_.read,
                          [&](Item item) { take(std::move(item)); });
    EngineImpl::Batch batch(impl_);
    embed();
    // What waits for a node that comes later in the file gets one more chance after it.
    std::vector<std::size_t> again;
    const auto order = in_order();
    for (const std::size_t i : order) {
      auto* e = std::get_if<Event>(&pending_[i].parsed);
      auto copy = e ? std::optional<Event>(*e) : std::nullopt;
      const auto refused = summary_.refused;
      add(batch, pending_[i]);
      if (summary_.refused > refused && copy && may_come_right(summary_.refusals.back().refusal)) {
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

  // Lines refused because their node came later in this file are taken now.
  void retry_in_file() {
    if (!may_retry_) return;
    std::vector<std::int64_t> ids;
    for (const auto& l : impl_.store.dead_letters()) {
      if (l.file == request_.file && l.format == request_.format->name &&
          may_come_right({l.reason, l.detail})) {
        ids.push_back(l.id);
      }
    }
    const IngestSummary again = retry(impl_, ids, request_.read, request_.embedder);
    const std::int64_t taken = again.applied + again.duplicates;
    summary_.applied += again.applied;
    summary_.duplicates += again.duplicates;
    summary_.refused -= taken;
    if (taken == 0) return;
    std::erase_if(summary_.refusals, [&](const RefusedItem& r) {
      return may_come_right(r.refusal) &&
             std::none_of(again.refusals.begin(), again.refusals.end(),
                          [&](const RefusedItem& left) { return left.line == r.line; });
    });
  }

 public:
  static IngestSummary retry(EngineImpl& impl, std::span<const std::int64_t> ids,
                             const ReadOptions& read, Embedder* embedder) {
    IngestSummary summary;
    std::vector<DeadLetter> letters = impl.store.dead_letters();
    std::erase_if(letters, [&](const DeadLetter& l) {
      return std::find(ids.begin(), ids.end(), l.id) == ids.end();
    });
    for (std::size_t from = 0; from < letters.size(); from += kBatchItems) {
      const auto count = std::min(kBatchItems, letters.size() - from);
      EngineImpl::Batch batch(impl);
      for (const DeadLetter& l : std::span(letters).subspan(from, count)) {
        retry_one(impl, batch, l, read, embedder, summary);
      }
      batch.commit();
    }
    return summary;
  }

 private:
  static void retry_one(EngineImpl& impl, EngineImpl::Batch& batch, const DeadLetter& letter,
                        const ReadOptions& read, Embedder* embedder, IngestSummary& summary) {
    const auto format = std::find_if(formats().begin(), formats().end(),
                                     [&](const Format& f) { return f.name == letter.format; });
    std::optional<Refusal> refusal;
    std::vector<Event> events;
    ++summary.items;
    try {
      format->read(letter.text, read, [&](Item item) {
        if (auto* r = std::get_if<Refusal>(&item.parsed)) {
          refusal = *r;
        } else {
          events.push_back(std::move(std::get<Event>(item.parsed)));
        }
      });
    } catch (const UnreadableInput& e) {
      refusal = Refusal{letter.reason, e.what()};
    }
    std::vector<Event*> pointers;
    for (Event& e : events) pointers.push_back(&e);
    summary.without_vector += embed_nodes(impl, pointers, embedder);
    Applied applied = Applied::duplicate;
    for (Event& e : events) {
      if (refusal) break;
      auto result = batch.add(std::move(e));
      if (auto* r = std::get_if<Refusal>(&result)) {
        refusal = *r;
      } else if (std::get<Applied>(result) == Applied::applied) {
        applied = Applied::applied;
      }
    }
    if (refusal) {
      ++summary.refused;
      summary.refusals.push_back({letter.line, *refusal});
      DeadLetter again = letter;
      again.reason = refusal->reason;
      again.detail = refusal->detail;
      impl.store.put_dead_letter(again);
      return;
    }
    ++(applied == Applied::applied ? summary.applied : summary.duplicates);
    impl.store.drop_dead_letter(letter.id);
  }

  EngineImpl& impl_;
  const IngestRequest& request_;
  const std::string content_;  // names the bytes in `progress`
  std::int64_t done_before_ = 0;
  bool may_retry_ = false;
  std::vector<Pending> pending_;
  IngestSummary summary_;
};

}  // namespace

IngestSummary Engine::ingest(const IngestRequest& request) {
  impl_->require_writable();
  return Ingest(*impl_, request).run();
}

IngestSummary Engine::retry_dead_letters(std::span<const std::int64_t> ids, TimeMs now) {
  impl_->require_writable();
  ReadOptions read;
  read.now = now;
  return Ingest::retry(*impl_, ids, read, nullptr);
}

}  // namespace hebb
