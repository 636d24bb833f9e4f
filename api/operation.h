// The operations: all requests that hebb answers, as one list. The command line, HTTP and MCP (the
// "doors") are made from it.
//
// An operation is a request struct, a result struct, a function and a description, all in one file
// with those of its family; the file's last function lists them, and api/operation.cc the files.
#pragma once

#include <functional>
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
  // Parses the request, runs the operation, and returns the result as JSON. Throws only Problem.
  std::function<Json(Session&, const Json& request)> call;

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
  o.call = [run, effect = o.effect](Session& session, const Json& json) {
    try {
      const auto one = session.one_request();
      Request request;
      const Access access = effect == Effect::writes ? Access::write : Access::read;
      Json understood = read_request(fields_of<Request>(), json, &request, session, access);
      const Result result = run(session, request);
      return answer_of(write_record(fields_of<Result>(), &result, session.rows()),
                       std::move(understood));
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
