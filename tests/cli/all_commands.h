// Every command of the program, as its own help lists them, and a call of each that prints
// something.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/hebb.h"

namespace hebb::test {

using Args = std::vector<std::string>;

// {"node", "set"}, …: the commands that have none beneath them.
std::vector<Args> all_commands(const Hebb& hebb, const Args& at = {});
std::string name_of(const Args& args);                       // "node set"
std::vector<std::string> words_of(const std::string& text);  // split at blanks

// Calls in an order in which each has an effect on the database of Hebb::fill().
struct Call {
  std::string command;
  Args arguments;
  std::string in;
  int exit_code = 0;
};
const std::vector<Call>& calls();

}  // namespace hebb::test
