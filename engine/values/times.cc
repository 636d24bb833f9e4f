#include "engine/values/times.h"

#include <charconv>
#include <chrono>
#include <cmath>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engine/values/canonical_json.h"
#include "engine/values/limits.h"

namespace hebb {

namespace {

// Takes fixed-width numbers and marks from the front of a text. After a failure all calls fail.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value * 10 + digit();
    return value;
  }

  char one_of(std::string_view marks) {
    if (text_.empty() || marks.find(text_.front()) == std::string_view::npos) {
      ok_ = false;
      return '\0';
    }
    return take();
  }

  int fraction_ms() {  // ".123456" is 123; no fraction is 0
    if (text_.empty() || text_.front() != '.') return 0;
    take();
    int ms = digit() * 100;
    for (int scale = 10; at_digit(); scale /= 10) ms += digit() * scale;
    return ms;
  }

  bool done() const { return ok_ && text_.empty(); }

 private:
  bool at_digit() const { return !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; }
  char take() {
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }
  int digit() {
    if (at_digit()) return take() - '0';
    ok_ = false;
    return 0;
  }

  std::string_view text_;
  bool ok_ = true;
};

constexpr std::string_view kAllowed =
    "allowed are integer milliseconds since 1970, of the years 1973 to 9999, or an RFC 3339 time "
    "such as 2026-01-30T12:00:00Z";

bool in_limits(double ms) {
  return ms >= static_cast<double>(Limits::kEarliestTime) &&
         ms <= static_cast<double>(Limits::kLatestTime);
}

std::string number_text(double value) {
  std::string text;
  append_json_number(text, value);
  return text;
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
                         number_text(meant));
    }
  }
  return "";
}

}  // namespace

std::optional<TimeMs> parse_rfc3339(std::string_view text) {
  using namespace std::chrono;
  Scanner in(text);
  const int y = in.digits(4);
  in.one_of("-");
  const int mo = in.digits(2);
  in.one_of("-");
  const int d = in.digits(2);
  in.one_of("Tt ");
  const int h = in.digits(2);
  in.one_of(":");
  const int mi = in.digits(2);
  in.one_of(":");
  const int s = in.digits(2);
  const int ms = in.fraction_ms();
  const char zone = in.one_of("Zz+-");
  int offset_h = 0;
  int offset_m = 0;
  if (zone == '+' || zone == '-') {
    offset_h = in.digits(2);
    in.one_of(":");
    offset_m = in.digits(2);
  }
  const year_month_day date{year(y), month(static_cast<unsigned>(mo)),
                            day(static_cast<unsigned>(d))};
  // 60 is a leap second; it is counted as the first of the next minute, as POSIX time does.
  if (!in.done() || !date.ok() || h > 23 || mi > 59 || s > 60 || offset_h > 23 || offset_m > 59) {
    return std::nullopt;
  }
  const auto offset = hours(offset_h) + minutes(offset_m);
  const auto local = sys_days(date) + hours(h) + minutes(mi) + seconds(s) + milliseconds(ms);
  const auto utc = zone == '-' ? local + offset : local - offset;
  return duration_cast<milliseconds>(utc.time_since_epoch()).count();
}

std::string format_rfc3339(TimeMs time) {
  using namespace std::chrono;
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(floor<seconds>(milliseconds(time)).count()));
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
