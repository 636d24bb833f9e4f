#include "engine/read_inputs.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

namespace hebb {

namespace {

constexpr std::int64_t kLeaseMs = 60'000;  // a reader whose row has not changed for so long is gone

}  // namespace

ReadInputs::~ReadInputs() {
  if (fd_ >= 0) ::close(fd_);
}

bool ReadInputs::begin(const std::string& content, const std::string& reader) {
  return is_of_this_machine(reader) && !held_.contains(content + reader) &&
         lock(content + reader, F_WRLCK) && held_.insert(content + reader).second;
}

void ReadInputs::end(const std::string& content, const std::string& reader) {
  if (held_.erase(content + reader) > 0) lock(content + reader, F_UNLCK);
}

// True also where nothing can be locked: nobody else reads into a database in memory, and where the
// system has no such locks, nobody can tell.
bool ReadInputs::lock(const std::string& input, short type) {
  constexpr off_t kFirst = off_t{1} << 62;
  if (fd_ < 0) fd_ = ::open(storage_.database().path().c_str(), O_RDWR | O_CLOEXEC);
  if (fd_ < 0) return true;
  struct flock byte {};
  byte.l_type = type;
  byte.l_whence = SEEK_SET;
  byte.l_start = kFirst + static_cast<off_t>(XXH3_64bits(input.data(), input.size()) >> 2);
  byte.l_len = 1;
  return ::fcntl(fd_, F_OFD_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool ReadInputs::has_row(const std::string& content, const std::string& reader) const {
  const auto rows = storage_.inbox().progress(content);
  return std::any_of(rows.begin(), rows.end(),
                     [&](const ReadingProgress& row) { return row.reader == reader; });
}

void ReadInputs::take_over(const std::string& content) {
  if (!storage_.upstream() || storage_.inbox().progress(content).empty()) return;
  sql::Transaction transaction(storage_.database());
  for (const ReadingProgress& there : storage_.inbox().progress(content)) {
    if (is_of_this_machine(there.reader)) continue;  // its lock says whether it is there
    const auto age =
        storage_.upstream()->progress_age_ms(storage_.database(), content, there.reader);
    if (!age || *age <= kLeaseMs) continue;
    int n = 1;
    while (has_row(content, reader(n))) ++n;
    storage_.inbox().set_progress(content, {0, 0, there.reader});
    storage_.inbox().set_progress(content, {there.items, there.now, reader(n)});
  }
  transaction.commit();
}

void ReadInputs::renew(const std::string& content, const ReadingProgress& row) {
  if (!storage_.upstream()) return;  // others see its lock
  sql::Transaction transaction(storage_.database());
  require_row(content, row.reader);
  storage_.inbox().set_progress(content, row);
  transaction.commit();
}

void ReadInputs::require_row(const std::string& content, const std::string& reader) const {
  if (has_row(content, reader)) return;
  throw sql::Error(sql::kBusy,
                   "another machine went on with this input, since this one had not written for a "
                   "minute; what it had taken before is there");
}

}  // namespace hebb
