// A second copy of SQLite in this process, with variables of its own, as Python or another library
// brings one along.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include <dlfcn.h>
#include <sqlite3.h>

namespace hebb::test {

class SecondSqlite {
 public:
  // The sanitizers cannot load it: they put their own functions in place of the C library's.
  static constexpr bool possible() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
    return !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
    return true;
#endif
  }

  // Copies the library that this program uses. The loader loads a file only once.
  static void copy_library(const std::string& to) {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void*>(&sqlite3_libversion), &info) == 0)
      throw std::runtime_error("where is SQLite?");
    std::filesystem::copy_file(info.dli_fname, to);
  }

  explicit SecondSqlite(const std::string& library)
      : handle_(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)) {
    if (handle_ == nullptr) throw std::runtime_error(::dlerror());
    find(open_, "sqlite3_open");
    find(exec_, "sqlite3_exec");
    find(close_, "sqlite3_close");
  }

  int open(const std::string& path) {
    db_ = nullptr;
    return open_(path.c_str(), &db_);
  }
  int exec(const char* sql) { return exec_(db_, sql, nullptr, nullptr, nullptr); }
  int close() { return close_(db_); }
  // All of it at once; SQLITE_OK if each went well.
  int open_read_close(const std::string& path) {
    const int opened = open(path);
    const int read = exec("SELECT count(*) FROM sqlite_schema");
    return opened | read | close();
  }

 private:
  template <class Function>
  void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(::dlsym(handle_, name));
    if (function == nullptr) throw std::runtime_error(::dlerror());
  }

  void* handle_;
  decltype(sqlite3_open)* open_ = nullptr;
  decltype(sqlite3_exec)* exec_ = nullptr;
  decltype(sqlite3_close)* close_ = nullptr;
  sqlite3* db_ = nullptr;
};

}  // namespace hebb::test
