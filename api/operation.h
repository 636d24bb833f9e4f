// The operations: what can be asked of hebb, as one list from which every door is made.
//
// An operation is a request struct, a result struct and a function, in a file of its own
// (api/NAME.h, api/NAME.cc), and one line in the list (api/operations.cc).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field.h"
#include "api/problem.h"
#include "api/session.h"

namespace hebb::api {

enum class Effect : std::uint8_t { reads, writes };

// Through which an operation is offered.
enum Door : unsigned {
  kCommandLine = 1,
  kHttp = 2,
  kMcp = 4,
};

// What the list says of an operation besides its structs.
struct About {
  std::string_view name;     // "node_set": unique, stored in clients; do not rename
  std::string_view command;  // "node set"
  std::string_view summary;  // one line
  std::string_view example;  // of the command line; lines with two blanks in front
  Effect effect = Effect::reads;
  unsigned doors = kCommandLine | kHttp;
  // HTTP, below /v1: GET where it reads, else POST, unless `method` says so. "{id}" in the path is
  // a field of the request.
  std::string_view path = {};
  std::string_view method = {};
  std::vector<ProblemType> problems = {};  // besides invalid_argument, busy, no_database, failed
  bool idempotent = false;                 // doing it twice is doing it once
  bool destructive = false;                // takes away what was there
};

struct Operation {
  About about;
  const Fields& (*request)() = nullptr;
  const Fields& (*result)() = nullptr;
  // Reads the request, runs, writes the result. Throws Problem alone.
  std::function<Json(Session&, const Json& request)> call;

  std::string http_method() const;
  // The fields that may be given over HTTP and MCP: those that are not `local`.
  Fields remote_request() const;
};

template <class Request, class Result>
Operation operation(About about, Result (*run)(Session&, const Request&)) {
  Operation o;
  o.about = std::move(about);
  o.request = &Request::fields;
  o.result = &Result::fields;
  o.call = [run](Session& session, const Json& json) {
    try {
      Request request;
      read_record(Request::fields(), json, &request);
      const Result result = run(session, request);
      return write_record(Result::fields(), &result);
    } catch (...) {
      throw problem_of(std::current_exception());
    }
  };
  return o;
}

// All of them, in the order of the help.
std::span<const Operation> operations();
// Throws std::out_of_range for a name that is in no line of the list.
const Operation& operation_named(std::string_view name);

}  // namespace hebb::api
