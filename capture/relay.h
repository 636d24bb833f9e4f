// Moves bytes between this process's own ends and another side, with a thread for each direction,
// which waits for input or for a slow reader. The thread that calls run() handles signals and waits
// for the other side's end.
//
// Bytes pass unchanged and in order. Each side notices the same as without the relay: an end of
// input, a closed reader, back-pressure. Memory: 256 KiB for each direction.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "capture/process.h"
#include "capture/signals.h"

namespace hebb::capture {

// The other side: a process, or the bridge to an HTTP server.
class OtherSide {
 public:
  virtual ~OtherSide() = default;
  // The descriptor that it reads: write here. -1: it reads nothing.
  virtual int in() const { return -1; }
  virtual int out() const = 0;  // the descriptor that it writes: read here
  virtual bool ended() = 0;
  virtual ProcessEnd end() const { return {}; }  // how it ended; after ended()
  // Readable when it may have ended; -1: there is none.
  virtual int end_fd() const { return -1; }
  // How often to ask ended(), which may change without end_fd(); -1: it does not.
  virtual int look_within_ms() const { return -1; }
  // Handles a signal to this process. Returns whether the relay has to end: the signal asks for
  // that, and the other side does not end by itself.
  virtual bool signal(const ArrivedSignal& signal) = 0;
  // Close in() and out(), if these are descriptors of its own.
  virtual void close_in() {}
  virtual void close_out() {}
};

// How a direction ended.
enum class FlowEnd : std::uint8_t {
  open,
  input_ended,
  read_failed,
  reader_gone,   // its output has no reader any more
  write_failed,  // its output cannot be written
  stopped,       // by the relay, after passing on the available bytes
  cut_off,       // by the relay: while it stopped, the reader of the output took too long
};

class Relay {
 public:
  // Writes all bytes; false: the output has ended.
  using Write = std::function<bool(std::span<const std::string_view> bytes)>;
  // Called in the direction's thread with the bytes of each read, at most 256 KiB, to examine and
  // to pass on with `write`; with none at the end of the input.
  using Pass = std::function<void(std::string_view bytes, const Write& write)>;

  // Starts the threads first and opens /dev/null, so that a failure changes nothing. An empty
  // function means no such direction. Throws std::system_error.
  Relay(const HeldSignals& signals, Pass to_other, Pass from_other);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  enum class First : std::uint8_t { none, own, other };
  struct Result {
    First first = First::none;  // which side's stream ended first
    FlowEnd output = FlowEnd::open;
    int error = 0;   // errno of read_failed and write_failed
    int signal = 0;  // the signal that ended the relay; 0: none
  };
  // in, out: our own ends, blocking or not; files, pipes, terminals or sockets. Both refer to
  // /dev/null afterwards, or as soon as their direction has ended. Returns when the other side has
  // ended and its output is delivered or nobody reads it any more, or when a signal asks for it:
  // then what was read and the content of the output pipe are still passed on, if their reader
  // takes them within two seconds. Rethrows exceptions of a Pass.
  Result run(OtherSide& other, int in, int out);

 private:
  using Clock = std::chrono::steady_clock;
  class Flow;
  struct Descriptors;

  void end_flow(Flow& flow, std::size_t still_passed, Clock::time_point until);
  void clear_ended() const;
  // Closes one of our own ends for the other side, but reserves its number, so that no other file
  // gets it.
  void release(int fd) const;

  const HeldSignals& signals_;
  const std::unique_ptr<Descriptors> fds_;
  std::unique_ptr<Flow> up_, down_;
};

}  // namespace hebb::capture
