// Writing to a reader that may be slow, without ever blocking and without changing the descriptor's
// flags, which may be shared with other processes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace hebb::capture {

inline constexpr std::size_t kReadBytes = std::size_t{64} << 10;  // the most read at once

enum class Sink : std::uint8_t { nonblocking, socket, pipe };
Sink sink_of(int fd);

// Writes as much as is possible now. Returns what write() returns: -1 and EAGAIN if nothing is.
ssize_t write_some(Sink sink, int fd, const char* bytes, std::size_t size);
bool would_block(int error);

// Closes it for the other side, but keeps the number in use (it refers to /dev/null).
void release(int fd);

}  // namespace hebb::capture
