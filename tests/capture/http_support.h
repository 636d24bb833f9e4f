// An HTTP server whose bytes are all written by the test, and a client of a recorder before it.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "capture/actions/row.h"
#include "capture/record/record.h"
#include "tests/capture/record_support.h"

namespace hebb::capture::test {

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

  void send(std::string_view bytes) const;
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
  explicit RawServer(Handler handler);
  ~RawServer();

  std::string url() const;
  std::string address() const;
  std::vector<Heard> heard() const;
  // All of one method so far, bodies alone.
  std::vector<std::string> bodies(const std::string& method) const;

 private:
  void serve(int fd);

  const Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Heard> heard_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

// A stdio client of `hebb record -- URL`, in this process.
class HttpClient {
 public:
  explicit HttpClient(std::string url,
                      std::vector<std::pair<std::string, std::string>> headers = {});
  ~HttpClient();

  void say(std::string_view line);  // without its line end
  std::string hear();               // the next line, without its end; "" at the end
  // Closes the client's end and returns the lines that still come.
  std::vector<std::string> finish();
  void leave();                   // reads no more; waits for the recorder's end
  std::vector<ActionRow> rows();  // after finish() or leave()
  const RecordEnd& end() const { return end_; }
  std::vector<std::string> warnings;  // after finish() or leave()

 private:
  std::mutex mutex_;  // of warnings
  TempDir dir_;
  int to_ = -1, from_ = -1;
  int theirs_[2] = {-1, -1};
  std::string buffer_;
  RecordEnd end_;
  std::thread recorder_;
};

}  // namespace hebb::capture::test
