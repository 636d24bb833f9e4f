// Which events of the ledger are left out of the fold: those that are undone or in quarantine, and
// those that cannot be read or folded, with a warning for each.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_set>

#include "engine/fold/state.h"
#include "engine/ledger/undone.h"

namespace hebb {

class LeftOut {
 public:
  // warning: see EngineOptions.
  explicit LeftOut(const std::function<void(const std::string&)>& warning) : warning_(warning) {}

  const Undone& undone() const { return undone_; }
  void renew_undone(const Ledger& ledger);  // reads all undos
  // The event repeats a completion, says the undo at `by`.
  void add_repeated(std::int64_t position, std::int64_t by);

  // An event cannot be read or folded. Nothing is said of one in quarantine.
  void note(std::int64_t position, const std::string& why);
  void forget(std::int64_t position) { why_.erase(position); }
  const std::map<std::int64_t, std::string>& why() const { return why_; }  // by position
  std::int64_t noted() const { return noted_; }  // counts what note() took
  // Folds an event, or notes that it cannot be folded.
  void apply(State& state, const Event& e, const Scope* scope);
  // Gives no warning of these: whoever names them knows of them.
  void expect(std::span<const std::int64_t> positions);

 private:
  void warn();

  const std::function<void(const std::string&)>& warning_;
  Undone undone_;
  bool knows_undone_ = false;
  std::map<std::int64_t, std::string> why_;
  std::int64_t noted_ = 0;
  std::unordered_set<std::int64_t> told_;
};

}  // namespace hebb
