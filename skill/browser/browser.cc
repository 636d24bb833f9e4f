#include "skill/browser/browser.h"

#include <algorithm>

#include <fmt/format.h>

#include "skill/browser/page_script.h"

namespace hebb::skill {
namespace {

constexpr const char* kWorld = "hebb";

// The line of a console message or an exception; its first word is the level.
std::string console_line(const Json& params) {
  if (const Json details = member(params, "exceptionDetails"); details.is_object()) {
    return "exception " + text_member(details, "text") + ' ' +
           text_member(member(details, "exception"), "description");
  }
  std::string line = text_member(params, "type");
  for (const Json& arg : member(params, "args")) {
    const Json value = member(arg, "value");
    line += ' ' + (value.is_string() ? value.get<std::string>()
                   : value.is_null() ? text_member(arg, "description")
                                     : dump(value));
  }
  return line;
}

}  // namespace

Browser::Browser(const BrowserOptions& options, Deadline deadline)
    : options_(options),
      process_(options),
      connection_(process_.to(), process_.from(), options.cancelled) {
  connection_.on_event([this](const Message& m) { on_event(m); });
  try {
    call("Browser.getVersion", Json::object(), "", deadline);
    call("Browser.setDownloadBehavior",
         {{"behavior", "allow"}, {"downloadPath", process_.downloads()}, {"eventsEnabled", true}},
         "", deadline);
    call("Target.setAutoAttach",
         {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}}, "", deadline);
    wait_for_page(deadline);
  } catch (const BrowserError& e) {
    throw BrowserError(
        fmt::format("the browser does not start: {}; {}", e.what(), process_.error_output()));
  }
}

void Browser::wait_for_page(Deadline deadline) {
  const auto there = [&] { return !pages_.empty() && pages_.front()->main() != nullptr; };
  if (!wait_for(there, deadline)) throw CdpTimeout("the browser shows no page");
  // The first script waits until the renderer has started.
  run(pages_.front()->main()->id, "() => 0", Json::array(), deadline);
}

void Browser::begin_anew(const std::function<bool()>& cancelled, Deadline deadline) {
  connection_.cancelled(cancelled);
  if (!context_.empty())
    call("Target.disposeBrowserContext", {{"browserContextId", context_}}, "", deadline);
  pages_.clear();
  session_page_.clear();
  dialogs_ = {};
  console_ = {};
  network_ = {};
  chooser_node = 0;
  context_ = text_member(call("Target.createBrowserContext", Json::object(), "", deadline),
                         "browserContextId");
  call("Browser.setDownloadBehavior",
       {{"behavior", "allow"},
        {"browserContextId", context_},
        {"downloadPath", process_.downloads()},
        {"eventsEnabled", true}},
       "", deadline);
  call("Target.createTarget",
       {{"url", "about:blank"},
        {"browserContextId", context_},
        {"width", options_.width},
        {"height", options_.height}},
       "", deadline);
  wait_for_page(deadline);
}

bool Browser::serves(const BrowserOptions& o) const {
  return o.program == options_.program && o.headed == options_.headed && o.open == options_.open &&
         o.width == options_.width && o.height == options_.height;
}

bool Browser::wait_for(const std::function<bool()>& condition, Deadline deadline) {
  while (!condition()) {
    if (is_over(deadline)) return false;
    wait(deadline);
  }
  return true;
}

Frame* Browser::frame(const std::string& id) {
  for (const auto& page : pages_) {
    for (Frame& f : page->frames) {
      if (f.id == id) return &f;
    }
  }
  return nullptr;
}

Frame& Browser::require_frame(const std::string& id) {
  Frame* found = frame(id);
  if (found == nullptr) throw CdpRefused("the frame is gone");
  return *found;
}

std::vector<std::string> Browser::children(const std::string& frame_id) const {
  std::vector<std::string> out;
  for (const auto& page : pages_) {
    for (const Frame& f : page->frames) {
      if (f.parent == frame_id) out.push_back(f.id);
    }
  }
  return out;
}

PageState* Browser::page_of_session(const std::string& session) {
  const auto found = session_page_.find(session);
  if (found == session_page_.end()) return nullptr;
  for (const auto& page : pages_) {
    if (page->target == found->second) return page.get();
  }
  return nullptr;
}

void Browser::on_event(const Message& m) {
  if (m.method.starts_with("Target.")) return on_target_event(m);
  if (m.method.starts_with("Network.")) return on_network_event(m);
  if (PageState* page = page_of_session(m.session)) on_page_event(m, *page);
}

void Browser::on_target_event(const Message& m) {
  if (m.method == "Target.attachedToTarget") return attached(m.body);
  if (m.method != "Target.detachedFromTarget") return;
  const std::string session = text_member(m.body, "sessionId");
  for (const auto& page : pages_) {
    if (page->session == session) page->closed = true;
  }
  session_page_.erase(session);
  forget_requests(session);
}

// Forgets the open requests of a page that is gone or crashed: they do not end any more.
void Browser::forget_requests(const std::string& session) {
  std::erase_if(open_requests, [&](const auto& request) { return request.second == session; });
}

void Browser::attached(const Json& params) {
  const std::string session = text_member(params, "sessionId");
  const Json info = member(params, "targetInfo");
  const std::string type = text_member(info, "type"), target = text_member(info, "targetId");
  if (type == "page") {
    auto page = std::make_unique<PageState>();
    page->target = target;
    page->session = session;
    page->frames.push_back({target, "", session, text_member(info, "url"), 0});
    pages_.push_back(std::move(page));
    session_page_[session] = target;
    prepare(session, true);
  } else if (type == "iframe") {
    for (const auto& page : pages_) {
      for (Frame& f : page->frames) {
        if (f.id != target) continue;
        f.session = session;
        f.world = 0;
        session_page_[session] = page->target;
      }
    }
    prepare(session, false);
  } else {
    send("Network.enable", Json::object(), session);  // of a worker
  }
  send("Runtime.runIfWaitingForDebugger", Json::object(), session);
}

void Browser::prepare(const std::string& session, bool is_page) {
  send("Page.enable", Json::object(), session);
  send("Page.setLifecycleEventsEnabled", {{"enabled", true}}, session);
  send("Runtime.enable", Json::object(), session);
  send("Network.enable", Json::object(), session);
  if (is_page) {
    send("Page.setInterceptFileChooserDialog", {{"enabled", true}}, session);
    send("Emulation.setFocusEmulationEnabled", {{"enabled", true}}, session);
  }
  send("Target.setAutoAttach",
       {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}}, session);
}

void Browser::on_page_event(const Message& m, PageState& page) {
  if (m.method == "Page.javascriptDialogOpening") {
    answer_dialog(m);
  } else if (m.method == "Emulation.virtualTimeBudgetExpired") {
    --clocks_moving;
  } else if (m.method == "Page.lifecycleEvent") {
    const bool shown = page.main() != nullptr && text_member(m.body, "frameId") == page.main()->id;
    const std::string name = text_member(m.body, "name");
    if (!shown) return;
    if (name == "init") page.ready = false;
    if (name == "DOMContentLoaded" || name == "load") page.ready = true;
  } else if (m.method == "Page.fileChooserOpened") {
    const Json node = member(m.body, "backendNodeId");
    if (node.is_number_integer()) chooser_node = node.get<std::int64_t>();
  } else if (m.method == "Inspector.targetCrashed") {
    page.crashed = true;
    forget_requests(m.session);
  } else if (m.method == "Runtime.executionContextsCleared") {
    for (Frame& f : page.frames) {
      if (f.session == m.session) f.world = 0;
    }
  } else if (m.method == "Runtime.executionContextDestroyed") {
    const Json id = member(m.body, "executionContextId");
    for (Frame& f : page.frames) {
      if (f.session == m.session && id == f.world) f.world = 0;
    }
  } else if (m.method == "Runtime.consoleAPICalled" || m.method == "Runtime.exceptionThrown") {
    console_.add(console_line(m.body).substr(0, kLine));
  } else {
    on_frame_event(m, page);
  }
}

void Browser::on_frame_event(const Message& m, PageState& page) {
  const bool of_main = page.main() != nullptr && text_member(m.body, "frameId") == page.main()->id;
  if (m.method == "Page.frameRequestedNavigation" || m.method == "Page.frameScheduledNavigation") {
    // A new tab or window is another page.
    const bool here = !text_member(m.body, "disposition").starts_with("new");
    if (of_main && here) page.navigating = true;
  } else if (m.method == "Page.frameStoppedLoading" ||
             m.method == "Page.frameClearedScheduledNavigation") {
    if (of_main) page.navigating = false;
  } else if (m.method == "Page.frameAttached") {
    const std::string id = text_member(m.body, "frameId");
    if (frame(id) == nullptr)
      page.frames.push_back({id, text_member(m.body, "parentFrameId"), m.session, "", 0});
  } else if (m.method == "Page.frameNavigated") {
    const Json f = member(m.body, "frame");
    const std::string id = text_member(f, "id");
    Frame* known = frame(id);
    if (known == nullptr) {
      page.frames.push_back({id, text_member(f, "parentId"), m.session, "", 0});
      known = &page.frames.back();
    }
    known->url = text_member(f, "url") + text_member(f, "urlFragment");
    known->session = m.session;
    known->world = 0;
    if (page.main() == known) {
      page.navigating = false;
      page.failed_url = text_member(f, "unreachableUrl");
      const std::string main = known->id;
      const auto kids = children(main);
      for (const std::string& kid : kids) remove_frame(page, kid);
    }
  } else if (m.method == "Page.navigatedWithinDocument") {
    if (Frame* known = frame(text_member(m.body, "frameId")))
      known->url = text_member(m.body, "url");
  } else if (m.method == "Page.frameDetached" && text_member(m.body, "reason") != "swap") {
    remove_frame(page, text_member(m.body, "frameId"));
  }
}

void Browser::remove_frame(PageState& page, const std::string& id) {
  for (const std::string& kid : children(id)) remove_frame(page, kid);
  std::erase_if(page.frames, [&](const Frame& f) { return f.id == id && !f.parent.empty(); });
}

void Browser::answer_dialog(const Message& m) {
  const std::string type = text_member(m.body, "type");
  const std::string message = text_member(m.body, "message");
  DialogAnswer answer{type == "alert" || type == "beforeunload", ""};
  if (!answers.empty()) {
    answer = std::move(answers.front());
    answers.pop_front();
  }
  DialogSeen seen{type, message, ""};
  if (answer.why_not) seen.refused = answer.why_not(seen);
  answer.accept = answer.accept && seen.refused.empty();
  dialogs_.add(std::move(seen));
  send("Page.handleJavaScriptDialog", {{"accept", answer.accept}, {"promptText", answer.text}},
       m.session);
}

NetworkEntry* Browser::request(const std::string& id) {
  auto& all = network_.kept();
  // Redirected requests have the same id.
  const auto found =
      std::find_if(all.rbegin(), all.rend(), [&](const NetworkEntry& e) { return e.id == id; });
  return found == all.rend() ? nullptr : &*found;
}

void Browser::on_network_event(const Message& m) {
  const std::string id = text_member(m.body, "requestId");
  if (m.method == "Network.requestWillBeSent" && text_member(m.body, "type") != "EventSource")
    open_requests[id] = m.session;
  if (m.method == "Network.loadingFinished" || m.method == "Network.loadingFailed")
    open_requests.erase(id);
  const bool socket = m.method == "Network.webSocketCreated";
  NetworkEntry* entry = request(id);
  for (const char* key : {"response", "redirectResponse"}) {
    const Json status = member(member(m.body, key), "status");
    if (entry != nullptr && status.is_number_integer()) entry->status = status.get<std::int64_t>();
  }
  if (socket || m.method == "Network.requestWillBeSent") {
    const Json request = socket ? m.body : member(m.body, "request");
    network_.add({id, socket ? "GET" : text_member(request, "method"),
                  text_member(request, "url").substr(0, kLine),
                  socket ? "WebSocket" : text_member(m.body, "type")});
  } else if (entry != nullptr &&
             (m.method == "Network.loadingFailed" || m.method == "Network.webSocketFrameError")) {
    const std::string why = text_member(m.body, "errorText") + text_member(m.body, "errorMessage");
    entry->failure =
        why.find(kNotOpen) == std::string::npos ? why : "refused: it needs --allow-origin";
  }
}

std::int64_t Browser::world(Frame& f, Deadline deadline) {
  if (f.world != 0) return f.world;
  const std::string id = f.id, session = f.session;
  const Json made =
      call("Page.createIsolatedWorld", {{"frameId", id}, {"worldName", kWorld}}, session, deadline);
  const Json context = member(made, "executionContextId");
  if (!context.is_number_integer()) throw CdpRefused("no world of its own can be made");
  const auto number = context.get<std::int64_t>();
  std::vector<Command> defined;
  for (const std::string_view script : {find_script(), act_script(), press_script(),
                                        relate_script(), surroundings_script(), place_script()})
    defined.push_back(
        {"Runtime.evaluate", {{"expression", script}, {"contextId", number}}, session});
  connection_.call_all(defined, deadline);
  Frame& again = require_frame(id);
  again.world = number;
  again.document.clear();
  return number;
}

std::int64_t Browser::world_of(const std::string& frame_id, Deadline deadline) {
  return world(require_frame(frame_id), deadline);
}

std::string Browser::document(const std::string& frame_id, Deadline deadline) {
  world_of(frame_id, deadline);
  if (const Frame& f = require_frame(frame_id); !f.document.empty()) return f.document;
  const Json remote = run(frame_id, "() => document", Json::array(), deadline, false);
  return require_frame(frame_id).document = text_member(remote, "objectId");
}

Command Browser::script(const std::string& frame_id, const std::string& function,
                        const Json& arguments, Deadline deadline, bool by_value) {
  const std::int64_t context = world_of(frame_id, deadline);
  Json given = Json::array();
  for (const Json& a : arguments) {
    const bool object = a.is_object() && a.size() == 1 && a.contains("objectId");
    given.push_back(object ? a : Json{{"value", a}});
  }
  return {"Runtime.callFunctionOn",
          {{"functionDeclaration", function},
           {"executionContextId", context},
           {"arguments", std::move(given)},
           {"returnByValue", by_value},
           {"awaitPromise", true}},
          require_frame(frame_id).session};
}

Json Browser::value_of(const Json& answer, bool by_value) {
  if (answer.contains("exceptionDetails")) {
    const Json thrown = member(member(answer, "exceptionDetails"), "exception");
    throw CdpRefused(
        fmt::format("the page's script failed: {}", text_member(thrown, "description")));
  }
  const Json result = member(answer, "result");
  return by_value ? member(result, "value") : result;
}

Json Browser::run(const std::string& frame_id, const std::string& function, const Json& arguments,
                  Deadline deadline, bool by_value) {
  const Command command = script(frame_id, function, arguments, deadline, by_value);
  return value_of(connection_.call_all({command}, deadline).front(), by_value);
}

}  // namespace hebb::skill
