#include "tests/capture/http_support.h"

#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "capture/actions/store.h"

namespace hebb::capture::test {

HttpClient::HttpClient(std::string url, std::vector<std::pair<std::string, std::string>> headers) {
  int up[2], down[2];
  if (pipe2(up, O_CLOEXEC) != 0 || pipe2(down, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  to_ = up[1];
  from_ = down[0];
  theirs_[0] = up[0];
  theirs_[1] = down[1];
  RecordOptions options;
  options.database = dir_.file("log.db");
  options.command = {std::move(url)};
  options.headers = std::move(headers);
  options.agent_id = "tester";
  options.session_id = "s";
  options.client_in = up[0];
  options.client_out = down[1];
  options.warn = [this](std::string_view what) {
    const std::lock_guard lock(mutex_);
    warnings.emplace_back(what);
  };
  recorder_ = std::thread([this, options] { end_ = run_record(options); });
}

HttpClient::~HttpClient() {
  if (recorder_.joinable()) finish();
  if (from_ >= 0) close(from_);
  if (to_ >= 0) close(to_);
  for (const int fd : theirs_) close(fd);
}

void HttpClient::say(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t written = write(to_, left.data(), left.size());
    if (written <= 0) return;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string HttpClient::hear() {
  for (;;) {
    if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    char bytes[65536];
    const ssize_t got = read(from_, bytes, sizeof bytes);
    if (got <= 0) return {};
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
}

std::vector<std::string> HttpClient::finish() {
  close(std::exchange(to_, -1));
  std::vector<std::string> lines;
  for (std::string line; !(line = hear()).empty();) lines.push_back(std::move(line));
  recorder_.join();
  return lines;
}

void HttpClient::leave() {
  close(std::exchange(from_, -1));
  recorder_.join();
}

std::vector<ActionRow> HttpClient::rows() {
  sql::Database db(dir_.file("log.db"), sql::Database::Mode::read_only);
  std::vector<ActionRow> rows;
  read_actions(db, {}, [&](ActionRow row) { rows.push_back(std::move(row)); });
  return rows;
}

}  // namespace hebb::capture::test
