// A command that runs an operation: its options are the fields of the request.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "api/operation.h"
#include "api/problem.h"
#include "cli/command.h"
#include "cli/command_session.h"
#include "cli/view.h"

namespace hebb::cli {

// The file that a field's value was read from; empty: none.
using FileOf = std::function<std::string(const api::Field&)>;

// The problem in words of the command line: fields are shown as their options or files.
api::Problem in_options(const api::Problem& problem, const api::Fields& fields,
                        const FileOf& file_of = {});

// Returns work(); converts Problems that it throws with in_options().
template <class Work>
auto with_options(const api::Fields& fields, const FileOf& file_of, Work work) {
  try {
    return work();
  } catch (const api::Problem& problem) {
    throw in_options(problem, fields, file_of);
  } catch (const Refused&) {
    throw in_options(api::problem_of(std::current_exception()), fields, file_of);
  }
}

// Adds the command that runs the operation of a view: its options are the fields of the request. Of
// several views it runs the first whose operation takes the given number of arguments.
void add_operation(CLI::App& parent, Context& context, Views views);
// --format, how a result is printed: Context::format.
void add_format(CLI::App& command, Context& context, std::string preset,
                const std::vector<std::string>& choices, const std::string& does);
// Notes how incomplete values of the request were understood.
void note_understood(api::Session& session, const api::Fields& fields, const Json& asked,
                     const Json& understood);
// Runs the operation and prints the result. Throws Problems as in_options(). fields: the request's,
// with their names on the command line.
void run(const Context& context, const View& view, const api::Operation& operation, Json request,
         const api::Fields& fields, const FileOf& file_of = {});

}  // namespace hebb::cli
