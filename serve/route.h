// What answers a request, which is found once, when the header has come, before the body is read;
// and what it asks of an operation.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "api/operation.h"

namespace hebb::serve {

struct PageFile;
struct Request;

enum class Site : std::uint8_t {
  invalid,  // the target is no path, or is not correctly percent-encoded
  none,     // there is no such path, or it has other methods
  operation,
  page,
  events,
  mcp,
  healthz,
  readyz,
  metrics,
  openapi
};

struct Route {
  Site site = Site::invalid;
  const api::Operation* operation = nullptr;  // of Site::operation
  std::string_view name = {};                 // for the log and the metrics; empty: none
  const PageFile* file = nullptr;             // of Site::page
  std::string methods = {};                   // "GET, PUT": that the path has, if not the request's
  // Of the path, and behind them those of the query; decoded.
  std::vector<std::pair<std::string, std::string>> fields = {};
  std::size_t body_limit = 0;  // bytes
  bool body_is_file = false;   // a file of items rather than a JSON object of fields
};

// By the method, the target and the headers.
Route find_route(const Request& request);

// What a request asks of the operation of its route: the fields of the path, of the query, and of a
// JSON body. Throws Problem.
api::Json asked_by(const Request& request);

// Throws Problem for a field that is not offered to other programs: see Bounds::local.
void require_offered(const api::Fields& fields, const api::Json& asked);

// Runs it. Throws Problem, also for a field that is not offered.
api::Json call(const api::Operation& operation, api::Session& session, const api::Json& asked);

}  // namespace hebb::serve
