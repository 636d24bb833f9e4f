// A browser's pages and frames, kept up to date from its events.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "skill/browser/connection.h"
#include "skill/browser/newest.h"

namespace hebb::skill {

struct Frame {
  std::string id, parent;  // of the main frame: no parent
  std::string session;     // frames in other processes have their own session
  std::string url;
  std::int64_t world = 0;     // hebb's own execution context in it; 0: not made yet
  std::string document = {};  // its remote object in that world; empty: not yet known
};

struct NetworkEntry {
  std::string id, method, url, type;
  std::int64_t status = 0;  // 0: no answer
  std::string failure = {};
};

struct PageState {
  std::string target, session;
  std::vector<Frame> frames;  // the main frame first, parents before their children
  bool ready = false;         // the event DOMContentLoaded or load came
  bool navigating = false;    // another document is being loaded
  bool closed = false, crashed = false;
  std::string failed_url;  // URL of the last navigation that failed
  const Frame* main() const { return frames.empty() ? nullptr : &frames.front(); }
};

struct DialogSeen {
  std::string type, message;  // alert, confirm, prompt, beforeunload
  std::string refused = {};   // why it was dismissed and not answered; empty: it was answered
  std::string text() const { return type + ": " + message; }
};

// How to answer a dialog.
struct DialogAnswer {
  bool accept = false;
  std::string text;  // of a prompt
  // Why the dialog is not the expected one; empty: it is.
  std::function<std::string(const DialogSeen& dialog)> why_not = {};
};

class Browser {
 public:
  // Throws BrowserError if it does not start in time.
  Browser(const BrowserOptions& options, Deadline deadline);
  // For another run: a new page with its own storage; removes pages, storage and logs of the last
  // run. Throws BrowserError.
  void begin_anew(const std::function<bool()>& cancelled, Deadline deadline);
  // Whether a browser started with these options would be equal to this one.
  bool serves(const BrowserOptions& options) const;

  // --- pages and frames --------------------------------------------------------------------------
  // Pages in the order in which they were opened; closed ones stay, so that numbers do not change.
  PageState& page(std::size_t tab) { return *pages_.at(tab); }
  std::size_t pages() const { return pages_.size(); }
  Frame* frame(const std::string& id);          // nullptr: it is gone
  Frame& require_frame(const std::string& id);  // throws CdpRefused if it is gone
  std::vector<std::string> children(const std::string& frame_id) const;

  // --- commands ----------------------------------------------------------------------------------
  Json call(const std::string& method, const Json& params, const std::string& session,
            Deadline deadline) {
    return connection_.call(method, params, session, deadline);
  }
  std::vector<Json> call_all(const std::vector<Command>& commands, Deadline deadline) {
    return connection_.call_all(commands, deadline);
  }
  void send(const std::string& method, const Json& params, const std::string& session) {
    connection_.send(method, params, session);
  }
  void wait(Deadline deadline) { connection_.wait(deadline); }  // for the next event
  void rest(Deadline until) {
    wait_for([] { return false; }, until);
  }
  // Waits until the condition holds; false: not before the deadline.
  bool wait_for(const std::function<bool()>& condition, Deadline deadline);

  // --- scripts, in hebb's world of a frame -------------------------------------------------------
  // Calls a function with arguments: values, or objects as {"objectId": …}. Returns the result by
  // value, or as a remote object. Throws CdpRefused, also if the function throws.
  Json run(const std::string& frame_id, const std::string& function, const Json& arguments,
           Deadline deadline, bool by_value = true);
  // run() as a command for call_all(), and the value of its answer.
  Command script(const std::string& frame_id, const std::string& function, const Json& arguments,
                 Deadline deadline, bool by_value = true);
  static Json value_of(const Json& answer, bool by_value = true);
  // hebb's world of a frame, made if it does not exist. Throws CdpRefused.
  std::int64_t world_of(const std::string& frame_id, Deadline deadline);
  // The frame's document, as a remote object of that world; requested once per world. Throws
  // likewise.
  std::string document(const std::string& frame_id, Deadline deadline);

  // --- logs of dialogs, console and network ------------------------------------------------------
  static constexpr std::size_t kLine = 2000;  // bytes of a line or an address; the rest is left out
  const Newest<DialogSeen>& dialogs() const { return dialogs_; }
  const Newest<std::string>& console() const { return console_; }
  const Newest<NetworkEntry>& network() const { return network_; }  // also of workers
  // Answers to the next dialogs, in order. After these, alerts are accepted, others dismissed.
  std::deque<DialogAnswer> answers;
  std::int64_t chooser_node = 0;  // backend node of the field that opened a file chooser
  // Requests that began since this was emptied and have not ended, without streams: id → session.
  std::unordered_map<std::string, std::string> open_requests;
  std::int64_t clocks_moving = 0;  // pages whose clock is being moved forward

 private:
  void wait_for_page(Deadline deadline);
  void on_event(const Message& m);
  void on_target_event(const Message& m);
  void on_page_event(const Message& m, PageState& page);
  void on_frame_event(const Message& m, PageState& page);
  void on_network_event(const Message& m);
  void forget_requests(const std::string& session);
  NetworkEntry* request(const std::string& id);
  void attached(const Json& params);
  void prepare(const std::string& session, bool is_page);
  void answer_dialog(const Message& m);
  void remove_frame(PageState& page, const std::string& id);
  PageState* page_of_session(const std::string& session);
  std::int64_t world(Frame& frame, Deadline deadline);

  BrowserOptions options_;
  BrowserProcess process_;
  std::string context_;  // the browser context made by begin_anew()
  Connection connection_;
  std::vector<std::unique_ptr<PageState>> pages_;
  std::unordered_map<std::string, std::string> session_page_;  // session → target of its page
  Newest<DialogSeen> dialogs_;
  Newest<std::string> console_;
  Newest<NetworkEntry> network_;
};

}  // namespace hebb::skill
