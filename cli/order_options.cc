#include "cli/order_options.h"

#include <sstream>

#include "api/files.h"
#include "cli/embedding.h"

namespace hebb::cli {

namespace {

// Ids, one on each line; blanks around them and empty lines are passed over.
std::vector<std::string> ids_of(const std::string& text) {
  std::vector<std::string> ids;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t from = line.find_first_not_of(" \t\r");
    if (from == std::string::npos) continue;
    ids.push_back(line.substr(from, line.find_last_not_of(" \t\r") - from + 1));
  }
  return ids;
}

}  // namespace

void add_order_options(CLI::App& command, OrderFiles& files) {
  command.add_option(
      "--among", files.among,
      "Only the ids in FILE, one on each line (- is stdin); one that is not known is "
      "ranked as a new task would be");
  command.add_option("--vector", files.vector,
                     "As --near, to the vector in FILE: a JSON array of numbers");
}

void read_order(const OrderFiles& files, api::Order& order) {
  if (!files.among.empty()) order.among = ids_of(api::read_file(files.among));
  if (!files.vector.empty()) order.vector = read_vector(files.vector);
}

}  // namespace hebb::cli
