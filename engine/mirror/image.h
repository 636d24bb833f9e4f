// The packed image: a state's columns as they lie in memory, in one file beside the database, which
// is mapped privately. Opening reads almost nothing, pages are read when they are touched, and
// changes stay in private copies. The image is never the truth: one that is damaged, or of another
// ledger or version, is not used, and deleting it loses nothing.
//
// How damage is found: an image of up to kCheckedBytes is compared with its checksums whenever it
// is opened. A larger one is compared once, and then sealed: the database keeps the file's
// identity, size and times. Every write changes the change time, and no program can set it. While
// all are the same, nobody has written to the file. If the disk itself returns wrong bytes, only a
// full check finds that (`hebb verify`), as with the pages of the database.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/fold/state.h"

namespace hebb {

inline constexpr std::size_t kCheckedBytes = std::size_t{256} << 10;

// Identifies the ledger: the checksum of the row at the position depends on all rows up to there.
struct ImageOf {
  std::int64_t position = 0, checksum = 0;
};

// Beside the database; empty for one that is no file, and where another user owns the database than
// the one that this process acts for: the bytes of an image lead into memory, so nobody reads one
// that another user could have written.
std::string image_path(const std::string& database);

// Why an image is not used; empty: there is none.
struct NoImage {
  std::string why;
};

class Image {
 public:
  enum class Check { as_needed, whole };
  // Checks the owner, who must be the user that this process acts for, header, table of sections
  // and marks, and, unless the seal matches, the rest. O(1) with a seal.
  static std::variant<Image, NoImage> open(const std::string& path, const std::string& seal,
                                           Check check = Check::as_needed);
  const ImageOf& of() const { return of_; }
  // The seal to keep, so that the next open() need not check it; empty if none is needed, or if the
  // file was written to so recently that its change time proves nothing yet.
  const std::string& seal() const { return seal_; }
  // Loads all but the policies into an empty state, which keeps the mapping. False, and the state
  // must not be used: the content is not of this format, although header and version are.
  [[nodiscard]] bool load(State& state) const;

 private:
  Image() = default;
  struct Mapping;
  std::shared_ptr<Mapping> mapping_;
  ImageOf of_;
  std::string seal_;
};

// Writes an image to a new file PATH-new, which only its owner may read, syncs it and renames it to
// PATH. A file PATH-new of a killed process is removed, and never written to. False, and nothing
// has changed: another process is writing one, or this one could not be written (a full disk, for
// example). O(nodes + edges). The state keeps its values; its indexes may become larger.
bool write_image(const std::string& path, State& state, const ImageOf& of);

// Checks the image in full and returns its seal; empty if none is needed or none can be had. Its
// change time is reliable some milliseconds after the last write: waits until then, or returns
// nullopt.
std::optional<std::string> seal_image(const std::string& path, bool waits);

}  // namespace hebb
