// Scripts of what happens to a database and what it must answer then: tests/engine/scripts/*.test.
//
//   # a comment                         a whole line
//   def NAME(A, B) = TEXT               $NAME(x, y) stands for TEXT with x for $A and y for $B
//   case NAME                           a test; its lines follow
//   for X = a | b                       the case once for each, with $X replaced
//   without naive, shuffled             ways that the case does not go, and why in a comment
//   STATEMENT; STATEMENT                one after the other; a line that is indented goes on with
//                                       the one before, after a line break
//   times 9 STATEMENT; STATEMENT        all of the line so many times
//   each X = a b: STATEMENT             all of the line for each word
//   keep X = QUESTION                   what is answered now is $X in what is expected later
//
// A statement is an event, a command (see commands() in test_scripts.cc) or a question (questions()
// in script_questions.cc), with `=>` and what it answers; what is appended without that must be
// taken. An answer is compared word by word. A number may be given as an expression, such as
// 2*0.98^10; `~ TEXT` is part of the answer, `! TEXT` is another one; `> X` and `< X` bound it.
//
// The clock of a case begins at 2023-11-14T22:13:20Z; `+3d` moves it, `@TIME STATEMENT` is of
// another time: `+3d` from the clock, `3d` from its beginning, or a date. Units: ms (none), min, h,
// d.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace hebb::test {

struct Statement {
  std::string where;  // file and line
  std::string text;   // without what it answers
  bool is_asked = false;
  std::string answer;
};
struct Script {
  std::string name;
  std::set<std::string> without;
  std::vector<Statement> statements;
};

// Throws std::invalid_argument for what is no script.
std::vector<Script> read_scripts(const std::string& path);

// "": the answer is the one expected.
std::string compare_answer(const std::string& got, const std::string& expected);

// Each $NAME by its value; others stay.
std::string replaced(const std::string& text, const std::map<std::string, std::string>& values);
std::string trimmed(std::string_view text);
// At separators that stand neither in brackets nor between quotes.
std::vector<std::string> split(std::string_view text, std::string_view separator);

}  // namespace hebb::test
