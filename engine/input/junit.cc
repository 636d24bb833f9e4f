// JUnit XML reports: the whole report is one outcome of options.task.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <pugixml.hpp>
#include <simdjson.h>

#include "engine/input/items.h"
#include "engine/input/outcome.h"
#include "engine/ledger/canonical_json.h"

namespace hebb {

namespace {

using namespace input;

struct Report {
  std::uint64_t total = 0;   // tests that ran
  std::uint64_t failed = 0;  // failures and errors
  double seconds = 0;
  std::optional<TimeMs> time;  // the latest timestamp
  std::string bad_timestamp;   // the text of one that is not a time
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

constexpr double kSecondsMax = 1e12;  // longer than anything ran; sums of these stay finite

// Some writers put commas between thousands. 0 for what is not a duration.
double seconds(pugi::xml_node element) {
  std::string text = element.attribute("time").value();
  std::erase(text, ',');
  const double value = std::strtod(text.c_str(), nullptr);
  return value > 0 && value < kSecondsMax ? value : 0;
}

// A time in ISO 8601; in reports it often has no zone.
std::optional<TimeMs> parse_timestamp(const std::string& text, const ReadOptions& options) {
  if (const auto time = parse_rfc3339(text)) return time;
  const auto local = parse_rfc3339(text + "Z");
  return local && options.utc_of_local ? options.utc_of_local(*local) : local;
}

void add_testcase(pugi::xml_node testcase, Report& report) {
  const std::string_view status = testcase.attribute("status").value();
  if (testcase.child("skipped") || status == "notrun" || status == "disabled") return;
  ++report.total;
  if (testcase.child("failure") || testcase.child("error")) ++report.failed;
}

// For suites that list no tests.
void add_counts(pugi::xml_node suite, Report& report) {
  const std::uint64_t failed = count(suite, "failures") + count(suite, "errors");
  const std::uint64_t skipped = count(suite, "skipped") + count(suite, "disabled");
  const std::uint64_t tests = count(suite, "tests");
  report.failed += failed;
  report.total += std::max(failed, tests - std::min(tests, skipped));
}

void add_timestamp(pugi::xml_node suite, const ReadOptions& options, Report& report) {
  const std::string text = suite.attribute("timestamp").value();
  if (text.empty()) return;
  const auto time = parse_timestamp(text, options);
  if (!time || *time < Limits::kEarliestTime) {
    report.bad_timestamp = time ? format_rfc3339(*time) : text;
  }
  report.time = std::max(report.time, time);
}

// Returns the suite's seconds: its own figure, or else the sum of what it contains.
double add_suite(pugi::xml_node suite, const ReadOptions& options, Report& report,
                 std::size_t depth) {
  if (depth > Limits::kDepth) {
    throw UnreadableInput(fmt::format("suites are nested more than {} deep", Limits::kDepth));
  }
  add_timestamp(suite, options, report);
  double inner = 0;
  bool lists_tests = false;
  for (const pugi::xml_node child : suite.children()) {
    const std::string_view name = child.name();
    if (name == "testcase") {
      add_testcase(child, report);
      inner += seconds(child);
      lists_tests = true;
    } else if (name == "testsuite") {
      inner += add_suite(child, options, report, depth + 1);
      lists_tests = true;
    }
  }
  if (!lists_tests) add_counts(suite, report);
  const double own = seconds(suite);
  return own > 0 ? own : inner;
}

Report read_report(std::string_view content, const ReadOptions& options) {
  pugi::xml_document document;
  const auto result = document.load_buffer(content.data(), content.size());
  if (!result) {
    const auto offset = std::min(static_cast<std::size_t>(result.offset), content.size());
    const auto line = 1 + std::count(content.begin(),
                                     content.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    throw UnreadableInput(fmt::format("not XML: {} (line {})", result.description(), line));
  }
  const pugi::xml_node root = document.document_element();
  const std::string_view name = root.name();
  if (name != "testsuites" && name != "testsuite") {
    throw UnreadableInput(
        fmt::format("not a JUnit report: the root is <{}>; it must be <testsuites> or <testsuite>",
                    name.substr(0, 64)));
  }
  Report report;
  report.seconds = add_suite(root, options, report, 1);
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
  if (!report.bad_timestamp.empty()) {
    text += ",\"timestamp\":";
    append_json_string(text, report.bad_timestamp);  // the outcome reader refuses it and quotes it
  } else if (report.time) {
    text += fmt::format(",\"timestamp\":{}", *report.time);
  }
  return text + "}";
}

}  // namespace

void read_junit(Input& input, const ReadOptions& options, const ItemSink& sink) {
  if (options.kept) return read_outcomes(input, options, sink);
  if (options.task.empty()) throw std::invalid_argument("a JUnit report needs the id of its task");
  const std::string_view content = input.rest(Limits::kDocumentBytes);
  const std::string text = outcome_text(read_report(content, options), content, options.task);
  JsonReader reader;
  const auto parse = [&](std::string_view json) {
    return parse_outcome(reader, reader.parse_object(json), {options.now, std::nullopt});
  };
  const RawItem raw{1, text, false, text.size(), {}};
  sink(as_item(raw, attempt(raw, parse)));
}

}  // namespace hebb
