// How people are shown what an operation answers. The command line is a client of the operations'
// JSON, as those of HTTP and MCP are: a command turns its words into a request, calls the
// operation, and prints the result, as JSON or by its view.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "cli/command.h"

namespace hebb::cli {

struct View {
  std::string_view operation;  // its name
  std::string_view does = {};  // the command's summary, where the operation's would not do

  // A word for a part of what the operation does, as a command of its own: it sends the members of
  // this JSON object, takes these fields as arguments, in this order, and those as options, no
  // others. "snoozed_until:UNTIL" is an argument of another name, which may be an option
  // as well, with "?" one that may be left out: "because:WHY,--because?".
  std::string_view command = {}, sends = {}, arguments = {}, takes = {};
  std::string_view example = {};  // of such a command

  // A line of what was done, not printed with -q: "unlinked {edge}  (its weight was {weight})".
  // What stands in braces is a path in the result, else in the request: see text_of(). Behind the
  // path, "#call" or "#call/calls" counts, "?yes/no" is one of two texts, and ":.1f" is how a
  // number is written, "-" where there is none.
  std::string_view report = {};

  // A table: the name of a list, and its columns, with blanks between: PATH[:HEADING][>][~], or a
  // text with paths in braces for PATH. With ">" a column is aligned to the right, with "~" it
  // gives way where the terminal is narrow. The heading is the last part of the path, else; a "_"
  // in a heading is a blank.
  std::string_view rows = {}, columns = {};
  std::string_view nothing = {};  // a note where the list is empty
  std::string_view more = {};     // the option that goes on with the rest, whose value is `next`

  // Else a function prints it.
  void (*print)(const Context&, const Json& request, const Json& result) = nullptr;

  // Shows a part of a result that takes long, as soon as it is there; not with --json.
  void (*part)(const Context&, const Json& part) = nullptr;

  // Called once the result is printed, as JSON too. Throws Stop for another exit code than 0.
  void (*end)(const Context&, const Json& request, const Json& result) = nullptr;
  // Makes of what the words of the command line say the request that is meant.
  void (*prepare)(const Context&, Json& request) = nullptr;
  // Runs the operation and shows its result, where that is too large for one JSON value.
  void (*run)(const Context&, api::Session&, const Json& request) = nullptr;
  bool on_outcome = false;  // has --on-outcome
  bool several = false;     // asks several databases together, where --db names them
  // Adds options that only a command line has.
  void (*options)(CLI::App& command, Context&) = nullptr;
};
using Views = std::vector<View>;
// The words of the command: the view's, else the operation's.
std::string_view command_of(const View& view);

void show(const Context& context, const View& view, const Json& request, const Json& result);

// Rows of the objects in a list of a result, and columns as View::columns has them. Times are
// printed as format_time() does, numbers with four digits, lists with commas; what is absent is
// empty.
void print_table(const Context& context, std::string_view operation, const Json& result,
                 std::string_view rows, std::string_view columns);

// The value at a path such as "node.id" in what those fields describe, as people read it: a time as
// format_time() has it, an edge as "a -BLOCKS-> b", its weight with "(dormant)". "name|id": the id
// where the name is empty.
std::string text_of(const api::Fields& fields, const Json& record, std::string_view path);

// The parts of a result. What is absent is empty, 0 or false.
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

// Notes that tasks block one another (engine/fold/blocking.h); nothing if there is no cycle.
void note_blocking_cycle(const Context& context, const std::vector<std::string>& cycle);
// What became of an input: the sums, the refusals and other notes of an IngestResult.
void print_sums(const Context& context, const Json& result);
void note_refusals(const Context& context, const Json& result);

}  // namespace hebb::cli
