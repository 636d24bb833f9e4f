// JUnit XML reports, each test case by itself.
//
// A test is a node of type TEST, whose id is test_id(). Its file and its suite are contexts of it.
// What the graph has already is not said again.
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "engine/input/junit_names.h"
#include "engine/input/junit_report.h"
#include "engine/ledger/canonical_json.h"

namespace hebb::input {

namespace {

std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

// What a test case inherits from the suites around it.
struct Surroundings {
  std::string suite, file;
  std::vector<std::string> suites;  // see TestCase
  ReportTime time;
  std::vector<std::string> changed;
};

class EachTest {
 public:
  EachTest(std::string_view content, const ReadOptions& options, const KeyedSink& sink)
      : report_(content_hash(content)), options_(options), sink_(sink) {}

  void add_suite(pugi::xml_node suite, Surroundings around, std::size_t depth) {
    if (depth > Limits::kDepth) {
      throw UnreadableInput(fmt::format("suites are nested more than {} deep", Limits::kDepth));
    }
    if (const std::string_view name = suite.attribute("name").value(); !name.empty()) {
      around.suite = suite_name(name);
      if (depth > 1) around.suites.push_back(around.suite);
    }
    take_file(suite, around);
    inherit(suite, around.time);
    add_changed(suite, around.changed);
    for (const pugi::xml_node child : suite.children()) {
      const std::string_view name = child.name();
      if (name == "testcase") add_test(child, around);
      if (name == "testsuite") add_suite(child, around, depth + 1);
    }
  }

  // Tests of one id can't be told apart from here on.
  void tell_shared_ids() const {
    std::size_t shared = 0;
    const std::pair<const std::string, std::size_t>* first = nullptr;
    for (const auto& entry : cases_) {
      if (entry.second < 2) continue;
      ++shared;
      if (first == nullptr) first = &entry;
    }
    if (shared == 0 || !options_.note) return;
    options_.note(fmt::format(
        "{} in it {} for several test cases, such as \"{}\" for {}: their outcomes count for one "
        "test. Unless these are retries, have the reporter write file or class of each test "
        "(docs/tests.md)",
        shared == 1 ? "1 name" : fmt::format("{} names", shared), shared == 1 ? "stands" : "stand",
        first->first, first->second));
  }

 private:
  void take_file(pugi::xml_node element, Surroundings& around) const {
    const std::string_view file = element.attribute("file").value();
    if (!file.empty()) around.file = shown_file(file, options_.root);
  }

  void inherit(pugi::xml_node element, ReportTime& time) const {
    ReportTime own = time_of(element, options_);
    if (own.time || !own.bad.empty()) time = std::move(own);
  }

  // <properties><property name="filesModified" value="a.cc b.cc"/></properties>
  static void add_changed(pugi::xml_node suite, std::vector<std::string>& changed) {
    for (const pugi::xml_node property : suite.child("properties").children("property")) {
      if (std::string_view(property.attribute("name").value()) != "filesModified") continue;
      std::string_view rest = property.attribute("value").value();
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
        if (end > 0) changed.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  }

  void add_test(pugi::xml_node test, Surroundings around) {
    if (!ran(test)) return;
    const std::string classname = test.attribute("classname").value();
    const std::string name = test.attribute("name").value();
    take_file(test, around);
    const std::string id =
        test_id({classname, name, around.file, around.suites, !test.attribute("status").empty()});
    ++cases_[id];
    inherit(test, around.time);
    at_ = around.time.time.value_or(options_.now);
    const std::string outcome = outcome_id(id, ++outcomes_);
    if (around.time.bad.empty()) {
      add_node(id, "TEST",
               fmt::format(R"(,"state":"OPEN","properties":{{"classname":{},"file":{},"name":{}}})",
                           json_text(classname), json_text(around.file), json_text(name)));
      if (!around.file.empty()) add_context(id, around.file, "FILE", around.file);
      if (!around.suite.empty()) add_context(id, "suite-" + around.suite, "SUITE", around.suite);
      // The same report, given again, says nothing new.
      const bool said = options_.before && options_.before->has_outcome(outcome);
      if (!said) open_again(id);
      // What has a time is known by it, the rest by its outcome.
      if (failed(test))
        add_changed_files(id, around.changed, around.time.time ? std::string() : outcome);
    }
    add_outcome(test, outcome, id, around.time);
  }

  // A test is never done: one that passed was closed, unless by the preset `tests`.
  void open_again(const std::string& test) {
    const HeldBefore::Node* node = find(test);
    if (!node || node->state != "CLOSED" || !made_.insert(test + "\nopened").second) return;
    line(fmt::format(R"("kind":"state","at":{},"id":{},"state":"OPEN")", at_, json_text(test)));
  }

  void add_context(const std::string& test, const std::string& id, std::string_view type,
                   const std::string& name) {
    add_node(id, type, fmt::format(R"(,"name":{})", json_text(name)));
    add_edge(test, id, "LABELED_AS");
  }

  // outcome: its id, where it has no time.
  void add_changed_files(const std::string& test, const std::vector<std::string>& changed,
                         const std::string& outcome) {
    for (const auto* files : {&options_.changed, &changed}) {
      for (const std::string& file : *files) {
        add_node(file, "FILE", fmt::format(R"(,"name":{})", json_text(file)));
        line(fmt::format(R"("kind":"edge","at":{},"source":{},"target":{},"type":"FAILS_WITH")",
                         at_, json_text(test), json_text(file)),
             outcome.empty() ? std::string() : outcome + "/" + content_hash(file));
      }
    }
  }

  void add_node(const std::string& id, std::string_view type, const std::string& fields) {
    if (!made_.insert(id).second || find(id)) return;
    line(fmt::format(R"("kind":"node","at":{},"id":{},"type":"{}"{})", at_, json_text(id), type,
                     fields));
  }

  void add_edge(const std::string& source, const std::string& target, std::string_view type) {
    if (!made_.insert(fmt::format("{}\n{}\n{}", source, target, type)).second) return;
    if (const HeldBefore::Node* node = find(source)) {
      for (const auto& edge : node->out) {
        if (edge.type == type && edge.other == target) return;
      }
    }
    line(fmt::format(R"("kind":"edge","at":{},"source":{},"target":{},"type":"{}")", at_,
                     json_text(source), json_text(target), type));
  }

  const HeldBefore::Node* find(const std::string& id) const {
    return options_.before ? options_.before->find(id) : nullptr;
  }

  // n: the place of the test in the report, from 1.
  std::string outcome_id(const std::string& test, std::size_t n) const {
    return "junit/" + content_hash(fmt::format("{}\n{}\n{}", report_, test, n));
  }

  // Without a time it is an outcome, which has no need of one.
  void add_outcome(pugi::xml_node test, const std::string& outcome, const std::string& id,
                   const ReportTime& time) {
    std::string fields =
        time.time ? fmt::format(R"("kind":"outcome","at":{},)", at_) : std::string();
    fields += fmt::format(R"("id":"{}","metrics":{{"executionTimeMs":)", outcome);
    append_json_number(fields, std::round(seconds_of(test) * 1000));
    fields += fmt::format(R"(}},"outcome":"{}","taskId":{})", failed(test) ? "failure" : "success",
                          json_text(id));
    if (!time.bad.empty()) {
      fields += fmt::format(R"(,"timestamp":{})", json_text(time.bad));  // is refused with its text
    } else if (time.time) {
      fields += fmt::format(R"(,"timestamp":{})", at_);
    }
    line(fields);
  }

  void line(const std::string& fields, const std::string& key = {}) {
    const std::string text = "{" + fields + "}";
    sink_({1, text, false, text.size(), {}}, key);
  }

  const std::string report_;  // its hash
  const ReadOptions& options_;
  const KeyedSink& sink_;
  TimeMs at_ = 0;               // of the test being added
  std::set<std::string> made_;  // nodes and edges, once a report
  std::size_t outcomes_ = 0;
  std::map<std::string, std::size_t> cases_;  // by id
};

}  // namespace

void read_each_test(std::string_view content, const ReadOptions& options, const KeyedSink& sink) {
  pugi::xml_document document;
  const pugi::xml_node root = load_report(document, content);
  EachTest each(content, options, sink);
  each.add_suite(root, {}, 1);
  each.tell_shared_ids();
}

}  // namespace hebb::input
