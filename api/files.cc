#include "api/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/problem.h"
#include "sql/postgres/address.h"
#include "secrets/rules.h"
#include "sql/replace_file.h"

namespace hebb::api {

namespace {

[[noreturn]] void cannot_read(const std::string& name) {
  throw problem(ProblemType::no_file, "", "cannot read {}: {}", name, std::strerror(errno));
}

}  // namespace

void require_no_address(const std::string& file) {
  std::error_code ec;
  if (postgres::is_address(file) && !std::filesystem::exists(file, ec))
    throw invalid("file",
                  "a file is meant here, and this is the address of a server (of a file of that "
                  "name: put ./ before it)");
}

void require_file(const std::string& path) {
  if (path == "-") return;
  require_no_address(path);
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec))
    throw problem(ProblemType::no_file, "", "{} is a folder, not a file", path);
  if (::access(path.c_str(), R_OK) != 0) cannot_read(path);
}

std::string read_file(const std::string& path) {
  constexpr std::size_t kMost = 16 << 20;
  const FileInput file(path);
  Input input(file.read(), 2 * kMost);
  try {
    return std::string(input.rest(kMost));
  } catch (const UnreadableInput& e) {
    throw UnreadableInput(fmt::format("{}: {}", shown_name(path), e.what()));
  }
}

void replace_file(const std::string& path, std::string_view content) {
  try {
    sql::FileReplacement file(path, sql::FileReplacement::Existing::replace);
    file.write(content);
    file.commit();
  } catch (const sql::FileError& e) {
    throw Problem(ProblemType::failed, e.what());
  }
}

void use_secret_rules(const std::string& path) {
  const std::string text = read_file(path);
  try {
    secrets::use_rules(text, path);
  } catch (const secrets::BadRules& e) {
    throw problem(ProblemType::unreadable, "", "HEBB_SECRETS: {}", e.what());
  }
}

std::string shown_name(const std::string& path) { return path == "-" ? "(stdin)" : path; }

FileInput::FileInput(const std::string& path) : path_(path), fd_(STDIN_FILENO) {
  require_file(path);
  if (path != "-") fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd_ < 0) cannot_read(path);
}

FileInput::~FileInput() {
  if (fd_ != STDIN_FILENO) ::close(fd_);
}

std::uint64_t FileInput::size() const {
  struct stat status {};
  const bool regular = ::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode);
  return regular ? static_cast<std::uint64_t>(status.st_size) : 0;
}

Input::Read FileInput::read() const {
  return [this, ended = false](char* to, std::size_t room) mutable -> std::size_t {
    while (!ended) {  // a terminal can be read again after its end
      const auto got = ::read(fd_, to, room);
      ended = got == 0;
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) cannot_read(path_ == "-" ? "standard input" : path_);
    }
    return 0;
  };
}

}  // namespace hebb::api
