// Random lives of a database: everything that can happen to one, drawn from a seed. What must hold
// of it then is in tests/support/checks.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/support/history.h"
#include "tests/support/random.h"

namespace hebb::test {

// What a life has beside links, states, outcomes, pivots, recalibrations, deletions and claims.
struct LifeKind {
  bool late = true;      // events of times before the latest one
  bool undoes = true;    // undos of any event
  bool gc = true;        // of the same times
  bool words = false;    // vectors are made of the nodes' words, else given
  bool hostile = false;  // events that no program should append, and keys and policies like these
};

class Life {
 public:
  explicit Life(std::uint64_t seed, LifeKind kind = {});

  void begin(Engine& engine);  // with a policy and some nodes
  // One thing happens. Of what is refused nothing is left; throws std::logic_error if there is.
  void step(Engine& engine);
  // The last event, later than all that happened and was taken back again.
  void end(Engine& engine);
  TimeMs now() const { return now_; }

  Random random;
  std::optional<Event> offered;  // in the last step, where that appended one event by itself

 private:
  bool act(Engine& engine);
  TimeMs when();
  Event any(Engine& engine);
  Event any_of_claims(Engine& engine);
  Event upsert(const std::string& id);
  void say(NodeUpsert& upsert);
  Event outcome();
  Event change_policy(TimeMs at);
  std::vector<std::pair<std::string, std::string>> first_policy();
  std::string id();
  std::string other_than(const std::string& id);
  Event hostile();
  Event maybe_keyed(Event e);

  LifeKind kind_;
  TimeMs now_ = kStart;
  int events_ = 0;
  std::vector<std::string> ids_;
};

}  // namespace hebb::test
