// A client and a server whose messages a session reads, at times of its own.
#pragma once

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "capture/record/call_tracker.h"

namespace hebb::capture {

class Talk {
 public:
  void up(std::string_view line) { session.line(Direction::to_server, line, tick()); }
  void down(std::string_view line) { session.line(Direction::to_client, line, tick()); }
  void call(std::string_view id, std::string_view tool, std::string_view more = "") {
    up(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}"{}}}}})", id, tool,
        more));
  }
  void answer(std::string_view id, std::string_view result = "{}") {
    down(fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", id, result));
  }
  LineTime tick() {
    now += 1000;
    return {now, now * 1000};
  }
  void pause(std::int64_t ms) { now += ms * 1000; }

  std::vector<ActionRow> rows;
  std::int64_t now = 1'700'000'000'000'000;
  CallTracker session{{"a", "s"}, [this](ActionRow row) { rows.push_back(std::move(row)); }};
};

}  // namespace hebb::capture
