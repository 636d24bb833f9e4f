// The HTTP client, against servers whose bytes are the test's.
#include <future>
#include <thread>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "capture/net/peer.h"
#include "tests/support/raw_server.h"

using namespace hebb;
using Catch::Matchers::Contains;
using hebb::test::Heard;
using hebb::test::RawServer;
using hebb::test::Wire;
using std::chrono::milliseconds;

namespace {

struct Answered {
  HttpHead head;
  std::string body;
  HttpFailure failure;
};

HttpPeer peer_of(const RawServer& server, HttpHeaders headers = {}) {
  return HttpPeer(parse_http_url(server.url(), "E"), std::move(headers));
}

Answered exchange_with(HttpPeer& peer, std::string_view body = "x",
                       milliseconds within = milliseconds(0), HttpPeer::Call* call = nullptr) {
  Answered got;
  HttpRequest request;
  request.method = body.empty() ? "GET" : "POST";
  request.body = body;
  request.answer_within = within;
  request.head = [&](const HttpHead& head) {
    got.head = head;
    return true;
  };
  request.body_piece = [&](std::string_view piece) {
    got.body += piece;
    return true;
  };
  HttpPeer::Call own;
  got.failure = peer.exchange(request, call == nullptr ? own : *call);
  return got;
}

}  // namespace

TEST_CASE("addresses of servers") {
  const auto parts = [](std::string_view text) {
    const HttpUrl url = parse_http_url(text, "E");
    return fmt::format("{} {} {} {} {}", url.tls, url.host, url.port, url.path, url.text());
  };
  CHECK(parts("http://localhost") == "false localhost 80 / http://localhost:80/");
  CHECK(parts("https://a.example/mcp?key=1") ==
        "true a.example 443 /mcp?key=1 https://a.example:443/mcp");
  CHECK(parts("http://[fe80::1]:8080?x") == "false fe80::1 8080 /?x http://[fe80::1]:8080/");
  for (const char* wrong : {"ftp://a", "http://", "http:///mcp", "http://a:0", "http://a:65536",
                            "http://a:x", "http://a:", "http://[::1", "http://u:p@a/",
                            "http://a/b c", "http://a/\xC3\xA4", "http://a/#x"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH(parse_http_url(wrong, "E"), Catch::EndsWith("; write one such as E"));
  }
  for (const char* wrong : {"http://u:p@a/", "http://u:p\xC3\xA4@a/", "http://u:p@a/#x"}) {
    CHECK_THROWS_WITH(parse_http_url(wrong, "E"), !Contains("u:p"));
  }
  CHECK_FALSE(is_http_url("./http://x"));
}

TEST_CASE("http client: large bodies both ways, and interim answers before the final one") {
  const RawServer server([](const Heard& heard, Wire& wire) {
    wire.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n");
    wire.answer(200, "Text/Plain; charset=utf-8", heard.body, "X-Twice: 1\r\nX-Twice: 2\r\n");
  });
  HttpPeer peer = peer_of(server, {{"X-Own", "mine"}});
  const std::string body(8 << 20, 'b');
  const Answered got = exchange_with(peer, body);
  CHECK(got.failure == "");
  CHECK(got.head.status == 200);
  CHECK(got.head.content_type() == "text/plain");
  CHECK(got.head.header("x-twice") == "1");
  CHECK(got.head.header("Location") == "");
  CHECK(got.body == body);
  const Heard heard = server.heard().front();
  CHECK(heard.header("host") == server.address());
  CHECK(heard.header("user-agent") == "hebb");
  CHECK(heard.header("accept-encoding") == "identity");
  CHECK(heard.header("x-own") == "mine");
}

TEST_CASE("http client: a connection is used again, unless the server has closed it") {
  std::promise<void> closed;
  const RawServer server([&](const Heard& heard, Wire& wire) {
    wire.answer(200, "", heard.body);
    if (heard.body != "last") return;
    wire.cut();
    closed.set_value();
  });
  HttpPeer peer = peer_of(server);
  CHECK(exchange_with(peer, "one").body == "one");
  CHECK(exchange_with(peer, "last").body == "last");
  CHECK(server.connections() == 1);
  closed.get_future().wait();
  const Answered after = exchange_with(peer, "after");
  CHECK(after.failure == "");
  CHECK(after.body == "after");
  CHECK(server.connections() == 2);
}

TEST_CASE("http client: a request that the server has heard is never sent again") {
  const RawServer server([](const Heard& heard, Wire& wire) {
    if (heard.body == "first") return wire.answer(200, "", "");
    wire.cut();
  });
  HttpPeer peer = peer_of(server);
  CHECK(exchange_with(peer, "first").failure == "");
  CHECK_THAT(exchange_with(peer, "second").failure,
             Contains("the connection to " + server.url()) && Contains("broke off"));
  CHECK(server.bodies("POST") == std::vector<std::string>{"first", "second"});
}

TEST_CASE("http client: what breaks off, and what is no HTTP") {
  const auto failure = [](std::string_view bytes) {
    const RawServer server([&](const Heard&, Wire& wire) {
      wire.send(bytes);
      wire.cut();
    });
    HttpPeer peer = peer_of(server);
    return exchange_with(peer).failure;
  };
  CHECK_THAT(failure(""), Contains("broke off"));
  CHECK_THAT(failure("HTTP/1.1 200 OK\r\nContent-Le"), Contains("broke off"));
  CHECK_THAT(failure("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"), Contains("broke off"));
  CHECK_THAT(failure("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
             Contains("broke off"));
  CHECK(failure("HTTP/1.1 200 OK\r\n\r\nabc") == "");  // its end is the connection's
  CHECK_THAT(failure("SSH-2.0-OpenSSH_9.2\r\n\r\n"), Contains("/mcp answered is no HTTP ("));
  CHECK_THAT(failure("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
             Contains("is no HTTP"));
  CHECK_THAT(failure("HTTP/1.1 200 OK\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n"),
             Contains("is no HTTP"));
}

TEST_CASE("http client: a server that is too slow ends the exchange, also one that goes on") {
  SECTION("it says nothing") {
    const RawServer server([](const Heard&, Wire& wire) { wire.wait_closed(); });
    HttpPeer peer = peer_of(server);
    CHECK_THAT(exchange_with(peer, "x", milliseconds(50)).failure,
               Contains(server.url() + " did not answer within 0.05 s"));
  }
  SECTION("it never comes to an end") {
    const RawServer server([](const Heard&, Wire& wire) {
      wire.begin_events();
      while (wire.send("1\r\n \r\n")) std::this_thread::yield();
    });
    HttpPeer peer = peer_of(server);
    CHECK_THAT(exchange_with(peer, "x", milliseconds(50)).failure,
               Contains("did not answer within"));
  }
}

TEST_CASE("http client: an exchange is stopped from another thread, or before it begins") {
  std::promise<void> heard;
  const RawServer server([&](const Heard& request, Wire& wire) {
    if (request.body != "wait") return wire.answer(200, "", "");
    heard.set_value();
    wire.wait_closed();
  });
  HttpPeer peer = peer_of(server);
  HttpPeer::Call call;
  auto waiting = std::async(std::launch::async,
                            [&] { return exchange_with(peer, "wait", milliseconds(0), &call); });
  heard.get_future().wait();
  call.stop();
  CHECK(waiting.get().failure == "stopped");
  CHECK(exchange_with(peer, "never sent", milliseconds(0), &call).failure == "stopped");
  CHECK(exchange_with(peer, "x").failure == "");
  CHECK(server.bodies("POST") == std::vector<std::string>{"wait", "x"});
}

TEST_CASE("http client: a caller that wants no more ends the exchange, which is no failure") {
  const RawServer server([](const Heard&, Wire& wire) {
    wire.begin_events();
    while (wire.send("1\r\n \r\n")) std::this_thread::yield();
  });
  HttpPeer peer = peer_of(server);
  for (const bool head : {false, true}) {
    HttpRequest request;
    request.method = "GET";
    request.head = [&](const HttpHead&) { return head; };
    request.body_piece = [](std::string_view) { return false; };
    HttpPeer::Call call;
    CHECK(peer.exchange(request, call) == "");
  }
}

TEST_CASE("http client: a header with a control character is not sent") {
  const RawServer server([](const Heard&, Wire& wire) { wire.accepted(); });
  HttpPeer peer = peer_of(server, {{"X-Key", "s3cr3t\r\nX-Other: 1"}});
  const HttpFailure failure = exchange_with(peer).failure;
  CHECK_THAT(failure, Contains("X-Key has a control character") && !Contains("s3cr3t"));
  CHECK(server.heard().empty());
}

TEST_CASE("http client: variables that name a proxy change nothing") {
  const RawServer proxy([](const Heard&, Wire& wire) { wire.answer(200, "", "from the proxy"); });
  const RawServer server([](const Heard&, Wire& wire) { wire.answer(200, "", "from the server"); });
  const char* const variables[] = {"http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"};
  for (const char* const name : variables) ::setenv(name, proxy.url("").c_str(), 1);
  HttpPeer peer = peer_of(server);
  CHECK(exchange_with(peer).body == "from the server");
  for (const char* const name : variables) ::unsetenv(name);
  CHECK(proxy.heard().empty());
}
