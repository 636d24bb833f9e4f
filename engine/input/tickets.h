// Tasks as trackers describe them in a snapshot, and the events that a snapshot amounts to.
// Internal to the readers of such formats.
//
// Keys come from the subject of an event, so that a later snapshot adds only new events: a task is
// made once, its texts are set again whenever it was updated, each closing counts once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/input/items.h"

namespace hebb::input {

// All edges of one kind that the task has: relations with tasks, or with contexts.
struct TicketEdges {
  std::string edge_type;
  bool inbound = false;   // they lead to the task
  std::string prefix;     // it covers only nodes with such ids
  std::string node_type;  // of contexts, whose names stand behind the prefix; empty: of relations
  struct Other {
    std::string id;
    std::optional<TimeMs> at;
    bool is_over = false;  // the snapshot says that it is finished
  };
  std::vector<Other> others;
  bool is_complete = true;  // false: the task may have more of them
  bool of_contexts() const { return !node_type.empty(); }
};

struct Closing {
  TimeMs at = 0;
  std::string identity;                // of its outcome
  bool is_dated = true;                // else the time is that of the last change
  std::optional<OutcomeKind> outcome;  // none: it says nothing about the work
};

// The id of the outcome that a tracker's closing of a task makes. `when` gives each closing its
// own. Stored; do not change. is_dated: false for a tracker that does not say when; `when` is that
// of the last change then.
std::string closing_id(std::string_view task, std::string_view when, bool is_dated = true);
// Whether it is a success that was made of a tracker's closing.
bool is_closing(const Event& e);

// Sets the identity from the time and from whether that is the closing's own.
void name_closing(std::string_view task, Closing& closing);

struct Ticket {
  std::string id;
  // The fields that the tracker gives: type, name and description, and any others that it has. A
  // field that it has and leaves empty has the value that takes it back; a project is empty then.
  NodeUpsert fields;
  std::string origin;  // as its properties have it, see origin_json()
  std::string url;
  // Why it is no task, such as "of type message": a record that the tracker keeps for itself. It is
  // taken where a task depends on it or is a part of it, and where it was taken before.
  std::string no_task;
  bool is_task() const { return no_task.empty(); }
  bool blocks = true;  // false: nothing has to wait for it
  TimeMs created_at = 0;
  bool is_dated = false;  // the tracker says when it was made
  std::optional<TimeMs> updated_at;
  std::string state = "OPEN";      // empty: the item does not speak of it
  bool reopened = false;           // the item says so itself
  std::optional<Closing> closing;  // then the state is CLOSED
  // Only the kinds that the snapshot covers.
  std::vector<TicketEdges> edges;
  std::string unknown_reason;         // for which it was closed: neither done nor failed
  std::vector<std::string> left_out;  // why fields were left out
};

struct ListHomes;
struct Mapping;

// Gathers the tasks of one snapshot.
class Tickets {
 public:
  Tickets(const Mapping& mapping, const ReadOptions& options, const ItemSink& sink);
  // All events of all tasks, in the order of the fold; refused items go to the sink before.
  void read(const std::vector<RawItem>& items);

 private:
  struct Entry {
    Ticket ticket;
    RawItem raw;
    const HeldBefore::Node* before = nullptr;
    std::optional<Event> outcome;  // of its closing
    bool chosen = false;           // false: no task, and none depends on it
  };
  // A node that is made with the first task that names it: a context; or, without `kind`, a task
  // that another one waits for and that neither the snapshot nor the graph has. That node has
  // neither type nor state: the other waits for it until a later input gives it both.
  struct NodeToMake {
    TimeMs at = 0;
    const Entry* task = nullptr;
    const TicketEdges* kind = nullptr;
  };
  static void note_node(std::map<std::string, NodeToMake>& all, const std::string& id,
                        const NodeToMake& node);
  ListHomes homes_of(const std::vector<RawItem>& items);
  void parse(const RawItem& raw, const ListHomes& homes);  // adds its task to entries_
  void refuse_other(const Ticket& ticket) const;  // throws for another task with the same id
  struct EventOfItem {
    Event event;
    RawItem raw;
  };
  void add_texts(const Entry& entry);
  void add_links(const Entry& entry, const TicketEdges& kind);
  void add_unlinks(const Entry& entry, const TicketEdges& kind);
  std::string edge_identity(std::string_view prefix, const EdgeName& edge, bool of_context) const;
  bool can_link(const Entry& entry, const TicketEdges& kind, const std::string& other);
  void choose();                                     // sets Entry::chosen
  void add_nodes();                                  // contexts_ and unlisted_
  void add_notes() const;                            // notes for the user besides the tasks
  const Entry* listed(const std::string& id) const;  // a chosen one
  // What the tracker reported last, by the events of a task in the order of the fold.
  struct LastReported {
    std::string state;      // by the tracker's latest change of state; empty: there is none
    bool reopened = false;  // by that change
    // The latest time that the tracker itself gave a change of it; or some milliseconds later.
    TimeMs updated_at = graph::kNever;
  };
  LastReported last_reported(const Ticket& ticket) const;
  void add_state(const Entry& entry, LastReported before);
  void add_closing(const Entry& entry, bool was_closed);
  // What the tracker itself reported by an event of the task.
  struct OwnReport {
    // "created", "updated", "noticed" (an update without a time of its own), "reopened", "closed",
    // "pruned", "state", or "outcome", which anybody may have reported. Empty: the event is not the
    // tracker's.
    std::string_view what;
    std::string state;                    // that it gives the task; empty: none
    const StateChange* change = nullptr;  // if that is all it does
  };
  OwnReport own_report(const Event& e, const Ticket& ticket) const;
  // Whether the event is the one that the tracker reported under this identity.
  static bool has_identity(const Event& e, const std::string& identity);
  void note_other_outcome(const Ticket& ticket);
  std::optional<Event> outcome_of(const Ticket& ticket);  // throws ItemRefused
  void add(const RawItem& raw, TimeMs at, const std::string& subject, Payload payload,
           const std::string& identity);
  // When the differences from `before` arose.
  TimeMs seen_at(const Entry& entry) const;
  // seen_at(), but after this tracker's own events to the contrary: of two snapshots with one time,
  // the one that is read last holds. `is_contrary`: whether an event is one of these. It is called
  // for all events of the subject, in the order of the fold.
  using IsContrary = std::function<bool(const Event&)>;
  TimeMs after_contrary(TimeMs seen, const std::string& subject,
                        const IsContrary& is_contrary) const;
  template <class Payload>
  static IsContrary changes_edge(EdgeName edge, std::string identity);
  const HeldBefore::Node* find(const std::string& id) const;  // a node that was more than named
  const HeldBefore::Node* find_named(const std::string& id) const;

  const Mapping& mapping_;
  const std::string& source_;  // its name
  const ReadOptions& options_;
  const ItemSink& sink_;
  JsonReader reader_;
  std::map<std::string, std::int64_t> skipped_;  // why items are no tasks, and how many
  Examples stale_tasks_;                         // tasks of which a later time is known
  static constexpr std::int64_t kShown = 3;      // examples of a note
  Examples other_outcomes_;  // closings whose meaning has changed since they were taken
  std::map<std::string, std::int64_t> refused_;  // by the required field that is missing; "": other
  std::vector<Entry> entries_;                   // each once: as it was updated last
  std::map<std::string, std::size_t> places_;    // in entries_, by id
  std::set<EdgeName> linked_;  // relations that were added; two tasks may list the same
  std::map<std::string, NodeToMake> contexts_, unlisted_;
  std::vector<std::pair<std::string, std::string>> waiting_;  // a task, and what unlisted for
  std::vector<EventOfItem> out_;
};

}  // namespace hebb::input
