// When the engine reads its packed image, and when it writes one.
#include <limits>

#include "engine/engine_impl.h"
#include "sql/database.h"

namespace hebb {
namespace {

constexpr std::size_t kNoImages = std::numeric_limits<std::size_t>::max();
// How many events are folded on top of an image, at most: nodes and edges over the one, and the
// other at least.
constexpr std::size_t kTailShare = 64, kTailLeast = 250;

}  // namespace

std::string EngineImpl::path_of_image() const {
  return options.image_from == kNoImages ? "" : image_path(options.path);
}

std::variant<Image, NoImage> EngineImpl::open_image(Image::Check check) {
  auto opened = Image::open(path_of_image(), options.path, mirror.image_seal(), check);
  if (const auto* image = std::get_if<Image>(&opened)) {
    const auto checksum = ledger.checksum_at(image->of().position);
    if (!checksum || *checksum != image->of().checksum) return NoImage{"it is of another ledger"};
  }
  return opened;
}

bool EngineImpl::load_image() {
  if (path_of_image().empty()) return false;
  const auto opened = open_image(Image::Check::as_needed);
  const auto* image = std::get_if<Image>(&opened);
  const auto mirrored = position;
  if (!image || image->of().position > mirrored || image->of().position < useful_from_)
    return false;
  replaying_ = true;
  try {
    if (!image->load(*loaded)) throw NeedsWholeFold{};
    position = image->of().position;
    load_policies();
    const auto left_out_before = left_out;
    if (position < mirrored) {
      ledger.events_after(position, [&](Event&& e) {
        if (e.position > mirrored) return;
        position = e.position;
        fold(e);
      });
      position = mirrored;
      settle();
    }
    if (left_out != left_out_before) throw NeedsWholeFold{};
  } catch (const NeedsWholeFold&) {
    replaying_ = false;
    hanging.reset();
    return false;
  } catch (...) {
    replaying_ = false;
    throw;
  }
  replaying_ = false;
  image_position_ = image->of().position;
  seal_due_ = !image->seal().empty() && image->seal() != mirror.image_seal();
  loaded->changes() = Changes{};  // the rows are those of the fold up to here
  return true;
}

bool EngineImpl::image_is_due(Due due, std::size_t items) const {
  if (due == Due::always || image_position_ < useful_from_ || image_position_ == 0) return true;
  const auto tail = static_cast<std::size_t>(position - image_position_);
  return due == Due::when_behind ? tail != 0 : tail > std::max(kTailLeast, items / kTailShare);
}

void EngineImpl::write_image(Due due) {
  const auto& g = loaded->graph();
  const std::size_t items = g.num_nodes() + g.num_edges();
  // Another process may have written an image since.
  const auto opened = open_image(Image::Check::as_needed);
  const auto* there = std::get_if<Image>(&opened);
  image_position_ = there && there->of().position <= position ? there->of().position : 0;
  if (!image_is_due(due, items)) return;
  const auto checksum = ledger.checksum_at(position);
  if (!checksum) return;
  if (!hebb::write_image(path_of_image(), options.path, *loaded, {position, *checksum})) {
    no_image_ = true;
    return;
  }
  image_position_ = position;
  seal_due_ = true;
}

void EngineImpl::keep_image(Due due) {
  if (!loaded || options.read_only) return;
  const auto& g = loaded->graph();
  const bool writes = !no_image_ && static_cast<std::size_t>(position) >= options.image_from &&
                      image_is_due(due, g.num_nodes() + g.num_edges());
  if (!writes && !seal_due_) return;  // as after most events, without a look at the disk
  const std::string path = path_of_image();
  if (path.empty()) return;
  if (writes && position == mirror.position()) write_image(due);
  if (!seal_due_) return;
  seal_due_ = false;
  const std::string seal = seal_image(path, options.path);
  if (seal.empty() || seal == mirror.image_seal()) return;
  try {
    const auto transaction = storage->begin(Storage::Access::write_lazily);
    mirror.set_image_seal(seal);
    transaction->commit();
  } catch (const sql::Error&) {
    // Busy, or no room: the next process to open the image checks it in full and stores the seal.
  }
}

std::string EngineImpl::image_fault() {
  if (path_of_image().empty()) return "";
  const auto opened = open_image(Image::Check::whole);
  const auto* none = std::get_if<NoImage>(&opened);
  return none ? none->why : "";
}

}  // namespace hebb
