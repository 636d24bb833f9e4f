// What answers a request. It is found once, when the header has come, before the body is read.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "api/operation.h"
#include "serve/traits.h"

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
  Traits traits = {};                         // of that operation
  const PageFile* file = nullptr;             // of Site::page
  std::string methods = {};                   // "GET, PUT": that the path has, if not the request's
  // Of the path, and behind them those of the query; decoded.
  std::vector<std::pair<std::string, std::string>> fields = {};
  std::size_t body_limit = 0;  // bytes
  bool body_is_file = false;   // a file of items rather than a JSON object of fields

  bool writes() const { return operation && operation->effect == api::Effect::writes; }
};

// By the method, the target and the headers.
Route find_route(const Request& request);

}  // namespace hebb::serve
