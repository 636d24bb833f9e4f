// A running `hebb serve`, and raw connections to it.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/process.h"

namespace hebb::test {

class Server {
 public:
  // On a port of its own; `options` come after "serve".
  explicit Server(const std::vector<std::string>& options = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Sends the bytes and gives all that comes back until the server closes.
  std::string send(const std::string& bytes) const;
  // One request with "Connection: close" and the right Host.
  std::string ask(const std::string& method, const std::string& target,
                  const std::string& headers = "", const std::string& body = "") const;
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  int connect() const;
  int stop();  // by SIGTERM; the exit code
  const Folder& folder() const { return folder_; }

 private:
  Folder folder_;
  pid_t child_ = -1;
  int port_ = 0;
  int log_ = -1;
};

int status_of(const std::string& answer);        // of "HTTP/1.1 200 OK…"; 0: it is none
std::string body_of(const std::string& answer);  // behind the header

}  // namespace hebb::test
