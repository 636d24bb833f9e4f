#include "serve/handler.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "api/common.h"
#include "api/describe.h"
#include "api/digest.h"
#include "api/ingest.h"
#include "api/room.h"
#include "serve/call.h"
#include "serve/mcp/answer.h"
#include "serve/mcp/http.h"
#include "serve/memory.h"
#include "serve/page.h"

namespace hebb::serve {

namespace {

using api::Access, api::Json, api::Problem, api::ProblemType;

constexpr std::size_t kBody = 1 << 20, kImport = 64 << 20;  // bytes
constexpr std::size_t kMessage = 64 << 10;                  // of MCP, that may be one that reads
constexpr std::size_t kLongestBody = 32 << 20;              // of an answer to what reads
constexpr std::size_t kMostAnswers = 16 << 20;              // of answers to writes, held at a time
constexpr const char* kKeyHeader = "idempotency-key";

Response json_response(const Json& json, std::string operation) {
  Response response;
  response.body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  response.operation = std::move(operation);
  return response;
}

Response only(const std::string& methods) {
  Response response = problem_response(405, "Method Not Allowed", "this has " + methods);
  response.headers.emplace_back("Allow", methods);
  return response;
}

// Whether the body is a file to ingest rather than a JSON object of fields.
bool is_import(const Route& route, const Request& request) {
  if (!route.operation || route.operation->about.name != "ingest") return false;
  const std::string type = request.media_type();
  // A form on another web page cannot send these content types.
  return type == "application/x-ndjson" || type == "application/xml";
}

Response not_modified(const std::string& etag, std::string operation) {
  Response response;
  response.status = 304;
  response.headers.emplace_back("ETag", etag);
  response.operation = std::move(operation);
  return response;
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

// --- what is to be done with a request -----------------------------------------------------------

Handler::Plan Handler::plan(const Request& request) {
  Plan plan;
  const auto target = parse_target(request.target);
  if (!target) return plan;
  plan.body_limit = kBody;
  const bool get = request.method == "GET";
  if (is_mcp(request)) {
    plan.work_by_body = request.method == "POST";
    if (get && request.headers.contains(mcp::kSessionHeader)) plan.work = Work::stream;
    return plan;
  }
  if (get && target->segments == std::vector<std::string>{"v1", "events"}) plan.work = Work::stream;
  const Route route = find_route(request.method, *target);
  if (!route.operation) return plan;
  if (route.operation->effect == api::Effect::writes) plan.work = Work::write;
  plan.body_in_file = is_import(route, request);
  if (plan.body_in_file) plan.body_limit = kImport;
  return plan;
}

Handler::Work Handler::work(const Plan& plan, const Request& request) {
  if (!plan.work_by_body) return plan.work;
  if (request.header("mcp-method") == mcp::kListen) return Work::stream;
  // A long body is not parsed here only to decide that: it goes to the writer. Other messages that
  // only read are short.
  if (request.body.size() > kMessage) return Work::write;
  switch (mcp::does(request.body)) {
    case mcp::Does::listens:
      return Work::stream;
    case mcp::Does::writes:
      return Work::write;
    default:
      return Work::read;
  }
}

bool Handler::is_mcp(const Request& request) {
  const auto target = parse_target(request.target);
  return target && target->segments == std::vector<std::string>{"mcp"};
}

std::optional<Response> Handler::ready(const Request& request) {
  if (request.method != "GET" || !request.body.empty()) return std::nullopt;
  const Stopwatch took;
  const auto found = prepared_.find(request.target, reader_.now());
  if (!found) return std::nullopt;
  const std::string& etag = found->headers.front().second;
  Response response = names_tag(request.header("if-none-match"), etag)
                          ? not_modified(etag, found->operation)
                          : *found;
  metrics_.count_request(response.operation, response.status, took.seconds());
  return response;
}

Response Handler::respond(api::Session& session, const Request& request) {
  if (auto page = page_response(request)) return std::move(*page);
  const auto target = parse_target(request.target);
  if (!target) return problem_response(400, "Bad Request", "the target is no path as a URL has it");
  const auto& segments = target->segments;
  if (segments.size() == 1) {
    if (segments[0] == "mcp") return mcp(session, request);
    const bool get = request.method == "GET";
    if (segments[0] == "healthz")
      return get ? json_response(Json::object(), "healthz") : only("GET");
    if (segments[0] == "readyz") return get ? is_ready(session) : only("GET");
    if (segments[0] == "metrics") return get ? metrics(session) : only("GET");
    if (segments[0] == "openapi.json")
      return get ? json_response(api::openapi(), "openapi") : only("GET");
  }
  if (segments == std::vector<std::string>{"v1", "events"}) return only("GET");
  const Route route = find_route(request.method, *target);
  if (route.operation) return run(session, route, *target, request);
  if (!route.methods.empty()) return only(fmt::format("{}", fmt::join(route.methods, ", ")));
  return problem_response(404, "Not Found", "there is no such path; /openapi.json has them all");
}

Response Handler::run(api::Session& session, const Route& route, const Target& target,
                      const Request& request) {
  const std::string name(route.operation->about.name);
  Response response;
  try {
    if (name == "rank") {
      response = read_path(session, route, target, request);
    } else if (name == "ingest") {
      response = ingest(session, route, target, request);
    } else {
      Json asked = request_of(route, target, request);
      if (name == "outcome") name_outcome(asked, request.header(kKeyHeader));
      response = json_response(call(*route.operation, session, asked), name);
      if (route.operation->effect == api::Effect::reads) {
        if (response.body.size() > kLongestBody) throw api::too_long(kLongestBody);
        // The tag is made from the response, not from the ledger's position: dead letters, recalls
        // and the time change responses without an event.
        const std::string etag = fmt::format("W/\"{}\"", api::digest(response.body));
        if (names_tag(request.header("if-none-match"), etag)) return not_modified(etag, name);
        response.headers.emplace_back("ETag", etag);
      }
    }
  } catch (...) {
    response = problem_response(api::problem_of(std::current_exception()));
  }
  response.operation = name;
  return response;
}

// The most frequent request. It is read in one snapshot, whose position is the tag, and is kept.
Response Handler::read_path(api::Session& session, const Route& route, const Target& target,
                            const Request& request) {
  const Json asked = request_of(route, target, request);
  Engine& engine = session.engine(Access::read);
  const auto moment = engine.one_moment();
  const auto position = engine.ledger().last_position();
  // A claim that expires changes the path without an event, so the number of claims is in the tag.
  std::size_t claimed = 0;
  std::int64_t holds_until = std::numeric_limits<std::int64_t>::max();
  for (const ClaimRow& claim : engine.claims()) {
    if (!claim.active(session.now())) {
      if (claim.expires_at > session.now())
        holds_until = std::min<std::int64_t>(holds_until, claim.expires_at - kLongestLeaseMs);
      continue;
    }
    ++claimed;
    holds_until = std::min<std::int64_t>(holds_until, claim.expires_at);
  }
  // The checksum depends on all events up to that position, so the tags of another database at the
  // same position differ.
  const auto checksum = engine.ledger().checksum_at(position).value_or(0);
  const std::string etag =
      fmt::format("W/\"{}-{:x}-{}\"", position, static_cast<std::uint64_t>(checksum), claimed);
  if (names_tag(request.header("if-none-match"), etag)) return not_modified(etag, "rank");
  Response response = json_response(call(*route.operation, session, asked), "rank");
  response.holds_until = holds_until;
  response.headers.emplace_back("ETag", etag);
  if (!request.body.empty() || response.body.size() > Prepared::kLongestBody) return response;
  compress(response);
  prepared_.keep(request.target, position, response);
  return response;
}

// The key is no field of the operation, so it is asked here rather than by call().
Response Handler::ingest(api::Session& session, const Route& route, const Target& target,
                         const Request& request) {
  const Json asked = request_of(route, target, request);
  require_offered(api::fields_of<api::IngestRequest>(), asked);
  api::IngestRequest ingest;
  api::read_record(api::fields_of<api::IngestRequest>(), asked, &ingest);
  ingest.key = request.header(kKeyHeader);
  api::IngestResult result;
  if (is_import(route, request)) {
    for (const char* field : {"outcomes", "content"}) {
      if (!asked.contains(field)) continue;
      throw Problem(ProblemType::invalid_argument,
                    fmt::format("\"{}\" cannot be given in the query", field), field);
    }
  }
  if (request.body_file >= 0) {
    Input file(request.body_reader(), kImport);
    result = api::ingest_input(session, ingest, file);
  } else {
    result = api::ingest(session, ingest);
  }
  return json_response(api::write_record(api::fields_of<api::IngestResult>(), &result), "ingest");
}

Response Handler::mcp(api::Session& session, const Request& request) {
  const std::string& id = request.header(mcp::kSessionHeader);
  Response response;
  if (request.method == "DELETE" && !id.empty()) {
    if (!mcp_sessions_.end(id)) response = mcp::no_session();
  } else if (request.method == "POST") {
    response = mcp::answer_http(session, request, mcp_sessions_);
  } else {
    response = only("POST");
  }
  response.operation = "mcp";
  return response;
}

std::unique_ptr<Stream> Handler::mcp_stream(const Request& request, Response& refusal) {
  auto stream = mcp::open_stream(reader_, request, mcp_sessions_, refusal);
  refusal.operation = "mcp";
  return stream;
}

// --- about the server ----------------------------------------------------------------------------

Response Handler::is_ready(api::Session& session) {
  try {
    return json_response({{"position", api::ledger_position(session)}}, "readyz");
  } catch (...) {
    const Problem problem = api::problem_of(std::current_exception());
    return try_again(503, "Service Unavailable", problem.what(), 1);
  }
}

Response Handler::metrics(api::Session& session) {
  Response response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.operation = "metrics";
  std::string& out = response.body;
  Engine& engine = session.engine(Access::read);
  const auto stats = stats_of(engine, session.now());
  const auto gauge = [&](std::string_view name, std::string_view words, auto value) {
    add_gauge(out, name, words, static_cast<double>(value));
  };
  gauge("events", "Events in the ledger", stats.events);
  gauge("nodes", "Nodes in the graph", stats.nodes);
  gauge("edges", "Edges in the graph", stats.edges);
  gauge("candidates", "Tasks that can be done now", stats.candidates);
  gauge("dead_letters", "Refused items that wait for someone", stats.dead_letters);
  std::size_t active = 0, stuck = 0;
  for (const ClaimRow& claim : engine.claims()) {
    active += claim.active(session.now());
    stuck += claim.stuck(session.now());
  }
  gauge("claims", "Tasks that agents work on now", active);
  gauge("claims_stuck", "Tasks whose claims expired three times in a row", stuck);
  gauge("database_bytes", "Size of the database", stats.bytes);
  std::error_code ec;
  const auto written = std::filesystem::last_write_time(session.path() + "-image", ec);
  if (!ec) {
    const auto age = std::filesystem::file_time_type::clock::now() - written;
    gauge("image_age_seconds", "Since the packed image was written",
          std::chrono::duration<double>(age).count());
  }
  out += metrics_.text();
  return response;
}

// --- the two threads -----------------------------------------------------------------------------

Response Handler::answer(api::Session& session, const Request& request) {
  const Stopwatch took;
  Response response;
  try {
    response = respond(session, request);
  } catch (const std::bad_alloc&) {
    session.lacked_memory();
    response = problem_response(api::problem_of(std::current_exception()));
  } catch (...) {
    response = problem_response(api::problem_of(std::current_exception()));
  }
  if (takes_gzip(request.header("accept-encoding"))) compress(response);
  give_back_memory(response.body.size());
  metrics_.count_request(response.operation, response.status, took.seconds());
  return response;
}

Response Handler::read(const Request& request) { return answer(reader_, request); }

// The response of answer(), or the earlier one if the Idempotency-Key was seen before.
Response Handler::write_once(const Request& request) {
  if (!request.headers.contains(kKeyHeader)) return answer(writer_, request);
  const std::string& key = request.header(kKeyHeader);
  std::string digest;
  try {
    require_key(key);
    digest = digest_of(request);
  } catch (...) {
    return problem_response(api::problem_of(std::current_exception()));
  }
  if (auto earlier = done_.find(key, digest)) return std::move(*earlier);
  Response response = answer(writer_, request);
  if (response.status < 500) done_.keep(key, digest, response);
  return response;
}

std::vector<Response> Handler::write(std::span<const Request* const> requests) {
  std::vector<Response> responses;
  std::size_t bytes = 0;
  for (const Request* request : requests) {
    // What is not done yet can be asked for again; answers that are held cannot.
    responses.push_back(bytes > kMostAnswers
                            ? try_again(503, "Service Unavailable", "others have long answers", 1)
                            : write_once(*request));
    bytes += responses.back().body.size() + responses.back().gzip.size();
  }
  try {
    publish(writer_);
  } catch (...) {  // they are made when they are asked for
    const Problem problem = api::problem_of(std::current_exception());
    if (problem.type == ProblemType::no_memory) writer_.lacked_memory();
  }
  return responses;
}

void Handler::look() {
  Engine& engine = reader_.engine(Access::read);
  const auto last = engine.ledger().last_position();
  if (last == folded_) return;
  const Stopwatch took;
  try {
    engine.state();
  } catch (const std::bad_alloc&) {
    reader_.lacked_memory();
    throw;
  }
  metrics_.fold_took(took.seconds());
  folded_ = last;
  publish(reader_);
}

void Handler::publish(api::Session& session) {
  Engine& engine = session.engine(Access::read);
  const auto moment = engine.one_moment();
  const auto position = engine.ledger().last_position();
  if (position <= prepared_.position()) return;
  prepared_.renew(position, [&](const std::string& target) {
    Request request;
    request.method = "GET";
    request.target = target;
    return respond(session, request);
  });
}

}  // namespace hebb::serve
