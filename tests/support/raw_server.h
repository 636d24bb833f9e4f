// An HTTP server whose bytes are all written by the test.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace hebb::test {

// A request as it arrived.
struct Heard {
  std::string method, path, body;
  std::map<std::string, std::string> headers;  // names in lower case

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

// The server's end of one connection.
class Wire {
 public:
  explicit Wire(int fd) : fd_(fd) {}

  bool send(std::string_view bytes) const;  // false: the other side has gone
  void answer(int status, std::string_view type, std::string_view body,
              std::string_view headers = "") const;
  void accepted() const { answer(202, "", ""); }
  void begin_events(std::string_view headers = "") const;  // 200, chunked
  void chunk(std::string_view bytes) const;
  void event(std::string_view data, std::string_view id = "") const;
  void end_events() const { send("0\r\n\r\n"); }
  void cut();                // closes the connection in the middle of an answer
  void wait_closed() const;  // until the other side has gone

 private:
  int fd_;
};

// Listens on a free port; one thread for each connection.
class RawServer {
 public:
  using Handler = std::function<void(const Heard&, Wire&)>;
  // Where `reads` says no to a head, the handler gets the request without its body, which stays
  // unread, and the connection carries no other request.
  explicit RawServer(Handler handler, std::function<bool(const Heard&)> reads = {});
  ~RawServer();

  std::string url(std::string_view path = "/mcp") const;
  std::string address() const;
  std::vector<Heard> heard() const;
  std::size_t connections() const;  // that were ever accepted
  // All of one method so far, bodies alone.
  std::vector<std::string> bodies(const std::string& method) const;

 private:
  void serve(int fd);

  const Handler handler_;
  const std::function<bool(const Heard&)> reads_;
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Heard> heard_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace hebb::test
