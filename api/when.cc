#include "api/when.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "api/field.h"
#include "api/problem.h"
#include "engine/values/limits.h"
#include "text/ascii.h"

namespace hebb::api {

namespace fs = std::filesystem;

namespace {

constexpr TimeMs kMinute = 60'000;
constexpr TimeMs kDay = 24 * 60 * kMinute;
constexpr TimeMs kListed = 2'114'380'800'000;  // 2037: a zone with later changes repeats its rule

// "+02:00", "-05:30", "Z"
std::optional<TimeMs> fixed_offset(const std::string& zone) {
  if (zone == "Z" || zone == "UTC") return 0;
  if (!zone.starts_with('+') && !zone.starts_with('-')) return std::nullopt;
  // The offset of an RFC 3339 time, parsed by read_time().
  const auto utc = parse_rfc3339("2000-01-01T00:00:00Z");
  const auto local = parse_rfc3339("2000-01-01T00:00:00" + zone);
  if (!local) return std::nullopt;
  return *utc - *local;
}

fs::path zone_folder() {
  const char* folder = std::getenv("TZDIR");
  return folder && *folder ? folder : "/usr/share/zoneinfo";
}

// The compiled zone of that name; empty: there is none.
std::string zone_file(const std::string& zone) {
  const bool plain = std::all_of(zone.begin(), zone.end(), [](char c) {
    return is_word_char(c) || c == '/' || c == '-' || c == '+';
  });
  std::error_code ec;
  const fs::path path = zone_folder() / zone;
  constexpr std::uintmax_t kLongest = 1 << 16;
  if (!plain || zone.starts_with('/') || !fs::is_regular_file(path, ec) ||
      fs::file_size(path, ec) > kLongest)
    return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Reads big-endian numbers one after another. After the end: 0.
class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : bytes_(bytes) {}
  std::int64_t take(std::size_t size) {
    std::uint64_t number =
        size == 4 && !bytes_.empty() && (bytes_[0] & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = 0; i < size; ++i)
      number = number << 8 | (i < bytes_.size() ? static_cast<unsigned char>(bytes_[i]) : 0U);
    skip(static_cast<std::int64_t>(size));
    return static_cast<std::int64_t>(number);
  }
  void skip(std::int64_t size) {
    bytes_.remove_prefix(std::min(bytes_.size(), static_cast<std::size_t>(size)));
  }
  bool empty() const { return bytes_.empty(); }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace

// RFC 9636. Of its two blocks the second has 8-byte times. The rule at the end, for later times, is
// not read: Debian's files have every change up to 2037, and the calendar repeats.
TimeZone::TimeZone(const std::string& name, const std::string& field) {
  if (const auto offset = fixed_offset(name)) {
    offsets_ = {{0, *offset}};
    return;
  }
  const std::string file = zone_file(name);
  constexpr std::size_t kCounts = 6;
  const auto counts = [](Numbers& in) {
    constexpr std::int64_t kBeforeCounts = 20;  // "TZif", the version, and 15 bytes
    in.skip(kBeforeCounts);
    std::array<std::int64_t, kCounts> n{};  // isut, isstd, leap, time, type, char
    for (auto& count : n) count = in.take(4);
    return n;
  };
  Numbers in(file);
  auto n = counts(in);
  in.skip(n[3] * 5 + n[4] * 6 + n[5] + n[2] * 8 + n[1] + n[0]);
  n = counts(in);
  const auto fits = [&](std::int64_t count) {
    return count >= 0 && count < static_cast<std::int64_t>(file.size());
  };
  if (!file.starts_with("TZif") || in.empty() || !std::ranges::all_of(n, fits)) {
    throw invalid(field,
                  "{}: there is no time zone \"{}\" in {}; write a name such as Europe/Berlin, or "
                  "an offset such as +02:00",
                  named(field), name, zone_folder().string());
  }
  constexpr std::int64_t kMost = 1'000'000'000'000;  // seconds
  std::vector<TimeMs> times;
  std::vector<std::size_t> types;
  std::vector<TimeMs> of_type;
  for (std::int64_t i = 0; i < n[3]; ++i)
    times.push_back(std::clamp(in.take(8), -kMost, kMost) * 1000);
  for (std::int64_t i = 0; i < n[3]; ++i) types.push_back(static_cast<std::size_t>(in.take(1)));
  for (std::int64_t i = 0; i < n[4]; ++i) {
    of_type.push_back(in.take(4) * 1000);
    in.skip(2);
  }
  const auto offset_of = [&](std::size_t type) {
    return type < of_type.size() ? of_type[type] : 0;
  };
  offsets_ = {{times.empty() ? 0 : times.front(), offset_of(0)}};
  for (std::size_t i = 0; i < times.size(); ++i)
    offsets_.push_back({times[i], offset_of(types[i])});
  in.skip(n[5] + n[2] * 12 + n[1] + n[0]);
  repeats_ = in.rest().find(',') != std::string_view::npos;
  if (repeats_ && offsets_.back().from < kListed) {
    throw invalid(field,
                  "{}: the file of the time zone \"{}\" lists no changes to come; write an offset "
                  "such as +02:00",
                  named(field), name);
  }
}

TimeMs TimeZone::offset_at(TimeMs utc) const {
  // The calendar of 28 years before has the same days of the week (up to 2100).
  constexpr TimeMs kCycle = 10'227 * kDay;
  const TimeMs last = offsets_.back().from;
  if (repeats_ && utc > last) utc -= (utc - last + kCycle - 1) / kCycle * kCycle;
  const auto later = std::ranges::upper_bound(offsets_, utc, {}, &Offset::from);
  return later == offsets_.begin() ? later->ms : std::prev(later)->ms;
}

TimeMs TimeZone::local(TimeMs utc) const { return utc + offset_at(utc); }

TimeMs TimeZone::utc(TimeMs local) const {
  // The offsets before and after a nearby change: one of them is valid, both where a time occurs
  // twice, none where it is skipped.
  const TimeMs before = offset_at(local - kDay), after = offset_at(local + kDay);
  for (const TimeMs offset : {before, after}) {
    if (offset_at(local - offset) == offset) return local - offset;
  }
  return local - before;
}

namespace {

// Days since 1970 of a named day in the zone; nullopt: the text names no day.
std::optional<std::int64_t> day_of(const std::string& text, std::int64_t today,
                                   Direction direction) {
  using namespace std::chrono;
  if (text == "today") return today;
  if (text == "tomorrow") return today + 1;
  if (text == "yesterday") return today - 1;
  if (has_form(text, "0000-00-00")) {
    const auto number = [&](std::size_t at, std::size_t size) {
      return std::stoi(text.substr(at, size));
    };
    const year_month_day date{year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                              day(static_cast<unsigned>(number(8, 2)))};
    if (!date.ok()) return std::nullopt;
    return sys_days(date).time_since_epoch().count();
  }
  static constexpr std::array<std::string_view, 7> kDays = {
      "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};
  const auto named = std::ranges::find_if(
      kDays, [&](std::string_view day) { return text == day || text == day.substr(0, 3); });
  if (named == kDays.end()) return std::nullopt;
  constexpr std::int64_t kWeek = 7;
  const auto now = static_cast<std::int64_t>(weekday(sys_days(days(today))).c_encoding());
  const std::int64_t ahead = (named - kDays.begin() - now + kWeek - 1) % kWeek + 1;  // 1 to 7
  if (direction == Direction::ahead) return today + ahead;
  return today + ahead - (ahead == kWeek ? 2 * kWeek : kWeek);
}

// "9:30", "17:00", "17:00:30"; nullopt: no time of day.
std::optional<TimeMs> clock_of(std::string clock) {
  if (has_form(clock, "0:00")) clock.insert(0, 1, '0');
  if (has_form(clock, "00:00")) clock += ":00";
  const auto time = parse_rfc3339("1970-01-01T" + clock + "Z");
  return has_form(clock, "00:00:00") ? time : std::nullopt;
}

}  // namespace

ReadTime read_when(std::string_view text, TimeMs now, const TimeZone& zone, Direction direction) {
  const ReadTime exact = read_time(text);
  const auto* why = std::get_if<std::string>(&exact);
  // The text is an exact time, or the error says what was probably meant.
  if (!why || *why != std::get<std::string>(read_time(""))) return exact;
  constexpr std::size_t kMinutes = 16;  // "2026-11-27T17:00", and a zone
  if (has_form(text.substr(0, kMinutes), "0000-00-00T00:00")) {
    std::string whole(text);
    const ReadTime with_seconds = read_time(whole.insert(kMinutes, ":00"));
    if (std::holds_alternative<TimeMs>(with_seconds)) return with_seconds;
  }
  const std::string lower = to_lower(std::string(text));
  const auto within = [](TimeMs t) {
    return t >= Limits::kEarliestTime && t <= Limits::kLatestTime;
  };
  std::optional<TimeMs> time;
  if (lower == "now") time = now;
  if (const auto span = parse_duration(lower))
    time = direction == Direction::ahead ? now + *span : now - *span;
  const bool date = has_form(lower.substr(0, 10), "0000-00-00");
  const auto blank = std::min(lower.find_first_of(date ? " t" : " "), lower.size());
  const TimeMs local_now = zone.local(now);
  const std::int64_t today = local_now / kDay - (local_now % kDay < 0 ? 1 : 0);
  if (const auto day = day_of(lower.substr(0, blank), today, direction)) {
    const auto clock = blank < lower.size() ? clock_of(lower.substr(blank + 1)) : TimeMs{0};
    if (clock) time = zone.utc(*day * kDay + *clock);
  }
  if (time && within(*time)) return *time;
  if (time) return std::string("allowed are times of the years 1973 to 9999");
  return fmt::format(
      "write a date such as 2026-11-27, a day such as friday or tomorrow, both also with a time "
      "such as 17:00, a span {} now such as 2d or 3h30m, or a time with its zone, such as "
      "2026-11-27T12:00:00Z",
      direction == Direction::ahead ? "from" : "before");
}

}  // namespace hebb::api
