// A request, its route and its response, independent of the HTTP library, and their encodings.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/field.h"
#include "api/operation.h"
#include "api/problem.h"
#include "serve/mcp/message.h"

namespace hebb::serve {

// --- what answers a request ----------------------------------------------------------------------

// A file of the page at /, compiled into the program. It holds no data, so it needs no token; the
// page requests its data like any other client.
struct PageFile {
  std::string_view name;  // "index.html"
  std::string_view hash;  // of the body
  std::string_view body;
};
// Generated from serve/page/built/ by cmake/GeneratePage.cmake.
std::span<const PageFile> page_files();

enum class Site : std::uint8_t {
  invalid,  // the target is no path, or is not correctly percent-encoded
  none,     // no such path, or it has other methods
  operation,
  page,
  events,
  mcp,
  healthz,
  readyz,
  metrics,
  openapi
};

// The route of a request, found once after its header, before the body is read.
struct Route {
  Site site = Site::invalid;
  const api::Operation* operation = nullptr;  // of Site::operation
  std::string_view name = {};                 // for the log and the metrics; empty: none
  const PageFile* file = nullptr;             // of Site::page
  std::string methods = {};  // "GET, PUT": the path's, if the request's is none of them
  // The path's parameters, then those of the query; decoded.
  std::vector<std::pair<std::string, std::string>> fields = {};
  std::size_t body_limit = 0;  // bytes
  bool body_is_file = false;   // a file of items rather than a JSON object of fields
};

// --- a request and its response ------------------------------------------------------------------

struct Request {
  std::string method;                          // "GET"; also of HEAD
  std::string target;                          // as it was sent: "/v1/rank?top=3"
  std::map<std::string, std::string> headers;  // names in lower case; of a repeated one the first
  std::vector<std::string> repeated = {};      // names of repeated headers
  bool is_head = false;                        // the answer is sent without its body
  bool is_old = false;                         // of a version before HTTP/1.1
  bool takes_gzip = false;
  std::string body = {};
  int body_file = -1;                        // a file with a body that was too long for memory
  Route route = {};                          // see find_route()
  std::optional<mcp::Message> message = {};  // the body, once parsed as an MCP message
  std::optional<std::chrono::steady_clock::time_point> begin = {};  // when the header was complete

  // The value of a header; empty if it is absent.
  const std::string& header(const std::string& name) const {
    static const std::string kNone;
    const auto it = headers.find(name);
    return it == headers.end() ? kNone : it->second;
  }
  // The Content-Type, in lower case and without parameters: "application/json".
  std::string media_type() const;
  // A function that reads the body's file from its beginning, a part at each call. It throws
  // Problem, and does not need the request.
  std::function<std::size_t(char* to, std::size_t room)> body_reader() const;
};

// The body of a response that does not end: server-sent events (WHATWG HTML).
class Stream {
 public:
  virtual ~Stream() = default;
  // Whether there may be something to send, now that the ledger is at that position. The I/O
  // thread, while next() does not run.
  virtual bool behind(std::int64_t position) const = 0;
  // The next piece; empty: nothing has changed. The reader's thread. After an exception nothing is
  // lost: the next call tries again.
  virtual std::string next(std::int64_t position) = 0;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::string gzip = {};  // the body, compressed; empty: not worth it
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string operation = {};           // for the log and the metrics
  std::shared_ptr<Stream> stream = {};  // the body, in place of `body`
  std::shared_ptr<void> held = {};      // counts the body while it is in memory; see Hub::hold()
  // Epoch milliseconds until which the response stays valid if no event is appended: when the first
  // claim expires.
  std::int64_t holds_until = std::numeric_limits<std::int64_t>::max();
};

// Finds the route by the method, the target and the headers.
Route find_route(const Request& request);

// The value of a field, or of an element of its list, from another program's text where it can send
// only texts. An invalid text stays a text, which the operation refuses. Throws Problem.
api::Json value_of_text(const api::Field& field, const std::string& text);

// The request of the operation as JSON: the fields of the path, of the query, and of a JSON body.
// Throws Problem.
api::Json asked_by(const Request& request);

// Throws Problem for a field that is not offered to other programs: see Bounds::local.
void require_offered(const api::Fields& fields, const api::Json& asked);

// Runs the operation. Throws Problem, also for a field that is not offered.
api::Json call(const api::Operation& operation, api::Session& session, const api::Json& asked);

// A response with a body as in RFC 9457.
Response problem_response(const api::Problem& problem);
// The same for errors of HTTP itself.
Response problem_response(int status, const std::string& title, const std::string& detail);
// For a request that ended with an unexpected error.
Response failed_response();
// The response if the bodies in memory leave no room for another.
Response too_much_held();
Response not_allowed(const std::string& methods);  // methods: the ones that the path has
Response not_modified(const std::string& etag);
Response try_again(int status, const std::string& title, const std::string& detail, int seconds);

// Whether If-None-Match names the tag. Comparison is weak, as RFC 9110 has it.
bool is_known(const Request& request, std::string_view etag);
// Whether Accept-Encoding takes gzip.
bool takes_gzip(std::string_view accept_encoding);

// Fills in `gzip` if the body is long enough to save bytes.
void compress(Response& response);

using api::text_of;
// An unnamed file for a body; -1: it cannot be made.
int unnamed_file();
// After making an answer of so many bytes: returns the allocator's free memory to the system.
void give_back_memory(std::size_t bytes);

// The parts between the characters `at`; there is at least one.
std::vector<std::string_view> split(std::string_view text, char at);

// Percent-encoding (RFC 3986). nullopt for a "%" without two hexadecimal digits, a byte 0, or text
// that is not UTF-8. plus_is_blank: decode "+" as a blank, as in queries.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank = false);

}  // namespace hebb::serve
