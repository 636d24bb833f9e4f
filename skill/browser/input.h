// Acts on elements as a person would: waits until an element is ready, then sends input events.
#pragma once

#include <string>
#include <vector>

#include "skill/browser/element.h"

namespace hebb::skill {

// An element cannot be acted on now, but perhaps a moment later; what() has the reason.
class NotActionable : public BrowserError {
 public:
  using BrowserError::BrowserError;
};

// The element got the beginning of a press and then disappeared.
class PressLost : public NotActionable {
 public:
  using NotActionable::NotActionable;
};

struct ClickOptions {
  std::string button = "left";
  int count = 1;
  std::vector<std::string> modifiers;  // Alt, Control, Meta, Shift
  std::optional<double> x, y;          // pixels from its upper left corner; nullopt: the middle
};

class Input {
 public:
  Input(Browser& browser, std::size_t tab) : browser_(browser), tab_(tab) {}

  // All of these throw NotActionable, CdpTimeout, CdpRefused, BrowserGone.
  void click(const Element& e, const ClickOptions& options, Deadline deadline);
  void hover(const Element& e, Deadline deadline);
  void drag(const Element& from, const Element& to, Deadline deadline);
  void fill(const Element& e, const std::string& text, const std::vector<std::string>& labels,
            Deadline deadline);
  // `labels`: the recorded labels of the options; empty: unknown.
  void select(const Element& e, const std::vector<std::string>& values,
              const std::vector<std::string>& labels, Deadline deadline);
  void set_checked(const Element& e, bool checked, Deadline deadline);
  void upload(const Element& e, const std::vector<std::string>& files, Deadline deadline);
  void submit(const Element& e, Deadline deadline);
  void focus(const Element& e, Deadline deadline);
  // Whether keys go to the element now.
  bool holds_focus(const Element& e, Deadline deadline);
  // press() for the focused element: no other gets the keys.
  void press_in(const Element& e, const std::string& chord, Deadline deadline);
  // "Enter", "a", "Control+a". Throws Invalid for an unknown key.
  void press(const std::string& chord, Deadline deadline);
  void key(const std::string& name, bool down, Deadline deadline);

  // The parent's element that shows the frame; nullopt for a main frame.
  std::optional<Element> owner_of(const std::string& frame, Deadline deadline);
  Json state(const Element& e, Deadline deadline);
  // Whether the main frame ran a script after the last input event: then the page's direct
  // reactions are done and their events received.
  bool answered() const { return answered_; }

 private:
  struct Point {
    double x = 0, y = 0;
  };
  Point ready(const Element& e, bool enabled, bool press, const ClickOptions& options,
              Deadline deadline);
  Point in_page(const std::string& frame, Point p, bool press, Deadline deadline);
  void require_done(const Element& e, const char* function, const Json& arguments,
                    Deadline deadline);
  Command mouse(const char* type, Point p, const ClickOptions& options, int count);
  void require_hit(Deadline deadline);

  Browser& browser_;
  std::size_t tab_;
  int held_ = 0;                    // modifiers that key() holds down
  std::vector<std::string> armed_;  // frames in which only the element gets input
  std::size_t dialogs_before_ = 0;  // number of dialogs before the press
  bool answered_ = false;
};

}  // namespace hebb::skill
