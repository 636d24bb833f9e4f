// The options of `rank` and `next` that read a file, which only a command line has.
#pragma once

#include <string>

#include "api/order.h"
#include "cli/command.h"

namespace hebb::cli {

struct OrderFiles {
  std::string among, vector;
};

void add_order_options(CLI::App& command, OrderFiles& files);
// Reads those that were given. Throws Stop, UnreadableInput.
void read_order(const OrderFiles& files, api::Order& order);

}  // namespace hebb::cli
