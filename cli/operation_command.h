// A command that runs an operation: its options are the fields of the request. Only the printing of
// the result for people is written by hand.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/problem.h"
#include "cli/command.h"

namespace hebb::cli {

// The session of a command line; it opens the database when the operation asks for it.
class CommandSession final : public api::Session {
 public:
  explicit CommandSession(const Context& context) : context_(context) {}

  Engine& engine(api::Access access) override;
  Engine& waiting_engine(api::Access access, int wait_ms) override;
  sql::Database& tables(api::Access access) override;
  TimeMs now() const override { return context_.now(); }
  std::optional<TimeMs> given_now() const override { return context_.now_option; }
  void note(const std::string& text) override { context_.note(text); }
  Progress progress(const std::string& what) override;
  api::BrowserUse browser_use() const override { return {}; }  // whatever its user may
  std::string path() const override { return context_.db_path(); }
  // The command has succeeded, and its result is printed: given again, the same input counts again.
  void end_of_report();

 private:
  const Context& context_;
  std::optional<Engine> engine_;
  std::optional<sql::Database> tables_;
};

// Adds an option, flag or argument for each field that is not hidden; it sets the field in
// `record`.
void add_fields(CLI::App& command, const api::Fields& fields, void* record);

// The problem in words of the command line: fields as the options that they are.
api::Problem in_options(const api::Problem& problem, const api::Fields& fields);

// What work() returns; Problems that it throws are given in_options().
template <class Work>
auto with_options(const api::Fields& fields, Work work) {
  try {
    return work();
  } catch (const api::Problem& problem) {
    throw in_options(problem, fields);
  } catch (const Refused&) {
    throw in_options(api::problem_of(std::current_exception()), fields);
  }
}

template <class Request, class Result>
struct Adapter {
  std::string_view name;  // of the operation
  Result (*run)(api::Session&, const Request&);
  std::function<void(const Context&, const Request&, const Result&)> print;
  // Called before it is run, for what only a command line has, such as a file to read.
  std::function<void(const Context&, Request&)> prepare = {};
  // Called after the result is printed (also as JSON); throws Stop if the exit code is not 0.
  std::function<void(const Context&, const Request&, const Result&)> end = {};
};

// Runs it and prints its result; with --json in the form of the operation's schema. Throws Problems
// in_options().
template <class Request, class Result>
void run_operation(const Context& context, const Adapter<Request, Result>& adapter,
                   Request& request) {
  CommandSession session(context);
  const Result result = with_options(Request::fields(), [&] {
    if (adapter.prepare) adapter.prepare(context, request);
    return adapter.run(session, request);
  });
  if (context.json) {
    context.print_json(api::write_record(Result::fields(), &result));
  } else {
    adapter.print(context, request, result);
  }
  if (adapter.end) adapter.end(context, request, result);
  session.end_of_report();
}

// A command with the name, the summary and the example of an operation, and no options yet.
CLI::App* add_operation_help(CLI::App& parent, Context& context, std::string_view operation,
                             std::function<void()> run);

// Adds the command that runs an operation. Returns it with its request, for options that only the
// command line has.
template <class Request, class Result>
CLI::App* add_operation(CLI::App& parent, Context& context, Adapter<Request, Result> adapter) {
  const std::string_view name = adapter.name;
  const auto request = std::make_shared<Request>();
  CLI::App* command =
      add_operation_help(parent, context, name, [&context, request, adapter = std::move(adapter)] {
        run_operation(context, adapter, *request);
      });
  add_fields(*command, Request::fields(), request.get());
  return command;
}

}  // namespace hebb::cli
