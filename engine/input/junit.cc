// JUnit XML reports: a whole report as one outcome of options.task, or each test case by itself.
#include "engine/input/junit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "engine/input/junit_tests.h"
#include "engine/values/canonical_json.h"
#include "engine/values/checks.h"

namespace hebb::input {

namespace {

std::uint64_t count(pugi::xml_node suite, const char* attribute) {
  constexpr std::uint64_t kMax = 1'000'000'000;
  const std::string_view text = suite.attribute(attribute).value();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && (error != std::errc() || end != text.data() + text.size() || value > kMax)) {
    throw UnreadableInput(
        fmt::format("{}=\"{}\" of <testsuite> is no count; it must be a whole "
                    "number from 0 to {}",
                    attribute, cut(text, kShownBytes), kMax));
  }
  return value;
}

class Report {
 public:
  Report(std::string_view content, const ReadOptions& options, const LineSink& sink)
      : content_(content),
        options_(options),
        sink_(sink),
        cases_(content_hash(content), options, sink) {}

  void read() {
    pugi::xml_document document;
    double seconds = 0;
    const auto roots = load_reports(document, content_, outside_);
    Surroundings around;
    for (const pugi::xml_node root : roots) add_time(root, around.time);
    latest_ = around.time;
    for (const pugi::xml_node root : roots) {
      seconds += add_suite(root, around);
    }
    if (options_.each) cases_.close_setups();
    add_notes();
    if (!options_.each) add_whole(seconds);
  }

 private:
  // The latest of the suites' times, for suites without a valid one.
  void add_time(pugi::xml_node suite, std::optional<TimeMs>& latest, std::size_t depth = 1) const {
    if (depth > Limits::kDepth) {
      throw UnreadableInput(fmt::format("suites are nested more than {} deep", Limits::kDepth));
    }
    Examples odd;
    latest = std::max(latest, time_of(suite, options_, odd));
    for (const pugi::xml_node child : suite.children())
      if (holds_tests(child.name()) && child.name() != std::string_view("testcase"))
        add_time(child, latest, depth + 1);
  }

  // The groups that vitest's names of tests begin with: "GROUP > NAME".
  using Groups = std::set<std::string_view>;
  static Groups groups_in(pugi::xml_node suite) {
    Groups groups;
    for (const pugi::xml_node test : suite.children("testcase")) {
      const std::string_view name = test.attribute("name").value();
      for (auto end = name.find(kBetween); end < Limits::kIdBytes;
           end = name.find(kBetween, end + 1))
        groups.insert(name.substr(0, end));
    }
    return groups;
  }

  // Returns the suite's seconds: its own figure, or else the sum of what it contains.
  double add_suite(pugi::xml_node suite, Surroundings around, std::size_t depth = 1) {
    if (const auto time = time_of(suite, options_, odd_)) around.time = time;
    take_suite(suite, around, depth);
    const std::uint64_t failed_before = failed_;
    double inner = 0;
    bool lists_tests = false;
    pugi::xml_node failure;
    const auto groups = groups_in(suite);
    for (const pugi::xml_node child : suite.children()) {
      const std::string_view name = child.name();
      if (is_failure(name)) failure = child;
      if (!holds_tests(name)) {
        pass_over(child);
        continue;
      }
      lists_tests = true;
      inner += name == "testcase" ? add_case(child, around, groups)
                                  : add_suite(child, around, depth + 1);
    }
    if (!lists_tests) add_counts(suite);
    // Counted already, or NUnit's, which says that tests in it failed.
    const bool is_counted = failed_ > failed_before && (!lists_tests || !!failure.child("message"));
    if (failure && !is_counted) add_own_failure(suite, around);
    if (lists_tests) compare_counts(suite, failed_ - failed_before);
    const double own = seconds_of(suite, odd_durations_);
    return own > 0 ? own : inner;
  }

  // Returns its seconds.
  double add_case(pugi::xml_node element, Surroundings around, const Groups& groups) {
    for (const pugi::xml_node child : element.children()) pass_over(child);
    const double seconds = seconds_of(element, odd_durations_);
    const Verdict verdict = verdict_of(element, odd_verdicts_);
    if (verdict == Verdict::skipped) return seconds;
    const bool failed = verdict == Verdict::failed;
    ++total_;
    failed_ += failed;
    if (!options_.each) return seconds;
    take_file(element, around);
    if (const auto time = time_of(element, options_, odd_)) around.time = time;
    const pugi::xml_node failure =
        element.find_child([](pugi::xml_node child) { return is_failure(child.name()); });
    const TestCase test{clean(element.attribute("classname").value()),
                        clean(element.attribute("name").value()),
                        around.file,
                        around.suites,
                        !element.attribute("status").empty(),
                        around.suite,
                        failure.attribute("message").value()};
    const bool is_group = failed && groups.contains(element.attribute("name").value());
    cases_.add(test, around, failed, seconds,
               is_group ? scope_of_group(test, test.name) : std::string());
    return seconds;
  }

  // A failure of a suite itself: it stands for what comes before or behind its test cases.
  void add_own_failure(pugi::xml_node suite, const Surroundings& around) {
    ++total_;
    ++failed_;
    if (options_.each)
      cases_.add({"", clean(suite.attribute("name").value()), around.file, {}, false, around.suite},
                 around, true, 0, around.suite);
  }

  // Passes over an element beside the tests. Tests in it would be lost.
  void pass_over(pugi::xml_node element) {
    if (element.type() != pugi::node_element) return;
    const bool is_test = holds_tests(element.name());
    if (const pugi::xml_node lost = is_test ? element : tests_within(element)) {
      throw UnreadableInput(
          fmt::format("<{}> stands in <{}>, where no report has it: nothing was taken (line {})",
                      lost.name(), lost.parent().name(), line_at(content_, lost.offset_debug())));
    }
    if (is_beside(element.name())) return;
    const std::string_view shown = cut(element.name(), kShownBytes);
    if (is_like_verdict(element.name()))
      throw UnreadableInput(
          fmt::format("<{}> is no element of a report, and may say how a test came out: nothing "
                      "was taken (line {})",
                      shown, line_at(content_, element.offset_debug())));
    unknown_.add(fmt::format("<{}>", shown));
  }

  // For suites that list no tests.
  void add_counts(pugi::xml_node suite) {
    const std::uint64_t failed = count(suite, "failures") + count(suite, "errors");
    const std::uint64_t skipped = count(suite, "skipped") + count(suite, "disabled");
    const std::uint64_t tests = count(suite, "tests");
    if (options_.each) {
      if (failed + tests > 0)
        uncounted_.add(fmt::format("\"{}\"", suite.attribute("name").value()));
      return;
    }
    failed_ += failed;
    total_ += std::max(failed, tests - std::min(tests, skipped));
  }

  // Some reporters count failures of tests that passed when they were run again among those of a
  // suite.
  void compare_counts(pugi::xml_node suite, std::uint64_t failed) {
    const auto counter = [&](const char* name) { return suite.attribute(name).as_ullong(); };
    const auto is_flaky = [](pugi::xml_node node) {
      return std::string_view(node.name()).starts_with("flaky");
    };
    if (failed == 0 && counter("failures") + counter("errors") > 0 && !suite.find_node(is_flaky))
      miscounted_.add(fmt::format("\"{}\"", suite.attribute("name").value()));
  }

  // Any failure makes the outcome a failure. If nothing ran, it is "partial", which rewards
  // nothing.
  void add_whole(double seconds) {
    const std::string id = "junit/" + content_hash(fmt::format("{}\n{}", options_.task, content_));
    std::string fields = fmt::format(
        R"("id":"{}","metrics":{{"executionTimeMs":{},"testsPassed":{},"testsTotal":{}}},)"
        R"("outcome":"{}","taskId":{})",
        id, json_number(std::round(seconds * 1000)), total_ - failed_, total_,
        failed_ > 0  ? "failure"
        : total_ > 0 ? "success"
                     : "partial",
        json_text(options_.task));
    if (latest_) fields += fmt::format(R"(,"timestamp":{})", *latest_);
    sink_("{" + fields + "}", "");
  }

  // Notes for the user about the report.
  void add_notes() const {
    const auto note = [&](const Examples& all, std::string_view noun, std::string_view of_one,
                          std::string_view of_more) {
      note_examples(options_, all, all.count == 1 ? of_one : of_more, {}, noun);
    };
    note(outside_, "text", "stands outside of the reports and was passed over",
         "stand outside of the reports and were passed over");
    note(unknown_, "element", "is not known in reports and was passed over",
         "are not known in reports and were passed over");
    note(uncounted_, "suite", "lists no tests, only how many, so it says nothing of a test",
         "list no tests, only how many, so they say nothing of a test");
    note(miscounted_, "suite", "counts failures that no test case in it has: the cases hold",
         "count failures that no test case in them has: the cases hold");
    note(odd_verdicts_, "test", "has a status that hebb does not know, and counts as passed",
         "have a status that hebb does not know, and count as passed");
    note(odd_durations_, "time", "is no duration that hebb knows and counts as none",
         "are no durations that hebb knows and count as none");
    const bool one = odd_.count == 1;
    note_examples(options_, odd_, one ? "is no time that can be" : "are no times that can be",
                  fmt::format(": what {} counts as of the time around it, or of now",
                              one ? "it dates" : "they date"),
                  "timestamp");
    cases_.add_notes();
  }

  void take_suite(pugi::xml_node suite, Surroundings& around, std::size_t depth) const {
    if (const std::string_view name = suite.attribute("name").value(); !name.empty()) {
      around.suite = suite_name(clean(name));
      if (depth > 1) around.suites.push_back(around.suite);
    }
    take_file(suite, around);
    add_changed(suite, around.changed);
  }

  void take_file(pugi::xml_node element, Surroundings& around) const {
    const std::string_view file = element.attribute("file").value();
    if (!file.empty()) around.file = shown_file(clean(file), options_.root);
  }

  // <properties><property name="filesModified" value="a.cc b.cc"/></properties>
  static void add_changed(pugi::xml_node suite, std::vector<std::string>& changed) {
    for (const pugi::xml_node property : suite.child("properties").children("property")) {
      if (std::string_view(property.attribute("name").value()) != "filesModified") continue;
      std::istringstream files(property.attribute("value").value());
      for (std::string file; files >> file;) changed.push_back(as_id(clean(file)));
    }
  }

  const std::string_view content_;
  const ReadOptions& options_;
  const LineSink& sink_;
  TestCases cases_;
  std::uint64_t total_ = 0, failed_ = 0;  // tests that ran; failures and errors
  std::optional<TimeMs> latest_;          // of the suites' times
  Examples odd_, odd_durations_, odd_verdicts_, outside_, unknown_, uncounted_, miscounted_;
};

}  // namespace

}  // namespace hebb::input

namespace hebb {

void read_junit(Input& input, const ReadOptions& options, const ItemSink& sink) {
  using namespace input;
  JsonReader reader;
  const auto parse = [&](std::string_view json) {
    const Object object = reader.parse_object(json);
    if (find(object, "kind")) return parse_history(reader, json);
    return parse_outcome(reader, object, options.now);
  };
  if (options.single_item) {
    split_items(input, each_parsed(sink, parse));
    return;
  }
  if (options.each == !options.task.empty()) {
    throw std::invalid_argument("a JUnit report needs the id of its task, or counts each test");
  }
  const input::LineSink take = [&](const std::string& line, const std::string& key) {
    const RawItem raw{1, line, false, line.size(), {}};
    Item item = as_item(raw, attempt(raw, parse));
    if (auto* event = std::get_if<Event>(&item.parsed)) {
      if (!key.empty()) event->key = event_key(event->payload, key);
      // The key stands for the report, which may be read again with another time of its events: in
      // another zone, or where a time that was still to come has come.
      event->may_differ = !key.empty() || std::holds_alternative<OutcomeSignal>(event->payload);
    }
    sink(std::move(item));
  };
  const std::string_view content = input.rest(Limits::kDocumentBytes);
  Report(content, options, take).read();
}

}  // namespace hebb
