#include "tests/capture/record_support.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/record/record.h"

namespace hebb::capture::test {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written <= 0) return;  // the other side does not listen any more: SIGPIPE is ignored here
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// `other_side` runs in a child whose 0, 1 and 2 are set, and does not return.
Seen talk(const Client& client, const std::function<void()>& other_side) {
  const Folder dir;
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  const pid_t pid = fork();
  if (pid == 0) {
    const int err = open(dir.file("err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (client.file_size_limit > 0) {
      const rlimit limit{client.file_size_limit, client.file_size_limit};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    close(to[1]);
    close(from[0]);
    other_side();
    _exit(99);
  }
  close(to[0]);
  close(from[1]);
  const auto sigpipe_before = signal(SIGPIPE, SIG_IGN);
  std::thread writer([&] {
    write_all(to[1], client.input);
    if (!client.keeps_stdin) close(to[1]);
  });
  Seen seen;
  char buffer[65536];
  ssize_t got = 0;
  while (seen.out.size() < client.reads && (got = read(from[0], buffer, sizeof buffer)) > 0) {
    seen.out.append(buffer, static_cast<std::size_t>(got));
    if (client.on_output) client.on_output(seen.out, pid);
  }
  close(from[0]);
  if (client.keeps_stdin) {
    writer.join();
    close(to[1]);
  }
  waitpid(pid, &seen.status, 0);
  if (writer.joinable()) writer.join();
  signal(SIGPIPE, sigpipe_before);
  if (seen.out.size() > client.reads) seen.out.resize(client.reads);
  seen.err = read_file(dir.file("err"));
  return seen;
}

}  // namespace

Seen run_direct(const std::vector<std::string>& command, const Client& client) {
  return talk(client, [&] {
    std::vector<char*> argv;
    for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  });
}

Seen run_recorded(const std::vector<std::string>& command, const Client& client,
                  const std::string& database, const std::function<void()>& first) {
  return talk(client, [&] {
    if (first) first();
    RecordOptions options;
    options.database = database;
    options.command = command;
    options.agent_id = "tester";
    options.warn = [](std::string_view what) {
      write_all(STDERR_FILENO, fmt::format("hebb record: {}\n", what));
    };
    try {
      end_like(run_record(options).server);
    } catch (const std::system_error&) {
      _exit(127);
    }
  });
}

std::vector<std::string> sh(const std::string& script) { return {"sh", "-c", script}; }

std::string call(int id, std::string_view tool, std::string_view arguments) {
  return fmt::format(
      R"({{"method":"tools/call","params":{{"name":"{}","arguments":{}}},"jsonrpc":"2.0","id":{}}})"
      "\n",
      tool, arguments, id);
}

std::string answer(int id, std::string_view result) {
  return fmt::format(R"({{"result":{},"jsonrpc":"2.0","id":{}}})"
                     "\n",
                     result, id);
}

}  // namespace hebb::capture::test
