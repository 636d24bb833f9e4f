// Server-sent events, as defined in the HTML standard:
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace hebb::capture {

class SseReader {
 public:
  struct Event {
    std::string type;  // empty: a message
    std::string data;  // lines joined by a newline
  };
  // Called for each event with data; false: stop reading.
  using Sink = std::function<bool(Event)>;

  SseReader(Sink sink, std::size_t bound) : sink_(std::move(sink)), bound_(bound) {}

  // Pieces may have any size. False: the sink stopped, or an event is longer than the bound.
  bool feed(std::string_view piece);

  // The last event's id, to resume after a cut; empty if no event had an id.
  const std::string& last_id() const { return last_id_; }
  std::optional<std::int64_t> retry_ms() const { return retry_ms_; }  // the server's `retry`
  bool too_long() const { return too_long_; }

 private:
  bool end_line();
  bool end_event();
  void field(std::string_view name, std::string_view value);

  Sink sink_;
  std::size_t bound_;
  std::string line_;
  Event event_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool first_line_ = true;
  bool too_long_ = false;
  std::string id_, last_id_;
  std::optional<std::int64_t> retry_ms_;
};

}  // namespace hebb::capture
