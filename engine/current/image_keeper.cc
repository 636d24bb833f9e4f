#include "engine/current/image_keeper.h"

#include <algorithm>
#include <limits>

#include "sql/database.h"

namespace hebb {
namespace {

constexpr std::size_t kNoImages = std::numeric_limits<std::size_t>::max();
// How many events are folded on top of an image, at most: nodes and edges / kTailShare, and
// kTailLeast at least.
constexpr std::size_t kTailShare = 64, kTailLeast = 250;

}  // namespace

std::string ImageKeeper::path() const {
  return options_.image_from == kNoImages ? "" : image_path(storage_.database().path());
}

std::variant<Image, NoImage> ImageKeeper::open() const {
  const std::string at = path();
  if (at.empty()) return NoImage{};
  auto opened = Image::open(at);
  if (const auto* image = std::get_if<Image>(&opened)) {
    const auto checksum = storage_.ledger().checksum_at(image->of().position);
    if (!checksum || *checksum != image->of().checksum) return NoImage{"it is of another ledger"};
  }
  return opened;
}

std::optional<std::int64_t> ImageKeeper::load(State& state, std::int64_t last) {
  const auto opened = open();
  const auto* image = std::get_if<Image>(&opened);
  if (!image || image->of().position > last || image->of().position < useful_from_ ||
      !image->load(state))
    return std::nullopt;
  position_ = image->of().position;
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
  const auto opened = open();
  const auto* there = std::get_if<Image>(&opened);
  position_ = there && there->of().position <= position ? there->of().position : 0;
  if (!is_due(state, position, due)) return;
  const auto checksum = storage_.ledger().checksum_at(position);
  if (!checksum) return;
  if (state.drop_nodes_without_event(true)) {
    storage_.mirror().forget_keys();
    state.ranking(state.facts().ranked_at());  // it is part of the image
  }
  cannot_write_ = !write_image(path(), state, {position, *checksum});
  if (cannot_write_) return;
  position_ = position;
}

void ImageKeeper::keep(State& state, std::int64_t position, Due due) {
  const bool writes = !options_.read_only && !cannot_write_ &&
                      static_cast<std::size_t>(position) >= options_.image_from &&
                      is_due(state, position, due);
  if (!writes || path().empty()) return;  // as after most events, without a look at the disk
  if (position == storage_.mirror().position()) write(state, position, due);
}

std::string ImageKeeper::fault() const {
  const auto opened = open();
  if (const auto* none = std::get_if<NoImage>(&opened)) return none->why;
  return std::get<Image>(opened).is_whole() ? "" : "it is damaged";
}

}  // namespace hebb
