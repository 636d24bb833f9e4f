// The operations: what can be asked of hebb, as one list. The command line, HTTP and MCP (the
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

// In which list of tools it stands over MCP. A model reads the list before it does anything, so the
// one that it is given unasked, `core`, has few; `all` has these and the others.
enum class Tool : std::uint8_t { none, core, all };

// The description of an operation.
struct About {
  std::string_view name;            // "node_set": unique, stored in clients; do not rename
  std::string_view command = {};    // else the name, with a blank for the first "_"
  std::string_view summary;         // one line
  std::string_view example;         // command lines, each with two blanks in front
  std::string (*more)() = nullptr;  // what its help says after these
  // Method and path below /v1, such as "GET /nodes/{id}"; "{id}" is a field of the request. Empty:
  // it is not offered over HTTP.
  std::string_view route = {};
  Tool tool = Tool::none;                  // over MCP, by its name
  bool command_line = true;                // offered on the command line
  bool writes = false;                     // said of what has no route; else all but GET do
  std::vector<ProblemType> problems = {};  // besides invalid_argument, busy, no_database, failed,
                                           // and read_only of what writes
  bool idempotent = false;                 // doing it twice has the effect of doing it once
  bool destructive = false;                // removes something, or may do so elsewhere
  bool open_world = false;                 // reaches what is not hebb's own: pages in a browser
  // Over HTTP. Its answer changes with the ledger and with claims that expire, and with nothing
  // else: these are its tag, and it is kept for all who ask the same.
  bool cacheable = false;
  // Over HTTP. It takes little time, so that several that wait are one commit.
  bool groupable = false;
  // The body may be a file of items, as it is; what is in it gets ids from an Idempotency-Key.
  bool takes_file = false;
};

struct Operation {
  explicit Operation(About about);

  About about;
  std::string command;
  Effect effect;
  unsigned doors;
  std::string_view method, path;  // over HTTP; the path is that below /v1
  const Fields& (*request)() = nullptr;
  const Fields& (*result)() = nullptr;
  // Parses the request, runs the operation, and returns the result as JSON. Throws only Problem.
  std::function<Json(Session&, const Json& request)> call;

  Json result_schema() const;  // of what call() returns

  // Whether it is one of the tools of that list.
  bool listed(Tool list) const;
  // The fields that may be given over HTTP and MCP: those that are not `local`.
  Fields remote_request() const;
};
using Operations = std::vector<Operation>;

// What a door gives of a result: it, what was understood of the request where that is not null, and
// the version of its schema.
Json answer_of(Json result, Json understood);

template <class Request, class Result>
Operation operation(About about, Result (*run)(Session&, const Request&)) {
  Operation o(std::move(about));
  o.request = &fields_of<Request>;
  o.result = &fields_of<Result>;
  o.call = [run, effect = o.effect](Session& session, const Json& json) {
    try {
      const auto one = session.one_request();
      Request request;
      const Access access = effect == Effect::writes ? Access::write : Access::read;
      Json understood = read_request(fields_of<Request>(), json, &request, session, access);
      const Result result = run(session, request);
      return answer_of(write_record(fields_of<Result>(), &result), std::move(understood));
    } catch (...) {
      throw problem_of(std::current_exception());
    }
  };
  return o;
}

// A request without fields.
struct Nothing {};
RECORD(Nothing)

// All of them, in the order of the help.
std::span<const Operation> operations();
// Throws std::out_of_range if no operation has that name.
const Operation& operation_named(std::string_view name);

}  // namespace hebb::api
