// import --follow: a file that a tracker writes is imported whenever it changes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace hebb::cli {

// A file to watch. It need not exist, its folder must. The path is resolved at each look: the file,
// any folder of the path, and the targets of symbolic links in it may be replaced.
class FollowedFile {
 public:
  explicit FollowedFile(std::string path);  // throws Stop if its folder is not there
  ~FollowedFile();
  FollowedFile(const FollowedFile&) = delete;
  FollowedFile& operator=(const FollowedFile&) = delete;

  // Waits until the file has changed and then stayed the same for a moment.
  void wait_for_change();
  // Whether what was read since the wait is the whole file: nobody is writing it, and it has not
  // changed since. If it has, the next wait ends at once.
  bool is_all();

 private:
  bool look(int milliseconds);  // waits at most that long; true: the file changed
  bool take_events();
  void watch();  // the folder in which the file is now
  // Whether a process has the file open for writing; nullopt: unknown. Only the owner of a file on
  // a local disk can ask.
  std::optional<bool> has_writer() const;

  std::string path_;
  std::string name_;  // in the watched folder
  int inotify_ = -1, watch_ = -1;
  // Their identity_of(); zeros: there is none.
  std::array<std::int64_t, 5> folder_ = {}, file_ = {};
  bool changed_ = false;  // not yet reported by wait_for_change()
  // Whether its writer was done when it last changed, as far as events show.
  bool closed_ = false;
  bool settles_ = true;  // no event will show that the writer is done: a quiet moment does
};

// SIGTERM and SIGINT end the program at once, with exit 0.
void end_on_signals();

}  // namespace hebb::cli
