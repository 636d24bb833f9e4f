// JUnit XML reports: the whole report is one outcome of options.task.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/input/history.h"
#include "engine/input/items.h"
#include "engine/input/junit_report.h"
#include "engine/input/outcome.h"
#include "engine/values/canonical_json.h"

namespace hebb {

namespace {

using namespace input;

struct Report {
  std::uint64_t total = 0;   // tests that ran
  std::uint64_t failed = 0;  // failures and errors
  double seconds = 0;
  std::optional<TimeMs> time;  // the latest timestamp
};

std::uint64_t count(pugi::xml_node suite, const char* attribute) {
  constexpr std::uint64_t kMax = 1'000'000'000;
  const std::string_view text = suite.attribute(attribute).value();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && (error != std::errc() || end != text.data() + text.size() || value > kMax)) {
    throw UnreadableInput(
        fmt::format("{}=\"{}\" of <testsuite> is no count; it must be a whole "
                    "number from 0 to {}",
                    attribute, text.substr(0, 64), kMax));
  }
  return value;
}

void add_testcase(pugi::xml_node testcase, Report& report) {
  if (!ran(testcase)) return;
  ++report.total;
  if (failed(testcase)) ++report.failed;
}

// For suites that list no tests.
void add_counts(pugi::xml_node suite, Report& report) {
  const std::uint64_t failed = count(suite, "failures") + count(suite, "errors");
  const std::uint64_t skipped = count(suite, "skipped") + count(suite, "disabled");
  const std::uint64_t tests = count(suite, "tests");
  report.failed += failed;
  report.total += std::max(failed, tests - std::min(tests, skipped));
}

// Returns the suite's seconds: its own figure, or else the sum of what it contains.
double add_suite(pugi::xml_node suite, ReportTimes& times, Report& report, std::size_t depth) {
  if (depth > Limits::kDepth) {
    throw UnreadableInput(fmt::format("suites are nested more than {} deep", Limits::kDepth));
  }
  report.time = std::max(report.time, times.of(suite));
  double inner = 0;
  bool lists_tests = false;
  for (const pugi::xml_node child : suite.children()) {
    const std::string_view name = child.name();
    if (name == "testcase") {
      add_testcase(child, report);
      inner += seconds_of(child);
      lists_tests = true;
    } else if (name == "testsuite") {
      inner += add_suite(child, times, report, depth + 1);
      lists_tests = true;
    }
  }
  if (!lists_tests) add_counts(suite, report);
  const double own = seconds_of(suite);
  return own > 0 ? own : inner;
}

Report read_report(std::string_view content, const ReadOptions& options) {
  pugi::xml_document document;
  ReportTimes times(options);
  Report report;
  report.seconds = add_suite(load_report(document, content), times, report, 1);
  times.tell_odd();
  return report;
}

// Any failure makes the outcome a failure. If nothing ran, it is "partial", which rewards nothing.
std::string_view outcome_of(const Report& report) {
  if (report.failed > 0) return "failure";
  return report.total > 0 ? "success" : "partial";
}

std::string outcome_text(const Report& report, std::string_view content, std::string_view task) {
  std::string text = "{\"id\":";
  append_json_string(text, "junit/" + content_hash(fmt::format("{}\n{}", task, content)));
  text += R"(,"metrics":{"executionTimeMs":)";
  append_json_number(text, std::round(report.seconds * 1000));
  text += fmt::format(R"(,"testsPassed":{},"testsTotal":{}}},"outcome":"{}","taskId":)",
                      report.total - report.failed, report.total, outcome_of(report));
  append_json_string(text, task);
  if (report.time) text += fmt::format(",\"timestamp\":{}", *report.time);
  return text + "}";
}

}  // namespace

void read_junit(Input& input, const ReadOptions& options, const ItemSink& sink) {
  JsonReader reader;
  const auto parse = [&](std::string_view json) {
    const Object object = reader.parse_object(json);
    if (find(object, "kind")) return parse_history(reader, json);
    return parse_outcome(reader, object, {options.now, std::nullopt});
  };
  const auto take_keyed = [&](const RawItem& raw, const std::string& key) {
    Item item = as_item(raw, attempt(raw, parse));
    if (auto* event = std::get_if<Event>(&item.parsed)) {
      if (!key.empty()) event->key = event_key(event->payload, key);
      // The id stands for the report, whose time may be none now and one later, or of another zone.
      event->may_differ = !key.empty() || std::holds_alternative<OutcomeSignal>(event->payload);
    }
    sink(std::move(item));
  };
  if (options.kept) {
    return split_items(input, [&](const RawItem& raw) { sink(as_item(raw, attempt(raw, parse))); });
  }
  if (options.each == !options.task.empty()) {
    throw std::invalid_argument("a JUnit report needs the id of its task, or counts each test");
  }
  const std::string_view content = input.rest(Limits::kDocumentBytes);
  if (options.each) return read_each_test(content, options, take_keyed);
  const std::string text = outcome_text(read_report(content, options), content, options.task);
  take_keyed({1, text, false, text.size(), {}}, "");
}

}  // namespace hebb
