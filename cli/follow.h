// import --follow: a file that a tracker writes is imported whenever it changes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace hebb::cli {

// A file whose changes are waited for; it need not be there, its folder has to. SIGTERM and SIGINT
// end the waiting, and are held back from its making on.
class FollowedFile {
 public:
  explicit FollowedFile(const std::string& path);  // throws Stop if its folder cannot be watched
  ~FollowedFile();
  FollowedFile(const FollowedFile&) = delete;
  FollowedFile& operator=(const FollowedFile&) = delete;

  // Waits until it has changed and then for a moment did not. False: hebb is to end.
  bool wait_for_change();
  // Waits for a change or so long. False: hebb is to end.
  bool wait(int milliseconds);
  // Whether whoever wrote it was done with it when it last changed.
  bool is_closed() const { return closed_; }

 private:
  enum class Seen { nothing, change, end };
  Seen look(int milliseconds);
  Seen take_events();

  std::string name_;  // in its folder
  int watch_ = -1, signals_ = -1;
  bool closed_ = true;
};

// What of a text is whole: without a last line that is not all there yet, and nothing of an array
// that is not.
std::string_view whole_part(std::string_view text);

}  // namespace hebb::cli
