// The operations: what can be asked of hebb, as one list. The command line, HTTP and MCP (the
// "doors") are made from it.
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

// The interfaces through which an operation is offered.
enum Door : unsigned {
  kCommandLine = 1,
  kHttp = 2,
  kMcp = 4,
};

// The description of an operation.
struct About {
  std::string_view name;     // "node_set": unique, stored in clients; do not rename
  std::string_view command;  // "node set"
  std::string_view summary;  // one line
  std::string_view example;  // command lines, each with two blanks in front
  Effect effect = Effect::reads;
  unsigned doors = kCommandLine | kHttp;
  // HTTP path below /v1. The method is `method` if given, else GET for reading and POST for others.
  // "{id}" in the path is a field of the request.
  std::string_view path = {};
  std::string_view method = {};
  std::vector<ProblemType> problems = {};  // besides invalid_argument, busy, no_database, failed
  bool idempotent = false;                 // doing it twice has the effect of doing it once
  bool destructive = false;                // removes something, or may do so elsewhere
  bool open_world = false;                 // reaches what is not hebb's own: pages in a browser
};

struct Operation {
  About about;
  const Fields& (*request)() = nullptr;
  const Fields& (*result)() = nullptr;
  // Parses the request, runs the operation, and returns the result as JSON. Throws only Problem.
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
// Throws std::out_of_range if no operation has that name.
const Operation& operation_named(std::string_view name);

}  // namespace hebb::api
