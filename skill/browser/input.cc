#include "skill/browser/input.h"

#include <array>

#include <fmt/format.h>

#include "skill/browser/keys.h"

namespace hebb::skill {
namespace {

double number_member(const Json& object, const char* key) {
  const Json value = object.is_object() ? object.value(key, Json()) : Json();
  return value.is_number() ? value.get<double>() : 0;
}

bool is(const Json& object, const char* key) {
  return object.is_object() && object.value(key, Json(false)) == true;
}

}  // namespace

Json Input::state(const Element& e, Deadline deadline) {
  return browser_.run(e.frame, "(e) => __hebb.state(e)", Json::array({e.reference()}), deadline);
}

void Input::require_state(const Element& e, bool enabled, Deadline deadline) {
  const Json why = browser_.run(e.frame, "(e, on) => __hebb.cannot(e, on, false)",
                                {e.reference(), enabled}, deadline);
  if (why != "") throw NotActionable(why.is_string() ? why.get<std::string>() : "not known");
}

// Converts a point from the frame's window to the page's, checking that no other element covers it.
Input::Point Input::in_page(const std::string& frame, Point p, Deadline deadline) {
  const Frame* f = browser_.frame(frame);
  if (f == nullptr) throw CdpRefused("the frame is gone");
  if (f->parent.empty()) return p;
  const std::string parent = f->parent;
  const Frame* outer = browser_.frame(parent);
  if (outer == nullptr) throw CdpRefused("the frame is gone");
  const Json owner =
      browser_.call("DOM.getFrameOwner", {{"frameId", frame}}, outer->session, deadline);
  const std::int64_t world = browser_.world_of(parent, deadline);
  outer = browser_.frame(parent);
  if (outer == nullptr) throw CdpRefused("the frame is gone");
  const Json object = browser_.call(
      "DOM.resolveNode",
      {{"backendNodeId", owner.value("backendNodeId", 0)}, {"executionContextId", world}},
      outer->session, deadline);
  const Json element{{"objectId", object["object"].value("objectId", "")}};
  const Json box =
      browser_.run(parent,
                   "(e) => { const r = e.getBoundingClientRect(), s = getComputedStyle(e);"
                   " return {x: r.x + e.clientLeft + parseFloat(s.paddingLeft),"
                   " y: r.y + e.clientTop + parseFloat(s.paddingTop)}; }",
                   Json::array({element}), deadline);
  const Point there{p.x + number_member(box, "x"), p.y + number_member(box, "y")};
  const Json hit = browser_.run(parent, "(e, x, y) => __hebb.hit(e, x, y)",
                                {element, there.x, there.y}, deadline);
  if (hit != "") throw NotActionable(fmt::format("{} lies over the frame", dump(hit)));
  return in_page(parent, there, deadline);
}

// Scrolls the element into view and checks that it does not move and is not covered. Returns the
// point to click.
Input::Point Input::ready(const Element& e, bool enabled, const ClickOptions& options,
                          Deadline deadline) {
  const Frame* frame = browser_.frame(e.frame);
  if (frame == nullptr) throw CdpRefused("the frame is gone");
  try {
    browser_.call("DOM.scrollIntoViewIfNeeded", {{"objectId", e.object}}, frame->session, deadline);
  } catch (const CdpRefused&) {
    // It has no place in the page; what is called next says why.
  }
  const auto given = [](const std::optional<double>& at) { return at ? Json(*at) : Json(); };
  const Json at =
      browser_.run(e.frame, "(e, on, x, y) => __hebb.ready(e, on, x, y)",
                   {e.reference(), enabled, given(options.x), given(options.y)}, deadline);
  if (at.is_string()) throw NotActionable(at.get<std::string>());
  return in_page(e.frame, {number_member(at, "x"), number_member(at, "y")}, deadline);
}

void Input::mouse(const char* type, Point p, const ClickOptions& options, int count,
                  Deadline deadline) {
  const bool moved = std::string_view(type) == "mouseMoved";
  constexpr std::string_view kButtons[] = {"left", "right", "middle", "back", "forward"};
  int buttons = 1;
  for (const std::string_view name : kButtons) {
    if (name == options.button) break;
    buttons *= 2;
  }
  browser_.call("Input.dispatchMouseEvent",
                {{"type", type},
                 {"x", p.x},
                 {"y", p.y},
                 {"modifiers", modifier_bits(options.modifiers) | held_},
                 {"button", moved && count == 0 ? "none" : options.button},
                 {"buttons", moved && count == 0 ? 0 : buttons},
                 {"clickCount", count}},
                browser_.page(tab_).session, deadline);
}

void Input::click(const Element& e, const ClickOptions& options, Deadline deadline) {
  const Point p = ready(e, true, options, deadline);
  mouse("mouseMoved", p, options, 0, deadline);
  for (int i = 1; i <= options.count; ++i) {
    mouse("mousePressed", p, options, i, deadline);
    mouse("mouseReleased", p, options, i, deadline);
  }
}

void Input::hover(const Element& e, Deadline deadline) {
  mouse("mouseMoved", ready(e, false, {}, deadline), {}, 0, deadline);
}

void Input::drag(const Element& from, const Element& to, Deadline deadline) {
  const ClickOptions left;
  const Point a = ready(from, false, left, deadline);
  mouse("mouseMoved", a, left, 0, deadline);
  mouse("mousePressed", a, left, 1, deadline);
  browser_.run(to.frame, "(e) => __hebb.frames2()", Json::array({to.reference()}), deadline);
  const Json s = state(to, deadline);
  const Point b = in_page(to.frame,
                          {number_member(s, "x") + number_member(s, "width") / 2,
                           number_member(s, "y") + number_member(s, "height") / 2},
                          deadline);
  // The mouse moves in a few steps, because a drag begins only when it has moved.
  constexpr int kPlaces = 5;
  for (int i = 1; i <= kPlaces; ++i) {
    const double part = static_cast<double>(i) / kPlaces;
    mouse("mouseMoved", {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part}, left, 1, deadline);
  }
  mouse("mouseReleased", b, left, 1, deadline);
}

void Input::fill(const Element& e, const std::string& text, Deadline deadline) {
  const Json how =
      browser_.run(e.frame, "(e, t) => __hebb.fill(e, t)", {e.reference(), text}, deadline);
  if (how == "done") return;
  if (how != "typed") throw NotActionable(how.is_string() ? how.get<std::string>() : "not filled");
  if (text.empty()) {
    press("Delete", deadline);
  } else {
    browser_.call("Input.insertText", {{"text", text}}, browser_.page(tab_).session, deadline);
  }
}

void Input::select(const Element& e, const std::vector<std::string>& values, Deadline deadline) {
  require_state(e, true, deadline);
  const Json done =
      browser_.run(e.frame, "(e, v) => e.tagName === 'SELECT' ? __hebb.select(e, v) : 'no list'",
                   {e.reference(), values}, deadline);
  if (done == true) return;
  throw NotActionable(done == false ? "there is no such option" : "the element is no list");
}

void Input::set_checked(const Element& e, bool checked, Deadline deadline) {
  if (is(state(e, deadline), "checked") == checked) return;
  click(e, {}, deadline);
  if (is(state(e, deadline), "checked") != checked)
    throw NotActionable("the click did not change its state");
}

void Input::upload(const Element& e, const std::vector<std::string>& files, Deadline deadline) {
  Json params{{"files", files}};
  const std::string session = browser_.frame(e.frame)->session;
  const Json s = state(e, deadline);
  if (s.value("type", "") != "file") {
    // A button that opens a file chooser: the chooser's event names the field for the files.
    browser_.chooser_node = 0;
    click(e, {}, deadline);
    if (!browser_.wait_for([&] { return browser_.chooser_node != 0; }, deadline))
      throw CdpTimeout("the page does not ask for a file");
    params["backendNodeId"] = browser_.chooser_node;
  } else {
    params["objectId"] = e.object;
  }
  browser_.call("DOM.setFileInputFiles", params, session, deadline);
}

void Input::submit(const Element& e, Deadline deadline) {
  const Json done =
      browser_.run(e.frame, "(e) => __hebb.submit(e)", Json::array({e.reference()}), deadline);
  if (done != true) throw NotActionable("the element belongs to no form");
}

void Input::focus(const Element& e, Deadline deadline) {
  require_state(e, false, deadline);
  browser_.run(e.frame, "(e) => __hebb.focus(e)", Json::array({e.reference()}), deadline);
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
