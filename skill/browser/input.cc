#include "skill/browser/input.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "skill/browser/keys.h"

namespace hebb::skill {
Json Input::state(const Element& e, Deadline deadline) {
  return browser_.run(e.frame, "(e) => __hebb.state(e)", Json::array({e.reference()}), deadline);
}

// Calls a function of the page that returns 'done', or the reason why it could not.
void Input::require_done(const Element& e, const char* function, const Json& arguments,
                         Deadline deadline) {
  Json given = Json::array({e.reference()});
  given.insert(given.end(), arguments.begin(), arguments.end());
  const Json answer = browser_.run(e.frame, function, given, deadline);
  if (answer != "done")
    throw NotActionable(answer.is_string() ? answer.get<std::string>() : "not done");
}

std::optional<Element> Input::owner_of(const std::string& frame, Deadline deadline) {
  const std::string parent = browser_.require_frame(frame).parent;
  if (parent.empty()) return std::nullopt;
  const Json owner = browser_.call("DOM.getFrameOwner", {{"frameId", frame}},
                                   browser_.require_frame(parent).session, deadline);
  const std::int64_t world = browser_.world_of(parent, deadline);
  const Json node = browser_.call(
      "DOM.resolveNode",
      {{"backendNodeId", owner.value("backendNodeId", 0)}, {"executionContextId", world}},
      browser_.require_frame(parent).session, deadline);
  return Element{parent, text_member(member(node, "object"), "objectId")};
}

// Converts a point from the frame's window to the page's, checking that no other element covers it.
Input::Point Input::in_page(const std::string& frame, Point p, bool press, Deadline deadline) {
  if (press) armed_.push_back(frame);
  const auto owner = owner_of(frame, deadline);
  if (!owner) return p;
  const Json at =
      browser_.run(owner->frame, "(e, x, y, press) => __hebb.readyFrame(e, x, y, press)",
                   {owner->reference(), p.x, p.y, press}, deadline);
  if (at.is_string()) throw NotActionable(at.get<std::string>());
  return in_page(owner->frame, {number_member(at, "x"), number_member(at, "y")}, press, deadline);
}

// Scrolls the element into view and checks that it does not move and is not covered. Returns the
// point to press; after a press call require_hit().
Input::Point Input::ready(const Element& e, bool enabled, bool press, const ClickOptions& options,
                          Deadline deadline) {
  const auto given = [](const std::optional<double>& at) { return at ? Json(*at) : Json(); };
  Command script = browser_.script(
      e.frame, "(e, on, x, y, press) => __hebb.ready(e, on, x, y, press)",
      {e.reference(), enabled, given(options.x), given(options.y), press}, deadline);
  // An element without a box cannot be scrolled to; the script returns the reason.
  const Command scroll{
      "DOM.scrollIntoViewIfNeeded", {{"objectId", e.object}}, script.session, true};
  const Json at = Browser::value_of(browser_.call_all({scroll, std::move(script)}, deadline)[1]);
  if (at.is_string()) throw NotActionable(at.get<std::string>());
  return in_page(e.frame, {number_member(at, "x"), number_member(at, "y")}, press, deadline);
}

Command Input::mouse(const char* type, Point p, const ClickOptions& options, int count) {
  const bool moved = std::string_view(type) == "mouseMoved";
  constexpr std::string_view kButtons[] = {"left", "right", "middle", "back", "forward"};
  int buttons = 1;
  for (const std::string_view name : kButtons) {
    if (name == options.button) break;
    buttons *= 2;
  }
  return {"Input.dispatchMouseEvent",
          {{"type", type},
           {"x", p.x},
           {"y", p.y},
           {"modifiers", modifier_bits(options.modifiers) | held_},
           {"button", moved && count == 0 ? "none" : options.button},
           {"buttons", moved && count == 0 ? 0 : buttons},
           {"clickCount", count}},
          browser_.page(tab_).session};
}

// Throws NotActionable if another element would have got the press or the text; then none gets it.
void Input::require_hit(Deadline deadline) {
  std::string over;
  try {
    std::vector<Command> asked;
    for (const std::string& frame : armed_) {
      const Frame* f = browser_.frame(frame);
      if (f == nullptr || f->world == 0) return;  // the press or text made the page navigate
      asked.push_back(
          browser_.script(frame, "(f) => __hebb.wasHit(f)", {frame != armed_.front()}, deadline));
    }
    for (const Json& answer : browser_.call_all(asked, deadline)) {
      const Json why = Browser::value_of(answer);
      if (over.empty() && why.is_string()) over = why.get<std::string>();
    }
    const Frame* last = armed_.empty() ? nullptr : browser_.frame(armed_.back());
    answered_ = last != nullptr && last->parent.empty();
  } catch (const CdpRefused&) {
    return;  // the page navigates
  }
  // A dialog receives the end of a press.
  if (over == "half" && browser_.dialogs().count() > dialogs_before_) return;
  if (over == "half") throw NotActionable("the element moved away during the press");
  if (over == "gone") throw PressLost("the page took the element away while it was pressed");
  if (!over.empty()) throw NotActionable(over);
}

void Input::click(const Element& e, const ClickOptions& options, Deadline deadline) {
  const Point p = ready(e, true, true, options, deadline);
  dialogs_before_ = browser_.dialogs().count();
  // Sent together: so a page has little time to move things under the mouse.
  std::vector<Command> events{mouse("mouseMoved", p, options, 0)};
  for (int i = 1; i <= options.count; ++i) {
    events.push_back(mouse("mousePressed", p, options, i));
    events.push_back(mouse("mouseReleased", p, options, i));
  }
  browser_.call_all(events, deadline);
  require_hit(deadline);
}

void Input::hover(const Element& e, Deadline deadline) {
  const Point p = ready(e, false, false, {}, deadline);
  browser_.call_all({mouse("mouseMoved", p, {}, 0)}, deadline);
}

void Input::drag(const Element& from, const Element& to, Deadline deadline) {
  const ClickOptions left;
  const Point a = ready(from, false, true, left, deadline);
  browser_.call_all({mouse("mouseMoved", a, left, 0), mouse("mousePressed", a, left, 1)}, deadline);
  browser_.run(to.frame, "() => __hebb.frames2()", Json::array(), deadline);
  const bool together = from.frame == to.frame;
  const Json dragged = together ? from.reference() : Json(nullptr);
  const auto end = [&](bool over) {
    const Json at = browser_.run(to.frame, "(e, from, over) => __hebb.readyDrop(e, from, over)",
                                 {to.reference(), dragged, over}, deadline);
    if (at.is_string()) throw NotActionable(at.get<std::string>());
    return in_page(to.frame, {number_member(at, "x"), number_member(at, "y")}, false, deadline);
  };
  Point last = a;
  try {
    // The mouse moves in a few steps, because a drag begins only when it has moved; the first one
    // is short, because it begins only while the mouse is still on the dragged element.
    constexpr double kFirst = 6;
    const auto move = [&](Point p) {
      last = p;
      browser_.call_all({mouse("mouseMoved", last, left, 1)}, deadline);
    };
    if (browser_.run(to.frame, "(e) => __hebb.outsideWindow(e)", Json::array({to.reference()}),
                     deadline) == true) {
      // The drag begins in place; then the page scrolls to its end.
      move({a.x + kFirst * std::sqrt(.5), a.y + kFirst * std::sqrt(.5)});
      browser_.run(to.frame, "(e) => { __hebb.reveal(e); return __hebb.frames2() }",
                   Json::array({to.reference()}), deadline);
    }
    const Point b = end(false);
    const double way = std::hypot(b.x - a.x, b.y - a.y);
    for (const double part : {std::min(1.0, kFirst / std::max(way, kFirst)), .2, .4, .6, .8, 1.})
      move({a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part});
    // The end may have moved, as a list makes room; and some pages look at one move for the element
    // under the mouse, and accept a drop only after the next.
    move(end(true));
  } catch (const NotActionable&) {
    // Released at its origin, nothing is dropped.
    browser_.run(from.frame, "() => __hebb.released()", Json::array(), deadline);
    browser_.call_all({mouse("mouseMoved", a, left, 1), mouse("mouseReleased", a, left, 1)},
                      deadline);
    throw;
  }
  browser_.run(to.frame, "(from, to) => __hebb.armDrop(from, to)", {dragged, to.reference()},
               deadline);
  if (!together) armed_.insert(armed_.begin(), to.frame);
  browser_.call_all({mouse("mouseReleased", last, left, 1)}, deadline);
  require_hit(deadline);
}

void Input::fill(const Element& e, const std::string& text, const std::vector<std::string>& labels,
                 Deadline deadline) {
  const Json how = browser_.run(e.frame, "(e, t, l) => __hebb.fill(e, t, l)",
                                {e.reference(), text, labels}, deadline);
  if (how == "done") return;
  if (how != "typed") throw NotActionable(how.is_string() ? how.get<std::string>() : "not filled");
  if (text.empty()) {
    press("Delete", deadline);
  } else {
    browser_.call("Input.insertText", {{"text", text}}, browser_.page(tab_).session, deadline);
  }
  armed_ = {e.frame};
  require_hit(deadline);
}

void Input::select(const Element& e, const std::vector<std::string>& values,
                   const std::vector<std::string>& labels, Deadline deadline) {
  require_done(e, "(e, v, l) => __hebb.select(e, v, l)", Json::array({values, labels}), deadline);
}

void Input::set_checked(const Element& e, bool checked, Deadline deadline) {
  if (is_true(state(e, deadline), "checked") == checked) return;
  click(e, {}, deadline);
  // A second click could undo a delayed change. An element that was replaced is not connected any
  // more.
  constexpr std::int64_t kLookMs = 30;
  for (Json s; is_true(s = state(e, deadline), "connected") && is_true(s, "checked") != checked;) {
    if (is_over(deadline)) throw CdpTimeout("the click did not change its state");
    browser_.rest(in_ms(kLookMs));
  }
}

void Input::upload(const Element& e, const std::vector<std::string>& files, Deadline deadline) {
  Json params{{"files", files}};
  if (text_member(state(e, deadline), "type") != "file") {
    // A button that opens a file chooser: the chooser's event names the field for the files.
    browser_.chooser_node = 0;
    click(e, {}, deadline);
    if (!browser_.wait_for([&] { return browser_.chooser_node != 0; }, deadline))
      throw CdpTimeout("the page does not ask for a file");
    params["backendNodeId"] = browser_.chooser_node;
  } else {
    params["objectId"] = e.object;
  }
  browser_.call("DOM.setFileInputFiles", params, browser_.require_frame(e.frame).session, deadline);
}

void Input::submit(const Element& e, Deadline deadline) {
  require_done(e, "(e) => __hebb.submit(e)", Json::array(), deadline);
}

void Input::focus(const Element& e, Deadline deadline) {
  require_done(e, "(e) => __hebb.cannot(e, false, false) || (e.focus(), 'done')", Json::array(),
               deadline);
}

bool Input::holds_focus(const Element& e, Deadline deadline) {
  const Json holds =
      browser_.run(e.frame, "(e) => __hebb.holdsFocus(e)", Json::array({e.reference()}), deadline);
  if (holds != true) return false;
  const auto owner = owner_of(e.frame, deadline);
  return !owner || holds_focus(*owner, deadline);
}

void Input::press_in(const Element& e, const std::string& chord, Deadline deadline) {
  browser_.run(e.frame, "(e) => { __hebb.note(e); __hebb.arm(e, true) }",
               Json::array({e.reference()}), deadline);
  press(chord, deadline);
  armed_ = {e.frame};
  require_hit(deadline);
}

void Input::key(const std::string& name, bool down, Deadline deadline) {
  const KeyPress key = key_of(name);
  if (down) held_ |= key.modifier;
  if (!down) held_ &= ~key.modifier;
  const bool writes = down && !key.text.empty() && (held_ & ~kShiftBit) == 0;
  Json params{{"type", !down    ? "keyUp"
                       : writes ? "keyDown"
                                : "rawKeyDown"},
              {"key", key.key},
              {"code", key.code},
              {"windowsVirtualKeyCode", key.virtual_code},
              {"modifiers", held_}};
  if (writes) params["text"] = key.text;
  // In Chromium a key such as Control+a needs an editing command to have its effect in a field.
  if (down && (held_ & kControlBit) != 0 && key.key == "a") params["commands"] = {"selectAll"};
  browser_.call("Input.dispatchKeyEvent", params, browser_.page(tab_).session, deadline);
}

void Input::press(const std::string& chord, Deadline deadline) {
  const std::vector<std::string> keys = split_chord(chord);
  for (const std::string& k : keys) key_of(k);  // throws for an unknown key before any is pressed
  for (const std::string& k : keys) key(k, true, deadline);
  for (auto k = keys.rbegin(); k != keys.rend(); ++k) key(*k, false, deadline);
}

}  // namespace hebb::skill
