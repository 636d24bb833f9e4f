// import --follow: a file that a tracker writes is imported whenever it changes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

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
  // Whether whoever wrote it was done with it when it last changed.
  bool is_closed() const { return closed_; }

 private:
  bool look(int milliseconds);  // waits at most so long; whether it changed
  bool take_events();
  void watch();  // the folder in which the file is now

  std::string path_;
  std::string name_;  // in the watched folder
  int inotify_ = -1, watch_ = -1;
  // Which they are, and when they were written; zeros: there is none.
  std::array<std::int64_t, 5> folder_ = {}, file_ = {};
  bool closed_ = true;
  bool settles_ = false;  // no event will tell that its writer is done: a quiet moment does
};

// SIGTERM and SIGINT end the program at once, with exit 0.
void end_on_signals();

// What of a text is whole: without a last line that is not all there yet, and nothing of an array
// that is not.
std::string_view whole_part(std::string_view text);

}  // namespace hebb::cli
