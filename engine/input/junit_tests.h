// The test cases of a report, each by itself: what its node, its contexts and its outcome are.
//
// A test is a node of type TEST, whose id is test_id(). Its file and its suite are contexts of it.
// No event is made for a node or an edge that the graph has already. Internal to the readers.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/input/junit.h"

namespace hebb::input {

// Takes what a report amounts to: lines of a history log, and outcomes where it has no time. The
// key is that of an event whose line has nothing unique; empty: there is none.
using LineSink = std::function<void(const std::string& line, const std::string& key)>;

// What a test case inherits from the suites around it.
struct Surroundings {
  std::string suite, file;
  std::vector<std::string> suites;  // see TestCase
  std::optional<TimeMs> time;
  std::vector<std::string> changed;
};

// "1 name in it stands …, such as NAME" as a note, if there is any.
void note_examples(const ReadOptions& options, const Examples& all, std::string_view what,
                   std::string_view rest = {}, std::string_view noun = "name");

class TestCases {
 public:
  // hash: of the report.
  TestCases(std::string hash, const ReadOptions& options, const LineSink& sink)
      : hash_(std::move(hash)), options_(options), sink_(sink) {}

  // Adds a test that ran. scope: of a failure before its tests; empty: by scope_of_setup().
  void add(TestCase test, const Surroundings& around, bool failed, double seconds,
           std::string scope = {});
  // A failure before the tests of a file, a class, a group, a suite or all of them never passes
  // under its name: its node is closed when one of these tests has passed. To be called after the
  // last test.
  void close_setups();
  void add_notes() const;  // for the user, about the names

 private:
  // An outcome of a test is never one of a node that is none: a task may have the same name.
  std::string id_of(const TestCase& test);
  void note_renamed(const std::string& id, const std::string& before);
  // A test that has contexts of the kind of this one, but not this one.
  void note_elsewhere(const std::string& id, const std::string& file,
                      const std::string& suite_name);
  // A test is never done: one that passed was closed, where the policy takes tests for tasks.
  void open_again(const std::string& test);
  void add_context(const std::string& test, const std::string& id, std::string_view type,
                   const std::string& name);
  // outcome: its id; known: the ledger has it.
  void add_changed_files(const std::string& test, const Surroundings& around,
                         const std::string& outcome, bool known);
  // The files that the test was linked with when the outcome was taken. A time that could not be
  // read then can be now, as when it was still to come: such a link has another key.
  std::set<std::string> linked_with(const std::string& test, const std::string& outcome) const;
  void add_node(const std::string& id, std::string_view type, const std::string& fields);
  void add_edge(const std::string& source, const std::string& target, std::string_view type);
  const HeldBefore::Node* find(const std::string& id) const;
  // n: the place of the test in the report, from 1.
  std::string outcome_id(const std::string& test, std::size_t n) const;
  void add_outcome(const std::string& outcome, const std::string& id, bool failed, double seconds,
                   std::optional<TimeMs> time);
  void line(const std::string& fields, const std::string& key = {});

  const std::string hash_;
  const ReadOptions& options_;
  const LineSink& sink_;
  TimeMs at_ = 0;                            // of the test being added
  std::map<std::string, std::string> made_;  // nodes, once a report, with their types
  std::set<std::string> written_;            // edges and states, once a report
  std::map<std::string, TimeMs> passed_;     // by scope: when one of its tests passed last
  Examples elsewhere_, taken_, renamed_;
  std::size_t outcomes_ = 0;
  std::map<std::string, std::size_t> cases_;  // by id
};

}  // namespace hebb::input
