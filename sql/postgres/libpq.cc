#include "sql/postgres/libpq.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace hebb::postgres {
namespace {

void* function_of(void* library, const char* library_name, const char* name) {
  void* const found = dlsym(library, name);
  if (found) return found;
  throw NoLibrary(
      fmt::format("a ledger on PostgreSQL needs libpq of version 14 or later, in Debian the "
                  "package libpq5; {} has no {}",
                  library_name, name));
}

}  // namespace

Libpq load_libpq(const char* name) {
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    throw NoLibrary(fmt::format("a ledger on PostgreSQL needs {}, in Debian the package libpq5: {}",
                                name, dlerror()));
  }
  Libpq made;
#define HEBB_LIBPQ_LOAD(result, function, arguments) \
  made.function = reinterpret_cast<result(*) arguments>(function_of(library, name, #function));
  HEBB_LIBPQ_FUNCTIONS(HEBB_LIBPQ_LOAD)
#undef HEBB_LIBPQ_LOAD
  return made;
}

const Libpq& libpq() {
  static const Libpq loaded = load_libpq("libpq.so.5");
  return loaded;
}

}  // namespace hebb::postgres
