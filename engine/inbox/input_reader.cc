#include "engine/inbox/input_reader.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace hebb {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string namespace_of_processes() {
  char target[64];
  const ssize_t size = ::readlink("/proc/self/ns/pid", target, sizeof target);
  return size > 0 ? std::string(target, static_cast<std::size_t>(size)) : "";
}

struct Process {
  std::string number, start;  // start: in clock ticks after the boot; empty: there is none
};

// `name`: its number, or self, which has the number that the others of this /proc know it by. One
// that has ended and whose parent does not know yet is not there (proc(5), stat, fields 3 and 22).
Process process_of(std::string_view name) {
  const std::string stat = first_line(fmt::format("/proc/{}/stat", name));
  std::size_t at = stat.rfind(')');  // the end of field 2, which may hold blanks
  if (at == std::string::npos || at + 2 >= stat.size()) return {};
  if (const char state = stat[at + 2]; state == 'Z' || state == 'X') return {};
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  if (at == std::string::npos) return {};
  return {stat.substr(0, stat.find(' ')), stat.substr(at + 1, stat.find(' ', at + 1) - at - 1)};
}

// Of this process's name all but the number.
std::string process_name() {
  const Process self = process_of("self");
  return fmt::format("{} {} {} {}", first_line("/proc/sys/kernel/random/boot_id"),
                     namespace_of_processes(), self.number, self.start);
}

// The names of those in this process.
struct Here {
  std::mutex mutex;
  std::set<std::string, std::less<>> names;
  std::size_t made = 0;
};

Here& here() {
  static Here readers;
  return readers;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace

InputReader::~InputReader() {
  const std::lock_guard lock(here().mutex);
  here().names.erase(name_);
}

const std::string& InputReader::name() {
  if (name_.empty()) {
    const std::lock_guard lock(here().mutex);
    name_ = fmt::format("{} {}", process_name(), ++here().made);
    here().names.insert(name_);
  }
  return name_;
}

TimeMs InputReader::clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

InputReader::Found InputReader::find(std::string_view name, TimeMs seen_at) {
  const auto theirs = words_of(name);
  const std::string process = process_name();
  const auto ours = words_of(process);
  if (theirs.size() != ours.size() + 1) return Found::gone;  // of an older version
  if (theirs[0] != ours[0] || theirs[1] != ours[1])
    return std::abs(clock() - seen_at) < kSilentMs ? Found::perhaps_there : Found::gone;
  const auto known = [](bool there) { return there ? Found::there : Found::gone; };
  if (theirs[2] != ours[2])
    return known(!theirs[3].empty() && theirs[3] == process_of(theirs[2]).start);
  const std::lock_guard lock(here().mutex);
  return known(here().names.contains(name));
}

}  // namespace hebb
