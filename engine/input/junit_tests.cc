#include "engine/input/junit_tests.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/values/canonical_json.h"
#include "engine/values/checks.h"
#include "engine/values/counted.h"
#include "reward/evidence.h"

namespace hebb::input {

namespace {

constexpr std::string_view kTest = "TEST";
constexpr std::string_view kOfTest = "test:";  // before the name of a test that another node has

constexpr std::size_t kMostBytes = 16 << 10;  // of a text of a report that is kept

// The context of tests for failures before them. scope: of which tests.
std::string setup_id(const std::string& scope) { return as_id("setup-" + scope); }

}  // namespace

void note_examples(const ReadOptions& options, const Examples& all, std::string_view what,
                   std::string_view rest, std::string_view noun) {
  if (!options.note || all.count == 0) return;
  options.note(
      fmt::format("{} in it {}, such as {}{}", counted(all.count, noun), what, all.first, rest));
}

void TestCases::add(TestCase test, const Surroundings& around, bool failed, double seconds,
                    std::string scope) {
  if (is_of_fixture(test)) test.file = "";
  const std::string id = id_of(test);
  ++cases_[id];
  at_ = around.time.value_or(options_.now);
  const std::string outcome = outcome_id(id, ++outcomes_);
  // Looked up before its node is added.
  const bool known = made_.contains(id) || find(id);
  if (!known && test_id_of_0_2_0(test) != id) note_renamed(id, test_id_of_0_2_0(test));
  if (find(id) && !made_.contains(id)) note_elsewhere(id, test.file, around.suite);
  add_node(
      id, kTest,
      fmt::format(R"(,"state":"OPEN","properties":{{"classname":{},"file":{},"name":{}}})",
                  json_text(cut(test.classname, kMostBytes)), json_text(cut(test.file, kMostBytes)),
                  json_text(cut(test.name, kMostBytes))));
  if (!test.file.empty()) add_context(id, as_id(test.file), "FILE", test.file);
  if (!around.suite.empty()) add_context(id, as_id("suite-" + around.suite), "SUITE", around.suite);
  if (failed && scope.empty()) scope = scope_of_setup(test);
  if (!scope.empty()) add_context(id, setup_id(scope), "SETUP", scope);
  // Whether the same report was taken before: then it opens nothing again.
  const bool is_known = options_.before && options_.before->has_outcome(outcome);
  if (!is_known) open_again(id);
  if (failed) {
    add_changed_files(id, around, outcome, is_known);
  } else {
    for (std::string& passed : scopes_of(test)) {
      TimeMs& last = passed_.try_emplace(std::move(passed), at_).first->second;
      last = std::max(last, at_);
    }
  }
  add_outcome(outcome, id, failed, seconds, around.time);
}

void TestCases::close_setups() {
  const auto close = [&](const std::string& id, TimeMs passed_at) {
    const HeldBefore::Node* node = find(id);
    if (!node || node->type != kTest || node->state != "OPEN" || cases_.contains(id)) return;
    for (const Event& e : options_.before->events_of(id))
      if (std::holds_alternative<OutcomeSignal>(e.payload) && e.at > passed_at) return;
    if (!written_.insert(id + "\nclosed").second) return;
    line(fmt::format(R"("kind":"state","at":{},"id":{},"state":"CLOSED")", passed_at,
                     json_text(id)));
  };
  for (const auto& [scope, passed_at] : passed_) {
    const HeldBefore::Node* setup = find(setup_id(scope));
    if (!setup) continue;
    for (const HeldBefore::Edge& edge : setup->in)
      if (edge.type == "LABELED_AS") close(edge.other, passed_at);
  }
}

void TestCases::add_notes() const {
  Examples shared;  // ids of several test cases, whose outcomes all count for one test
  for (const auto& [id, cases] : cases_)
    if (cases > 1) shared.add(fmt::format("\"{}\" for {}", id, cases));
  note_examples(options_, shared,
                fmt::format("{} for several test cases", shared.count == 1 ? "stands" : "stand"),
                ": their outcomes count for one test. Unless these are retries, have the reporter "
                "write file or class of each test");
  note_examples(options_, elsewhere_,
                "stood for a test of another file or suite before: if these are different tests, "
                "their outcomes count for one");
  note_examples(options_, taken_,
                "belonged to a node of another type, so the test has a name of its own");
  note_examples(options_, renamed_, "had another form in hebb 0.2.0, so the test begins anew");
}

std::string TestCases::id_of(const TestCase& test) {
  const std::string own = test_id(test);
  std::string id = own;
  const auto is_other = [&] {
    const auto made = made_.find(id);
    if (made != made_.end()) return made->second != kTest;
    const HeldBefore::Node* node = find(id);
    return node && node->type != kTest;
  };
  while (is_other()) id = as_id(fmt::format("{}{}", kOfTest, id));
  if (id != own && !cases_.contains(id)) taken_.add(fmt::format("\"{}\": it is \"{}\"", own, id));
  return id;
}

void TestCases::note_renamed(const std::string& id, const std::string& before) {
  const HeldBefore::Node* node = find(before);
  if (node && node->type == kTest)
    renamed_.add(fmt::format("\"{}\", which was \"{}\"", id, before));
}

void TestCases::note_elsewhere(const std::string& id, const std::string& file,
                               const std::string& suite_name) {
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
  const std::string suite = suite_name.empty() ? "" : "suite-" + suite_name;
  std::string before = other("FILE", as_id(file)), now = file;
  if (before.empty() && file.empty()) before = other("SUITE", as_id(now = suite));
  if (!before.empty())
    elsewhere_.add(fmt::format("\"{}\" of {}, and of {} before", id, now, before));
}

void TestCases::open_again(const std::string& test) {
  const HeldBefore::Node* node = find(test);
  if (!node || node->state != "CLOSED" || !written_.insert(test + "\nopened").second) return;
  line(fmt::format(R"("kind":"state","at":{},"id":{},"state":"OPEN")", at_, json_text(test)));
}

void TestCases::add_context(const std::string& test, const std::string& id, std::string_view type,
                            const std::string& name) {
  add_node(id, type, fmt::format(R"(,"name":{})", json_text(name)));
  add_edge(test, id, "LABELED_AS");
}

void TestCases::add_changed_files(const std::string& test, const Surroundings& around,
                                  const std::string& outcome, bool known) {
  std::set<std::string> there;
  if (known) there = linked_with(test, outcome);
  for (const auto* files : {&options_.changed, &around.changed}) {
    for (const std::string& file : *files) {
      if (there.contains(file)) continue;
      add_node(file, "FILE", fmt::format(R"(,"name":{})", json_text(file)));
      // An edge with a time is known by it, any other by its outcome.
      line(fmt::format(R"("kind":"edge","at":{},"source":{},"target":{},"type":"{}")", at_,
                       json_text(test), json_text(file), reward::kFailsWith),
           around.time ? std::string() : outcome + "/" + content_hash(file));
    }
  }
}

std::set<std::string> TestCases::linked_with(const std::string& test,
                                             const std::string& outcome) const {
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

void TestCases::add_node(const std::string& id, std::string_view type, const std::string& fields) {
  if (!made_.try_emplace(id, type).second || find(id)) return;
  line(fmt::format(R"("kind":"node","at":{},"id":{},"type":"{}"{})", at_, json_text(id), type,
                   fields));
}

void TestCases::add_edge(const std::string& source, const std::string& target,
                         std::string_view type) {
  if (!written_.insert(fmt::format("{}\n{}\n{}", source, target, type)).second) return;
  if (const HeldBefore::Node* node = find(source)) {
    const HeldBefore::Edge edge{std::string(type), target};
    if (std::find(node->out.begin(), node->out.end(), edge) != node->out.end()) return;
  }
  line(fmt::format(R"("kind":"edge","at":{},"source":{},"target":{},"type":"{}")", at_,
                   json_text(source), json_text(target), type));
}

const HeldBefore::Node* TestCases::find(const std::string& id) const {
  return options_.before ? options_.before->find(id) : nullptr;
}

std::string TestCases::outcome_id(const std::string& test, std::size_t n) const {
  return "junit/" + content_hash(fmt::format("{}\n{}\n{}", hash_, test, n));
}

// With a time it is a line of a history log, else an outcome, which needs none.
void TestCases::add_outcome(const std::string& outcome, const std::string& id, bool failed,
                            double seconds, std::optional<TimeMs> time) {
  std::string fields = time ? fmt::format(R"("kind":"outcome","at":{},)", at_) : std::string();
  fields += fmt::format(
      R"("id":"{}","metrics":{{"executionTimeMs":{}}},"outcome":"{}","taskId":{})", outcome,
      json_number(std::round(seconds * 1000)), failed ? "failure" : "success", json_text(id));
  if (time) fields += fmt::format(R"(,"timestamp":{})", at_);
  line(fields);
}

void TestCases::line(const std::string& fields, const std::string& key) {
  sink_("{" + fields + "}", key);
}

}  // namespace hebb::input
