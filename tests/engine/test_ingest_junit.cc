// A report of many test cases: taken in parts, between which others write, and known when it comes
// again.
#include <csignal>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

// Of failing tests, without a time.
std::string report(int tests) {
  std::string xml = "<testsuite name='s'>";
  for (int i = 0; i < tests; ++i)
    xml += "<testcase classname='c' name='t" + std::to_string(i) + "'><failure/></testcase>";
  return xml + "</testsuite>";
}

IngestRequest request_for(const std::string& xml, TimeMs now) {
  IngestRequest request;
  request.content = xml;
  request.file = "r.xml";
  request.read.now = now;
  request.read.each = true;
  request.read.changed = {"a.cc"};
  request.format = find_format("junit");
  return request;
}

std::size_t links_to_changed(Engine& engine) {
  std::size_t count = 0;
  engine.ledger().events_after(0, [&](Event&& e) {
    const auto* link = std::get_if<Link>(&e.payload);
    count += link && link->type == "FAILS_WITH";
  });
  return count;
}

}  // namespace

TEST_CASE("others write while a long report is taken", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  Engine engine = open(path);
  const std::string xml = report(2000);
  IngestRequest request = request_for(xml, kStart + kHour);
  int parts = 0;
  request.progress = [&](std::size_t done, std::size_t of) {
    if (done == of) return;
    ++parts;
    Engine other = open(path);
    other.append(node(kStart, "other" + std::to_string(parts)));
  };
  CHECK(engine.ingest(request).refused == 0);
  CHECK(parts > 2);
  CHECK(engine.ledger().count_outcomes() == 2000);
}

TEST_CASE("a report whose reading was killed counts once when it comes again", "[sqlite][slow]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  // Of its 6,000 outcomes and links to what changed, which each reading gives anew, the last
  // reading is killed after 5,000.
  const std::string xml = report(3000);
  for (int stop = 1; stop <= 5; ++stop) {
    CHECK(in_child([&] {
            Engine engine = open(path);
            IngestRequest request = request_for(xml, kStart + stop * kHour);
            int parts = 0;
            request.progress = [&](std::size_t, std::size_t) {
              if (++parts == stop) std::raise(SIGKILL);
            };
            engine.ingest(request);
            return 0;
          }) == -SIGKILL);
  }
  Engine engine = open(path);
  IngestRequest request = request_for(xml, kStart + kDay);
  engine.ingest(request);
  CHECK(engine.ledger().count_outcomes() == 3000);
  CHECK(engine.dead_letters().empty());
  CHECK(links_to_changed(engine) == 3000);
  CHECK(engine.verify().empty());
  // And as a whole again.
  CHECK(engine.ingest(request).applied == 0);
}

TEST_CASE("a report whose time could not be taken at first counts once") {
  const TimeMs ran = kStart + kDay;
  const std::string xml = "<testsuite name='s' timestamp='" + format_rfc3339(ran) +
                          "'><testcase classname='c' name='t'><failure/></testcase></testsuite>";
  IngestRequest early = request_for(xml, kStart), late = request_for(xml, ran + kHour);
  early.read.latest = kStart + kHour;  // the time is still to come
  late.read.latest = ran + kDay;
  for (const auto& [first, second] : {std::pair(early, late), std::pair(late, early)}) {
    Engine engine = open(":memory:");
    REQUIRE(engine.ingest(first).applied > 0);
    REQUIRE(links_to_changed(engine) == 1);
    CHECK(engine.ingest(second).applied == 0);
    CHECK(links_to_changed(engine) == 1);
    CHECK(engine.ledger().count_outcomes() == 1);
    // What was changed can be said afterwards.
    IngestRequest more = second;
    more.read.changed.emplace_back("b.cc");
    CHECK(engine.ingest(more).applied == 2);
    CHECK(engine.ingest(more).applied == 0);
  }
}

}  // namespace hebb::test
