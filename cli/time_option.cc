#include "cli/time_option.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace hebb::cli {

namespace fs = std::filesystem;

namespace {

constexpr TimeMs kMinute = 60'000;
constexpr TimeMs kDay = 24 * 60 * kMinute;

// "+02:00", "-05:30", "Z"
std::optional<TimeMs> fixed_offset(const std::string& zone) {
  if (zone == "Z") return 0;
  if (!zone.starts_with('+') && !zone.starts_with('-')) return std::nullopt;
  // Read as the offset of an RFC 3339 time.
  const auto utc = parse_rfc3339("2000-01-01T00:00:00Z");
  const auto local = parse_rfc3339("2000-01-01T00:00:00" + zone);
  if (!local) return std::nullopt;
  return *utc - *local;
}

fs::path zone_folder() {
  const char* folder = std::getenv("TZDIR");
  return folder && *folder ? folder : "/usr/share/zoneinfo";
}

// Whether there is a time zone of that name. libc silently takes an unknown one for UTC.
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

// The offset from UTC at that moment, by the TZ that is set.
TimeMs offset_at(TimeMs utc) {
  TimeMs seconds = utc / 1000 - (utc % 1000 < 0);
  const auto t = static_cast<std::time_t>(seconds);
  std::tm fields{};
  if (localtime_r(&t, &fields) == nullptr) return 0;
  return static_cast<TimeMs>(fields.tm_gmtoff) * 1000;
}

}  // namespace

CLI::Option* add_time_option(CLI::App& command, const std::string& name,
                             std::optional<TimeMs>& time, const std::string& does) {
  const auto read = [name, &time](const std::string& text) {
    const ReadTime value = read_time(text);
    if (const auto* why = std::get_if<std::string>(&value)) throw CLI::ValidationError(name, *why);
    time = std::get<TimeMs>(value);
  };
  return command.add_option_function<std::string>(name, read, does)->type_name("TIME");
}

TimeMs parse_since(const Context& context, const std::string& text) {
  if (const auto span = duration_ms(text)) return context.now() - *span;
  const ReadTime time = read_time(text);
  if (const auto* why = std::get_if<std::string>(&time)) {
    throw Stop(kUsage,
               fmt::format("\"{}\" is no time: {}, or a span before now such as 7d", text, *why));
  }
  return std::get<TimeMs>(time);
}

std::function<TimeMs(TimeMs)> utc_of_local(const std::string& zone) {
  if (const auto offset = fixed_offset(zone)) {
    return [offset = *offset](TimeMs local) { return local - offset; };
  }
  if (!is_known(zone)) {
    throw Stop(
        kUsage,
        fmt::format("there is no time zone \"{}\" in {}; write a name such as Europe/Berlin, "
                    "or an offset such as +02:00",
                    zone, zone_folder().string()));
  }
  ::setenv("TZ", (":" + zone).c_str(), 1);
  ::tzset();
  return [](TimeMs local) {
    // The offsets before and after any change of the clock nearby. One of them fits; both fit if
    // the time occurs twice, none if it is skipped.
    const TimeMs before = offset_at(local - kDay), after = offset_at(local + kDay);
    for (const TimeMs offset : {before, after}) {
      if (offset_at(local - offset) == offset) return local - offset;
    }
    return local - before;
  };
}

}  // namespace hebb::cli
