// Moves bytes between this process's own ends and another side, with a thread for each direction,
// which waits where it has to: for input, or for a reader that is slow. The thread that calls run()
// takes the signals and waits for the other side's end.
//
// Bytes pass unchanged and in order. Each side sees of the other what it would see without the
// relay: an end of input, a reader that has gone away, back-pressure. Memory: 256 KiB for each
// direction.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "capture/process.h"
#include "capture/signals.h"

namespace hebb::capture {

// What is at the other side: a process, or the bridge to a server behind HTTP.
class OtherSide {
 public:
  virtual ~OtherSide() = default;
  virtual int in() const = 0;              // what it reads is written here
  virtual int out() const = 0;             // what it writes is read here
  virtual bool ended() = 0;                // now, or before
  virtual ProcessEnd end() const = 0;      // how, once it has
  virtual int end_fd() const = 0;          // readable when it may have ended; -1: none
  virtual int look_within_ms() const = 0;  // ended() may change without end_fd(); -1: it does not
  // Takes a signal that came to this process. Returns whether the relay has to end: the signal asks
  // for that, and the other side does not do it.
  virtual bool signal(const ArrivedSignal& signal) = 0;
  virtual void close_in() = 0;   // nothing more is written to it
  virtual void close_out() = 0;  // what it writes is read no more
};

// How a direction ended.
enum class FlowEnd : std::uint8_t {
  open,
  input_ended,
  read_failed,
  reader_gone,   // nobody reads its output any more
  write_failed,  // its output cannot be written
  stopped,       // by the relay, after what had come was passed on
  cut_off,       // by the relay, while nobody took its output
};

class Relay {
 public:
  // Writes all of it; false: its output has ended.
  using Write = std::function<bool(std::span<const std::string_view> bytes)>;
  // Called in the direction's thread with the bytes of each read, at most 256 KiB, which it passes
  // on with `write` before or after it looks at them; with none at the end of the input.
  using Pass = std::function<void(std::string_view bytes, const Write& write)>;

  // Starts the threads, so that what fails does so before anything has begun. An empty function
  // stands for no such direction. Throws std::system_error.
  Relay(const HeldSignals& signals, Pass to_other, Pass from_other);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  enum class First : std::uint8_t { none, own, other };
  struct Result {
    First first = First::none;  // which side's stream ended first
    FlowEnd output = FlowEnd::open;
    int error = 0;   // errno of read_failed and write_failed
    int signal = 0;  // that ended the relay; 0: none
  };
  // in, out: our own ends, blocking or not; files, pipes, terminals or sockets. Both refer to
  // /dev/null afterwards, or as soon as their direction has ended. Returns when the other side has
  // ended and its output is delivered or nobody reads it any more, or when a signal asks for it:
  // then what the output pipe holds is still passed on if its reader takes it. Throws what a Pass
  // has thrown.
  Result run(OtherSide& other, int in, int out);

 private:
  class Flow;
  class Wake;

  void end_flow(Flow& flow, std::size_t still_passed);

  const HeldSignals& signals_;
  std::unique_ptr<Wake> wake_;
  std::unique_ptr<Flow> up_, down_;
};

}  // namespace hebb::capture
