// Who reads an input: one engine of one process. Other processes can tell whether it is still
// there, so that two readers of the same text at one time are two, and one that was killed is
// continued.
#pragma once

#include <string>
#include <string_view>

namespace hebb {

class InputReader {
 public:
  InputReader() = default;
  ~InputReader();
  InputReader(const InputReader&) = delete;
  InputReader& operator=(const InputReader&) = delete;
  // Made at the first call: the boot, the namespace of processes, the process with the time of its
  // start, and a number within the process.
  const std::string& name();
  // Whether the reader of that name is there. A reader of another boot or namespace counts as gone.
  static bool is_there(std::string_view name);

 private:
  std::string name_;
};

}  // namespace hebb
