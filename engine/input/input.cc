// The list of input formats.
#include "engine/input/input.h"

#include <algorithm>

#include "engine/input/tracker.h"

namespace hebb {

std::span<const Format> formats() {
  static const std::vector<Format> kFormats = [] {
    std::vector<Format> all{{"outcome", read_outcomes},
                            {"cloudevents", read_cloudevents},
                            {"junit", read_junit, true, false, true},
                            {"history", read_history, false, true}};
    for (const input::TrackerText& text : input::tracker_texts()) {
      const Reader read = [name = text.name](Input& input, const ReadOptions& options,
                                             const ItemSink& sink) {
        read_tracker(input::mapping_of(name), input, options, sink);
      };
      all.push_back({text.name, read, true, true, false, true});
    }
    return all;
  }();
  return kFormats;
}

const Format* find_format(std::string_view name) {
  const auto all = formats();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Format& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace hebb
