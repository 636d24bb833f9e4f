#include "study/verdicts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace hebb::study {

namespace {

constexpr std::array<std::string_view, 5> kColumns{"Name", "Duration", "LastRun", "Verdict",
                                                   "Cycle"};

// The fields of a line. One in quotes may hold the separator; a quote in it is written twice.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ';' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

class VerdictReader {
 public:
  std::vector<Verdict> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      fields_ = split(line);
      if (width_ == 0) {
        read_head();
      } else {
        read_row();
      }
    }
    if (rows_.empty()) throw UnreadableInput("it has no row with a verdict");
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Verdict& a, const Verdict& b) { return a.cycle < b.cycle; });
    return std::move(rows_);
  }

 private:
  void read_head() {
    width_ = fields_.size();
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto found = std::find(fields_.begin(), fields_.end(), kColumns[i]);
      if (found == fields_.end()) {
        throw UnreadableInput(
            fmt::format("line {}: the head has no column {}; verdicts are CSV with the columns {}, "
                        "separated by \";\"",
                        line_, kColumns[i], fmt::join(kColumns, ", ")));
      }
      place_[i] = static_cast<std::size_t>(found - fields_.begin());
    }
  }

  const std::string& field(std::size_t column) const { return fields_[place_[column]]; }

  [[noreturn]] void refuse(std::size_t column, std::string_view allowed) const {
    throw UnreadableInput(fmt::format("line {}: {} is \"{}\"; it has to be {}", line_,
                                      kColumns[column], field(column).substr(0, 64), allowed));
  }

  template <class Number>
  Number number(std::size_t column, std::string_view allowed) const {
    const std::string& text = field(column);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) refuse(column, allowed);
    return value;
  }

  void read_row() {
    if (fields_.size() != width_) {
      throw UnreadableInput(fmt::format("line {}: it has {} fields, and the head has {}", line_,
                                        fields_.size(), width_));
    }
    Verdict row;
    row.test = field(0);
    if (row.test.empty()) refuse(0, "the name of a test");
    constexpr std::string_view kDuration = "a number of at least 0";
    row.duration = number<double>(1, kDuration);
    if (!(row.duration >= 0 && row.duration < 1e15)) refuse(1, kDuration);
    std::string time = field(2);
    if (time.size() > 10 && time[10] == ' ') time[10] = 'T';
    if (time.size() == 16) time += ":00";
    const auto at = parse_rfc3339(time + "Z");
    if (!at || *at < Limits::kEarliestTime) refuse(2, "a time such as 2015-02-13 16:13:00");
    row.at = *at;
    const int verdict = number<int>(3, "1 (failed) or 0 (passed)");
    if (verdict != 0 && verdict != 1) refuse(3, "1 (failed) or 0 (passed)");
    row.failed = verdict == 1;
    row.cycle = number<std::int64_t>(4, "a whole number");
    rows_.push_back(std::move(row));
  }

  std::size_t width_ = 0;
  std::array<std::size_t, kColumns.size()> place_{};
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
  std::vector<Verdict> rows_;
};

}  // namespace

std::vector<Verdict> read_verdicts(Input& input) {
  std::string_view text = input.rest(Limits::kDocumentBytes);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return VerdictReader().read(text);
}

}  // namespace hebb::study
