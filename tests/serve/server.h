// A running `hebb serve`, and raw connections to it.
#pragma once

#include <map>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

#include "tests/support/process.h"

namespace hebb::test {

using Json = nlohmann::json;

// Headers of requests.
inline const std::string kJson = "Content-Type: application/json\r\n";
inline const std::string kLines = "Content-Type: application/x-ndjson\r\n";

class Server {
 public:
  // On a port of its own; `options` come after "serve".
  explicit Server(std::vector<std::string> options = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Sends the bytes and gives all that comes back until the server closes.
  std::string send(const std::string& bytes) const;
  // One request with "Connection: close" and the right Host.
  std::string ask(const std::string& method, const std::string& target,
                  const std::string& headers = "", const std::string& body = "") const;
  // That request as bytes.
  std::string request(const std::string& method, const std::string& target,
                      const std::string& headers = "", const std::string& body = "") const;
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  int connect() const;
  // How many bytes of addresses it may have beyond those that it has now; -1: as many as it likes.
  void limit_memory(std::int64_t bytes) const;
  std::size_t descriptors() const;  // that it has open
  std::int64_t memory() const;      // bytes that it has in memory
  bool is_there() const;            // whether it has not ended
  int stop();                       // by SIGTERM; the exit code
  void kill();                      // by SIGKILL
  void start();                     // again, on the same database and another port
  // What it has logged; once it has stopped, all of it.
  const std::string& log();
  const Folder& folder() const { return folder_; }
  std::string db() const { return folder_.file("t.db"); }
  // Another process on the same database: `hebb ARGUMENTS`.
  ProcessResult hebb(std::vector<std::string> arguments, const std::string& in = "") const;

 private:
  int end(int signal);

  Folder folder_;
  std::vector<std::string> options_;
  pid_t child_ = -1;
  int port_ = 0;
  std::string log_;
  std::thread reader_;  // of its log, so that it never waits for one who reads
};

int status_of(const std::string& answer);        // of "HTTP/1.1 200 OK…"; 0: it is none
std::string body_of(const std::string& answer);  // behind the header
Json json_of(const std::string& answer);         // its body
// Of a header; empty: it is not there.
std::string header_of(const std::string& answer, const std::string& name);
// What `hebb mcp` answers to those lines, on the database t.db in the folder.
std::vector<Json> talk(const Folder& folder, const std::string& in);
// A message of JSON-RPC, with the id 1.
std::string rpc(const std::string& method, const Json& params = Json::object());
// Makes an open task, or fails the test.
void add_task(const Server& server, const std::string& id, const std::string& name = "");
// An open task, as an item of an import of history; `at`: milliseconds after the first.
Json history_node(const std::string& id, int at, const std::string& name = "");
// How many items were taken, by an answer to POST /v1/outcomes.
std::int64_t applied(const std::string& answer);

// One request with "Connection: close" and the right Host, to a server at that port of 127.0.0.1.
std::string ask_at(int port, const std::string& method, const std::string& target,
                   const std::string& headers = "", const std::string& body = "");
int connect_to(int port);  // of 127.0.0.1; throws std::runtime_error
void write_all(int fd, const std::string& bytes);
std::string read_all(int fd);

// Server-sent events, read one at a time as the specification has it.
class EventStream {
 public:
  // Asks for the stream; `headers` end with CR LF each.
  EventStream(const Server& server, const std::string& target, const std::string& headers = "");
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  struct Event {
    std::string id;  // as sent with this one; empty: none
    std::string name, data;
  };
  // The next one; with the name "end" where the stream has ended.
  Event next();
  // The next of that name.
  Event next(const std::string& name);

 private:
  std::string line();

  int fd_ = -1;
  std::string buffer_;
  bool ended_ = false;
};

}  // namespace hebb::test
