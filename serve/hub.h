// The state that the server's connections share: the threads, the queues, the limits. Everything
// belongs to the I/O thread unless marked otherwise.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "serve/guard.h"
#include "serve/handler.h"
#include "serve/server.h"

namespace hebb::serve {

class Connection {
 public:
  virtual ~Connection() = default;
  // Called when the server ends: closes the connection, at once if idle, else after its answer.
  virtual void stop() = 0;
  // Events may have been appended: a stream sends them. `beat`: a stream without events sends an
  // empty comment, so that the client sees that it is alive.
  virtual void wake(bool beat) = 0;
};

class Hub {
 public:
  using Work = std::function<void()>;

  Hub(api::Session& reader, api::Session& writer, const ServeOptions& options);

  // Runs `work` on the reader's thread, then `then` on the I/O thread.
  void read(Work work, Work then);
  // Hands a request to the writer's thread, which makes the response. Both must live until `then`
  // runs on the I/O thread.
  void write(Request& request, Response& response, Work then);
  // The response to a request that reads. The reader's thread.
  Response respond(Request& request);
  bool busy() const { return waiting >= options.most_waiting || held_ >= kMostHeld; }
  // Counts the bytes of a request's or response's body until the result is destroyed. Any thread.
  std::shared_ptr<void> hold(std::size_t bytes);
  // Whether there is room for so many bytes more. Any thread.
  bool can_hold(std::size_t bytes) const { return held_ + bytes <= kMostHeld; }

  // Looks for events of other processes, and wakes the streams, as long as the server runs.
  void follow();
  void log(const api::Json& fields) const;
  void log(const Request& request, const Response& response) const;
  void log_thrown() const noexcept;  // within a catch
  // Does work whose exceptions must not end the server: they are logged; false then. Any thread.
  template <class Work>
  bool guarded(Work&& work) noexcept {
    try {
      work();
      return true;
    } catch (...) {
      log_thrown();
      return false;
    }
  }
  // Does work that must succeed: tries again until there is enough memory. Any thread.
  template <class Work>
  static void surely(Work&& work) noexcept {
    while (true) {
      try {
        return work();
      } catch (...) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    }
  }
  // Stops the connections, and ends `io` with the last of them, or after a time limit.
  void stop();
  void leave(Connection* connection);  // the connection was closed
  void join();                         // waits for the two threads

 private:
  static constexpr std::size_t kMostHeld = 128 << 20;  // bytes of bodies in memory
  std::atomic<std::size_t> held_ = 0;                  // outlives `io`, as `connections` does
  std::atomic<bool> ended_ = false;                    // work that still waits is dropped

 public:
  const ServeOptions& options;
  GuardOptions guard;
  Handler handler;
  std::set<Connection*> connections;   // outlives `io`, whose handlers may own connections
  std::size_t waiting = 0;             // requests at the two threads
  std::size_t streams = 0, files = 0;  // streams being sent; bodies being received in files
  bool stopping = false;
  boost::asio::io_context io{1};

 private:
  struct Write {
    Request* request;
    Response* response;
    Work then;
  };
  void drain();  // the writer's thread
  void respond(const std::vector<Write>& batch);
  void look();
  void wake_streams(bool beat);

  std::mutex writes_mutex_;  // guards writes_ and draining_
  std::vector<Write> writes_;
  bool draining_ = false;
  std::size_t looks_ = 0;
  boost::asio::steady_timer timer_{io};
  boost::asio::thread_pool reader_{1}, writer_{1};
};

// Serves the socket until it is closed.
void serve_connection(Hub& hub, int fd, int family);

}  // namespace hebb::serve
