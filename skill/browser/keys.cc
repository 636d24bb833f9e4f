#include "skill/browser/keys.h"

#include <array>

#include <fmt/format.h>

#include "skill/artifact/fields.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace hebb::skill {
namespace {

struct Named {
  std::string_view key;
  int code;
  std::string_view text;
  int modifier;
};
constexpr auto kNamed = std::to_array<Named>({
    {"Enter", 13, "\r", 0},     {"Tab", 9, "", 0},
    {"Escape", 27, "", 0},      {"Backspace", 8, "", 0},
    {"Delete", 46, "", 0},      {"Insert", 45, "", 0},
    {"ArrowLeft", 37, "", 0},   {"ArrowUp", 38, "", 0},
    {"ArrowRight", 39, "", 0},  {"ArrowDown", 40, "", 0},
    {"Home", 36, "", 0},        {"End", 35, "", 0},
    {"PageUp", 33, "", 0},      {"PageDown", 34, "", 0},
    {"Alt", 18, "", kAltBit},   {"Control", 17, "", kControlBit},
    {"Meta", 91, "", kMetaBit}, {"Shift", 16, "", kShiftBit},
    {"CapsLock", 20, "", 0},    {"ContextMenu", 93, "", 0},
    {"F1", 112, "", 0},         {"F2", 113, "", 0},
    {"F3", 114, "", 0},         {"F4", 115, "", 0},
    {"F5", 116, "", 0},         {"F6", 117, "", 0},
    {"F7", 118, "", 0},         {"F8", 119, "", 0},
    {"F9", 120, "", 0},         {"F10", 121, "", 0},
    {"F11", 122, "", 0},        {"F12", 123, "", 0},
});

KeyPress character(std::string_view text) {
  KeyPress k;
  k.key = k.text = std::string(text);
  const char c = text.front();
  if (is_lower(c)) {
    k.virtual_code = c - 32;
    k.code = fmt::format("Key{}", static_cast<char>(c - 32));
  } else if (is_upper(c)) {
    k.virtual_code = c;
    k.code = fmt::format("Key{}", c);
  } else if (is_digit(c)) {
    k.virtual_code = c;
    k.code = fmt::format("Digit{}", c);
  } else if (c == ' ') {
    k.virtual_code = 32;
    k.code = "Space";
  }
  return k;
}

}  // namespace

KeyPress key_of(std::string_view name) {
  if (name == "Space") return character(" ");
  if (name == "ControlOrMeta") return key_of("Control");
  if (name == "Return" || name == "NumpadEnter") return key_of("Enter");
  for (const Named& n : kNamed) {
    if (n.key != name) continue;
    const bool side = n.modifier != 0;
    return {std::string(n.key), std::string(n.key) + (side ? "Left" : ""), std::string(n.text),
            n.code, n.modifier};
  }
  if (!name.empty() && first_character(name).bytes == name.size()) return character(name);
  // KeyA, Digit1
  if (name.size() == 4 && name.starts_with("Key")) {
    return character(std::string(1, static_cast<char>(name[3] | 0x20)));
  }
  if (name.size() == 6 && name.starts_with("Digit")) return character(name.substr(5));
  invalid("key", fmt::format("\"{}\" is not known", name));
}

std::vector<std::string> split_chord(std::string_view chord) {
  std::vector<std::string> keys;
  while (!chord.empty()) {
    const std::size_t plus = chord.find('+', 1);  // from 1, because "+" itself is a key
    keys.emplace_back(chord.substr(0, plus));
    if (plus == std::string_view::npos) break;
    chord.remove_prefix(plus + 1);
  }
  if (keys.empty()) invalid("key", "is empty");
  return keys;
}

int modifier_bits(const std::vector<std::string>& names) {
  int bits = 0;
  for (const std::string& name : names) bits |= key_of(name).modifier;
  return bits;
}

}  // namespace hebb::skill
