// Commands to a browser and their answers, in one thread, with a limit on every wait.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "skill/browser/clock.h"
#include "skill/browser/message.h"
#include "skill/browser/process.h"

namespace hebb::skill {

// The browser refused a command: what it asked for is not there (any more).
class CdpRefused : public BrowserError {
 public:
  using BrowserError::BrowserError;
};
class CdpTimeout : public BrowserError {
 public:
  using BrowserError::BrowserError;
};
class BrowserGone : public BrowserError {
 public:
  using BrowserError::BrowserError;
};

class Connection {
 public:
  using Handler = std::function<void(const Message& event)>;

  // Descriptors of pipes that do not block; they stay the caller's.
  Connection(int to, int from) : to_(to), from_(from) {}

  // Called for every event while somebody waits; it may send, and must not call().
  void on_event(Handler handler) { handler_ = std::move(handler); }

  // Without waiting for the answer, which is dropped.
  void send(const std::string& method, const Json& params, const std::string& session);
  // Throws CdpRefused, CdpTimeout, BrowserGone.
  Json call(const std::string& method, const Json& params, const std::string& session,
            Deadline deadline);
  // Waits for events: until one was handled or the time is over. Throws BrowserGone.
  void wait(Deadline deadline);

  std::int64_t calls() const { return calls_; }

 private:
  std::int64_t queue(const std::string& method, const Json& params, const std::string& session);
  void write_some();
  bool read_some();  // true: messages came
  void poll_once(Deadline deadline);
  [[noreturn]] void gone();

  const int to_, from_;
  Handler handler_;
  MessageReader reader_;
  std::string out_;
  std::int64_t last_id_ = 0, calls_ = 0;
  bool gone_ = false;
  std::unordered_map<std::int64_t, std::optional<Message>> answers_;  // that somebody waits for
};

}  // namespace hebb::skill
