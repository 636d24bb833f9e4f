#include "serve/handler.h"

#include <chrono>

#include <fmt/format.h>

#include "api/common.h"
#include "api/describe.h"
#include "serve/call.h"
#include "serve/mcp/answer.h"

namespace hebb::serve {

namespace {

using api::Json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Response json_response(const Json& json, std::string operation) {
  Response response;
  response.body = text_of(json);
  response.operation = std::move(operation);
  return response;
}

Response only(const std::string& methods) {
  Response response = problem_response(405, "Method Not Allowed", "this has " + methods);
  response.headers.emplace_back("Allow", methods);
  return response;
}

// Whether If-None-Match names the tag, by the weak comparison of RFC 9110.
bool matches(const std::string& if_none_match, const std::string& etag) {
  if (if_none_match == "*") return true;
  const std::string strong = etag.substr(2);  // without W/
  std::size_t at = 0;
  while (at < if_none_match.size()) {
    const auto end = std::min(if_none_match.find(',', at), if_none_match.size());
    auto one = std::string_view(if_none_match).substr(at, end - at);
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    while (!one.empty() && one.back() == ' ') one.remove_suffix(1);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == strong) return true;
    at = end + 1;
  }
  return false;
}

// How the headers of an MCP request contradict its message; empty: they agree.
std::string mismatch(const Request& request, const Json& message) {
  const auto modern = mcp::modern_version(message);
  const std::string& version = request.header("mcp-protocol-version");
  if (!modern) {
    return version == mcp::kModernVersion ? "the message names no protocol version in params._meta"
                                          : "";
  }
  if (version != *modern) return "MCP-Protocol-Version is not what the message has";
  if (request.header("mcp-method") != message.value("method", ""))
    return "Mcp-Method is not what the message has";
  return {};
}

}  // namespace

std::size_t Handler::body_limit(const Request& request) {
  constexpr std::size_t kBody = 1 << 20, kImport = 64 << 20;
  const auto target = parse_target(request.target);
  if (!target) return 0;
  const Route route = find_route(request.method, *target);
  const bool import = route.operation && route.operation->about.name == "ingest";
  return import ? kImport : kBody;
}

Response Handler::run(const Route& route, const Target& target, const Request& request) {
  const std::string name(route.operation->about.name);
  const bool reads = route.operation->about.effect == api::Effect::reads;
  try {
    const Json asked = request_of(route, target, request);
    const std::lock_guard lock(mutex_);
    std::string etag;
    if (reads) {
      etag = fmt::format("W/\"{}\"", api::ledger_position(session_));
      if (matches(request.header("if-none-match"), etag)) {
        Response response;
        response.status = 304;
        response.headers.emplace_back("ETag", etag);
        response.operation = name;
        return response;
      }
    }
    Response response = json_response(call(*route.operation, session_, asked), name);
    if (reads) response.headers.emplace_back("ETag", etag);
    return response;
  } catch (...) {
    Response response = problem_response(api::problem_of(std::current_exception()));
    response.operation = name;
    return response;
  }
}

Response Handler::mcp(const Request& request) {
  if (request.method != "POST") return only("POST");
  const std::string& type = request.header("content-type");
  if (type.substr(0, type.find(';')) != "application/json")
    return problem_response(415, "Unsupported Media Type", "send application/json");
  std::optional<Json> reply;
  try {
    const Json message = api::parse_json(request.body, "message");
    const std::string wrong = mismatch(request, message);
    const std::lock_guard lock(mutex_);
    reply = wrong.empty()
                ? mcp::answer(session_, message)
                : mcp::error_reply(message.is_object() ? message.value("id", Json()) : Json(),
                                   mcp::RpcError(mcp::kHeaderMismatch, wrong));
  } catch (...) {
    const api::Problem problem = api::problem_of(std::current_exception());
    reply = mcp::error_reply(nullptr, mcp::RpcError(mcp::kParseError, problem.what()));
  }
  Response response;
  response.operation = "mcp";
  response.status = 202;
  if (!reply) return response;
  response.status = 200;
  response.body = text_of(*reply);
  if (reply->is_object() && reply->contains("error")) {
    const int code = (*reply)["error"].value("code", 0);
    const bool refused = code == mcp::kParseError || code == mcp::kInvalidRequest ||
                         code == mcp::kHeaderMismatch || code == mcp::kUnsupportedVersion;
    if (refused) response.status = 400;
  }
  return response;
}

Response Handler::ready() {
  try {
    const std::lock_guard lock(mutex_);
    return json_response({{"position", api::ledger_position(session_)}}, "readyz");
  } catch (...) {
    const api::Problem problem = api::problem_of(std::current_exception());
    return problem_response(503, "Service Unavailable", problem.what());
  }
}

Response Handler::metrics() {
  Response response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.operation = "metrics";
  std::string& out = response.body;
  try {
    const std::lock_guard lock(mutex_);
    const auto stats = session_.engine(api::Access::read).stats(session_.now());
    const auto gauge = [&](const char* name, const char* words, std::int64_t value) {
      out += fmt::format("# HELP hebb_{0} {1}.\n# TYPE hebb_{0} gauge\nhebb_{0} {2}\n", name, words,
                         value);
    };
    gauge("events", "Events in the ledger", stats.events);
    gauge("nodes", "Nodes in the graph", stats.nodes);
    gauge("edges", "Edges in the graph", stats.edges);
    gauge("candidates", "Tasks that can be done now", stats.candidates);
    gauge("dead_letters", "Refused items that wait for someone", stats.dead_letters);
    gauge("database_bytes", "Size of the database", stats.bytes);
  } catch (...) {
    return problem_response(api::problem_of(std::current_exception()));
  }
  const std::lock_guard lock(counters_mutex_);
  out +=
      "# HELP hebb_requests_total Requests, by operation and status.\n"
      "# TYPE hebb_requests_total counter\n";
  for (const auto& [key, n] : requests_) {
    out += fmt::format("hebb_requests_total{{operation=\"{}\",status=\"{}\"}} {}\n", key.first,
                       key.second, n);
  }
  out +=
      "# HELP hebb_request_seconds How long requests took.\n"
      "# TYPE hebb_request_seconds histogram\n";
  for (const auto& [operation, latency] : latencies_) {
    std::uint64_t n = 0;
    const auto bucket = [&](const std::string& le) {
      out += fmt::format("hebb_request_seconds_bucket{{operation=\"{}\",le=\"{}\"}} {}\n",
                         operation, le, n);
    };
    for (std::size_t i = 0; i < kSeconds.size(); ++i) {
      n += latency.counts[i];
      bucket(fmt::format("{}", kSeconds[i]));
    }
    n += latency.counts.back();
    bucket("+Inf");
    out += fmt::format("hebb_request_seconds_sum{{operation=\"{}\"}} {}\n", operation, latency.sum);
    out += fmt::format("hebb_request_seconds_count{{operation=\"{}\"}} {}\n", operation, n);
  }
  return response;
}

Response Handler::respond(const Request& request) {
  const auto target = parse_target(request.target);
  if (!target) return problem_response(400, "Bad Request", "the target is no path as a URL has it");
  const auto& segments = target->segments;
  if (segments.size() == 1) {
    if (segments[0] == "mcp") return mcp(request);
    const bool get = request.method == "GET";
    if (segments[0] == "healthz")
      return get ? json_response(Json::object(), "healthz") : only("GET");
    if (segments[0] == "readyz") return get ? ready() : only("GET");
    if (segments[0] == "metrics") return get ? metrics() : only("GET");
    if (segments[0] == "openapi.json")
      return get ? json_response(api::openapi(), "openapi") : only("GET");
  }
  const Route route = find_route(request.method, *target);
  if (route.operation) return run(route, *target, request);
  if (!route.methods.empty()) return only(fmt::format("{}", fmt::join(route.methods, ", ")));
  return problem_response(404, "Not Found", "there is no such path; /openapi.json has them all");
}

Response Handler::handle(const Request& request) {
  const auto begin = std::chrono::steady_clock::now();
  Response response;
  try {
    response = respond(request);
  } catch (...) {
    response = problem_response(api::problem_of(std::current_exception()));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  count(response, took.count());
  return response;
}

void Handler::count(const Response& response, double seconds) {
  const std::lock_guard lock(counters_mutex_);
  const std::string operation = response.operation.empty() ? "none" : response.operation;
  ++requests_[{operation, response.status}];
  Latency& latency = latencies_[operation];
  latency.sum += seconds;
  std::size_t i = 0;
  while (i < kSeconds.size() && seconds > kSeconds[i]) ++i;
  ++latency.counts[i];
}

}  // namespace hebb::serve
