// Bodies, crowds and compression.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include "sql/database.h"
#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

std::string unzipped(const std::string& bytes) {
  z_stream z{};
  REQUIRE(inflateInit2(&z, 15 + 16) == Z_OK);  // gzip alone
  std::string out(1 << 20, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  REQUIRE(inflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(z.total_out);
  inflateEnd(&z);
  return out;
}

}  // namespace

TEST_CASE("serve: a body may be so long and no longer, announced or not") {
  const Server server;
  const std::string head = "Host: " + server.host() + "\r\n" + kJson;
  const auto status = [&](const std::string& bytes) {
    const auto answer = server.send(bytes);
    CHECK(answer.find("HTTP/1.1 ", 1) == std::string::npos);
    return status_of(answer);
  };
  const std::string put = "PUT /v1/nodes/x HTTP/1.1\r\n" + head;
  CHECK(status(put + "Content-Length: 1048577\r\n\r\n") == 413);
  std::string chunks = put + "Transfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 17; ++i) chunks += "10000\r\n" + std::string(65536, ' ') + "\r\n";
  CHECK(status(chunks + "0\r\n\r\n") == 413);
  // One where a body means nothing, and one that is to be taken in.
  CHECK(status("POST /v1/nothing HTTP/1.1\r\n" + head + "Content-Length: 1048577\r\n\r\n") == 413);
  const std::string import =
      "POST /v1/outcomes HTTP/1.1\r\nHost: " + server.host() + "\r\n" + kLines;
  CHECK(status(import + "Content-Length: 67108865\r\n\r\n") == 413);
  CHECK(status(put + "Transfer-Encoding: chunked\r\n\r\nzz\r\n") == 400);
  CHECK(status(put + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n") == 400);
}

TEST_CASE("serve: an object may have so many keys, and the answer says where and how many") {
  const Server server;
  std::string keys;
  for (int i = 0; i < 60'000; ++i) keys += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  const auto answer =
      server.ask("POST", "/v1/tasks", kJson, R"({"name":"x","labels":[{)" + keys + "}]}");
  CHECK(status_of(answer) == 422);
  CHECK(body_of(answer).find("labels[0]: an object may have 10000 keys") != std::string::npos);
  // In a file of outcomes they are taken, with a key too.
  add_task(server, "t");
  const std::string outcome = R"({"taskId":"t","outcome":"success",)" + keys + "}\n";
  CHECK(applied(server.ask("POST", "/v1/outcomes", std::string(kLines) + "Idempotency-Key: k\r\n",
                           outcome)) == 1);
}

TEST_CASE("serve: a span in a URL is a number of milliseconds, too") {
  const Server server;
  CHECK(status_of(server.ask("GET", "/v1/promoted?recalled_within=2592000000")) == 200);
  CHECK(status_of(server.ask("GET", "/v1/promoted?recalled_within=30d")) == 200);
  CHECK(status_of(server.ask("GET", "/v1/promoted?recalled_within=30x")) == 400);
}

TEST_CASE("serve: a file is taken in as it comes", "[slow]") {
  const Server server;
  std::string lines;
  for (int i = 0; i < 20'000; ++i)
    lines += history_node("t" + std::to_string(i), i, "A name").dump() + "\n";
  REQUIRE(lines.size() > (1 << 20));
  const std::string import = "/v1/outcomes?format=history&file=world.jsonl";
  CHECK(applied(server.ask("POST", import, kLines, lines)) == 20'000);
  CHECK(applied(server.ask("POST", import, kLines, lines)) == 0);
  CHECK(status_of(server.ask("POST", "/v1/outcomes?format=none", kLines, "{}")) == 400);
  CHECK(status_of(server.ask("POST", "/v1/outcomes?content=x", kLines, "{}")) == 400);
  CHECK(status_of(server.ask("POST", "/v1/outcomes?embedder=hashing", kLines, "{}")) == 400);
  CHECK(status_of(server.ask("POST", "/v1/outcomes", "Content-Type: text/plain\r\n", "{}")) == 400);
  const auto bad = server.ask("POST", "/v1/outcomes", kLines, "{\"taskId\":\"none\"}\n");
  CHECK(applied(bad) == 0);
  CHECK(json_of(bad).at("refused") == 1);
}

TEST_CASE("serve: what is long comes compressed to who takes that, and HEAD has no body") {
  const Server server;
  const auto plain = server.ask("GET", "/openapi.json");
  const auto packed = server.ask("GET", "/openapi.json", "Accept-Encoding: br, GZIP;q=0.5\r\n");
  CHECK(header_of(plain, "Content-Encoding").empty());
  CHECK(header_of(packed, "Content-Encoding") == "gzip");
  CHECK(header_of(packed, "Vary") == "Accept-Encoding");
  CHECK(body_of(packed).size() < body_of(plain).size() / 4);
  CHECK(unzipped(body_of(packed)) == body_of(plain));
  for (const char* none : {"gzip;q=0", "identity", "br"}) {
    const auto answer =
        server.ask("GET", "/openapi.json", std::string("Accept-Encoding: ") + none + "\r\n");
    CHECK(header_of(answer, "Content-Encoding").empty());
  }
  const auto head = server.ask("HEAD", "/openapi.json");
  CHECK(status_of(head) == 200);
  CHECK(body_of(head).empty());
  CHECK(header_of(head, "Content-Length") == header_of(plain, "Content-Length"));
}

TEST_CASE("serve: a crowd is told to come back, and nobody's write is lost") {
  const Server server;
  constexpr std::size_t kPlaces = 128, kMore = 12;
  std::vector<pollfd> waiting;
  std::vector<std::string> answers;
  const auto take_answers = [&] {
    REQUIRE(::poll(waiting.data(), waiting.size(), 30'000) > 0);
    for (auto it = waiting.begin(); it != waiting.end();) {
      if (it->revents == 0) {
        ++it;
        continue;
      }
      answers.push_back(read_all(it->fd));
      ::close(it->fd);
      it = waiting.erase(it);
    }
  };
  {
    // Whoever writes has to wait for this.
    hebb::sql::Database db(server.db(), hebb::sql::Database::Mode::read_write);
    const hebb::sql::Transaction held(db);
    for (std::size_t i = 0; i < kPlaces + kMore; ++i) {
      const int fd = server.connect();
      write_all(fd, server.request("PUT", "/v1/nodes/t" + std::to_string(i), kJson,
                                   R"({"type":"TASK"})"));
      waiting.push_back({fd, POLLIN, 0});
    }
    while (answers.size() < kMore) take_answers();
    CHECK(answers.size() == kMore);
    for (const auto& answer : answers) {
      CHECK(status_of(answer) == 503);
      CHECK(header_of(answer, "Retry-After") == "1");
    }
    answers.clear();
  }
  while (!waiting.empty()) take_answers();
  CHECK(std::count_if(answers.begin(), answers.end(),
                      [](const auto& answer) { return status_of(answer) == 200; }) == kPlaces);
  const auto stats = json_of(server.ask("GET", "/v1/stats"));
  CHECK(stats.at("nodes") == kPlaces + 1);  // and the frontier
}
