// A PostgreSQL server of a test's own: a real one, with its data in a folder that goes with it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/process.h"

namespace hebb::test {

struct ClusterOptions {
  bool fsync = false;    // true: what is committed survives the machine, as it is elsewhere
  std::string password;  // of the user postgres, asked for over TCP; empty: nobody is asked
  // Clusters are copies of one that is kept in the build folder, so all have one system identifier.
  // True: this one is made by initdb, which takes a second.
  bool own_identifier = false;
};

// Runs until it goes, or until the thread that started it ends, whatever becomes of the process.
// As root, which PostgreSQL refuses, it runs as the user postgres. Every method returns when what
// it does is done, and throws std::runtime_error, with the server's log, if it cannot be done.
class Cluster {
 public:
  explicit Cluster(ClusterOptions options = {});
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Through the socket, which asks for no password, and through 127.0.0.1. Both stay the same when
  // it is started again.
  std::string url(const std::string& database = "postgres",
                  const std::string& user = "postgres") const;
  std::string url_tcp(const std::string& database = "postgres") const;
  int port() const { return port_; }

  void start();
  void stop();  // ends sessions; what is committed is on the disk
  void kill();  // SIGKILL; returns when its last process is gone
  void restart();
  bool running() const { return server_ > 0; }

  // Another server that follows this one. synchronous: a commit here waits for it from now on.
  Cluster standby(bool synchronous = false);
  void promote();  // a standby, which becomes a server of its own

  void sql(const std::string& statements);        // in the database postgres
  std::string value(const std::string& query);    // of one row and column, as text; NULL: ""
  void wait_until(const std::string& condition);  // an expression of SQL, asked until it is true
  std::string log() const;

 private:
  Cluster(Cluster& primary, bool synchronous);
  void run(std::vector<std::string> args) const;
  void make_data(bool own_identifier);
  void configure() const;
  bool try_start();  // false: the port was taken
  void spawn();
  void end(int signal);
  std::string data() const { return folder_.file("data"); }

  ClusterOptions options_;
  Folder folder_;
  int port_ = 0;
  pid_t server_ = -1;  // the postmaster
  int alive_ =
      -1;  // a pipe whose other end each process of the server has: at its end, all are gone
};

}  // namespace hebb::test
