// A command that runs an operation: its options are the fields of the request.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/problem.h"
#include "cli/command.h"
#include "cli/command_session.h"
#include "cli/view.h"

namespace hebb::cli {

// The file from which a field's value was taken; empty: it was not.
using FileOf = std::function<std::string(const api::Field&)>;

// The problem in words of the command line: fields as the options or the files that they are.
api::Problem in_options(const api::Problem& problem, const api::Fields& fields,
                        const FileOf& file_of = {});

// What work() returns; Problems that it throws are given in_options().
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
// several views, the operations are tried in this order: the first that takes so many arguments as
// are given is run.
void add_operation(CLI::App& parent, Context& context, Views views);
// --format, how a result is printed: Context::format.
void add_format(CLI::App& command, Context& context, std::string preset,
                const std::vector<std::string>& choices, const std::string& does);
// Tells what was understood of the request where it was not given in full.
void note_understood(api::Session& session, const api::Fields& fields, const Json& asked,
                     const Json& understood);
// Runs it and shows or prints the result. Throws Problems in_options().
// fields: those of the request, by the names that they have on the command line.
void run(const Context& context, const View& view, const api::Operation& operation, Json request,
         const api::Fields& fields, const FileOf& file_of = {});

}  // namespace hebb::cli
