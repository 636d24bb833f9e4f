// Commands to a browser and their answers, in one thread, with a limit on every wait.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "skill/browser/clock.h"
#include "skill/browser/message.h"
#include "skill/browser/process.h"

namespace hebb::skill {

// The browser refused a command, mostly because its object does not exist (any more).
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
// The page of a command has crashed: it answers no more, though the browser goes on.
class PageCrashed : public BrowserError {
 public:
  using BrowserError::BrowserError;
};

struct Command {
  std::string method;
  Json params;
  std::string session;      // empty: the browser itself
  bool may_refuse = false;  // the answer is then an empty object
};

class Connection {
 public:
  using Handler = std::function<void(const Message& event)>;

  // Descriptors of non-blocking pipes; the caller closes them. `cancelled` is BrowserOptions'.
  Connection(int to, int from, std::function<bool()> cancelled = {})
      : to_(to), from_(from), cancelled_(std::move(cancelled)) {}

  // The handler is called for every event during wait() and call(). It may send(), not call().
  void on_event(Handler handler) { handler_ = std::move(handler); }

  // Does not wait for the answer, which is dropped.
  void send(const std::string& method, const Json& params, const std::string& session);
  // Throws CdpRefused, CdpTimeout, PageCrashed, BrowserGone, Cancelled.
  Json call(const std::string& method, const Json& params, const std::string& session,
            Deadline deadline);
  // Sends all commands before it waits for the first answer. After all answers, throws likewise for
  // the first refused command.
  std::vector<Json> call_all(const std::vector<Command>& commands, Deadline deadline);
  // Waits until an event was handled or the deadline; sometimes shorter. Throws BrowserGone,
  // Cancelled.
  void wait(Deadline deadline);

  void cancelled(std::function<bool()> asked) { cancelled_ = std::move(asked); }  // from now on

 private:
  std::int64_t queue(const std::string& method, const Json& params, const std::string& session);
  void write_some();
  bool read_some();  // true: messages came
  void poll_once(Deadline deadline);
  [[noreturn]] void gone();

  const int to_, from_;
  std::function<bool()> cancelled_;
  Handler handler_;
  MessageReader reader_;
  std::string out_;
  std::int64_t last_id_ = 0;
  bool gone_ = false;
  std::unordered_map<std::int64_t, std::optional<Message>> answers_;  // that call() waits for
  std::unordered_set<std::string> crashed_;                           // sessions of crashed pages
};

}  // namespace hebb::skill
