// The bridge's end of the socket pair to its client: lines that come, and lines that go.
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

  // The next line that is not empty, without its end; what follows the last one is a line, too.
  // nullopt: there is none any more. Waits; one thread reads. A line of more than kLineBytes is
  // left out, and `too_long` called.
  std::optional<std::string> read_line(const std::function<void()>& too_long);
  // From any thread; lines are written one after the other. False: the client has gone.
  bool write_line(std::string_view line);

  void end_reading();  // read_line() gets no more than what has come; the client sees it
  void end();          // a write_line() that is under way fails, too

 private:
  bool fill();

  const int fd_;
  std::mutex writing_;
  std::vector<char> buffer_;
  std::size_t from_ = 0, to_ = 0;  // read but not yet taken
};

}  // namespace hebb::capture
