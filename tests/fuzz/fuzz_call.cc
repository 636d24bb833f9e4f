// Requests through the C interface: the first line has the operation's name, the rest is the
// request. Checked: a call gives JSON, a result or a problem of its status, also streamed, and the
// database stays whole. Left out are operations that name files, addresses or programs.
#include <algorithm>
#include <string>

#include "api/operation.h"
#include "c/hebb.h"
#include "tests/fuzz/reader_invariants.h"

namespace {

using hebb::api::Json;
using hebb::fuzz::require;

constexpr const char* kOptions = R"({"now": "2027-01-15T08:00:00Z"})";

bool reaches_beyond(const std::string& name) {
  const hebb::api::Operation* operation = hebb::api::find_operation(name);
  if (!operation) return false;
  return operation->about.open_world || operation->path.empty() ||
         std::ranges::any_of(operation->request(),
                             [](const hebb::api::Field& f) { return f.bounds.local; });
}

Json taken(int status, char* text) {
  require(text != nullptr, "there is an answer");
  Json json = Json::parse(text, nullptr, false);
  hebb_free(text);
  require(json.is_object(), "an answer is a JSON object");
  if (status != HEBB_DONE) require(json["type"] == hebb_error(status), "a problem of the status");
  return json;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const auto line = std::min(input.find('\n'), input.size());
  const std::string operation = input.substr(0, line);
  const std::string request = input.substr(std::min(line + 1, input.size()));
  if (reaches_beyond(operation)) return 0;
  hebb_db* db = nullptr;
  require(hebb_open(":memory:", kOptions, &db, nullptr) == HEBB_DONE, "a database opens");
  char* text = nullptr;
  int status = hebb_call(db, "node_set", R"({"id":"t","type":"TASK","name":"A task"})", &text);
  taken(status, text);
  status = hebb_call(db, operation.c_str(), request.c_str(), &text);
  taken(status, text);
  hebb_rows* rows = nullptr;
  status = hebb_stream(db, operation.c_str(), request.c_str(), &rows, &text);
  require((status == HEBB_DONE) == (rows != nullptr), "there are rows where it is done");
  taken(status, text);
  status = hebb_call(db, "verify", nullptr, &text);
  require(taken(status, text)["ok"] == true, "the database is whole");
  hebb_close(db);
  while (rows && (status = hebb_next(rows, &text)) == HEBB_DONE && text) taken(status, text);
  require(!rows || status == HEBB_DONE, "rows end with none");
  hebb_end(rows);
  return 0;
}
