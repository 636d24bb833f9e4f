// The project's pages as text: their tables, their console sessions, and a shell to run those in.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace hebb::test {

struct Table {
  std::string section;  // the heading above it, without its #
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // cells, trimmed
};

// What a ```console block shows. "> " goes on with the command of the line before.
struct Step {
  std::string command;
  std::string output;  // stdout and stderr, as they appear
};
struct Session {
  int line = 0;            // of its fence
  bool continued = false;  // ```console continued: goes on where the block before ended
  std::vector<Step> steps;
};

std::vector<Table> tables_of(const std::string& markdown);
// What links to a heading have behind #, as GitHub makes it.
std::set<std::string> anchors_of(const std::string& markdown);

class Page {
 public:
  explicit Page(const std::string& path);  // from the root of the project

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  std::vector<Table> tables() const { return tables_of(text_); }
  std::vector<Table> tables(const std::string& section) const;
  std::set<std::string> anchors() const { return anchors_of(text_); }
  std::string without_code() const;  // without fenced blocks and what is in backticks
  std::vector<Session> sessions() const;

 private:
  std::string path_, text_;
  std::vector<std::string> lines_;
};

std::vector<Page> all_pages();  // those at the top, docs/ and examples/

// The texts between backticks.
std::vector<std::string> in_backticks(const std::string& text);

// A folder of its own, gone when the test ends, in which `hebb` is the program under test, HEBB_DB
// is hebb.db, and examples/ is the project's.
class Shell {
 public:
  Shell();

  // The outputs of commands that one shell runs one after the other.
  std::vector<std::string> run(const std::vector<std::string>& commands);
  struct Result {
    int code = 0;
    std::string output;
  };
  Result run(const std::string& command);
  void write(const std::string& file, const std::string& text);

 private:
  Folder folder_;
};

}  // namespace hebb::test
