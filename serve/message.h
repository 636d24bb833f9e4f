// A request, what answers it and its response, independent of the HTTP library, and how texts are
// encoded in them.
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

// A file of the page at /, as it was built into the program. It holds no data, so that it is given
// without a token; what the page shows it asks for as any other client does.
struct PageFile {
  std::string_view name;  // "index.html"
  std::string_view hash;  // of the body
  std::string_view body;
};
// Generated from serve/page/built/ by cmake/GeneratePage.cmake.
std::span<const PageFile> page_files();

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

// It is found once, when the header has come, before the body is read.
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

// --- a request and its response ------------------------------------------------------------------

struct Request {
  std::string method;                          // "GET"; also of HEAD
  std::string target;                          // as it was sent: "/v1/rank?top=3"
  std::map<std::string, std::string> headers;  // names in small letters; repeated ones: the first
  std::vector<std::string> repeated = {};      // their names
  bool is_head = false;                        // the answer is sent without its body
  bool is_old = false;                         // of a version before HTTP/1.1
  bool takes_gzip = false;
  std::string body = {};
  int body_file = -1;  // a file that has the body instead, where it was too long to be held
  Route route = {};    // see find_route()
  std::optional<mcp::Message> message = {};  // the body, once it was parsed as one of MCP
  std::optional<std::chrono::steady_clock::time_point> begin = {};  // when the header had come

  // Empty if there is no such header.
  const std::string& header(const std::string& name) const {
    static const std::string kNone;
    const auto it = headers.find(name);
    return it == headers.end() ? kNone : it->second;
  }
  // Of Content-Type, in small letters and without parameters: "application/json".
  std::string media_type() const;
  // Reads the body that is in a file, from its beginning, each time a part of it. It throws
  // Problem, and does not need the request.
  std::function<std::size_t(char* to, std::size_t room)> body_reader() const;
};

// What a connection sends after the header of its response: server-sent events (WHATWG HTML).
class Stream {
 public:
  virtual ~Stream() = default;
  // Whether there may be something to send, now that the ledger is at that position. The I/O
  // thread, while next() does not run.
  virtual bool behind(std::int64_t position) const = 0;
  // The next piece; empty: nothing has changed. The reader's thread. What it throws loses nothing:
  // it is called again.
  virtual std::string next(std::int64_t position) = 0;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::string gzip = {};  // the body, compressed; empty: not worth it
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string operation = {};           // for the log and the metrics
  std::shared_ptr<Stream> stream = {};  // then this is the body, and there is no other
  std::shared_ptr<void> held = {};      // as long as the body is in memory; see Hub::hold()
  // Epoch milliseconds until which the response stays valid if no event is appended: when the first
  // claim expires.
  std::int64_t holds_until = std::numeric_limits<std::int64_t>::max();
};

// By the method, the target and the headers.
Route find_route(const Request& request);

// The value of a field, or of one of its list, that a text of another program says, where it cannot
// send more than texts. One that says none stays a text, which the operation refuses. Throws
// Problem.
api::Json value_of_text(const api::Field& field, const std::string& text);

// What a request asks of the operation of its route: the fields of the path, of the query, and of a
// JSON body. Throws Problem.
api::Json asked_by(const Request& request);

// Throws Problem for a field that is not offered to other programs: see Bounds::local.
void require_offered(const api::Fields& fields, const api::Json& asked);

// Runs it. Throws Problem, also for a field that is not offered.
api::Json call(const api::Operation& operation, api::Session& session, const api::Json& asked);

// A response with a body as in RFC 9457.
Response problem_response(const api::Problem& problem);
// The same for errors of HTTP itself.
Response problem_response(int status, const std::string& title, const std::string& detail);
// For a request that ended with what nobody expected.
Response failed_response();
// Bodies that wait to be read or taken leave no room for this one.
Response too_much_held();
Response not_allowed(const std::string& methods);  // there are others
Response not_modified(const std::string& etag);
Response try_again(int status, const std::string& title, const std::string& detail, int seconds);

// Whether If-None-Match names the tag. Comparison is weak, as RFC 9110 has it.
bool is_known(const Request& request, std::string_view etag);
// Whether Accept-Encoding takes gzip.
bool takes_gzip(std::string_view accept_encoding);

// Fills in `gzip` where the body is long enough for that to save anything.
void compress(Response& response);

std::string text_of(const api::Json& json);
// A file without a name, for a body; -1: none can be made.
int unnamed_file();
// After the work for an answer of so many bytes: gives the system what the
// allocator would keep.
void give_back_memory(std::size_t bytes);

// The parts between the characters `at`; there is at least one.
std::vector<std::string_view> split(std::string_view text, char at);

// Percent-encoding (RFC 3986). nullopt for a "%" without two hexadecimal digits, a byte 0, or text
// that is not UTF-8. plus_is_blank: decode "+" as a blank, as in queries.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank = false);

}  // namespace hebb::serve
