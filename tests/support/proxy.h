// A network that fails as a test says: between a client and a server on this machine.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace hebb::test {

// Listens on a port of 127.0.0.1. What it is told counts from then on, for connections that are
// open and for later ones, until it is told something else. A cut happens once, to the connection
// that it is for; then all is passed on again, unless it is said otherwise.
class Proxy {
 public:
  enum class To { server, client };
  enum class When { before, after };
  enum class Then { pass, swallow };

  explicit Proxy(int server_port);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  int port() const { return port_; }
  std::string url(const std::string& database = "postgres") const;  // as the user postgres

  void pass();
  void delay(std::chrono::milliseconds each_way);
  void swallow();  // reads what comes, passes nothing on, and keeps connections open
  void cut();      // every connection that is open, now
  // When so many bytes have gone that way, of all connections together.
  void cut_after(To to, std::size_t bytes);
  // When these bytes go by towards the server. before: it does not get the last of them. after: it
  // gets them and what follows, and answers; the client gets no byte of that answer. Then, all that
  // comes is passed on or swallowed.
  void cut_at(const std::string& bytes, When when, Then then = Then::pass);

  int connections() const { return connections_; }  // that were ever accepted
  int cuts() const { return cuts_; }                // by cut_after() and cut_at()

 private:
  using Clock = std::chrono::steady_clock;
  struct Rule {
    enum class Kind { pass, swallow, after_bytes, at_bytes } kind = Kind::pass;
    Clock::duration delay{};
    To to = To::server;
    std::size_t left = 0;  // bytes until the cut
    std::string bytes;
    When when = When::before;
    Then then = Then::pass;
  };
  struct Chunk {
    Clock::time_point due;
    std::string bytes;
  };
  struct Way {
    int from = -1, to = -1;
    std::deque<Chunk> waiting;
    bool ended = false;  // nothing more comes
  };
  struct Link {
    Way to_server, to_client;
    std::string tail;  // the last bytes that went to the server
    bool answer_lost = false;
    Then then = Then::pass;  // once that answer is lost
    bool closed = false;
  };

  void set(Rule rule);
  void wake() const;
  void serve();
  bool wait();  // until something can be done; false: it is to end
  void accept_one();
  void read_from(Link& link, Way& way);
  void apply(Link& link, Way& way, std::string bytes);
  bool at_bytes(Link& link, const std::string& bytes);
  void write_to(Link& link, Way& way);
  static void close(Link& link);

  int server_port_, port_ = 0, listener_ = -1, wake_ = -1;
  std::mutex mutex_;  // of what follows
  Rule rule_;
  std::list<Link> links_;
  bool ending_ = false;
  std::atomic<int> connections_ = 0, cuts_ = 0;
  std::thread thread_;
};

}  // namespace hebb::test
