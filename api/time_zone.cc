#include "api/time_zone.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "api/problem.h"
#include "engine/input/input.h"

namespace hebb::api {

namespace fs = std::filesystem;

namespace {

constexpr TimeMs kMinute = 60'000;
constexpr TimeMs kDay = 24 * 60 * kMinute;

// "+02:00", "-05:30", "Z"
std::optional<TimeMs> fixed_offset(const std::string& zone) {
  if (zone == "Z") return 0;
  if (!zone.starts_with('+') && !zone.starts_with('-')) return std::nullopt;
  // The offset of an RFC 3339 time, read by the reader of those.
  const auto utc = parse_rfc3339("2000-01-01T00:00:00Z");
  const auto local = parse_rfc3339("2000-01-01T00:00:00" + zone);
  if (!local) return std::nullopt;
  return *utc - *local;
}

fs::path zone_folder() {
  const char* folder = std::getenv("TZDIR");
  return folder && *folder ? folder : "/usr/share/zoneinfo";
}

// A compiled zone of that name: libc takes an unknown one for UTC without a word.
bool is_known(const std::string& zone) {
  const bool plain = std::all_of(zone.begin(), zone.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '/' || c == '_' || c == '-' || c == '+';
  });
  if (zone.empty() || !plain || zone.front() == '/') return false;
  std::ifstream file(zone_folder() / zone, std::ios::binary);
  std::array<char, 4> magic{};
  return file.read(magic.data(), magic.size()) &&
         std::string_view(magic.data(), magic.size()) == "TZif";
}

// Ahead of UTC at that moment, by the TZ that is set.
TimeMs offset_at(TimeMs utc) {
  TimeMs seconds = utc / 1000 - (utc % 1000 < 0);
  const auto t = static_cast<std::time_t>(seconds);
  std::tm fields{};
  if (localtime_r(&t, &fields) == nullptr) return 0;
  return static_cast<TimeMs>(fields.tm_gmtoff) * 1000;
}

}  // namespace

std::function<TimeMs(TimeMs)> utc_of_local(const std::string& zone) {
  if (const auto offset = fixed_offset(zone)) {
    return [offset = *offset](TimeMs local) { return local - offset; };
  }
  if (!is_known(zone)) {
    throw Problem(
        ProblemType::invalid_argument,
        fmt::format("{}: there is no time zone \"{}\" in {}; write a name such as Europe/Berlin, "
                    "or an offset such as +02:00",
                    named("tz"), zone, zone_folder().string()),
        "tz");
  }
  ::setenv("TZ", (":" + zone).c_str(), 1);
  ::tzset();
  return [](TimeMs local) {
    // The offsets before and after any change near by: one of the two holds, both where a time
    // comes twice, none where it is skipped.
    const TimeMs before = offset_at(local - kDay), after = offset_at(local + kDay);
    for (const TimeMs offset : {before, after}) {
      if (offset_at(local - offset) == offset) return local - offset;
    }
    return local - before;
  };
}

}  // namespace hebb::api
