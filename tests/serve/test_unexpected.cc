// What nobody expects of a request, or of what serves it, ends no server.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <future>
#include <mutex>
#include <thread>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "api/open.h"
#include "engine/tables.h"
#include "serve/server.h"
#include "tests/serve/server.h"
#include "tests/support/log_sync.h"

using namespace hebb::test;

namespace {

using hebb::api::Access;

// Throws once what is no std::exception, where it is told to.
class Unruly final : public hebb::api::Session {
 public:
  explicit Unruly(const std::string& path) : open_(options(path)) {}

  hebb::Engine& engine(Access access) override {
    if (engine_throws.exchange(false)) throw 42;
    return open_.engine(access);
  }
  hebb::sql::Database& tables(Access access) override { return open_.tables(access); }
  hebb::TimeMs now() const override {
    if (now_throws.exchange(false)) throw 42;
    return open_.now();
  }
  std::optional<hebb::TimeMs> given_now() const override { return std::nullopt; }
  void note(const std::string&) override {}
  hebb::Progress progress(const std::string& what) override { return open_.progress(what); }
  std::string path() const override { return open_.path(); }

  std::atomic<bool> engine_throws = false;
  mutable std::atomic<bool> now_throws = false;

 private:
  static hebb::api::SessionOptions options(const std::string& path) {
    hebb::api::SessionOptions options;
    options.serves = true;
    options.database.path = path;
    return options;
  }

  hebb::api::OpenSession open_;
};

// A server in this process, with sessions of the test's.
class OwnServer {
 public:
  OwnServer() : reader(folder_.file("t.db")), writer(folder_.file("t.db")) {
    writer.engine(Access::write);
    hebb::serve::ServeOptions options;
    options.address.port = 0;
    options.log = [this](std::string_view line) { log(std::string(line)); };
    thread_ = std::thread([this, options] { hebb::serve::run_server(reader, writer, options); });
    port_ = listening_.get_future().get();
  }
  ~OwnServer() {
    ::kill(::getpid(), SIGTERM);
    thread_.join();
  }
  OwnServer(const OwnServer&) = delete;
  OwnServer& operator=(const OwnServer&) = delete;

  std::string ask(const std::string& method, const std::string& target,
                  const std::string& body = "", const std::string& headers = kJson) const {
    return ask_at(port_, method, target, headers, body);
  }
  bool logged(const std::string& words) {
    const std::lock_guard lock(mutex_);
    return lines_.find(words) != std::string::npos;
  }

 private:
  Folder folder_;

 public:
  Unruly reader, writer;
  std::atomic<bool> log_throws = false;

 private:
  void log(const std::string& line) {
    if (log_throws.exchange(false)) throw 42;
    {
      const std::lock_guard lock(mutex_);
      lines_ += line + "\n";
    }
    const auto at = line.find("listening=127.0.0.1:");
    if (at != std::string::npos) listening_.set_value(std::stoi(line.substr(line.rfind(':') + 1)));
  }

  std::mutex mutex_;
  std::string lines_;
  std::promise<int> listening_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace

TEST_CASE("serve: a message that JSON allows and hebb does not is answered, and the next one too") {
  Server server({"--tools", "all"});
  const std::string call =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rank","arguments":)";
  for (const std::string& body : std::vector<std::string>{
           R"({"id":1e400})",
           R"({"a":1,"a":2})",
           R"([{"a":1,"a":2}])",
           std::string(70, '[') + std::string(70, ']'),
           std::string(60'000, '['),
           R"({"jsonrpc":"2.0","id":12345678901234567890123,"method":"ping"})",
           call + R"({"top":1e999}}})",
           "\xff\xfe",
           std::string("{\"a\":\"\0\"}", 9),
       }) {
    INFO(body.substr(0, 100));
    const std::string answer = server.ask("POST", "/mcp", kJson, body);
    CHECK(status_of(answer) == 400);
    const auto json = json_of(answer);
    const bool has_id = body.starts_with(call);
    CHECK(json.at("id").is_null() != has_id);
    CHECK(json.at("error").at("code") == -32700);
    CHECK(status_of(server.ask("PUT", "/v1/nodes/x", kJson, body)) / 100 == 4);
  }
  CHECK(status_of(server.ask("GET", "/healthz")) == 200);
  CHECK(server.stop() == 0);
  CHECK(server.log().find("thrown") == std::string::npos);
}

TEST_CASE("serve: the case of a media type does not matter") {
  const Server server;
  const std::string type = "Content-Type: APPLICATION/Json ; charset=UTF-8\r\n";
  CHECK(status_of(server.ask("PUT", "/v1/nodes/x", type, R"({"type":"TASK"})")) == 200);
  CHECK(status_of(server.ask("POST", "/mcp", type, rpc("ping"))) == 200);
  CHECK(status_of(server.ask("POST", "/v1/outcomes", "Content-Type: Application/X-NDJSON\r\n",
                             "{\"taskId\":\"x\"}\n")) == 200);
  CHECK(status_of(server.ask("PUT", "/v1/nodes/x", "Content-Type: text/plain\r\n", "{}")) == 400);
}

TEST_CASE("serve: what is thrown on any thread ends one request alone") {
  OwnServer server;
  CHECK(status_of(server.ask("GET", "/v1/rank")) == 200);
  // On the thread of the sockets, which asks whether the response is prepared.
  server.reader.now_throws = true;
  CHECK(status_of(server.ask("GET", "/v1/rank")) == 500);
  CHECK(server.logged("thrown=\"an unknown failure\""));
  CHECK(status_of(server.ask("GET", "/v1/rank")) == 200);
  // On the thread that writes.
  server.writer.engine_throws = true;
  CHECK(status_of(server.ask("PUT", "/v1/nodes/x", R"({"type":"TASK"})")) == 500);
  CHECK(status_of(server.ask("PUT", "/v1/nodes/x", R"({"type":"TASK"})")) == 200);
  // While the answer is made.
  server.log_throws = true;
  CHECK(status_of(server.ask("PUT", "/v1/nodes/y", R"({"type":"TASK"})")) == 500);
  CHECK(status_of(server.ask("GET", "/v1/nodes/y")) == 200);
}

TEST_CASE(
    "serve: what the disk did not take is not there, and the request with its key counts once") {
  static std::atomic<bool> fails = false;
  OwnServer server;
  REQUIRE(status_of(server.ask("PUT", "/v1/nodes/x", R"({"type":"TASK"})")) == 200);
  on_log_sync(hebb::tables_of(server.writer.engine(Access::write)).handle(),
              [] { return fails ? SQLITE_IOERR_FSYNC : SQLITE_OK; });
  const auto report = [&] {
    return server.ask("POST", "/v1/tasks/x/outcome", R"({"outcome":"failure"})",
                      kJson + std::string("Idempotency-Key: k1\r\n"));
  };
  const auto outcomes = [&] {
    const auto events = json_of(server.ask("GET", "/v1/ledger?limit=1000")).at("events");
    return std::count_if(events.begin(), events.end(),
                         [](const Json& e) { return e.at("kind") == "outcome"; });
  };
  fails = true;
  CHECK(status_of(report()) == 500);
  CHECK(outcomes() == 0);
  fails = false;
  const std::string taken = report();
  CHECK(status_of(taken) == 200);
  CHECK(outcomes() == 1);
  CHECK(body_of(report()) == body_of(taken));
  CHECK(outcomes() == 1);
}
