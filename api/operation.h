// The operations: all requests that hebb answers, as one list. The command line, HTTP and MCP (the
// "doors") are made from it.
//
// An operation is a request struct, a result struct, a function and a description, all in one file
// with those of its family; the file's last function lists them, and api/operation.cc the files.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field.h"
#include "api/problem.h"
#include "api/request.h"
#include "api/session.h"

namespace hebb::api {

enum class Effect : std::uint8_t { reads, writes };

// The interfaces through which an operation is offered.
enum Door : unsigned {
  kCommandLine = 1,
  kHttp = 2,
  kMcp = 4,
};

// In which list of tools the operation is over MCP. A model reads the list before it does anything,
// so the default list, `core`, is short; `all` has every tool.
enum class Tool : std::uint8_t { none, core, all };

// The description of an operation.
struct About {
  std::string_view name;            // "node_set": unique, stored in clients; do not rename
  std::string_view command = {};    // default: the name, its first "_" a blank
  std::string_view summary;         // one line
  std::string_view example;         // command lines, each with two blanks in front
  std::string (*more)() = nullptr;  // further text of its help
  // Method and path below /v1, such as "GET /nodes/{id}"; "{id}" is a field of the request. Empty:
  // it is not offered over HTTP.
  std::string_view route = {};
  Tool tool = Tool::none;    // over MCP, by its name
  bool command_line = true;  // offered on the command line
  bool writes = false;       // set only without a route; with one, all methods but GET do
  std::vector<ProblemType> problems = {};  // besides invalid_argument, busy, no_database, failed;
                                           // for a write also read_only
  bool idempotent = false;                 // doing it twice has the effect of doing it once
  bool destructive = false;                // removes something, or may do so elsewhere
  bool open_world = false;                 // reaches beyond hebb: pages in a browser
  // Over HTTP: the answer changes only with the ledger and with claims that expire. So these are
  // its tag, and all equal requests share one cached answer.
  bool cacheable = false;
  // Over HTTP: takes little time, so waiting requests are done as one commit.
  bool groupable = false;
  // The body may be a file of items; an Idempotency-Key gives the items their ids.
  bool takes_file = false;
};

// What an operation gave. It needs no database: the JSON is made when it is asked for.
class Answer {
 public:
  // result: the struct that the fields describe; understood: of the request, null: nothing.
  Answer(const Fields& fields, std::shared_ptr<const void> result, Json understood);

  // All fields, what was understood of the request, and the version of the schema.
  Json whole() const { return written(nullptr); }
  // The same without the rows, which are the elements of the first list of records.
  Json others() const { return written(rows_); }
  // nullopt behind the last.
  std::optional<Json> row(std::size_t index) const;

 private:
  Json written(const Field* left_out) const;

  const Fields* fields_;
  std::shared_ptr<const void> result_;
  Json understood_;
  const Field* rows_;  // nullptr: it has none
};

struct Operation {
  explicit Operation(About about);

  About about;
  std::string command;
  Effect effect;
  unsigned doors;
  std::string_view method, path;  // over HTTP; the path without /v1
  const Fields& (*request)() = nullptr;
  const Fields& (*result)() = nullptr;
  std::string_view result_name = {};  // of the result's struct
  // Parses the request and runs the operation. Throws only Problem.
  std::function<Answer(Session&, const Json& request)> run;
  // The same, and the whole answer.
  Json call(Session& session, const Json& request) const;

  Json result_schema() const;  // of the result of call()

  // Whether the operation is a tool in that list.
  bool listed(Tool list) const;
  // The fields that may be given over HTTP and MCP: those that are not `local`.
  Fields remote_request() const;
};
using Operations = std::vector<Operation>;

// The answer of a door: the result, what was understood of the request if not null, and the version
// of the schema.
Json answer_of(Json result, Json understood);

template <class Request, class Result>
Operation operation(About about, Result (*run)(Session&, const Request&)) {
  Operation o(std::move(about));
  o.request = &fields_of<Request>;
  o.result = &fields_of<Result>;
  o.result_name = fields::type_name<Result>();
  o.run = [run, effect = o.effect](Session& session, const Json& json) {
    try {
      const auto one = session.one_request();
      Request request;
      const Access access = effect == Effect::writes ? Access::write : Access::read;
      Json understood = read_request(fields_of<Request>(), json, &request, session, access);
      auto result = std::make_shared<const Result>(run(session, request));
      return Answer(fields_of<Result>(), std::move(result), std::move(understood));
    } catch (...) {
      throw problem_of(std::current_exception());
    }
  };
  return o;
}

// A request without fields.
struct Nothing {};
RECORD(Nothing)

// All operations, in the order of the help.
std::span<const Operation> operations();
// The operation of that name; nullptr: there is none.
const Operation* find_operation(std::string_view name);
// Throws std::out_of_range if no operation has that name.
const Operation& operation_named(std::string_view name);

}  // namespace hebb::api
