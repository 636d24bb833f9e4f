// What a tracker's JSON says of a task, as data: for each tracker a mapping file
// engine/input/trackers/NAME.toml, compiled in. Internal to the readers.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/input/tickets.h"

namespace hebb::input {

struct TrackerText {
  std::string_view name;  // of the format
  std::string_view toml;  // the file, comments included
};
std::span<const TrackerText> tracker_texts();  // by name

// The keys of a file up to "edges", then those of an edge, of which the last are those of a kind of
// edge, too. docs/trackers.md says what each means.
inline constexpr std::string_view kKeyNames =
    "recognise recognise_item recognise_not pages list within wrapped partial skip "
    "id number type default_type name description times created_at updated_at due_at "
    "snoozed_until estimate estimate_in home home_before "
    "shown_number url url_before url_then "
    "state default_state any_case states begun in_progress closed closed_at closed_as_written "
    "deleted deleted_at reason success failure reopened done not_done "
    "records record_states record_flags no_tasks no_task_states idle_states template_states edges "
    "from instead_of otherwise or_text only split address count less at due priority node to by "
    "kinds is has in out";

// Its place in the list; of what is no key the length of the list.
constexpr std::size_t key_index(std::string_view key) {
  std::size_t index = 0;
  for (std::string_view rest = kKeyNames; !rest.empty(); ++index) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    if (name == key) break;
    rest.remove_prefix(name.size() < rest.size() ? name.size() + 1 : name.size());
  }
  return index;
}
inline constexpr std::size_t kKeys = key_index("");

struct Key {
  consteval Key(const char* name) : index(key_index(name)) {
    if (index == kKeys) throw "there is no such key";
  }
  std::size_t index;
};

using Texts = std::vector<std::string>;
Texts split(std::string_view text, std::string_view separator);  // of an empty text none

// "milestone.title" leads to a value; "labels[].name" to one in each element of a list.
struct Path {
  Texts to, part;  // before and behind "[]"; without it, part is the last of several names
  std::string whole, shown;  // as it is written, and `to`
  bool each = false;
};

// What stands behind a key: texts, which may be paths. A message names the first path.
struct Setting {
  Texts texts;
  std::vector<Path> paths;
  explicit operator bool() const { return !texts.empty(); }
  bool has(std::string_view text) const;
  std::string_view text() const { return texts.empty() ? std::string_view() : texts[0]; }
};

// A mapping, an edge of one, or a kind of such an edge.
struct Mapping {
  std::string name;  // of the format
  std::array<Setting, kKeys> settings;
  std::vector<Mapping> inner;  // edges of a mapping; kinds of an edge, at least one
  const Setting& operator[](Key key) const { return settings[key.index]; }
};

// A mapping says something that cannot be; what() names file, line and key.
class BadMapping : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

Mapping read_mapping(const TrackerText& text);  // throws BadMapping
// The keys by which it is recognised, which stand before the first empty line of its file, so that
// an input is recognised without reading all of all mappings.
Mapping read_recognition(const TrackerText& text);
// That of a format; read when it is first asked for, from any thread.
const Mapping& mapping_of(std::string_view name);

// A form of times beside RFC 3339, in which a function returns them; empty: the text has another.
using TimeForm = std::string (*)(std::string_view text);
TimeForm time_form(std::string_view name);  // nullptr: there is none
TimeMs unit_ms(std::string_view name);      // "seconds", "minutes"; 0: there is no such unit

// The value at the end of the names; nothing: one of them is absent. `path`: of the refusal.
std::optional<Element> walk(Element value, const Texts& names, std::string_view path);
// By the first of the paths that leads to one.
std::optional<Element> value_of(Element item, const Setting& field);
std::string text_of(Element item, const Setting& field, const Setting& otherwise = {});
bool tells(Element item, const Setting& field);  // whether it was asked for, though it may be null

// What a node keeps of where it comes from, as its properties have it: the tracker, and how that
// calls and where it shows the task, if it says so.
std::string origin_of(const Mapping& mapping, Element whole, Element item);
// One item of its list; nothing: it is no task. Throws ItemRefused.
std::optional<Ticket> read_ticket(const Mapping& mapping, Element item, const ReadOptions& options);
// Reads what the tracker exports.
void read_tracker(const Mapping& mapping, Input& input, const ReadOptions& options,
                  const ItemSink& sink);

}  // namespace hebb::input
