#include "engine/values/times.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engine/values/canonical_json.h"
#include "engine/values/limits.h"
#include "text/ascii.h"

namespace hebb {

namespace {

constexpr std::string_view kAllowed =
    "allowed are integer milliseconds since 1970, of the years 1973 to 9999, or an RFC 3339 time "
    "such as 2026-01-30T12:00:00Z";

bool in_limits(double ms) {
  return ms >= static_cast<double>(Limits::kEarliestTime) &&
         ms <= static_cast<double>(Limits::kLatestTime);
}

// For a number that is not a time in milliseconds: the unit in which it would be one, else "".
std::string other_unit(double number, std::string_view written) {
  struct Unit {
    std::string_view name;
    double ms;
  };
  constexpr Unit kUnits[] = {{"seconds", 1e3}, {"microseconds", 1e-3}, {"nanoseconds", 1e-6}};
  for (const auto& [name, ms] : kUnits) {
    if (const double meant = std::trunc(number * ms); in_limits(meant)) {
      return fmt::format("{} looks like {}; in milliseconds it is {}", written, name,
                         json_number(meant));
    }
  }
  return "";
}

}  // namespace

bool has_form(std::string_view text, std::string_view form) {
  return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                    [](char c, char wanted) { return wanted == '0' ? is_digit(c) : c == wanted; });
}

std::optional<TimeMs> parse_rfc3339(std::string_view text) {
  using namespace std::chrono;
  constexpr std::string_view kForm = "0000-00-00 00:00:00", kZone = "00:00";
  constexpr std::size_t kEnd = kForm.size();
  if (text.size() <= kEnd) return std::nullopt;
  std::string when(text.substr(0, kEnd));
  if (when[10] == 'T' || when[10] == 't') when[10] = ' ';
  if (!has_form(when, kForm)) return std::nullopt;
  const auto number = [](std::string_view all, std::size_t at, std::size_t digits) {
    int value = 0;
    for (const char c : all.substr(at, digits)) value = value * 10 + (c - '0');
    return value;
  };
  const std::string_view zone =
      text.substr(std::min(text.find_first_of("Zz+-", kEnd), text.size()));
  const std::string_view fraction = text.substr(kEnd, text.size() - kEnd - zone.size());
  const bool is_fraction =
      fraction.empty() || (fraction.size() > 1 && fraction[0] == '.' &&
                           std::all_of(fraction.begin() + 1, fraction.end(), is_digit));
  const bool is_utc = zone == "Z" || zone == "z";
  const bool has_offset =
      (zone.starts_with('+') || zone.starts_with('-')) && has_form(zone.substr(1), kZone);
  const int offset_h = has_offset ? number(zone, 1, 2) : 0;
  const int offset_m = has_offset ? number(zone, 4, 2) : 0;
  const year_month_day date{year(number(when, 0, 4)),
                            month(static_cast<unsigned>(number(when, 5, 2))),
                            day(static_cast<unsigned>(number(when, 8, 2)))};
  const int h = number(when, 11, 2), mi = number(when, 14, 2), s = number(when, 17, 2);
  // 60 is a leap second; it is counted as the first of the next minute, as POSIX time does.
  if (!is_fraction || !(is_utc || has_offset) || !date.ok() || h > 23 || mi > 59 || s > 60 ||
      offset_h > 23 || offset_m > 59) {
    return std::nullopt;
  }
  const int ms = fraction.empty() ? 0 : number(std::string(fraction) + "00", 1, 3);
  const auto offset = hours(offset_h) + minutes(offset_m);
  const auto local = sys_days(date) + hours(h) + minutes(mi) + seconds(s) + milliseconds(ms);
  const auto utc = zone[0] == '-' ? local + offset : local - offset;
  return duration_cast<milliseconds>(utc.time_since_epoch()).count();
}

std::string format_rfc3339(TimeMs time) {
  using namespace std::chrono;
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(floor<seconds>(milliseconds(time)).count()));
}

TimeMs clock_now() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

ReadTime time_of_number(double milliseconds, std::string_view written) {
  if (in_limits(milliseconds)) {
    if (milliseconds == std::trunc(milliseconds)) return static_cast<TimeMs>(milliseconds);
  } else if (std::isfinite(milliseconds)) {
    if (auto meant = other_unit(milliseconds, written); !meant.empty()) return meant;
  }
  return std::string(kAllowed);
}

ReadTime time_of_rfc3339(std::string_view text) {
  const auto time = parse_rfc3339(text);
  if (!time || *time > Limits::kLatestTime) return std::string(kAllowed);
  if (*time < Limits::kEarliestTime) {
    return fmt::format("{} is before March 1973, as times are of a clock that was never set; {}",
                       format_rfc3339(*time), kAllowed);
  }
  return *time;
}

ReadTime read_time(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? time_of_number(number, text) : time_of_rfc3339(text);
}

}  // namespace hebb
