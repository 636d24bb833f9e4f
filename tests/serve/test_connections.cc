// What connections leave behind that are opened and dropped: nothing.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

// Requests of which something is missing: of the header, of a body that is held in memory, of one
// that is held in a file, the one who takes the answer, and the one who takes the events.
std::vector<std::string> beginnings(const Server& server) {
  const std::string put = server.request("PUT", "/v1/nodes/x", kJson, R"({"type":"TASK"})");
  const std::string lines = server.request("POST", "/v1/outcomes", kLines, "{\"taskId\":\"x\"}\n");
  return {"GET /v1/rank HTTP/1.1\r\nHos", put.substr(0, put.size() - 5),
          lines.substr(0, lines.size() - 5), server.request("GET", "/v1/nodes"),
          server.request("GET", "/v1/events")};
}

// Opens and drops so many connections, some hundred at a time, every other in the middle of a
// request.
void open_and_drop(const Server& server, int connections) {
  constexpr int kAtATime = 250;
  const auto begun = beginnings(server);
  for (int opened = 0; opened < connections; opened += kAtATime) {
    std::vector<int> sockets;
    for (int i = 0; i < kAtATime; ++i) {
      sockets.push_back(server.connect());
      if (i % 2 == 0) continue;
      const auto which = static_cast<std::size_t>(i / 2) % begun.size();
      write_all(sockets.back(), begun[which]);
    }
    for (const int socket : sockets) ::close(socket);
  }
}

// Asks the server, which meanwhile sees who has gone, until it has no more descriptors than that.
bool has_at_most(const Server& server, std::size_t descriptors) {
  constexpr int kMost = 5000;
  for (int i = 0; i < kMost; ++i) {
    if (server.descriptors() <= descriptors) return true;
    // Where all places are taken, it closes the connection without an answer.
    server.ask("GET", "/healthz");
  }
  return false;
}

}  // namespace

TEST_CASE("serve: 2000 connections that are opened and dropped leave nothing") {
  constexpr int kConnections = 2000;
  const Server server;
  CHECK(status_of(server.ask("PUT", "/v1/nodes/x", kJson, R"({"type":"TASK"})")) == 200);
  CHECK(status_of(server.ask("GET", "/v1/rank")) == 200);
  const auto before = server.descriptors();
  {
    std::vector<int> open;
    for (int i = 0; i < 10; ++i) {
      open.push_back(server.connect());
      write_all(open.back(), beginnings(server).front());
    }
    CHECK(status_of(server.ask("GET", "/healthz")) == 200);
    // What is open is seen; the connections of the requests above may have been there before.
    CHECK(server.descriptors() > before + 5);
    for (const int socket : open) ::close(socket);
  }
  open_and_drop(server, kConnections);
  CHECK(has_at_most(server, before));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The first ones have filled the allocator's stocks. What a connection has is some kilobytes.
  const auto memory = server.memory();
  open_and_drop(server, kConnections);
  CHECK(has_at_most(server, before));
  CHECK(server.memory() < memory + kConnections * 2000);
#endif
  CHECK(status_of(server.ask("GET", "/v1/rank")) == 200);
}
