#include "sql/check_text.h"

#include <string>

#include <sqlite3.h>

#include "sql/database.h"

namespace hebb::sql {

void require_pages_read(std::string_view found) {
  for (const int code : {SQLITE_NOMEM, SQLITE_IOERR_NOMEM}) {
    const std::string mark = "error code=" + std::to_string(code);
    for (auto at = found.find(mark); at != found.npos; at = found.find(mark, at + 1)) {
      const std::string_view rest = found.substr(at + mark.size());
      const bool is_whole = rest.empty() || rest.front() < '0' || rest.front() > '9';
      if (is_whole) throw Error(SQLITE_NOMEM, "check the file: out of memory");
    }
  }
}

}  // namespace hebb::sql
