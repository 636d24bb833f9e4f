// Writes a file whole or not at all. Every file that hebb makes for its user is written with this.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace hebb::sql {

class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Whether a path names a database or a file that SQLite or hebb keeps beside it: by its name, even
// if there is no such file yet, or as a link to the same file. Throws FileError for links that
// never end.
bool is_file_of(const std::string& path, const std::string& database);

// Writes go to a new file in the same folder, and commit() renames it. Until then, and after any
// error, the old file is as it was; only a process that is killed leaves a file NAME.new-XXXXXX
// behind. If two processes replace the same file at once, the contents never mix: the one that
// commits last stays.
//
// Only a regular file is replaced, never a folder, a device or a pipe. A symbolic link stays: the
// file that it points to is replaced, or made. A file keeps its permissions, and its owner if
// this process may set it; its other hard links keep the old content.
class FileReplacement {
 public:
  enum class Existing { keep, replace };  // keep: commit() throws if there is a file
  FileReplacement(const std::string& path, Existing existing);  // throws FileError
  ~FileReplacement();
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  // An empty file at first; the caller may write to it directly.
  const std::string& new_file() const { return new_file_; }
  void write(std::string_view bytes);  // throws FileError
  void commit();  // name and content are on disk when it returns; throws FileError

 private:
  std::string target_;  // after following symbolic links
  Existing existing_;
  std::string new_file_;
  int fd_ = -1;
};

}  // namespace hebb::sql
