// Makes the response to a request that the guard has let through.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "api/session.h"
#include "serve/idempotency.h"
#include "serve/mcp/sessions.h"
#include "serve/message.h"
#include "serve/metrics.h"
#include "serve/prepared.h"
#include "serve/route.h"
#include "serve/stream.h"

namespace hebb::serve {

// It has two sessions of one database, so that reading never waits for a write to disk. Each
// session is used by one thread only; functions marked "any thread" use neither.
class Handler {
 public:
  Handler(api::Session& reader, api::Session& writer) : reader_(reader), writer_(writer) {}

  enum class Work : std::uint8_t { read, write, stream };  // stream: the response is one of events
  struct Plan {
    Work work = Work::read;
    bool work_by_body = false;   // only the body tells: see work()
    std::size_t body_limit = 0;  // bytes
    bool body_in_file = false;   // the body may be too long to hold in memory
  };
  // Any thread.
  static Plan plan(const Request& request);
  // Whose work a whole request is, its body included. Any thread.
  static Work work(const Plan& plan, const Request& request);
  // The response, if it was prepared. Any thread.
  std::optional<Response> ready(const Request& request);

  static bool is_mcp(const Request& request);  // any thread
  // The stream of an MCP client; null: `refusal` says why not. The reader's thread.
  std::unique_ptr<Stream> mcp_stream(const Request& request, Response& refusal);

  // These never throw. The reader's thread:
  Response read(const Request& request);
  // The writer's thread: runs the requests one after the other, then makes the frequent responses
  // anew, so that reading sees their effect before anybody gets a response.
  std::vector<Response> write(std::span<const Request* const> requests);

  // The reader's thread: looks for events that other processes have appended.
  void look();
  // The ledger's position that prepared responses are of. Any thread.
  std::int64_t position() const { return prepared_.position(); }

  api::Session& reader() { return reader_; }

 private:
  Response answer(api::Session& session, const Request& request);
  Response respond(api::Session& session, const Request& request);
  Response run(api::Session& session, const Route& route, const Target& target,
               const Request& request);
  Response read_path(api::Session& session, const Route& route, const Target& target,
                     const Request& request);
  Response ingest(api::Session& session, const Route& route, const Target& target,
                  const Request& request);
  Response mcp(api::Session& session, const Request& request);
  Response metrics(api::Session& session);
  Response is_ready(api::Session& session);
  Response write_once(const Request& request);
  void publish(api::Session& session);

  api::Session& reader_;
  api::Session& writer_;
  Prepared prepared_;
  Metrics metrics_;
  mcp::Sessions mcp_sessions_;
  std::int64_t folded_ = 0;  // position of the reader's graph; used by the reader's thread
  KeyedResponses done_;      // used by the writer's thread
};

}  // namespace hebb::serve
