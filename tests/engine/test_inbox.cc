// The order in which the items of an input are taken: that of the fold, wherever they stand.
#include <csignal>
#include <random>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/input/sort_items.h"
#include "engine/values/refusals.h"
#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"

namespace hebb::test {
namespace {

// A few thousand lines in order of time: tasks, labels that come after their tasks and are taken
// away again, edges that name tasks of later, and outcomes that are resolved by all of them.
std::vector<std::string> history_lines() {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<std::string> lines;
  const auto add = [&](const std::string& rest) {
    const TimeMs at = kStart + static_cast<TimeMs>(lines.size() / 3) * kMinute;  // instants shared
    lines.push_back(fmt::format("{{\"at\":{},{}}}", at, rest));
  };
  constexpr unsigned kLabels = 8;
  for (unsigned i = 0; i < kLabels; ++i) {
    add(fmt::format(R"("kind":"node","id":"label-{}","type":"LABEL","name":"area {}")", i, i));
  }
  unsigned tasks = 0;
  while (lines.size() < 4000) {
    const unsigned kind = static_cast<unsigned>(below(10));
    if (tasks < 20 || kind == 0) {
      add(fmt::format(
          R"("kind":"node","id":"t{}","type":"TASK","state":"OPEN","name":"task {} of area {}")",
          tasks, tasks, below(kLabels)));
      ++tasks;
    } else if (kind <= 2) {
      add(fmt::format(R"("kind":"edge","source":"t{}","target":"label-{}","type":"LABELED_AS")",
                      below(tasks), below(kLabels)));
    } else if (kind == 3) {
      add(fmt::format(R"("kind":"unlink","source":"t{}","target":"label-{}","type":"LABELED_AS")",
                      below(tasks), below(kLabels)));
    } else if (kind <= 5) {  // sometimes to a task that is made later, or never
      add(fmt::format(R"("kind":"edge","source":"t{}","target":"t{}","type":"RELATES")",
                      below(tasks), below(tasks + 3)));
    } else {
      const unsigned o = static_cast<unsigned>(below(3));
      add(fmt::format(R"("kind":"outcome","taskId":"t{}","outcome":"{}","id":"o{}")", below(tasks),
                      o == 0   ? "success"
                      : o == 1 ? "failure"
                               : "partial",
                      lines.size()));
    }
    if (below(40) == 0) lines.emplace_back("nonsense");
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

struct Result {
  IngestSummary summary;
  std::string ledger;  // every row
  std::string fold;
  std::string letters;  // without their places
};

std::string ledger_of(Engine& engine) {
  std::string rows;
  engine.ledger().events_after(0, [&](Event&& e) {
    rows += fmt::format("{} {} {} {} {}\n", e.position, e.at, e.subject, e.key,
                        encode_payload(e.payload));
  });
  return rows;
}

Result take(std::string_view content, std::string_view format, std::size_t memory_bytes = 64 << 20,
            bool strict = false) {
  Engine engine = open(":memory:");
  IngestRequest request;
  request.content = content;
  request.file = "file";
  request.format = find_format(format);
  request.read.now = kStart + 100 * kDay;
  request.memory_bytes = memory_bytes;
  request.strict = strict;
  Result result;
  result.summary = engine.ingest(request);
  engine.sync();
  CHECK(engine.verify() == std::vector<std::string>{});
  result.ledger = ledger_of(engine);
  result.fold = dump(engine.state()) + dump_mirror(engine);
  std::vector<std::string> letters;
  for (const DeadLetter& l : engine.dead_letters()) {
    letters.push_back(l.reason + " " + l.text + "\n");
  }
  std::sort(letters.begin(), letters.end());
  for (const auto& l : letters) result.letters += l;
  return result;
}

void check_same(const Result& got, const Result& expected) {
  CHECK(difference(got.ledger, expected.ledger) == "");
  CHECK(got.ledger == expected.ledger);
  CHECK(difference(got.fold, expected.fold) == "");
  CHECK(got.letters == expected.letters);
  CHECK(got.summary.applied == expected.summary.applied);
  CHECK(got.summary.refused == expected.summary.refused);
  CHECK(got.summary.items == expected.summary.items);
}

TEST_CASE("a file is learned the same to the bit in whatever order its lines stand", "[slow]") {
  std::vector<std::string> lines = history_lines();
  const Result sorted = take(joined(lines), "history");
  CHECK(sorted.summary.applied > 3500);
  CHECK(sorted.summary.refused > 50);  // nonsense, and tasks that never come
  CHECK(sorted.fold.find("REWARD_POSITIVE") != std::string::npos);

  std::vector<std::string> reversed(lines.rbegin(), lines.rend());
  check_same(take(joined(reversed), "history"), sorted);
  std::mt19937 random(3);
  for (int round = 0; round < 3; ++round) {
    std::shuffle(lines.begin(), lines.end(), random);
    check_same(take(joined(lines), "history"), sorted);
  }
}

TEST_CASE("a longer input is taken in parts: the same in order of time, all of it in any order") {
  std::vector<std::string> lines = history_lines();
  const Result whole = take(joined(lines), "history");
  check_same(take(joined(lines), "history", 1 << 20), whole);
  std::mt19937 random(3);
  std::shuffle(lines.begin(), lines.end(), random);
  const Result shuffled = take(joined(lines), "history", 2 << 20);
  CHECK(shuffled.letters == whole.letters);
  CHECK(shuffled.summary.applied == whole.summary.applied);
  CHECK(shuffled.summary.items == whole.summary.items);
}

TEST_CASE("parts of one item each: what names a node of a later part is taken") {
  const std::string lines =
      outcome_line("t", "") + outcome_line("t", "a") + outcome_line("nobody", "b");
  Engine engine = open(":memory:");
  IngestRequest request;
  request.content = lines;
  request.memory_bytes = 0;
  request.read.now = kStart;
  request.format = find_format("outcome");
  CHECK(engine.ingest(request).refused == 3);
  const std::string history = R"({"kind":"edge","at":1700000000002,"source":"a","target":"b",)"
                              R"("type":"X"})"
                              "\n" +
                              node_line("a") + node_line("b");
  request.content = history;
  request.format = find_format("history");
  const IngestSummary summary = engine.ingest(request);
  CHECK(summary.applied + summary.refused == 3);
}

TEST_CASE("a longer input that is of another kind is refused at the end of its first part") {
  Engine engine = open(":memory:");
  IngestRequest request;
  const std::string lines = joined(std::vector<std::string>(2000, "buy milk"));
  request.content = lines;
  request.memory_bytes = 1 << 20;
  request.format = find_format("outcome");
  CHECK_THROWS_AS(engine.ingest(request), UnreadableInput);
  CHECK(engine.dead_letters().empty());
}

TEST_CASE("strict: the same order, and nothing at all where a line is refused") {
  std::vector<std::string> lines = history_lines();
  CHECK(take(joined(lines), "history", 1 << 20, true).ledger.empty());
  std::erase(lines, "nonsense");
  for (int i = 0; i < 600; ++i) {  // now all tasks come
    lines.push_back(
        fmt::format(R"({{"kind":"node","at":{},"id":"t{}","type":"TASK","name":"once more"}})",
                    kStart + 90 * kDay, i));
  }
  const Result sorted = take(joined(lines), "history");
  CHECK(sorted.summary.refused == 0);
  std::mt19937 random(3);
  std::shuffle(lines.begin(), lines.end(), random);
  check_same(take(joined(lines), "history", 64 << 20, true), sorted);
}

TEST_CASE("what has no key keeps the order of the lines, after what has one at the same instant") {
  const std::string lines = outcome_line("t", "", "failure") + outcome_line("t", "z", "success") +
                            outcome_line("t", "", "partial") + outcome_line("t", "a", "failure");
  std::vector<Item> items;
  Input input(lines);
  read_outcomes(input, {5, ""}, [&](Item item) { items.push_back(std::move(item)); });
  sort_items(items, kStart);
  std::vector<std::int64_t> order;
  for (const Item& item : items) {
    order.push_back(item.line);
    CHECK(std::get<Event>(item.parsed).at == kStart);
  }
  CHECK(order == std::vector<std::int64_t>{4, 2, 1, 3});
}

// In turn: without time and id, with a time before the reading, with one after it; or each with an
// id.
std::string outcome_lines(int count, bool with_ids) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    lines += outcome_line("t", with_ids ? fmt::format("o{}", i) : "");
    lines += fmt::format(R"({{"taskId":"t","outcome":"failure","timestamp":{}}})",
                         kStart + (i % 2 == 0 ? -1 : 1) * i * 100) +
             "\n";
  }
  return lines;
}

IngestSummary read_outcomes(Engine& engine, const std::string& lines,
                            const std::function<void(int part)>& after_part = {}) {
  IngestRequest request;
  request.content = lines;
  request.file = "f";
  request.read.now = kStart;
  request.format = find_format("outcome");
  int part = 0;
  request.progress = [&](std::size_t done, std::size_t total) {
    if (after_part && done < total) after_part(++part);
  };
  return engine.ingest(request);
}

TEST_CASE("an input with ids that was cut short goes on; one without is there whole or not at all",
          "[sqlite]") {
  const Folder dir;
  const bool with_ids = GENERATE(true, false);
  const std::string lines = outcome_lines(1500, with_ids);
  Engine whole = open(":memory:");
  whole.append(keyed(node(0, "t"), "t"));
  CHECK(read_outcomes(whole, lines).applied == 3000);
  for (int stop = 1; stop <= 2; ++stop) {
    CAPTURE(with_ids, stop);
    const std::string path = dir.file(fmt::format("{}.db", stop));
    { open(path).append(keyed(node(0, "t"), "t")); }
    CHECK(in_child([&] {
            Engine engine = open(path);
            read_outcomes(engine, lines, [&](int part) {
              if (part == stop) std::raise(SIGKILL);
            });
            return 0;
          }) == -SIGKILL);
    Engine engine = open(path);
    const std::int64_t there = with_ids ? stop * 1000 : 0;
    CHECK(engine.ledger().count_outcomes() == there);
    const auto rest = read_outcomes(engine, lines);
    CHECK(rest.applied == 3000 - there);
    CHECK(rest.duplicates == there);
    CHECK(ledger_of(engine) == ledger_of(whole));
  }
}

TEST_CASE("an input without ids: its refused items and all others become visible at once",
          "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db")), other = open(dir.file("a.db"));
  engine.append(keyed(node(0, "t"), "t"));
  std::string lines = "nonsense\n" + outcome_line("nobody", "");
  for (int i = 0; i < 1500; ++i) lines += outcome_line("t", "");
  int parts = 0;
  const auto summary = read_outcomes(engine, lines, [&](int) {
    ++parts;
    CHECK(failures_of(other, "t") == 0);
    CHECK(other.dead_letters().empty());
  });
  CHECK(parts == 1);
  CHECK(summary.applied == 1500);
  CHECK(failures_of(other, "t") == 1500);
  CHECK(other.dead_letters().size() == 2);
}

TEST_CASE("an input without ids counts each time that it is given") {
  Engine engine = open(":memory:");
  engine.append(node(0, "t"));
  const std::string lines = outcome_line("t", "") + outcome_line("t", "");
  for (int time = 1; time <= 2; ++time) {
    CHECK(read_outcomes(engine, lines).applied == 2);
    CHECK(failures_of(engine, "t") == 2 * time);
  }
}

}  // namespace
}  // namespace hebb::test
