// Who reads an input into a database holds a lock on it, so that others can tell a reading that
// goes on from one that was cut short.
//
// It is a lock of an open file (F_OFD_SETLK) on a byte of the database's file, far behind its end:
// it holds between processes, in whatever containers, and between engines of one process, and is
// gone when the process is.
#pragma once

#include <set>
#include <string>
#include <utility>

namespace hebb {

class InputLocks {
 public:
  explicit InputLocks(std::string database) : database_(std::move(database)) {}
  ~InputLocks();
  InputLocks(const InputLocks&) = delete;
  InputLocks& operator=(const InputLocks&) = delete;

  bool take(const std::string& input);  // false: somebody has it, perhaps this very engine
  void give_back(const std::string& input);

 private:
  bool lock(const std::string& input, short type);

  std::string database_;
  int fd_ = -1;  // open until the end: closing it would take away POSIX's locks of this process
  std::set<std::string> held_;
};

}  // namespace hebb
