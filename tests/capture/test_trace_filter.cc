#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include "capture/trace/filter.h"

using hebb::capture::TraceEvent;
using hebb::capture::TraceFilter;

namespace {

const std::string kStartLine =
    R"(__TRACE__{"type":"tool_start","tool":"fs:read","trace_id":"1","ts":1000})";
const std::string kEndLine =
    R"(__TRACE__{"type":"tool_end","trace_id":"1","success":true,"duration_ms":50})";

struct Result {
  std::string output;
  std::vector<std::string> events;
  TraceFilter::Stats stats;
  bool operator==(const Result& o) const { return output == o.output && events == o.events; }
};

std::string text(const TraceEvent& e) {
  if (e.kind == TraceEvent::Kind::start) {
    return "start " + std::string(e.tool) + " " + std::string(e.trace_id) + " " +
           (e.ts ? std::to_string(*e.ts) : "-") + " in " + std::string(e.parent_trace_id);
  }
  return "end " + std::string(e.trace_id) + (e.success ? " ok " : " failed ") +
         (e.duration_ms ? std::to_string(static_cast<int>(*e.duration_ms)) : "-") +
         std::string(e.error.empty() ? "" : " ") + std::string(e.error);
}

// Feeds the input in chunks that lie alone in memory, so that a sanitizer sees reads beyond them.
Result filter(std::string_view input, const std::vector<std::size_t>& cuts = {},
              TraceFilter::Options options = {}) {
  Result result;
  TraceFilter f(options, [&](const TraceEvent& e) { result.events.push_back(text(e)); });
  TraceFilter::Spans spans;
  const auto collect = [&] {
    for (const auto span : spans) result.output += span;
    spans.clear();
  };
  std::size_t at = 0;
  const auto feed = [&](std::size_t until) {
    const std::vector<char> chunk(input.begin() + static_cast<std::ptrdiff_t>(at),
                                  input.begin() + static_cast<std::ptrdiff_t>(until));
    f.feed({chunk.data(), chunk.size()}, spans);
    collect();
    at = until;
  };
  for (const std::size_t cut : cuts) feed(cut);
  feed(input.size());
  f.finish(spans);
  collect();
  result.stats = f.stats();
  return result;
}

std::vector<std::size_t> every_byte(std::string_view input) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 1; i < input.size(); ++i) cuts.push_back(i);
  return cuts;
}

// The specification, word for word, with the whole input at hand.
Result naive(std::string_view input, std::size_t max_held = 64u << 10) {
  Result result;
  while (!input.empty()) {
    const std::size_t newline = input.find('\n');
    const std::size_t length = newline == std::string_view::npos ? input.size() : newline;
    const std::string_view line = input.substr(0, length);
    const std::string_view whole = input.substr(0, std::min(length + 1, input.size()));
    std::optional<TraceEvent> event;
    hebb::capture::TraceParser parser;
    if (line.starts_with("__TRACE__") && line.size() <= max_held)
      event = parser.parse(line.substr(9));
    if (event) {
      result.events.push_back(text(*event));
    } else {
      result.output += whole;
    }
    input.remove_prefix(whole.size());
  }
  return result;
}

void check_passes(const std::string& input) {
  INFO("input: " << input.substr(0, 200));
  CHECK(filter(input).output == input);
  CHECK(filter(input).events.empty());
  if (input.size() < 10'000) CHECK(filter(input, every_byte(input)).output == input);
}

}  // namespace

TEST_CASE("trace lines are taken out with their end of line, everything else stays") {
  const auto r = filter("Starting\n" + kStartLine + "\nFile content\n" + kEndLine + "\nDone!");
  CHECK(r.output == "Starting\nFile content\nDone!");
  CHECK(r.events == std::vector<std::string>{"start fs:read 1 1000 in ", "end 1 ok 50"});
  CHECK(r.stats.events == 2);
  CHECK(r.stats.invalid == 0);
}

TEST_CASE("a trace may be the first line, the last without newline, and the only one") {
  CHECK(filter(kStartLine + "\nout").output == "out");
  CHECK(filter("out\n" + kStartLine).output == "out\n");
  CHECK(filter(kStartLine).output.empty());
  CHECK(filter(kStartLine).events.size() == 1);
  CHECK(filter(kStartLine + "\n" + kEndLine + "\n\n").output == "\n");
}

TEST_CASE("output without traces is identical") {
  using namespace std::string_literals;
  for (const std::string& input : {
           ""s,
           "\n"s,
           "no newline at the end"s,
           "a\r\nb\r\n"s,
           "nul \0 in it\n\0\0"s,
           "\xff\xfe invalid utf-8 \xc3\x28\n\x80\x80"s,
           "\n\n\n\n"s,
           "\r\r\r"s,
           "_"s,
           "__TRACE_"s,
           "__TRACE__"s,
           "\n__TRACE__"s,
           "\n__TRACE__\n"s,
           "x__TRACE__"s + kStartLine + "\n",
           " " + kStartLine + "\n",
           "\xef\xbb\xbf" + kStartLine + "\n",
           "__TRAC\n__TRACE__\n_\n__\n"s,
           std::string(1 << 20, '\n'),
           std::string(1 << 20, '_'),
       }) {
    check_passes(input);
  }
}

TEST_CASE("a line that is not a valid event stays in the output") {
  const std::vector<std::string> invalid = {
      "__TRACE__",
      "__TRACE__{}",
      "__TRACE__[]",
      "__TRACE__null",
      "__TRACE__{\"type\":\"tool_start\"}",
      R"(__TRACE__{"type":"tool_start","tool":"","trace_id":"1","ts":1})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"","ts":1})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":"1"})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":-1})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":1e300})",
      R"(__TRACE__{"type":"tool_end","trace_id":"1","success":true,"duration_ms":-1e999})",
      R"(__TRACE__{"type":"tool_start","tool":5,"trace_id":"1","ts":1})",
      R"(__TRACE__{"type":"tool_start","tool":"a\u0000b","trace_id":"1","ts":1})",
      R"(__TRACE__{"type":"tool_start","tool":"a\u0085b","trace_id":"1","ts":1})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":1,"parent_trace_id":7})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":1}x)",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":1)",
      R"(__TRACE__{"type":"tool_end","trace_id":"1","duration_ms":5})",
      R"(__TRACE__{"type":"tool_end","trace_id":"1","success":1,"duration_ms":5})",
      R"(__TRACE__{"type":"capability","trace_id":"1","ts":1})",
      "__TRACE__{\"type\":\"tool_start\",\"tool\":\"\xff\",\"trace_id\":\"1\",\"ts\":1}",
      "__trace__" + kStartLine.substr(9),
      R"(__TRACE__{"type":"tool_start","tool":")" + std::string(513, 'a') +
          R"(","trace_id":"1","ts":1})",
  };
  for (const auto& line : invalid) {
    check_passes(line);
    check_passes(line + "\n");
    check_passes("before\n" + line + "\r\nafter");
  }
  CHECK(filter(invalid[0] + "\n" + invalid[1] + "\n").stats.invalid == 2);
}

TEST_CASE("what a valid event may look like") {
  const std::vector<std::string> valid = {
      kStartLine,
      kEndLine,
      kStartLine + "\r",
      "__TRACE__ " + kStartLine.substr(9) + "  ",
      R"(__TRACE__{"ts":1.5,"trace_id":"1","tool":"ä:ö","type":"tool_start","args":{"deep":[1,{}]}})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":1,"parent_trace_id":null})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":1,"parent_trace_id":""})",
      R"(__TRACE__{"type":"tool_end","trace_id":"1","success":false,"duration_ms":-3,"error":"no\n"})",
      R"(__TRACE__{"type":"tool_start","tool":")" + std::string(512, 'a') +
          R"(","trace_id":"1","ts":1})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1"})",
      R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":null})",
      R"(__TRACE__{"type":"tool_end","trace_id":"1","success":true})",
      R"(__TRACE__{"type":"tool_end","trace_id":"1","success":false,"duration_ms":null,"error":7})",
  };
  for (const auto& line : valid) {
    INFO(line);
    CHECK(filter(line + "\nout").output == "out");
    CHECK(filter(line + "\nout", every_byte(line + "\nout")).output == "out");
  }
  CHECK(filter(valid[4]).events[0] == "start ä:ö 1 1 in ");
  CHECK(filter(valid[7]).events[0] == "end 1 failed 0 no\n");
  CHECK(filter(valid[9]).events[0] == "start a 1 - in ");
  CHECK(filter(valid[10]).events[0] == "start a 1 - in ");
  CHECK(filter(valid[11]).events[0] == "end 1 ok -");
  CHECK(filter(valid[12]).events[0] == "end 1 failed -");
}

TEST_CASE("with a key, events without it are output") {
  const std::string keyed =
      R"(__TRACE__{"type":"tool_end","trace_id":"1","success":true,"duration_ms":1,"key":"s3cret"})";
  TraceFilter::Options options;
  options.key = "s3cret";
  const std::string forged = kStartLine + "\n" + keyed + "\n" + kEndLine + "\n";
  const auto r = filter(forged, {}, options);
  CHECK(r.output == kStartLine + "\n" + kEndLine + "\n");
  CHECK(r.events == std::vector<std::string>{"end 1 ok 1"});
  CHECK(r.stats.invalid == 2);
  options.key = "other";
  CHECK(filter(forged, {}, options).output == forged);
  CHECK(filter(forged).output.empty());  // without a key, an event may carry one
}

TEST_CASE("a long line with the prefix is held up to the bound and then output") {
  const std::string head =
      R"(__TRACE__{"type":"tool_end","trace_id":"1","success":true,"duration_ms":1,"x":")";
  const auto line_of = [&](std::size_t size) {
    return head + std::string(size - head.size() - 2, 'a') + "\"}";
  };
  for (const auto& cuts : {std::vector<std::size_t>{}, {100}, {5, 100, 900}}) {
    TraceFilter::Options options;
    options.max_held = 1000;
    CHECK(filter(line_of(1000) + "\nz", cuts, options).output == "z");
    CHECK(filter(line_of(1001) + "\nz", cuts, options).output == line_of(1001) + "\nz");
    CHECK(filter(line_of(1000), cuts, options).output.empty());
    CHECK(filter(line_of(1001), cuts, options).output == line_of(1001));
  }
}

TEST_CASE("an ordinary line is passed on at once, a held one never grows past its bound") {
  TraceFilter f({}, [](const TraceEvent&) {});
  TraceFilter::Spans spans;
  const auto fed = [&](std::string_view chunk) {
    spans.clear();
    f.feed(chunk, spans);
    std::string all;
    for (const auto s : spans) all += s;
    return all;
  };
  CHECK(fed("Password: ") == "Password: ");
  CHECK(fed("\n> ") == "\n> ");
  CHECK(fed("\n__TR") == "\n");
  CHECK(fed("AIN") == "__TRAIN");
  CHECK(fed("\n__TRACE__") == "\n");
  const std::string much(64u << 10, 'x');
  CHECK(fed(much) == "__TRACE__" + much);
  CHECK(fed("more") == "more");
}

TEST_CASE("a line of 100 MB passes, in chunks of 64 KiB") {
  std::string input(100u << 20, 'x');
  input += "\n" + kStartLine + "\n";
  std::size_t bytes = 0;
  std::size_t events = 0;
  TraceFilter f({}, [&](const TraceEvent&) { ++events; });
  TraceFilter::Spans spans;
  for (std::size_t at = 0; at < input.size(); at += 65536) {
    spans.clear();
    f.feed(std::string_view(input).substr(at, 65536), spans);
    for (const auto s : spans) bytes += s.size();
  }
  spans.clear();
  f.finish(spans);
  CHECK(spans.empty());
  CHECK(bytes == (100u << 20) + 1);
  CHECK(events == 1);
}

TEST_CASE("however the stream is cut, the same comes out; and it is what the specification says") {
  const std::vector<std::string> parts = {"\n",
                                          "\n",
                                          "_",
                                          "__TRACE__",
                                          "__TRACE",
                                          "x",
                                          "\r\n",
                                          std::string(1, '\0'),
                                          "\xff",
                                          kStartLine,
                                          kEndLine,
                                          kStartLine + "\n",
                                          kEndLine + "\n",
                                          "{}",
                                          std::string(70, 'y'),
                                          std::string(63, 'z') + "\n",
                                          kStartLine.substr(0, 30)};
  CHECK(rc::check([&] {
    const auto chosen = *rc::gen::container<std::vector<std::size_t>>(
        rc::gen::inRange<std::size_t>(0, parts.size()));
    std::string input;
    for (const auto i : chosen) input += parts[i];
    auto cuts = *rc::gen::container<std::vector<std::size_t>>(
        rc::gen::inRange<std::size_t>(0, input.size() + 1));
    std::sort(cuts.begin(), cuts.end());
    TraceFilter::Options options;
    options.max_held = *rc::gen::element<std::size_t>(64, 100, 65536);
    const auto expected = naive(input, options.max_held);
    RC_ASSERT(filter(input, {}, options) == expected);
    RC_ASSERT(filter(input, cuts, options) == expected);
    RC_ASSERT(filter(input, every_byte(input), options) == expected);
  }));
}
