// To be preloaded into hebb: as long as the process lives, a thread opens, reads and closes the
// database SECOND_SQLITE_DATABASE with the copy of SQLite that SECOND_SQLITE names, and writes a
// byte to the pipe SECOND_SQLITE_ROUNDS after each time: '.', or '!' where it failed. It opens that
// pipe first, and so waits for who reads it.
#include "tests/support/second_sqlite.h"

#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace {

void go_round() {
  const std::string database = std::getenv("SECOND_SQLITE_DATABASE");
  const int rounds = ::open(std::getenv("SECOND_SQLITE_ROUNDS"), O_WRONLY | O_CLOEXEC);
  hebb::test::SecondSqlite second(std::getenv("SECOND_SQLITE"));
  while (::write(rounds, second.open_read_close(database) == 0 ? "." : "!", 1) == 1) {
  }
}

[[gnu::constructor]] void begin() {
  if (std::getenv("SECOND_SQLITE") != nullptr) std::thread(go_round).detach();
}

}  // namespace
