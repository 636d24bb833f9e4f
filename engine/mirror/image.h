// The packed image: a state's columns as they lie in memory, in one file beside the database, which
// is mapped privately. Opening costs nothing, pages come when they are touched, and what changes is
// a private copy. It is never the truth: what is not whole, of this very ledger and of this version
// is not used, and deleting it loses nothing.
//
// Whole means: an image of up to kCheckedBytes is compared with its checksums whenever it is
// opened. A larger one is compared once, and then sealed: the database keeps the file's identity,
// size and times, change time included, which every write to a file moves on and no program can
// set. While they are the same, nobody has written to the file. What the disk itself gives back
// wrongly only a full check finds (`hebb verify`), as with the pages of the database.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/fold/state.h"

namespace hebb {

inline constexpr std::size_t kCheckedBytes = std::size_t{4} << 20;

// Of which ledger: the checksum of the row at the position depends on all rows up to there.
struct ImageOf {
  std::int64_t position = 0, checksum = 0;
  bool operator==(const ImageOf&) const = default;
};

// Beside the database; empty for one that is no file.
std::string image_path(const std::string& database);

// Why an image is not used; empty: there is none.
struct NoImage {
  std::string why;
};

class Image {
 public:
  enum class Check { as_needed, whole };
  // Checks header, table of sections, marks, and the rest as said above: a matching seal stands for
  // it. `database` must be of the same owner, or the image of this process's. O(1) with a seal.
  static std::variant<Image, NoImage> open(const std::string& path, const std::string& database,
                                           const std::string& seal, Check check = Check::as_needed);
  const ImageOf& of() const { return of_; }
  std::size_t items() const { return items_; }  // nodes and edges
  // What to keep, so that the next to open it need not check it; empty where none is needed, or
  // where the file was written to so lately that its time does not tell.
  const std::string& seal() const { return seal_; }
  // Into a state that holds nothing yet, which shares the mapping. Policies are the ledger's.
  // False, and the state is spoilt, where another program called its own format this version.
  [[nodiscard]] bool load(State& state) const;

 private:
  Image() = default;
  struct Mapping;
  std::shared_ptr<Mapping> mapping_;
  ImageOf of_;
  std::size_t items_ = 0;
  std::string seal_;
};

// Puts an image in place of what is there: written to PATH-new, synced and renamed. False: another
// process is at it, or it could not be written (a full disk, say); nothing is changed then.
// O(nodes + edges), of writing. The state keeps its values, and may get larger indexes.
bool write_image(const std::string& path, const std::string& database, State& state,
                 const ImageOf& of);

// The seal of the image that is there, after a check in full; waits until its time can tell, which
// takes some milliseconds after it was written. Empty where none is needed or to be had.
std::string seal_image(const std::string& path, const std::string& database);

}  // namespace hebb
