// Any bytes, cut anywhere: the output is the input without the lines that were events, however it
// was cut; and folding never fails. The first byte seeds the cuts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "capture/trace/filter.h"
#include "capture/trace/fold.h"

namespace {

using namespace hebb::capture;

struct Run {
  std::string output;
  std::uint64_t events = 0;
  TraceFold fold;
};

Run run(std::string_view input, std::uint32_t seed) {
  Run r;
  TraceFilter filter({"", 256}, [&](const TraceEvent& e) { r.fold.add(e); });
  TraceFilter::Spans spans;
  const auto collect = [&] {
    for (const auto span : spans) r.output += span;
    spans.clear();
  };
  while (!input.empty()) {
    seed = seed * 1664525 + 1013904223;
    const std::size_t size = seed == 0 ? input.size() : 1 + (seed >> 16) % 97;
    const std::vector<char> chunk(
        input.begin(), input.begin() + static_cast<std::ptrdiff_t>(std::min(size, input.size())));
    filter.feed({chunk.data(), chunk.size()}, spans);
    collect();
    input.remove_prefix(chunk.size());
  }
  filter.finish(spans);
  collect();
  r.events = filter.stats().events;
  return r;
}

void require(bool holds) {
  if (!holds) std::abort();
}

// `output` is `input` with whole lines left out, `removed` of them, each with the prefix.
void check_removed(std::string_view input, std::string_view output, std::uint64_t removed) {
  while (!input.empty()) {
    const std::size_t newline = input.find('\n');
    const std::size_t size = newline == std::string_view::npos ? input.size() : newline + 1;
    const std::string_view line = input.substr(0, size);
    TraceParser parser;
    const bool is_event = line.starts_with(kTracePrefix) && line.size() <= 257 &&
                          parser.parse(line.substr(kTracePrefix.size())).has_value() &&
                          line.size() - (line.back() == '\n') <= 256;
    if (is_event) {
      require(removed-- > 0);
    } else {
      require(output.substr(0, size) == line);
      output.remove_prefix(size);
    }
    input.remove_prefix(size);
  }
  require(output.empty() && removed == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Run one = run(input, data[0]);
  const Run other = run(input, data[0] + 77u);
  require(one.output == other.output && one.events == other.events);
  check_removed(input, one.output, one.events);
  const auto counts = one.fold.counts();
  require(counts.succeeded + counts.failed + counts.unfinished == counts.calls);
  for (const auto& o : one.fold.observations()) require(o.from->succeeded && o.to->succeeded);
  return 0;
}
