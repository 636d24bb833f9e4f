// The bridge's end of the socket pair to its client: reads and writes lines.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::capture {

class ClientSocket {
 public:
  static constexpr std::size_t kLineBytes = std::size_t{256} << 20;

  explicit ClientSocket(int fd) : fd_(fd) {}  // which it closes
  ~ClientSocket();
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;

  // The next line that is not empty, without its end; bytes after the last line end are a line,
  // too. nullopt: there are no more. Waits; only one thread reads. A line of more than kLineBytes
  // is left out, and `too_long` called.
  std::optional<std::string> read_line(const std::function<void()>& too_long);
  // From any thread; one line is written at a time. False: the client is gone.
  bool write_line(std::string_view line);

  void end_reading();  // read_line() returns only received bytes; the client sees the end
  void end();          // a running write_line() fails, too

 private:
  bool fill();

  const int fd_;
  std::mutex writing_;
  std::vector<char> buffer_;
  std::size_t from_ = 0, to_ = 0;  // read but not yet taken
};

}  // namespace hebb::capture
