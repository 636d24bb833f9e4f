// A folder of its own for a test, removed with it, and the contents of its files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace hebb::test {

class Folder {
 public:
  Folder() {
    path_ = (std::filesystem::temp_directory_path() / "hebb-test-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Throws std::runtime_error if the file cannot be read.
inline std::string read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Empty if there is no such file.
inline std::string read_text_if_there(const std::string& file) {
  return std::filesystem::exists(file) ? read_text(file) : "";
}

// Throws std::runtime_error if the file cannot be written.
inline void write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace hebb::test
