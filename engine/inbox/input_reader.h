// Who reads an input: one engine of one process. Other processes can tell whether it is still
// there, so that two readers of the same text at one time are two, and one that was killed is
// continued. Of a process in another container they see only when it was last at work.
#pragma once

#include <string>
#include <string_view>

#include "graph/graph.h"

namespace hebb {

using graph::TimeMs;

class InputReader {
 public:
  InputReader() = default;
  ~InputReader();
  InputReader(const InputReader&) = delete;
  InputReader& operator=(const InputReader&) = delete;
  // Made at the first call: the boot, the namespace of processes, the process with the time of its
  // start, and a number within the process.
  const std::string& name();
  // What is known of the reader of that name. `seen_at`: when it was last at work. Of another boot
  // or namespace nothing else tells: it counts as there for so long after.
  static constexpr TimeMs kSilentMs = 120'000;
  enum class Found { there, gone, perhaps_there };
  static Found find(std::string_view name, TimeMs seen_at);
  static TimeMs clock();  // of the machine

 private:
  std::string name_;
};

}  // namespace hebb
