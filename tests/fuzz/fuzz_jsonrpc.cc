// Lines of a JSON-RPC connection, as any client and server may write them. The first byte of each
// line says the direction. Checked: nothing crashes, pieces do not matter, what a real parser takes
// the scanner takes, and what is stored is bounded, valid UTF-8 and without the secret.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "capture/actions/payload.h"
#include "capture/record/call_tracker.h"
#include "capture/record/mcp_scan.h"
#include "secrets/secrets.h"

namespace {

using namespace hebb::capture;
using namespace hebb::secrets;

// The line of the check that failed is in the report.
void require(bool holds, int line = __builtin_LINE()) {
  if (holds) return;
  std::fprintf(stderr, "line %d does not hold\n", line);
  std::abort();
}

bool is_utf8(const std::string& text) { return escape_invalid_utf8(text) == text; }

// That parser takes a byte 0 for the end and skips a byte order mark; a server does neither.
bool is_plain(std::string_view line) {
  return line.find('\0') == std::string_view::npos && !line.starts_with("\xEF");
}

// Depth by brackets, those in strings included: only a bound is needed.
bool is_shallow(std::string_view line) {
  std::size_t open = 0;
  for (const char c : line) open += c == '{' || c == '[';
  return open < LineScanner::kDepth;
}

void check_line(std::string_view line) {
  LineScanner whole(line.size());
  whole.feed(line);
  LineScanner pieces(64);
  for (std::size_t i = 0; i < line.size(); i += 3) pieces.feed(line.substr(i, 3));
  const bool valid = whole.finish();
  require(pieces.finish() == valid);
  const auto parsed = nlohmann::json::parse(line, nullptr, false);
  if (parsed.is_object() && is_shallow(line) && is_plain(line)) {
    require(valid);
    const CapturedValue& result = whole[Field::result];
    require(!parsed.contains("result") || nlohmann::json::parse(result.text) == parsed["result"]);
  }
  Redactor secrets;
  const auto mask = [&](std::string_view json, bool cut) { return secrets.result(json, cut); };
  const Payload payload = stored_payload(line, line.size(), mask, 512);
  require(payload.text.size() <= 512 && std::ssize(payload.text) <= payload.bytes);
  require(is_utf8(payload.text));
  if (!parsed.is_discarded()) {
    // JSON stays JSON, however often it is masked.
    const std::string masked = mask_secrets(escape_invalid_utf8(line));
    require(nlohmann::json::accept(masked) && nlohmann::json::accept(mask_secrets(masked)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::int64_t now = 1;
  CallTracker session({"a", "s"}, [](ActionRow row) {
    require(!row.tool.empty() && is_utf8(row.tool) && is_utf8(row.args) && is_utf8(row.app_name));
    require(row.args.size() <= kPayloadBytes);
    require(row.success == !row.failure.has_value());
  });
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) {
      const Direction direction = line[0] == '>' ? Direction::to_server : Direction::to_client;
      check_line(line.substr(1));
      session.line(direction, line.substr(1), {now, now * 1000});
      ++now;
    }
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  session.finish("server_exit: code 0", {now, now * 1000});
  return 0;
}
