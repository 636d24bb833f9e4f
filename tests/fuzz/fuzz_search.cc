// Any text may be searched for: it finds something or nothing, and is never a syntax error. What is
// found can be counted.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/recall/recall.h"

namespace {

hebb::sql::Database make_database() {
  hebb::sql::Database db(":memory:", hebb::sql::Database::Mode::read_write_create);
  hebb::sql::migrate(db);
  db.exec(
      "INSERT INTO node (id, type, state, name, description, created_at) VALUES"
      " ('a', 'TASK', 'OPEN', 'alpha AND beta', 'NEAR gamma', 1),"
      " ('fs:read_file', 'TOOL', '', '', 'caf\xc3\xa9 \xe2\x80\x94 na\xc3\xafve', 1),"
      " ('c', 'NOTE', '', 'parseJsonFile', "
      "'\xe4\xbf\xae\xe5\xa4\x8dlogin\xe9\x94\x99\xe8\xaf\xaf', 1),"
      " ('b', 'NOTE', '', 'a b c d e f g', '\xe6\xbc\xa2\xe5\xad\x97 0 1 2', 1)");
  return db;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static hebb::sql::Database db = make_database();
  hebb::recall::SearchQuery query;
  query.text = std::string_view(reinterpret_cast<const char*>(data), size);
  query.limit = 1 + size % 5;
  const auto found = hebb::recall::search_nodes(db, query, 1);
  if (found.size() > query.limit) std::abort();
  if (!hebb::recall::count_found(db, query.text, found, 2)) std::abort();
  if (!found.empty() && !hebb::recall::count_opened(db, found.front(), 3)) std::abort();
  return 0;
}
