#include "serve/handler.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "api/common.h"
#include "api/describe.h"
#include "api/values.h"
#include "serve/mcp/methods.h"

namespace hebb::serve {

namespace {

using api::Access, api::Json, api::Problem, api::ProblemType;

constexpr std::size_t kLongestBody = 32 << 20;  // bytes of an answer to a read
constexpr std::size_t kMostAnswers = 16 << 20;  // bytes of answers to one batch of writes
constexpr const char* kKeyHeader = "idempotency-key";

Response json_response(const Json& json) {
  Response response;
  response.body = text_of(json);
  return response;
}

// Allows only the page's own files and server; no script or style within the markup.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  if (name.ends_with(".woff2")) return "font/woff2";
  return "text/plain; charset=utf-8";
}

Response page(const Request& request) {
  const PageFile& file = *request.route.file;
  const std::string etag = fmt::format("\"{}\"", file.hash);
  Response response = not_modified(etag);
  if (!is_known(request, etag)) {
    response.status = 200;
    response.content_type = type_of(file.name);
    response.body = file.body;
  }
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  return response;
}

Response is_ready(api::Session& session) {
  try {
    return json_response({{"position", api::ledger_position(session)}});
  } catch (...) {
    const Problem problem = api::problem_of(std::current_exception());
    return try_again(503, "Service Unavailable", problem.what(), 1);
  }
}

api::Attached attached_to(const Request& request) {
  const bool has_file = request.body_file >= 0;
  return {request.header(kKeyHeader), has_file ? request.body_reader() : Input::Read(),
          request.route.body_limit};
}

// The answer for the exception in flight; call it within a catch.
Response thrown_response(api::Session& session) {
  const Problem problem = api::problem_of(std::current_exception());
  if (problem.type == ProblemType::no_memory) session.lacked_memory();
  return problem_response(problem);
}

// How many requests, from the first, may be one commit; 1 if the first needs its own.
std::size_t groupable_first(std::span<Request* const> requests) {
  const auto is_groupable = [](const Request* r) {
    return r->route.site != Site::mcp && r->route.operation && r->route.operation->about.groupable;
  };
  const auto end = std::find_if_not(requests.begin(), requests.end(), is_groupable);
  return std::max<std::size_t>(1, static_cast<std::size_t>(end - requests.begin()));
}

}  // namespace

// --- one request ---------------------------------------------------------------------------------

bool Handler::writes(Request& request) {
  if (request.route.site == Site::mcp) return mcp::may_write(request);
  const api::Operation* operation = request.route.operation;
  return operation && operation->effect == api::Effect::writes;
}

std::optional<Response> Handler::ready(const Request& request) {
  if (request.method != "GET" || !request.body.empty()) return std::nullopt;
  const auto begin = Metrics::Clock::now();
  const auto found = cached_.find(request.target, reader_.now());
  if (!found) return std::nullopt;
  const std::string& etag = found->headers.front().second;
  Response response = is_known(request, etag) ? not_modified(etag) : *found;
  response.operation = request.route.name;
  metrics_.count_request(response, begin);
  return response;
}

Response Handler::make(api::Session& session, Request& request) {
  const Route& route = request.route;
  Response response;
  switch (route.site) {
    case Site::invalid:
      return problem_response(400, "Bad Request", "the target is no path as a URL has it");
    case Site::none:
      if (!route.methods.empty()) return not_allowed(route.methods);
      return problem_response(404, "Not Found",
                              "there is no such path; /openapi.json has them all");
    case Site::operation:
      return run(session, request);
    case Site::page:
      return page(request);
    case Site::events:
      // Up to the position of the prepared responses, so that they include each event sent.
      response.stream = open_feed(reader_, position(), feed_, request);
      return response;
    case Site::mcp:
      return mcp::answer_http(session, request, tools_);
    case Site::healthz:
      return json_response(Json::object());
    case Site::readyz:
      return is_ready(session);
    case Site::metrics:
      response.content_type = "text/plain; version=0.0.4; charset=utf-8";
      response.body = gauges(session) + metrics_.text();
      return response;
    case Site::openapi:
      return json_response(api::openapi());
  }
  return failed_response();
}

Response Handler::respond(api::Session& session, Request& request) {
  Response response;
  try {
    response = make(session, request);
  } catch (...) {
    response = thrown_response(session);
  }
  response.operation = request.route.name;
  return response;
}

Response Handler::run(api::Session& session, const Request& request) {
  const api::Operation& operation = *request.route.operation;
  const api::About& about = operation.about;
  Json asked = asked_by(request);
  if (about.cacheable && api::is_exact(operation.request(), asked))
    return run_cached(session, request, asked);
  session.attached = attached_to(request);
  const std::shared_ptr<void> detach(nullptr, [&](void*) { session.attached = {}; });
  Response response = json_response(call(operation, session, asked));
  if (operation.effect != api::Effect::reads) return response;
  if (response.body.size() > kLongestBody) throw api::too_long(kLongestBody);
  // The tag is made from the response, not from the ledger's position: dead letters, recalls and
  // the time change responses without an event.
  const std::string etag = fmt::format("W/\"{}\"", content_hash(response.body));
  if (is_known(request, etag)) return not_modified(etag);
  response.headers.emplace_back("ETag", etag);
  return response;
}

// The most frequent request. It is read in one snapshot, whose position is the tag, and is cached.
Response Handler::run_cached(api::Session& session, const Request& request, const Json& asked) {
  Engine& engine = session.engine(Access::read);
  const auto snapshot = engine.read_snapshot();
  const auto position = engine.ledger().last_position();
  // Expiring claims, and time alone, change the ranking without an event, so the number of claims
  // and the time are in the tag.
  std::size_t claimed = 0;
  const TimeMs as_of = api::ranked_at(session);
  std::int64_t holds_until = session.given_now() ? std::numeric_limits<std::int64_t>::max()
                                                 : hebb::holds_until(engine.state(), as_of);
  for (const ClaimRow& claim : engine.claims()) {
    const bool active = claim.active(session.now());
    claimed += active;
    if (!active && claim.expires_at <= session.now()) continue;
    holds_until = std::min<std::int64_t>(
        holds_until, active ? claim.expires_at : claim.expires_at - kLongestLeaseMs);
  }
  // The checksum depends on all events up to that position, so the tags of another database at the
  // same position differ.
  const auto checksum = engine.ledger().checksum_at(position).value_or(0);
  const std::string etag = fmt::format("W/\"{}-{:x}-{}-{:x}\"", position,
                                       static_cast<std::uint64_t>(checksum), claimed, as_of);
  if (is_known(request, etag)) return not_modified(etag);
  // Another request that waited here may have made the response.
  if (position == cached_.position())
    if (const auto made = cached_.find(request.target, session.now())) return *made;
  Response response = json_response(call(*request.route.operation, session, asked));
  response.holds_until = holds_until;
  response.headers.emplace_back("ETag", etag);
  if (!request.body.empty() || response.body.size() > CachedResponses::kLongestBody)
    return response;
  compress(response);
  cached_.store(request.target, position, response);
  return response;
}

// --- the two threads -----------------------------------------------------------------------------

Response Handler::answer(api::Session& session, Request& request) {
  const auto begin = Metrics::Clock::now();
  Response response = respond(session, request);
  if (response.stream) return response;
  if (request.takes_gzip) compress(response);
  give_back_memory(response.body.size());
  metrics_.count_request(response, begin);
  return response;
}

// The response of answer(), or the earlier one if the Idempotency-Key was seen before.
Response Handler::write_once(Request& request) {
  if (!request.headers.contains(kKeyHeader)) return answer(writer_, request);
  const std::string& key = request.header(kKeyHeader);
  std::string digest;
  try {
    require_key(key);
    digest = digest_of(request);
  } catch (...) {
    return thrown_response(writer_);
  }
  if (auto earlier = keyed_.find(key, digest)) return std::move(*earlier);
  Response response = answer(writer_, request);
  if (response.status < 500) keyed_.store(key, digest, response);
  return response;
}

// Does the requests as one commit; if it fails, all of them fail.
void Handler::write_together(std::span<Request* const> some, const std::function<void()>& work,
                             std::vector<Response>& responses) {
  const std::size_t before = responses.size();
  std::vector<std::string> new_keys;
  for (const Request* request : some) {
    if (const auto& key = request->header(kKeyHeader); !keyed_.has(key)) new_keys.push_back(key);
  }
  try {
    writer_.in_one_commit(work);
  } catch (...) {
    responses.resize(before);
    for (std::size_t i = 0; i < some.size(); ++i) responses.push_back(thrown_response(writer_));
    for (const std::string& key : new_keys) keyed_.forget(key);
  }
}

std::vector<Response> Handler::write(std::span<Request* const> requests) {
  std::vector<Response> responses;
  std::size_t bytes = 0;
  const auto write_some = [&](std::span<Request* const> some) {
    for (Request* request : some) {
      // Requests not done yet can be sent again; the answers in memory cannot be made again.
      responses.push_back(bytes > kMostAnswers
                              ? try_again(503, "Service Unavailable", "others have long answers", 1)
                              : write_once(*request));
      bytes += responses.back().body.size() + responses.back().gzip.size();
    }
  };
  for (auto rest = requests; !rest.empty();) {
    const auto some = rest.first(groupable_first(rest));
    rest = rest.subspan(some.size());
    if (some.size() == 1) {
      write_some(some);
    } else {
      write_together(
          some, [&] { write_some(some); }, responses);
    }
  }
  try {
    publish(writer_);
  } catch (...) {  // the responses are then made at the next request
    thrown_response(writer_);
  }
  return responses;
}

void Handler::look() {
  try {
    Engine& engine = reader_.engine(Access::read);
    const auto last = engine.ledger().last_position();
    if (last == folded_) return;
    const auto begin = Metrics::Clock::now();
    engine.state();
    metrics_.fold_took(begin);
    folded_ = last;
    publish(reader_);
  } catch (const std::bad_alloc&) {
    reader_.lacked_memory();
    throw;
  } catch (...) {
    cached_.drop();
    throw;
  }
}

void Handler::publish(api::Session& session) {
  Engine& engine = session.engine(Access::read);
  const auto snapshot = engine.read_snapshot();
  const auto position = engine.ledger().last_position();
  if (position <= cached_.position()) return;
  cached_.renew(position, [&](const std::string& target) {
    Request request;
    request.method = "GET";
    request.target = target;
    request.route = find_route(request);
    return respond(session, request);
  });
}

}  // namespace hebb::serve
