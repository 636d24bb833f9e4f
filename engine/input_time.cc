// RFC 3339 times.
#include <charconv>
#include <chrono>

#include "engine/input.h"

namespace hebb {

namespace {

// Takes fixed-width numbers and marks from the front of a text; any failure sticks.
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

}  // namespace hebb
