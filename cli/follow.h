// import --follow: a file that a tracker writes is imported whenever it changes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace hebb::cli {

// A file whose changes are waited for; it need not be there, its folder has to. The path is looked
// up anew all the time: the file, any folder of the path, and what symbolic links in it lead to may
// be replaced.
class FollowedFile {
 public:
  explicit FollowedFile(std::string path);  // throws Stop if its folder is not there
  ~FollowedFile();
  FollowedFile(const FollowedFile&) = delete;
  FollowedFile& operator=(const FollowedFile&) = delete;

  // Waits until it has changed and then for a moment did not.
  void wait_for_change();
  // Whether what was read since then is all of it: nobody is writing it, and it did not change
  // meanwhile. If it did, the next wait ends at once.
  bool is_all();

 private:
  bool look(int milliseconds);  // waits at most so long; whether it changed
  bool take_events();
  void watch();  // the folder in which the file is now
  // Whether a process has it open for writing; only the owner of a file on a disk of this machine
  // is told.
  std::optional<bool> has_writer() const;

  std::string path_;
  std::string name_;  // in the watched folder
  int inotify_ = -1, watch_ = -1;
  // Which they are, and when they were written; zeros: there is none.
  std::array<std::int64_t, 5> folder_ = {}, file_ = {};
  bool changed_ = false;  // and no wait has told so
  // Whether its writer was done when it last changed, as far as events tell.
  bool closed_ = false;
  bool settles_ = true;  // no event will tell that its writer is done: a quiet moment does
};

// SIGTERM and SIGINT end the program at once, with exit 0.
void end_on_signals();

}  // namespace hebb::cli
