// Runs a client and a server, with or without a recorder between them, and returns what both saw.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "tests/support/folder.h"

namespace hebb::capture::test {
using hebb::test::Folder;

// What the client does.
struct Client {
  std::string input = {};                 // written, at the server's pace
  bool keeps_stdin = false;               // open until the output ends
  std::size_t reads = std::string::npos;  // bytes, then it closes its end
  // Called with all output so far whenever there is more, and the pid of what it talks to.
  std::function<void(std::string_view, pid_t)> on_output = {};
  std::size_t file_size_limit = 0;  // RLIMIT_FSIZE of the other side: a disk that is full
};

struct Seen {
  std::string out;
  std::string err;
  int status = 0;  // of wait()
};

Seen run_direct(const std::vector<std::string>& command, const Client& client);
// `first` runs in the recorder's process before it records.
Seen run_recorded(const std::vector<std::string>& command, const Client& client,
                  const std::string& database, const std::function<void()>& first = {});

std::vector<std::string> sh(const std::string& script);

std::string call(int id, std::string_view tool, std::string_view arguments = "{}");  // a line
std::string answer(int id, std::string_view result = "{\"content\":[]}");            // a line

}  // namespace hebb::capture::test
