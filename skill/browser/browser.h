// A browser's pages and frames, as its events tell of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "skill/browser/connection.h"

namespace hebb::skill {

struct Frame {
  std::string id, parent;  // of the main frame: no parent
  std::string session;     // frames of other processes have one of their own
  std::string url;
  std::int64_t world = 0;  // hebb's own execution context there; 0: to be made
};

struct NetworkEntry {
  std::string method, url, type;
  std::int64_t status = 0;  // 0: no answer
  std::string failure;
};

struct PageState {
  std::string target, session;
  std::string opener;                  // another page's target
  std::vector<Frame> frames;           // the main frame first, parents before their children
  std::string loader;                  // of the document that is shown
  bool ready = false, loaded = false;  // DOMContentLoaded and load were seen
  bool navigating = false;             // on its way to another document
  bool closed = false, crashed = false;
  std::string failed_url;  // whose navigation failed
  const Frame* main() const { return frames.empty() ? nullptr : &frames.front(); }
};

struct DialogSeen {
  std::string type, message;  // alert, confirm, prompt, beforeunload
  bool accepted = false;
};

// What is to be done with the next dialog.
struct DialogAnswer {
  bool accept = false;
  std::string text;  // of a prompt
};

class Browser {
 public:
  // Throws BrowserError where it does not start in time.
  Browser(const BrowserOptions& options, Deadline deadline);

  // --- pages and frames --------------------------------------------------------------------------
  // Pages in the order in which they were opened; closed ones stay, so that numbers do not move.
  PageState& page(std::size_t tab) { return *pages_.at(tab); }
  std::size_t pages() const { return pages_.size(); }
  Frame* frame(const std::string& id);
  std::vector<std::string> children(const std::string& frame_id) const;

  // --- commands ----------------------------------------------------------------------------------
  Json call(const std::string& method, const Json& params, const std::string& session,
            Deadline deadline) {
    return connection_.call(method, params, session, deadline);
  }
  void send(const std::string& method, const Json& params, const std::string& session) {
    connection_.send(method, params, session);
  }
  void wait(Deadline deadline) { connection_.wait(deadline); }  // for the next event
  // Until the condition holds; false: it did not in time.
  bool wait_for(const std::function<bool()>& condition, Deadline deadline);

  // --- scripts, in hebb's world of a frame -------------------------------------------------------
  // Calls a function with arguments: values, or objects as {"objectId": …}. The result by value, or
  // as a remote object. Throws CdpRefused also where the function throws.
  Json run(const std::string& frame_id, const std::string& function, const Json& arguments,
           Deadline deadline, bool by_value = true);

  // --- what was seen -----------------------------------------------------------------------------
  std::vector<DialogSeen>& dialogs() { return dialogs_; }
  std::vector<std::string>& console() { return console_; }
  std::vector<NetworkEntry>& network() { return network_; }
  std::optional<DialogAnswer> next_dialog;  // else alerts are accepted and all others dismissed
  std::int64_t chooser_node = 0;            // backend node of a file chooser that was asked for
  const BrowserProcess& process() const { return process_; }
  std::int64_t calls() const { return connection_.calls(); }

 private:
  void on_event(const Message& m);
  void on_target_event(const Message& m);
  void on_page_event(const Message& m, PageState& page);
  void on_frame_event(const Message& m, PageState& page);
  void on_network_event(const Message& m);
  void attached(const Json& params);
  void prepare(const std::string& session, bool is_page);
  void answer_dialog(const Message& m);
  void remove_frame(PageState& page, const std::string& id);
  PageState* page_of_session(const std::string& session);
  std::int64_t world(Frame& frame, Deadline deadline);

  static constexpr std::size_t kSeen = 500;  // entries of each kind; the oldest go

  BrowserProcess process_;
  Connection connection_;
  std::vector<std::unique_ptr<PageState>> pages_;
  std::unordered_map<std::string, std::string> session_page_;  // session → target of its page
  std::vector<DialogSeen> dialogs_;
  std::vector<std::string> console_;
  std::vector<NetworkEntry> network_;
  std::unordered_map<std::string, std::size_t> requests_;  // id → number in network_, from 1
};

}  // namespace hebb::skill
