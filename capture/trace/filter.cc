// Scans for "\n_", 64 bytes at a time in a loop that compilers turn into vector instructions.
// Unlike a memchr for each line, that is as fast for empty lines as for long ones.
#include "capture/trace/filter.h"

#include <algorithm>
#include <utility>

namespace hebb::capture {
namespace {

constexpr std::size_t kBlock = 64;

// Reads up to p[kBlock].
bool block_has_start(const char* p) {
  unsigned char any = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    any = static_cast<unsigned char>(any | ((p[i] == '\n') & (p[i + 1] == kTracePrefix[0])));
  }
  return any != 0;
}

// The first line after `from` that may be a trace (the end of the text may be one); npos: none.
std::size_t next_start(std::string_view text, std::size_t from) {
  std::size_t i = from;
  for (;;) {
    while (i + kBlock < text.size() && !block_has_start(text.data() + i)) i += kBlock;
    const std::size_t looked_at = std::min(i + kBlock, text.size());
    while (i < looked_at) {
      i = text.find('\n', i);
      if (i == std::string_view::npos) return i;
      ++i;
      if (i == text.size() || text[i] == kTracePrefix[0]) return i;
    }
    if (i == text.size()) return std::string_view::npos;
  }
}

}  // namespace

TraceFilter::TraceFilter(Options options, Sink sink)
    : options_(std::move(options)), sink_(std::move(sink)), parser_(options_.key) {}

void TraceFilter::feed(std::string_view chunk, Spans& output) {
  if (chunk.empty()) return;
  const std::size_t from = state_ == State::passing ? 0 : resume(chunk, output);
  if (from < chunk.size()) scan(chunk, from, output);
}

void TraceFilter::finish(Spans& output) {
  if (state_ == State::held && take(held_)) held_.clear();
  release(output);
  state_ = State::undecided;
}

// Continues the line that was held; returns the position in the chunk where scanning goes on.
std::size_t TraceFilter::resume(std::string_view chunk, Spans& output) {
  std::size_t from = 0;
  if (state_ == State::undecided) {
    if (held_.empty()) return 0;  // a line starts with this chunk: scan() decides
    from = resume_undecided(chunk, output);
  }
  return state_ == State::held ? resume_held(chunk, from, output) : from;
}

std::size_t TraceFilter::resume_undecided(std::string_view chunk, Spans& output) {
  const std::string_view missing = kTracePrefix.substr(held_.size());
  const std::string_view head = chunk.substr(0, missing.size());
  if (missing.substr(0, head.size()) != head) {
    state_ = State::passing;
    release(output);
    return 0;
  }
  held_.append(head);
  if (head.size() == missing.size()) state_ = State::held;
  return head.size();
}

std::size_t TraceFilter::resume_held(std::string_view chunk, std::size_t from, Spans& output) {
  const std::size_t newline = chunk.find('\n', from);
  const bool ends = newline != std::string_view::npos;
  const std::string_view more = chunk.substr(from, (ends ? newline : chunk.size()) - from);
  if (held_.size() + more.size() > options_.max_held) {
    ++stats_.invalid;
    state_ = State::passing;
    release(output);
    return from;
  }
  held_.append(more);
  if (!ends) return chunk.size();
  state_ = State::undecided;
  if (take(held_)) {
    held_.clear();
    return newline + 1;
  }
  release(output);
  output.push_back(chunk.substr(newline, 1));
  return newline + 1;
}

// Scans chunk[from…), which is inside an ordinary line (passing) or at the start of one
// (undecided).
void TraceFilter::scan(std::string_view chunk, std::size_t from, Spans& output) {
  std::size_t output_from = from;  // chunk[output_from, at) is output
  std::size_t at = from;
  const auto output_until = [&](std::size_t until) {
    if (until > output_from) output.push_back(chunk.substr(output_from, until - output_from));
  };
  for (;;) {
    if (state_ == State::passing) {
      at = next_start(chunk, at);
      if (at == std::string_view::npos) return output_until(chunk.size());
    }
    state_ = State::undecided;
    const std::string_view rest = chunk.substr(at);
    const std::string_view head = rest.substr(0, kTracePrefix.size());
    if (head != kTracePrefix) {
      if (kTracePrefix.substr(0, head.size()) == head) {
        output_until(at);
        return hold(rest, State::undecided);
      }
      state_ = State::passing;
      continue;
    }
    const std::size_t length = rest.substr(0, options_.max_held + 1).find('\n');
    if (length == std::string_view::npos) {
      if (rest.size() <= options_.max_held) {
        output_until(at);
        return hold(rest, State::held);
      }
      ++stats_.invalid;
      state_ = State::passing;
      continue;
    }
    if (take(rest.substr(0, length))) {
      output_until(at);
      output_from = at + length + 1;
    }
    at += length + 1;
  }
}

bool TraceFilter::take(std::string_view line) {
  const auto event = parser_.parse(line.substr(kTracePrefix.size()));
  if (!event) {
    ++stats_.invalid;
    return false;
  }
  ++stats_.events;
  sink_(*event);
  return true;
}

void TraceFilter::hold(std::string_view rest, State state) {
  held_.assign(rest);
  state_ = state;
}

// Two buffers, because a new line may be held while the old one is not yet written. There is at
// most one release per call, because only bytes of earlier chunks are held.
void TraceFilter::release(Spans& output) {
  released_.swap(held_);
  held_.clear();
  if (!released_.empty()) output.emplace_back(released_);
}

}  // namespace hebb::capture
