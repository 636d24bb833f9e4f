// What a tracker's JSON says of a task, as data: for each tracker a mapping file
// engine/input/trackers/NAME.toml, compiled in and read by one interpreter
// (engine/input/tracker_ticket.cc). Internal to the readers.
//
// How to add a tracker: write a mapping file, and a test with a sample of the tracker's real
// output. The name of the file is the name of the format; the choices of --format, recognition and
// docs/api.md follow from the files. docs/formats.md says by hand which states and relations a
// tracker has and what they become. A test reads all mappings; one that is wrong is an error with
// file, line and key.
//
// A value is a text, a list of texts or true. A field is a path: "milestone.title", or
// "labels[].name" for each element of a list; of several paths the first holds that leads to a
// value; of the last name of an element's, such as "id|key", the first that it has. A text "A|B"
// stands for both. What is null is absent. A field that cannot be read is left out, and the import
// says so; of those that are marked * the item is refused.
//
// Keys of a file:
//   recognise: fields that the first object of an input, or of the list in it, has, in one text:
//   "id:text title !number"
//     (:text, :object, :list for its kind, ! for one that it has not); of several texts one is
//     enough. Without it no object is of the format. These three keys stand before the first empty
//     line of the file.
//   recognise_item, recognise_not: also fields of an item with something wrong; fields of an
//     object that is no item, whatever else it has.
//   list: of an object that is a page of a list: the field that has the items.
//   total, last, next, cut: fields of such a page: how many items all pages have; true on the last;
//     true or a text on all but the last; true on one that the tracker could not make whole.
//   lines: an item stands on a line of its own, so an empty input is one without tasks.
//   strict_fields: what cannot be read refuses the item, rather than being left out.
//   single: an object that stands alone shows one task, and does not say that there are no others.
//   within, wrapped: the object of an item in which all fields but "id" stand; the one in which a
//     list may stand: its field that has the items, and the one that says how many there are.
//   partial: what an item has no field for is not spoken of; else it is none.
//   header: an item that has this field, and no id, is none.
//   skip: an item that has this field, and not false in it, is no task, and a note counts such
//     items; "field!text": an item that has another text in it.
//   skip_url: likewise an item whose address ends with this and a number.
//   id*, number: of a task; with "number" it is a whole number, and this stands before it in the
//     id.
//   type*, default_type: in capitals it is the node's type.
//   name*, description: texts; of a list the parts are joined by newlines.
//   times: forms of times beside RFC 3339: "compact" (20261201T130500Z), "zone" (an offset
//     without a colon), "date".
//   created_at, updated_at, due_at, snoozed_until: times; the latest of all "snoozed_until"
//     holds.
//   estimate, estimate_in: a number, how long the task is expected to take, and its unit:
//     "seconds" or "minutes". Absent and 0 are no estimate; one that was set in hebb stays until
//     the tracker has one.
//   shown_number, url: how people call the task, and its address; of the address what stands
//     before "url_before", followed by "url_then" and the number, where these are given.
//   home_before: what stands in the address of a task behind its repository or site, which is its
//     home ("url_then" without it): a task of another home has that in its id.
//   home_name, home_site: where there is no address: the field that has the repository's name,
//     and what stands before that in an address.
//   made_once: "created_at" never changes, so that another time and name are another task's.
//   due_days: due times stand for their days in UTC, at the end of which a task is due; so do
//     dates without a time.
//   state*, default_state: without a default it is required.
//   states, any_case: the states there are, others are refused; without "states" each is kept, in
//     capitals. Compared in capitals, as the reasons.
//   closed, in_progress, begun: states that close a task; states, or a field that it has, that
//     make it IN_PROGRESS; the others of "states" are OPEN.
//   closed_at, deleted_at, deleted: when it was closed; of which states it is "deleted_at".
//   closed_as_written: the closing is known by its time as it is written, also one before the
//     task was made.
//   reason, reason_is_text: why it was closed, and whether people write that in their own words;
//     engine/input/closing_reasons.h says what it means.
//   reason_else: a text that says it where an item has no reason.
//   reopened: reasons of an open task that was opened again.
//   records, record_states, record_flags: types, states, and fields that are true, of items
//     that the tracker keeps for itself: type RECORD.
//   no_tasks, no_task_states: types and states of items that are no tasks, but may hold one up.
//   idle_states, template_states: states of items that hold nothing up; and of items that are no
//     tasks either, of which nothing else is read.
//
// "edges" is a list of the links of a task to contexts (with "node") and to other tasks. A link
// that is no longer there is removed. Keys of an edge:
//   from, or_text: the field; an element that is a text is taken for the part.
//   in, out: the edge's type, to the task or from it; without either, that of the "node":
//     LABELED_AS for a LABEL, ASSIGNED_TO for a USER, else IN_CATEGORY.
//   node, to: the type of the context's node; what stands before its name in its id. A PROJECT is
//     also the project of the task.
//   otherwise: the name, where the field is absent.
//   priority: names (or whole numbers from "0") of priorities; the task's is the place in the
//     list, counted from 0.
//   due: a field beside the part: the task's due date.
//   at: a field of the element: since when.
//   by, kinds, is, has: a field of the element by which its edge is one of "kinds": the first
//     whose "is" has its value (any, without "is"; the first kind, without a value), and in which
//     the field "has" names has the text behind it.
//   only: an element that is this text is an edge with the task "to".
//   split: a text instead of a list is split at this.
//   count, less, instead_of: fields of a summary: if the sum of the first is more than that of
//     the second, there is an edge with the task "to" followed by the id. Read where "instead_of"
//     was not asked for.
//   how_many: a field of the item that says how many there are, also where they are not listed.
//   adds: a list that may lack some, so that nothing is unlinked.
//   address: the id is made of the number at the end of an address.
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

// The keys of a file up to "edges", then the keys of an edge, the last of which are keys of a kind
// of edge, too. What each means stands at the head of this file.
inline constexpr std::string_view kKeyNames =
    "recognise recognise_item recognise_not list total last next cut lines strict_fields single "
    "within "
    "wrapped "
    "partial header skip skip_url id number type default_type name description times created_at "
    "updated_at "
    "due_at due_days snoozed_until estimate estimate_in made_once "
    "shown_number url url_before url_then home_before home_name home_site "
    "state default_state any_case states begun in_progress closed closed_at closed_as_written "
    "deleted deleted_at reason reason_is_text reason_else reopened "
    "records record_states record_flags no_tasks no_task_states idle_states template_states edges "
    "from instead_of otherwise or_text only split address count less how_many adds at due priority "
    "node "
    "to by "
    "kinds is has in out";

// The key's place in the list; for any other text the length of the list.
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

// The place of the text among those of a setting; their number: it is not among them.
std::size_t place_in(const Setting& setting, std::string_view text);

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
// The mapping of a format; read when it is first asked for, from any thread.
const Mapping& mapping_of(std::string_view name);

// A time of one of the forms beside RFC 3339 (see "times") in that form; empty: it has another.
std::string as_rfc3339(std::string_view form, std::string_view text);
TimeMs unit_ms(std::string_view name);  // "seconds", "minutes"; 0: there is no such unit

// The value at the end of the names; nothing: one of them is absent. `path`: of the refusal.
std::optional<Element> walk(Element value, const Texts& names, std::string_view path);
// The value at the first of the paths that leads to one.
std::optional<Element> value_of(Element item, const Setting& field);
std::string text_of(Element item, const Setting& field, const Setting& otherwise = {});
// Whether the item has the member where one of the paths begins, be it null: the tracker was asked
// for it.
bool has_member(Element item, const Setting& field);

// Where the values of a field begin: an element of a list or all of the field, and the names of the
// part of it.
struct Part {
  Element whole;
  Texts names;
  std::string path;
  bool of_list = false;
};
// The parts at the first of the paths that leads to some. wrapped: the mapping's; or_text: an
// element that is a text is taken for the part.
std::vector<Part> parts_of(Element item, const Setting& field, const Setting& wrapped,
                           bool or_text);
// Throws ItemRefused where a list of the field has fewer items than it says there are.
void check_whole(Element item, const Setting& field, const Setting& wrapped);
struct Place {
  Element whole, value;
  std::optional<Element> holder;  // of a part: the object in which it stands
  std::string path;
};
// Nothing: an object on the way is absent. Throws ItemRefused where the part itself is.
std::optional<Place> place_at(const Part& part);

// Where a task comes from: how its tracker calls it, and the address at which it shows it, if it
// says so.
struct Origin {
  std::string number, url;
};
Origin origin_of(const Mapping& mapping, Element whole, Element item);
// The origin as a node's properties have it. prefix: see ReadOptions; is_dated: it is known when it
// was made.
std::string origin_json(const Mapping& mapping, const Origin& origin, std::string_view prefix,
                        bool is_dated);
// The repository or site in an address as an Origin has it; empty: it has none.
std::string_view home_of(const Mapping& mapping, std::string_view url);
// The home of an item's task.
std::string home_in(const Mapping& mapping, Element item);
// The id of a task of that home where others have the same. id: that in its home.
std::string id_with_home(std::string_view prefix, std::string_view home, std::string_view id);
// The id in the tracker. path: for a refusal. Throws ItemRefused.
std::string id_in_tracker(const Mapping& mapping, Element value, std::string_view path);
// The homes of a list's tasks.
struct ListHomes {
  bool are_several = false;       // so that ids hold them
  std::set<std::string> earlier;  // by which tasks of the list are known here
};
// The ids that tasks have here, which a list of a tracker may know by another.
class TaskIds {
 public:
  // The ids for an item. home: its task's.
  TaskIds(const Mapping& mapping, const ReadOptions& options, std::string home,
          const ListHomes& homes)
      : m_(mapping), options_(options), home_(std::move(home)), homes_(homes) {}
  // Each throws ItemRefused for a text that can be no id; path: for the refusal. Of the task
  // itself, and when it was made, if that is known:
  std::string own(const std::string& id, std::string_view path,
                  std::optional<TimeMs> made_at) const;
  // The id of another task, which may be of another home.
  std::string other(const std::string& id, std::string_view home, std::string_view path) const;
  // The id of the task at an address of the tracker's interface that ends with "/7". nullopt: it is
  // another home's, and the list has only one.
  std::optional<std::string> at_end(std::string_view address, std::string_view path) const;

 private:
  const HeldBefore::Node* known(const std::string& id) const;
  std::string id_at(const std::string& id, std::string_view home, std::string_view path,
                    bool is_here, bool is_elsewhere) const;

  const Mapping& m_;
  const ReadOptions& options_;
  std::string home_;
  const ListHomes& homes_;
};
// Some exports write times without fractions of a second.
bool is_same_second(TimeMs a, TimeMs b);
// Whether a node was made at that time.
bool is_made_at(const HeldBefore::Node& node, std::optional<TimeMs> time);
// Why an item is no task, such as "with pull_request"; empty: it may be one. Nothing: it is not
// even an item.
std::optional<std::string> skipped(const Mapping& mapping, Element item);
// One item of its list. Throws ItemRefused.
Ticket read_ticket(const Mapping& mapping, Element item, const ReadOptions& options,
                   const ListHomes& homes);
// A time in a form of the mapping's; nothing: the item has none. Throws ItemRefused.
std::optional<TimeMs> time_in(const Mapping& mapping, Element item, const Setting& field);
// Reads what the tracker exports.
void read_tracker(const Mapping& mapping, Input& input, const ReadOptions& options,
                  const ItemSink& sink);
// Passes on the events of all items of a list, and adds its tasks to options.listed. `listed`: what
// is known of the list beside its items.
void read_list(const Mapping& mapping, const std::vector<RawItem>& items, Listed listed,
               const ReadOptions& options, const ItemSink& sink);
// The same of texts that are no JSON (engine/input/rows.h).
void read_todotxt(const Mapping& mapping, Input& input, const ReadOptions& options,
                  const ItemSink& sink);
void read_csv(const Mapping& mapping, Input& input, const ReadOptions& options,
              const ItemSink& sink);
// Whether a text begins with the header of a CSV of tasks: two columns or more, one of names.
bool is_csv_header(std::string_view beginning);

}  // namespace hebb::input
