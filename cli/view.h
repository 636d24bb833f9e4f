// How a command shows the answer of an operation to people. The command line is a client of the
// operations' JSON, like those of HTTP and MCP: a command turns its words into a request, calls the
// operation, and prints the result, as JSON or by its view.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "cli/command.h"

namespace hebb::cli {

// A field that a command takes as an argument.
struct Argument {
  std::string_view field;
  std::string_view shown = {};  // its name in usage, and the option that it may also be
  bool required = true;
};

struct View {
  std::string_view operation;  // its name
  std::string_view does = {};  // the command's summary; empty: the operation's

  // A command for a part of the operation: it has only these arguments, and these fields as
  // options. `prepare` sets what it always sends.
  std::string_view command = {};
  std::vector<Argument> arguments = {};
  std::vector<std::string_view> takes = {};
  std::string_view example = {};  // of that command

  // Prints the result for people. Unset where `run` prints it.
  void (*print)(const Context&, const Json& request, const Json& result) = nullptr;

  // Shows a part of a slow result as soon as it is ready; not with --json.
  void (*part)(const Context&, const Json& part) = nullptr;

  // Called after the result is printed, also as JSON. Throws Stop for another exit code than 0.
  void (*end)(const Context&, const Json& request, const Json& result) = nullptr;
  // Completes the request from the words of the command line.
  void (*prepare)(const Context&, Json& request) = nullptr;
  // Runs the operation and shows a result that is too large for one JSON value.
  void (*run)(const Context&, api::Session&, const Json& request) = nullptr;
  bool on_outcome = false;  // has --on-outcome
  bool several = false;     // asks several databases together, where --db names them
  // Adds options that only a command line has.
  void (*options)(CLI::App& command, Context&) = nullptr;
};
using Views = std::vector<View>;
// The words of the command: the view's, else the operation's.
std::string_view command_of(const View& view);

// A table of the objects in a list: for each, its cells. For an empty list only the note `nothing`,
// if given.
using Cells = std::vector<std::string>;
void print_rows(const Context& context, const Json& rows, const std::vector<Column>& columns,
                Cells (*cells)(const Json& row), std::string_view nothing = {});

// The members of a result; an absent one is empty, 0 or false.
std::string text(const Json& record, std::string_view name);
std::int64_t whole(const Json& record, std::string_view name);
double number(const Json& record, std::string_view name);
bool flag(const Json& record, std::string_view name);
const Json& list(const Json& record, std::string_view name);
bool has(const Json& record, std::string_view name);
std::string time(const Json& record, std::string_view name);  // as format_time(); "never"
std::string edge_text(const Json& edge);                      // "a -BLOCKS-> b"
std::string weight_text(const Json& edge);                    // with "(dormant)"
std::vector<std::string> texts(const Json& record, std::string_view name);
// A number as in tables, "-" if it is absent.
std::string decimals(const Json& record, std::string_view name, int places);

// Notes that tasks block one another (engine/fold/blocking.h); nothing if there is no cycle.
void note_blocking_cycle(const Context& context, const std::vector<std::string>& cycle);
// The result of an input: the sums, the refusals and other notes of an IngestResult.
void print_sums(const Context& context, const Json& result);
void note_refusals(const Context& context, const Json& result);

}  // namespace hebb::cli
