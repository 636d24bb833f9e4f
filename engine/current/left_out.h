// Events of the ledger that cannot be read or folded: they are left out of the fold, with a
// warning.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_set>

#include "engine/ledger/undone.h"

namespace hebb {

class LeftOut {
 public:
  // warning: see EngineOptions.
  explicit LeftOut(const std::function<void(const std::string&)>& warning) : warning_(warning) {}

  void note(std::int64_t position, const std::string& why);
  void forget(std::int64_t position) { why_.erase(position); }
  const std::map<std::int64_t, std::string>& why() const { return why_; }  // by position
  std::int64_t noted() const { return noted_; }  // counts the calls of note()
  // Warns once of each that is not in quarantine.
  void warn(const Undone& undone);
  // Gives no warning of these: whoever names them knows of them.
  void expect(std::span<const std::int64_t> positions);

 private:
  const std::function<void(const std::string&)>& warning_;
  std::map<std::int64_t, std::string> why_;
  std::int64_t noted_ = 0;
  std::unordered_set<std::int64_t> told_;
};

}  // namespace hebb
