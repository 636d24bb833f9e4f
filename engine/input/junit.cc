// JUnit XML reports: a whole report as one outcome of options.task, or each test case by itself.
//
// A test is a node of type TEST, whose id is test_id(). Its file and its suite are contexts of it.
// What the graph has already is not said again.
#include "engine/input/junit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "engine/values/canonical_json.h"
#include "engine/values/counted.h"
#include "reward/evidence.h"

namespace hebb::input {

namespace {

constexpr std::string_view kTest = "TEST";
constexpr std::string_view kOfTest = "test:";  // before the name of a test that another node has

// Takes what the report amounts to: lines of a history log, and outcomes where it has no time. The
// key is of an event that its line does not tell from others; empty: there is none.
using LineSink = std::function<void(const std::string& line, const std::string& key)>;

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

// What a test case inherits from the suites around it.
struct Surroundings {
  std::string suite, file;
  std::vector<std::string> suites;  // see TestCase
  std::optional<TimeMs> time;
  std::vector<std::string> changed;
};

class Report {
 public:
  Report(std::string_view content, const ReadOptions& options, const LineSink& sink)
      : hash_(content_hash(content)), options_(options), sink_(sink) {}

  // Returns the suite's seconds: its own figure, or else the sum of what it contains.
  double add_suite(pugi::xml_node suite, Surroundings around = {}, std::size_t depth = 1) {
    if (depth > Limits::kDepth) {
      throw UnreadableInput(fmt::format("suites are nested more than {} deep", Limits::kDepth));
    }
    if (const auto time = time_of(suite, options_, odd_)) {
      around.time = time;
      latest_ = std::max(latest_, time);
    }
    if (options_.each) take_suite(suite, around, depth);
    double inner = 0;
    bool lists_tests = false;
    for (const pugi::xml_node child : suite.children()) {
      const std::string_view name = child.name();
      const bool is_test = name == "testcase";
      if (!is_test && name != "testsuite") continue;
      lists_tests = true;
      inner += is_test ? seconds_of(child) : add_suite(child, around, depth + 1);
      if (!is_test || !ran(child)) continue;
      ++total_;
      failed_ += failed(child);
      if (options_.each) add_test(child, around);
    }
    if (!lists_tests && !options_.each) add_counts(suite);
    const double own = seconds_of(suite);
    return own > 0 ? own : inner;
  }

  // Any failure makes the outcome a failure. If nothing ran, it is "partial", which rewards
  // nothing.
  void add_whole(std::string_view content, double seconds) {
    const std::string id = "junit/" + content_hash(fmt::format("{}\n{}", options_.task, content));
    std::string fields = fmt::format(
        R"("id":"{}","metrics":{{"executionTimeMs":{},"testsPassed":{},"testsTotal":{}}},)"
        R"("outcome":"{}","taskId":{})",
        id, json_number(std::round(seconds * 1000)), total_ - failed_, total_,
        failed_ > 0  ? "failure"
        : total_ > 0 ? "success"
                     : "partial",
        json_text(options_.task));
    if (latest_) fields += fmt::format(R"(,"timestamp":{})", *latest_);
    line(fields);
  }

  // What the user should know of the names and times in it.
  void tell() const {
    if (!options_.note) return;
    const auto tell = [&](const Examples& all, std::string_view what, std::string_view rest = {},
                          std::string_view noun = "name") {
      if (all.count == 0) return;
      options_.note(fmt::format("{} in it {}, such as {}{}", counted(all.count, noun), what,
                                all.first, rest));
    };
    const bool one = odd_.count == 1;
    tell(odd_, one ? "is no time that can be" : "are no times that can be",
         fmt::format(": what {} counts as of the time around it, or of now",
                     one ? "it dates" : "they date"),
         "timestamp");
    Examples shared;  // tests of one id can't be told apart from here on
    for (const auto& [id, cases] : cases_)
      if (cases > 1) shared.add(fmt::format("\"{}\" for {}", id, cases));
    tell(shared, fmt::format("{} for several test cases", shared.count == 1 ? "stands" : "stand"),
         ": their outcomes count for one test. Unless these are retries, have the reporter write "
         "file or class of each test");
    tell(elsewhere_,
         "stood for a test of another file or suite before: if these are different tests, their "
         "outcomes count for one");
    tell(taken_, "belonged to a node of another type, so the test has a name of its own");
    tell(renamed_, "had another form in hebb 0.2.0, so the test begins anew");
  }

 private:
  // For suites that list no tests.
  void add_counts(pugi::xml_node suite) {
    const std::uint64_t failed = count(suite, "failures") + count(suite, "errors");
    const std::uint64_t skipped = count(suite, "skipped") + count(suite, "disabled");
    const std::uint64_t tests = count(suite, "tests");
    failed_ += failed;
    total_ += std::max(failed, tests - std::min(tests, skipped));
  }

  void take_suite(pugi::xml_node suite, Surroundings& around, std::size_t depth) const {
    if (const std::string_view name = suite.attribute("name").value(); !name.empty()) {
      around.suite = suite_name(name);
      if (depth > 1) around.suites.push_back(around.suite);
    }
    take_file(suite, around);
    add_changed(suite, around.changed);
  }

  void take_file(pugi::xml_node element, Surroundings& around) const {
    const std::string_view file = element.attribute("file").value();
    if (!file.empty()) around.file = shown_file(file, options_.root);
  }

  // <properties><property name="filesModified" value="a.cc b.cc"/></properties>
  static void add_changed(pugi::xml_node suite, std::vector<std::string>& changed) {
    for (const pugi::xml_node property : suite.child("properties").children("property")) {
      if (std::string_view(property.attribute("name").value()) != "filesModified") continue;
      std::istringstream files(property.attribute("value").value());
      for (std::string file; files >> file;) changed.push_back(file);
    }
  }

  void add_test(pugi::xml_node element, Surroundings around) {
    take_file(element, around);
    TestCase test{element.attribute("classname").value(), element.attribute("name").value(),
                  around.file, around.suites, !element.attribute("status").empty()};
    if (is_of_fixture(test)) test.file = around.file = "";
    const std::string id = id_of(test);
    ++cases_[id];
    if (const auto time = time_of(element, options_, odd_)) around.time = time;
    at_ = around.time.value_or(options_.now);
    const std::string outcome = outcome_id(id, ++outcomes_);
    // Before its contexts are said.
    const bool known = made_.contains(id) || find(id);
    if (!known && test_id_of_0_2_0(test) != id) note_renamed(id, test_id_of_0_2_0(test));
    if (find(id) && !made_.contains(id)) note_elsewhere(id, around);
    add_node(id, kTest,
             fmt::format(R"(,"state":"OPEN","properties":{{"classname":{},"file":{},"name":{}}})",
                         json_text(test.classname), json_text(around.file), json_text(test.name)));
    if (!around.file.empty()) add_context(id, around.file, "FILE", around.file);
    if (!around.suite.empty()) add_context(id, "suite-" + around.suite, "SUITE", around.suite);
    // The same report, given again, says nothing new.
    const bool said = options_.before && options_.before->has_outcome(outcome);
    if (!said) open_again(id);
    if (failed(element)) add_changed_files(id, around, outcome, said);
    add_outcome(element, outcome, id, around.time);
  }

  // An outcome of a test is never one of a node that is none: a task may have the same name.
  std::string id_of(const TestCase& test) {
    const std::string own = test_id(test);
    std::string id = own;
    const auto is_other = [&] {
      const auto made = made_.find(id);
      if (made != made_.end()) return made->second != kTest;
      const HeldBefore::Node* node = find(id);
      return node && node->type != kTest;
    };
    while (is_other()) id.insert(0, kOfTest);
    if (id != own && !cases_.contains(id)) taken_.add(fmt::format("\"{}\": it is \"{}\"", own, id));
    return id;
  }

  void note_renamed(const std::string& id, const std::string& before) {
    const HeldBefore::Node* node = find(before);
    if (node && node->type == kTest)
      renamed_.add(fmt::format("\"{}\", which was \"{}\"", id, before));
  }

  // A test that has contexts of the kind of this one, but not this one.
  void note_elsewhere(const std::string& id, const Surroundings& around) {
    const auto other = [&](std::string_view type, const std::string& context) -> std::string {
      std::string found;
      for (const auto& edge : find(id)->out) {
        if (edge.type != "LABELED_AS") continue;
        if (edge.other == context) return "";
        const HeldBefore::Node* node = find(edge.other);
        if (node && node->type == type) found = edge.other;
      }
      return context.empty() ? "" : found;
    };
    const std::string suite = around.suite.empty() ? "" : "suite-" + around.suite;
    std::string before = other("FILE", around.file), now = around.file;
    if (before.empty() && around.file.empty()) before = other("SUITE", now = suite);
    if (!before.empty())
      elsewhere_.add(fmt::format("\"{}\" of {}, and of {} before", id, now, before));
  }

  // A test is never done: one that passed was closed, where the policy takes tests for tasks.
  void open_again(const std::string& test) {
    const HeldBefore::Node* node = find(test);
    if (!node || node->state != "CLOSED" || !said_.insert(test + "\nopened").second) return;
    line(fmt::format(R"("kind":"state","at":{},"id":{},"state":"OPEN")", at_, json_text(test)));
  }

  void add_context(const std::string& test, const std::string& id, std::string_view type,
                   const std::string& name) {
    add_node(id, type, fmt::format(R"(,"name":{})", json_text(name)));
    add_edge(test, id, "LABELED_AS");
  }

  // outcome: its id; known: the ledger has it.
  void add_changed_files(const std::string& test, const Surroundings& around,
                         const std::string& outcome, bool known) {
    std::set<std::string> there;
    if (known) there = linked_with(test, outcome);
    for (const auto* files : {&options_.changed, &around.changed}) {
      for (const std::string& file : *files) {
        if (there.contains(file)) continue;
        add_node(file, "FILE", fmt::format(R"(,"name":{})", json_text(file)));
        // What has a time is known by it, the rest by its outcome.
        line(fmt::format(R"("kind":"edge","at":{},"source":{},"target":{},"type":"{}")", at_,
                         json_text(test), json_text(file), reward::kFailsWith),
             around.time ? std::string() : outcome + "/" + content_hash(file));
      }
    }
  }

  // The files that the test was linked with when the outcome was taken. A time that could not be
  // read then can be now, as when it was still to come: such a link has another key.
  std::set<std::string> linked_with(const std::string& test, const std::string& outcome) const {
    const std::vector<Event>& events = options_.before->events_of(test);
    const std::string key = event_key(OutcomeSignal{}, outcome);
    const auto taken =
        std::find_if(events.begin(), events.end(), [&](const Event& e) { return e.key == key; });
    std::set<std::string> files;
    for (const Event& e : events) {
      const auto* link = std::get_if<Link>(&e.payload);
      if (link && link->type == reward::kFailsWith && taken != events.end() && e.at == taken->at)
        files.insert(link->target);
    }
    return files;
  }

  void add_node(const std::string& id, std::string_view type, const std::string& fields) {
    if (!made_.try_emplace(id, type).second || find(id)) return;
    line(fmt::format(R"("kind":"node","at":{},"id":{},"type":"{}"{})", at_, json_text(id), type,
                     fields));
  }

  void add_edge(const std::string& source, const std::string& target, std::string_view type) {
    if (!said_.insert(fmt::format("{}\n{}\n{}", source, target, type)).second) return;
    if (const HeldBefore::Node* node = find(source)) {
      const HeldBefore::Edge edge{std::string(type), target};
      if (std::find(node->out.begin(), node->out.end(), edge) != node->out.end()) return;
    }
    line(fmt::format(R"("kind":"edge","at":{},"source":{},"target":{},"type":"{}")", at_,
                     json_text(source), json_text(target), type));
  }

  const HeldBefore::Node* find(const std::string& id) const {
    return options_.before ? options_.before->find(id) : nullptr;
  }

  // n: the place of the test in the report, from 1.
  std::string outcome_id(const std::string& test, std::size_t n) const {
    return "junit/" + content_hash(fmt::format("{}\n{}\n{}", hash_, test, n));
  }

  // Without a time it is an outcome, which has no need of one.
  void add_outcome(pugi::xml_node test, const std::string& outcome, const std::string& id,
                   std::optional<TimeMs> time) {
    std::string fields = time ? fmt::format(R"("kind":"outcome","at":{},)", at_) : std::string();
    fields +=
        fmt::format(R"("id":"{}","metrics":{{"executionTimeMs":{}}},"outcome":"{}","taskId":{})",
                    outcome, json_number(std::round(seconds_of(test) * 1000)),
                    failed(test) ? "failure" : "success", json_text(id));
    if (time) fields += fmt::format(R"(,"timestamp":{})", at_);
    line(fields);
  }

  void line(const std::string& fields, const std::string& key = {}) {
    sink_("{" + fields + "}", key);
  }

  const std::string hash_;
  const ReadOptions& options_;
  const LineSink& sink_;
  std::uint64_t total_ = 0, failed_ = 0;     // tests that ran; failures and errors
  std::optional<TimeMs> latest_;             // of the suites' times
  TimeMs at_ = 0;                            // of the test being added
  std::map<std::string, std::string> made_;  // nodes, once a report, with their types
  std::set<std::string> said_;               // edges and states, once a report
  Examples elsewhere_, taken_, renamed_;
  Examples odd_;  // times
  std::size_t outcomes_ = 0;
  std::map<std::string, std::size_t> cases_;  // by id
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
  if (options.kept) return split_items(input, each_parsed(sink, parse));
  if (options.each == !options.task.empty()) {
    throw std::invalid_argument("a JUnit report needs the id of its task, or counts each test");
  }
  const LineSink take = [&](const std::string& line, const std::string& key) {
    const RawItem raw{1, line, false, line.size(), {}};
    Item item = as_item(raw, attempt(raw, parse));
    if (auto* event = std::get_if<Event>(&item.parsed)) {
      if (!key.empty()) event->key = event_key(event->payload, key);
      // The id stands for the report, whose time may be none now and one later, or of another zone.
      event->may_differ = !key.empty() || std::holds_alternative<OutcomeSignal>(event->payload);
    }
    sink(std::move(item));
  };
  const std::string_view content = input.rest(Limits::kDocumentBytes);
  pugi::xml_document document;
  Report report(content, options, take);
  const double seconds = report.add_suite(load_report(document, content));
  report.tell();
  if (!options.each) report.add_whole(content, seconds);
}

}  // namespace hebb
