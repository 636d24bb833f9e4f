// What a replay does not do unasked: connect to others, open files, run a recording's script.
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "skill/replay/reach.h"
#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::Heard;
using hebb::test::page;
using hebb::test::RawServer;
using hebb::test::read_text;
using hebb::test::Wire;

namespace {

Step wait_for(const std::string& text) { return step(StepKind::wait, {}, {{"text", text}}); }
Step go_to(const std::string& url) { return step(StepKind::navigate, {}, {{"url", url}}); }

sockaddr_in ip_address(const std::string& text, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  REQUIRE(inet_pton(AF_INET, text.c_str(), &address.sin_addr) == 1);
  return address;
}

// Tries all ways to connect to another server, and says "tried" when each has ended.
std::string reaching(const std::string& own, const std::string& other) {
  constexpr const char* kPage = R"html(<!doctype html><title>T</title>
<link rel=preconnect href=http://OTHER><link rel=dns-prefetch href=http://OTHER>
<link rel=prefetch href=http://OTHER/prefetch><link rel=stylesheet href=http://OTHER/style>
<link rel=preload as=script href=http://OTHER/preload><link rel=icon href=http://OTHER/icon>
<img src=http://OTHER/img><iframe src=http://OTHER/frame></iframe><iframe src=/redirect></iframe>
<iframe name=target></iframe><form id=form target=target action=http://OTHER/form></form>
<a id=ping ping=http://OTHER/ping href=#here>x</a><p id=out></p><script>
const ended = (o) => new Promise((done) => {
  for (const event of ['open', 'error', 'message', 'load', 'close']) o.addEventListener(event, done);
  setTimeout(done, 3000);
});
const tries = [fetch('http://OTHER/fetch', {mode: 'no-cors'}), fetch('/own'),
  fetch('http://OTHER/cors', {method: 'PUT', headers: {'x-y': '1'}}), fetch('/redirect', {mode: 'no-cors'}),
  fetch('http://LOCALHOST/localhost', {mode: 'no-cors'}), ended(new WebSocket('ws://OWN/own-socket')),
  ended(new WebSocket('ws://OTHER/socket')), ended(new EventSource('http://OTHER/events')),
  ended(new Worker('/worker.js')), ended(new SharedWorker('/worker.js').port),
  navigator.serviceWorker.register('/service.js'),
  new Promise((done) => {
    const peer = new RTCPeerConnection({iceServers: [{urls: ['stun:OTHER', 'turn:OTHER?transport=tcp'],
      username: 'u', credential: 'c'}]});
    peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done();
    peer.createDataChannel('x');
    peer.createOffer().then((o) => peer.setLocalDescription(o));
    setTimeout(done, 3000);
  })];
navigator.sendBeacon('http://OTHER/beacon', 'x');
form.submit();
ping.click();
window.open('http://OTHER/popup');
Promise.allSettled([...tries, ended(window)]).then(() => out.textContent = 'tried');
</script>)html";
  std::string html = kPage;
  const std::string port = own.substr(own.find(':'));
  for (const auto& [what, by] : {std::pair<std::string, std::string>{"OTHER", other},
                                 {"OWN", own},
                                 {"LOCALHOST", "localhost" + port}}) {
    for (std::size_t at = html.find(what); at != std::string::npos; at = html.find(what, at))
      html.replace(at, what.size(), by);
  }
  return html;
}

constexpr const char* kWorker =
    "(async () => { try { await fetch('http://OTHER/worker',"
    " {mode: 'no-cors'}) } catch (e) {} (globalThis.postMessage || "
    "(() => 0))('ended') })()";

// The paths that were asked for, each once.
std::set<std::string> paths(const RawServer& server) {
  std::set<std::string> all;
  for (const Heard& heard : server.heard()) all.insert(heard.path.substr(0, heard.path.find('?')));
  return all;
}

}  // namespace

TEST_CASE("an origin is read as a browser reads it, or not at all") {
  const auto read = [](const char* address, bool pattern) {
    std::string out;
    for (const OpenOrigin& o : read_origin(address, pattern))
      out += fmt::format("{} {} {};", o.scheme, o.host, o.port);
    return out;
  };
  CHECK(read("http://Localhost:8080/x?y#z", false) == "http localhost 8080;");
  CHECK(read("HTTPS://a.example", false) == "https a.example 443;");
  CHECK(read("http://a:080/", false) == "http a 80;");
  CHECK(read("http://user:pass@a.example/", false) == "http a.example 80;");
  CHECK(read("http://[::1]:80/", false) == "http [::1] 80;");
  CHECK(read("http://good\\@evil/", false) == "http good 80;");
  for (const char* address : {"", "a", "http:/a", "http:a", "http://", "http:///a", "ftp://a/",
                              "http://a b/", "http://a\tb/", "http://a , EXCLUDE b/", "http://a;b/",
                              "http://ä/", "http://%61/", "http://*/", "http://a:*/", "http://a:x/",
                              "http://a b@c/", "http://a:123456/", " http://a"})
    CHECK(read(address, false) == "");
  CHECK(read("https://*.example.com", true) == "https *.example.com 443;");
  CHECK(read("http://localhost:*", true) == "http localhost *;");
  CHECK(read("*", true) == "http * *;https * *;");
  CHECK(read("http*://a", true) == "http a 80;https a 443;");
  CHECK(read("http://127.0.0.*", true) == "http 127.0.0.* *;");
  for (const char* pattern : {"localhost:8080", "a", "file://*", "chrome://*", "http://a:8*", ""})
    CHECK(read(pattern, true) == "");
}

TEST_CASE("an agent's pattern is within the owner's where all that it stands for is") {
  const Reach reach({}, {},
                    std::vector<std::string>{"https://*.example.com", "http://localhost:*"});
  for (const char* inside : {"https://*.example.com", "https://a.*.example.com",
                             "https://a.example.com:443/", "http://localhost:8080"})
    CHECK(reach.within_limits(inside, true));
  for (const char* outside : {"*", "https://*", "http://*.example.com", "https://example.com",
                              "https://a.example.com:8443", "http://localhost.evil.com", "file://"})
    CHECK_FALSE(reach.within_limits(outside, true));
}

TEST_CASE("a page reaches its own origin, and others only where they are named", "[browser]") {
  NEEDS_BROWSER();
  const RawServer other([](const Heard&, Wire& wire) { wire.answer(200, "text/plain", ""); });
  const std::string there = other.address();
  std::string html;
  const RawServer own([&](const Heard& heard, Wire& wire) {
    if (heard.path == "/redirect") {
      return wire.answer(302, "", "", "Location: http://" + there + "/redirected\r\n");
    }
    if (heard.path.ends_with(".js"))
      return wire.answer(200, "text/javascript", hebb::test::with(kWorker, "OTHER", there));
    wire.answer(200, "text/html", heard.path == "/" ? html : "");
  });
  html = reaching(own.address(), there);
  // WebRTC asks the same port by datagrams.
  const int datagrams = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const sockaddr_in port = ip_address("127.0.0.1", std::stoi(there.substr(there.find(':') + 1)));
  REQUIRE(bind(datagrams, reinterpret_cast<const sockaddr*>(&port), sizeof port) == 0);
  ReplayWorld w("", {wait_for("tried"), click("Nothing")});
  w.skill.start_url = own.url("/");
  w.options.step_timeout_ms = 20'000;
  w.options.range = {0, 0};
  CHECK(failure(w.run()) == "");
  CHECK(other.connections() == 0);
  char byte = 0;
  CHECK(recv(datagrams, &byte, 1, 0) < 0);
  close(datagrams);
  CHECK(paths(own).contains("/own"));
  CHECK(paths(own).contains("/own-socket"));
  for (const Heard& heard : own.heard()) CHECK_FALSE(heard.header("host").starts_with("localhost"));

  w.options.allow_origins = {"http://127.0.0.1:" + there.substr(there.find(':') + 1)};
  CHECK(failure(w.run()) == "");
  const auto reached = paths(other);
  for (const char* path : {"/style", "/preload", "/img", "/frame", "/redirected", "/form", "/fetch",
                           "/cors", "/socket", "/events", "/worker", "/beacon", "/popup"}) {
    INFO(path);
    CHECK(reached.contains(path));
  }
}

TEST_CASE("a failure report says which requests were refused", "[browser]") {
  NEEDS_BROWSER();
  const RawServer other([](const Heard&, Wire& wire) { wire.answer(200, "text/plain", ""); });
  const std::string there = other.address();
  ReplayWorld w(page("<script>new WebSocket('ws://" + there +
                     "/socket').onerror = () => fetch("
                     "'http://" +
                     there +
                     "/x').catch(() => new Worker('/worker.js').onmessage ="
                     " () => out.textContent = 'tried')</script><p id=out></p>"),
                {wait_for("tried"), click("Nothing")});
  w.site.on("/worker.js", [&](const Wire& wire) {
    wire.answer(200, "text/javascript", hebb::test::with(kWorker, "OTHER", there));
  });
  w.keep_evidence();
  w.options.step_timeout_ms = 3000;
  const Json network = Json::parse(read_text(w.run().failure->evidence + "/network.json"));
  std::set<std::string> refused;
  for (const Json& entry : network) {
    if (entry.at("failure").get<std::string>().starts_with("refused"))
      refused.insert(entry.at("url").get<std::string>());
  }
  CHECK(refused == std::set<std::string>{"http://" + there + "/x", "http://" + there + "/worker",
                                         "ws://" + there + "/socket"});
}

TEST_CASE("patterns of hosts and of ports, and [::1], are kept to by the browser too",
          "[browser]") {
  NEEDS_BROWSER();
  for (const char* pattern : {"*", "http://local*", "http://localhost:*", "*localhost:*"}) {
    INFO(pattern);
    ReplayWorld w(page(""), {wait_for("reached")});
    const std::string port = w.site.domain().substr(w.site.domain().find(':'));
    w.site.put("/",
               page("<p id=out></p><script>fetch('http://localhost" + port +
                    "/', {mode: 'no-cors'}).then(() => out.textContent = 'reached')</script>"));
    w.options.allow_origins = {pattern};
    CHECK(failure(w.run()) == "");
    w.options.allow_origins = {"http://local.*"};
    w.options.step_timeout_ms = 500;
    CHECK(failure(w.run()).starts_with("STEP_TIMEOUT"));
  }
  ReplayWorld w(page(""), {});
  w.skill.artifact->steps = {click("x")};
  w.options.allow_origins = {"localhost"};
  CHECK(failure(w.run()).starts_with("INVALID_ARGS: allow_origin"));
}

TEST_CASE("a skill of an address of IPv6 is replayed", "[browser]") {
  NEEDS_BROWSER();
  const int listener = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener, any, size) != 0 || listen(listener, 8) != 0 ||
      getsockname(listener, any, &size) != 0) {
    WARN("hebb-test-skipped: there is no [::1] here");
    return;
  }
  std::thread server([&] {
    for (int fd = 0; (fd = accept(listener, nullptr, nullptr)) >= 0; close(fd)) {
      char request[4096];
      if (recv(fd, request, sizeof request, 0) > 0)
        Wire(fd).answer(200, "text/html", page("here"), "Connection: close\r\n");
    }
  });
  ReplayWorld w("", {wait_for("here")});
  w.skill.start_url = fmt::format("http://[::1]:{}/", ntohs(address.sin6_port));
  CHECK(failure(w.run()) == "");
  shutdown(listener, SHUT_RDWR);
  server.join();
  close(listener);
}

TEST_CASE("RISKY_ACTION: a skill of a site opens no file and no other scheme", "[browser]") {
  NEEDS_BROWSER();
  for (const std::string address :
       {"file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd", "javascript:alert(1)",
        "java\nscript:alert(1)", "data:text/html,x", "view-source:file:///etc/passwd", "ftp://a/",
        "chrome://version", "filesystem:http://a/temporary/x", "blob:file:///x", "about:about",
        " file:///etc/passwd", "devtools://devtools", "http://a , EXCLUDE b/"}) {
    INFO(address);
    std::atomic<bool> opened = false;
    ReplayWorld w("", {wait_for("x"), go_to(address)});
    w.site.on("/", [&](const Wire&) { opened = true; });
    const ReplayResult r = w.run();
    CHECK(failure(r).starts_with("RISKY_ACTION"));
    CHECK(r.failure->step_index == 1);
    CHECK_FALSE(opened);
    if (address.find("file:/") == 0 || address.find("FILE:") == 0) continue;
    w.skill.artifact->steps = {wait_for("x")};
    w.skill.start_url = address;
    const std::string why = failure(w.run());
    INFO(why);
    CHECK((why.starts_with("RISKY_ACTION") || why.starts_with("INVALID_ARGS")));
  }
}

TEST_CASE("a page of a site leads to no file, by link, frame, form or window", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page("<a href=file:///etc/passwd>Link</a><iframe src=file:///etc/passwd></iframe>"
                     "<form action=file:///etc/passwd><button>Form</button></form><button "
                     "onclick=\"open('file:///etc/passwd')\">Window</button>"),
                {});
  w.skill.artifact->steps = {click("Window")};
  w.options.step_timeout_ms = 1500;
  w.run();
  for (std::size_t i = 0; i < kept_browser()->pages(); ++i) {
    for (const Frame& frame : kept_browser()->page(i).frames)
      CHECK_FALSE(frame.url.starts_with("file:"));
  }
  for (const char* name : {"Link", "Form"}) {
    const char* role = name == std::string("Link") ? "link" : "button";
    w.skill.artifact->steps = {step(StepKind::click, {by_role(role, name)})};
    CHECK(failure(w.run()).starts_with("RISKY_ACTION"));
  }
}

TEST_CASE("a skill of files opens files, and reaches no site", "[browser]") {
  NEEDS_BROWSER();
  const RawServer site([](const Heard&, Wire& wire) { wire.answer(200, "text/plain", ""); });
  ReplayWorld w("", {});
  const std::string file = w.folder.file("page.html");
  hebb::test::write_text(file, page("<p id=out></p><img src=" + site.url("/img") +
                                    "><script>fetch('" + site.url("/fetch") +
                                    "', {mode: 'no-cors'}).catch(() =>"
                                    " out.textContent = 'tried')</script>"));
  w.skill.start_url = "file://" + file;
  w.skill.artifact->steps = {wait_for("tried"), go_to("file://" + file), wait_for("tried")};
  CHECK(failure(w.run()) == "");
  w.skill.start_url.clear();
  w.skill.artifact->steps.erase(w.skill.artifact->steps.begin());
  CHECK(failure(w.run()) == "");
  CHECK(site.connections() == 0);
  w.skill.artifact->steps.push_back(go_to(site.url("/")));
  CHECK(failure(w.run()).starts_with("RISKY_ACTION"));
  w.options.only_origins = {"*"};
  CHECK(failure(w.run()).starts_with("DISABLED"));
}

TEST_CASE("RISKY_ACTION: a recording's script needs leave, before anything is done", "[browser]") {
  NEEDS_BROWSER();
  std::atomic<bool> opened = false;
  ReplayWorld w("", {wait_for("here"),
                     step(StepKind::wait, {}, {{"expression", "document.title = 'was run'"}})});
  w.site.on("/", [&](const Wire& wire) {
    opened = true;
    wire.answer(200, "text/html", page("here"));
  });
  w.contract("run", R"({"assertions":[{"title":"was run"}]})");
  w.skill.contract_id = "run";
  w.options.allow_risky = true;
  const ReplayResult r = w.run();
  CHECK(failure(r) == "RISKY_ACTION: the recording runs a script: document.title = 'was run'");
  CHECK(r.failure->step_index == 1);
  CHECK_FALSE(opened);
  w.options.allow_script = true;
  CHECK(failure(w.run()) == "");
}

TEST_CASE(
    "RISKY_ACTION: a button's own address and method count, and the form's whatever its fields "
    "are called",
    "[browser]") {
  NEEDS_BROWSER();
  for (const char* form :
       {"<form><button formaction=http://elsewhere.example/>Send</button></form>",
        "<form><button formmethod=post>Send</button></form>",
        "<form action=http://elsewhere.example/><input name=action><button>Send</button></form>",
        "<form method=post><input name=method><button>Send</button></form>"}) {
    INFO(form);
    ReplayWorld w(page(form), {click("Send")});
    CHECK(failure(w.run()).starts_with("RISKY_ACTION"));
  }
}

// --- without a network ---------------------------------------------------------------------------

namespace {

// The first address of /etc/resolv.conf that is one of IPv4; empty: there is none.
std::string name_server() {
  std::ifstream in("/etc/resolv.conf");
  for (std::string word, address; in >> word;) {
    if (word == "nameserver" && in >> address && address.find(':') == std::string::npos)
      return address;
  }
  return "";
}

// Makes the loopback interface work, with one more address.
void raise_loopback(const std::string& more) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  ifreq up{}, alias{};
  std::strcpy(up.ifr_name, "lo");
  up.ifr_flags = IFF_UP | IFF_RUNNING;
  REQUIRE(ioctl(fd, SIOCSIFFLAGS, &up) == 0);
  std::strcpy(alias.ifr_name, "lo:1");
  const sockaddr_in address = ip_address(more, 0);
  std::memcpy(&alias.ifr_addr, &address, sizeof address);
  REQUIRE(ioctl(fd, SIOCSIFADDR, &alias) == 0);
  close(fd);
}

}  // namespace

// In a network namespace of its own, which the next test makes.
TEST_CASE("in a namespace with the loopback interface alone", "[.only-loopback]") {
  const std::string server = name_server().empty() ? "127.0.0.53" : name_server();
  raise_loopback(server);
  const int names = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  const sockaddr_in address = ip_address(server, 53);
  REQUIRE(bind(names, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const auto asked = [&] {
    char query[512];
    return recv(names, query, sizeof query, 0) >= 0;
  };
  ReplayWorld w(page("<link rel=preconnect href=http://a.example><link rel=dns-prefetch "
                     "href=http://b.example><img src=http://c.example/><p id=out></p><script>"
                     "fetch('http://d.example/').catch(() => out.textContent = 'tried')</script>"),
                {wait_for("tried")});
  w.options.kept = nullptr;
  CHECK(failure(w.run()) == "");
  CHECK_FALSE(asked());
  // As opposed to a look-up.
  addrinfo* found = nullptr;
  getaddrinfo("control.example", "80", nullptr, &found);
  CHECK((asked() || name_server().empty()));
}

TEST_CASE("a replay needs no network, and looks up no name", "[browser]") {
  NEEDS_BROWSER();
  const auto with_command = [](const std::string& program, const std::string& argument) {
    hebb::test::ProcessOptions options;
    options.env = {{"RES_OPTIONS", "timeout:1 attempts:1"}};
    return hebb::test::run_process({"unshare", "-rn", program, argument}, options);
  };
  if (const auto made = with_command("test", "-"); made.exit_code != 0) {
    WARN("hebb-test-skipped: no network namespace can be made here: " + made.err);
    return;
  }
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const auto r = with_command(self, "[.only-loopback]");
  INFO(r.out << r.err);
  CHECK(r.exit_code == 0);
  CHECK(r.out.find("All tests passed") != std::string::npos);
}

}  // namespace hebb::skill::test
