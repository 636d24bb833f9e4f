// Writing to somebody who may not read, without ever blocking and without changing the descriptor,
// which may be shared with other processes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace hebb::capture {

enum class Sink : std::uint8_t { nonblocking, socket, pipe };
Sink sink_of(int fd);

// As much as goes now, as write() says it: -1 and EAGAIN where nothing does.
ssize_t write_some(Sink sink, int fd, const char* bytes, std::size_t size);
bool would_block(int error);

// The other side sees the descriptor closed; its number stays taken.
void release(int fd);

}  // namespace hebb::capture
