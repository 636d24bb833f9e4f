#include "engine/current/image_keeper.h"

#include <algorithm>
#include <limits>

#include "sql/database.h"

namespace hebb {
namespace {

constexpr std::size_t kNoImages = std::numeric_limits<std::size_t>::max();
// How many events are folded on top of an image, at most: nodes and edges over the one, and the
// other at least.
constexpr std::size_t kTailShare = 64, kTailLeast = 250;

}  // namespace

std::string ImageKeeper::path() const {
  return options_.image_from == kNoImages ? "" : image_path(storage_.database().path());
}

std::variant<Image, NoImage> ImageKeeper::open(Image::Check check) const {
  const std::string at = path();
  if (at.empty()) return NoImage{};
  auto opened = Image::open(at, storage_.mirror().image_seal(), check);
  if (const auto* image = std::get_if<Image>(&opened)) {
    const auto checksum = storage_.ledger().checksum_at(image->of().position);
    if (!checksum || *checksum != image->of().checksum) return NoImage{"it is of another ledger"};
  }
  return opened;
}

std::optional<std::int64_t> ImageKeeper::load(State& state, std::int64_t last) {
  const auto opened = open(Image::Check::as_needed);
  const auto* image = std::get_if<Image>(&opened);
  if (!image || image->of().position > last || image->of().position < useful_from_ ||
      !image->load(state))
    return std::nullopt;
  position_ = image->of().position;
  seal_due_ = !image->seal().empty() && image->seal() != storage_.mirror().image_seal();
  return position_;
}

bool ImageKeeper::is_due(const State& state, std::int64_t position, Due due) const {
  if (due == Due::always || position_ < useful_from_ || position_ == 0) return true;
  const auto tail = static_cast<std::size_t>(position - position_);
  if (due == Due::when_behind) return tail != 0;
  const auto& g = state.graph();
  return tail > std::max(kTailLeast, (g.num_nodes() + g.num_edges()) / kTailShare);
}

void ImageKeeper::write(State& state, std::int64_t position, Due due) {
  // Another process may have written an image since.
  const auto opened = open(Image::Check::as_needed);
  const auto* there = std::get_if<Image>(&opened);
  position_ = there && there->of().position <= position ? there->of().position : 0;
  if (!is_due(state, position, due)) return;
  const auto checksum = storage_.ledger().checksum_at(position);
  if (!checksum) return;
  if (state.drop_nodes_without_event(true)) {
    storage_.mirror().forget_keys();
    state.ranking(state.marks().stamp());  // it is part of the image
  }
  cannot_write_ = !write_image(path(), state, {position, *checksum});
  if (cannot_write_) return;
  position_ = position;
  seal_due_ = true;
}

void ImageKeeper::keep(State& state, std::int64_t position, Due due, bool waits) {
  if (options_.read_only) return;
  const bool writes = !cannot_write_ && static_cast<std::size_t>(position) >= options_.image_from &&
                      is_due(state, position, due);
  if (!writes && !seal_due_) return;  // as after most events, without a look at the disk
  if (path().empty()) return;
  Mirror& mirror = storage_.mirror();
  if (writes && position == mirror.position()) write(state, position, due);
  if (!seal_due_) return;
  const auto seal = seal_image(path(), waits);
  seal_due_ = !seal;
  if (!seal || seal->empty() || *seal == mirror.image_seal()) return;
  try {
    sql::Transaction transaction(storage_.database(), sql::Transaction::Kind::of_copy);
    mirror.set_image_seal(*seal);
    transaction.commit();
  } catch (const sql::Error&) {
    // Busy, or no room: the next process to open the image checks it in full and stores the seal.
  }
}

std::string ImageKeeper::fault() const {
  const auto opened = open(Image::Check::whole);
  const auto* none = std::get_if<NoImage>(&opened);
  return none ? none->why : "";
}

}  // namespace hebb
