// When the engine reads its packed image (engine/mirror/image.h), and when it writes one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "engine/current/options.h"
#include "engine/mirror/image.h"
#include "engine/storage/storage.h"

namespace hebb {

class ImageKeeper {
 public:
  // Keeps references to both.
  ImageKeeper(Storage& storage, const EngineOptions& options)
      : storage_(storage), options_(options) {}

  // Loads all but the policies into an empty state, if there is a usable image, and returns its
  // position, which is not after `last`. nullopt, and the state must not be used: there is none.
  std::optional<std::int64_t> load(State& state, std::int64_t last);
  // An image from before this position is of no use: what came after it needs a whole fold.
  void require_from(std::int64_t position) { useful_from_ = position; }
  // Writes the image if since the last one more events have come than a part of nodes and edges
  // (when_old), if any came (when_behind), or always. A failure is no error: nothing needs it.
  // state: folded up to the position.
  enum class Due { when_old, when_behind, always };
  void keep(State& state, std::int64_t position, Due due);
  // Checks the image in full. What is wrong with it; empty: nothing, or there is no image
  // of this version.
  std::string fault() const;

 private:
  std::string path() const;                   // empty: there is to be none
  std::variant<Image, NoImage> open() const;  // only if it is of this ledger
  bool is_due(const State& state, std::int64_t position, Due due) const;
  void write(State& state, std::int64_t position, Due due);

  Storage& storage_;
  const EngineOptions& options_;
  std::int64_t position_ = 0;  // of the image as last seen; 0: there is none
  std::int64_t useful_from_ = 0;
  bool cannot_write_ = false;  // writing one has failed and is not tried again
};

}  // namespace hebb
