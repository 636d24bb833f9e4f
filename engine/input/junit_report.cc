// The XML of a JUnit report.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include "engine/input/junit.h"
#include "engine/values/checks.h"
#include "text/ascii.h"

namespace hebb::input {

namespace {

constexpr double kSecondsMax = 1e12;  // longer than anything ran; sums of these stay finite

// "Tue, 24 Nov 2026 23:39:33 GMT" (RFC 1123, as mocha has it) as RFC 3339.
std::string iso_of_words(const std::string& text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  char month[4] = "", zone[6] = "";
  int day = 0, year = 0, h = 0, m = 0, s = 0;
  const char* const at = text.c_str() + std::min(text.find(',') + 1, text.size());
  if (std::sscanf(at, " %2d %3s %4d %2d:%2d:%2d %5s", &day, month, &year, &h, &m, &s, zone) != 7)
    return text;
  const std::size_t place = kMonths.find(month);
  const std::string_view zone_text = zone;
  const bool is_utc = zone_text == "GMT" || zone_text == "UTC" || zone_text == "Z";
  if (std::string_view(month).size() != 3 || place == kMonths.npos || place % 3 != 0) return text;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}", year, place / 3 + 1, day, h, m, s,
                     is_utc ? "Z" : zone_text);
}

// Seconds or milliseconds since 1970.
std::optional<TimeMs> epoch_time(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const double ms = number < static_cast<double>(Limits::kEarliestTime) ? number * 1000 : number;
  if (!(ms >= 0 && ms <= static_cast<double>(Limits::kLatestTime))) return std::nullopt;
  return static_cast<TimeMs>(ms);
}

// ISO 8601 as reports have it, often without a zone, or with one without a colon; and other forms.
std::optional<TimeMs> parse_timestamp(const std::string& written, const ReadOptions& options) {
  if (const auto time = epoch_time(written)) return time;
  std::string text = iso_of_words(written);
  const std::size_t last_blank = text.rfind(' ');
  if (last_blank != text.find(' ')) text.erase(last_blank, 1);  // before the zone
  if (const auto time = parse_rfc3339(text)) return time;
  if (const auto local = parse_rfc3339(text + "Z"))
    return options.utc_of_local ? options.utc_of_local(*local) : local;
  const bool has_offset =
      text.size() > 5 && (text[text.size() - 5] == '+' || text[text.size() - 5] == '-');
  return has_offset ? parse_rfc3339(text.insert(text.size() - 2, ":")) : std::nullopt;
}

// ctest says of a test that it could not run that it was skipped, and counts it as failed; one that
// asked to be skipped has a message of its own.
bool could_not_run(pugi::xml_node testcase) {
  const std::string_view why = testcase.child("skipped").attribute("message").value();
  const std::string_view name = testcase.attribute("name").value();
  return testcase.attribute("status").value() == std::string_view("notrun") && !why.empty() &&
         !why.starts_with("SKIP_") && name == testcase.attribute("classname").value();
}

// How much memory the tree of a document takes: pugixml has 64 bytes for an element, as many for a
// text, and 40 for an attribute.
std::size_t tree_bytes(std::string_view xml) {
  constexpr std::size_t kElement = 64, kText = 64, kAttribute = 40;
  const auto behind = [&](std::string_view end, std::size_t at) {
    return std::min(xml.find(end, at), xml.size() - 1) + 1;
  };
  std::size_t bytes = 0, at = 0;
  while (at < xml.size()) {
    const auto text = xml.find_first_not_of(" \t\r\n", at);
    at = std::min(xml.find('<', at), xml.size());
    bytes += text < at ? kText : 0;
    const std::string_view rest = xml.substr(at);
    bytes += rest.starts_with("</") ? 0 : kElement;
    if (rest.starts_with("<![CDATA[")) {
      at = behind("]]>", at);
    } else if (rest.starts_with("<!--")) {
      at = behind("-->", at);
    } else {
      char quote = '\0';
      for (++at; at < xml.size() && (quote != '\0' || xml[at] != '>'); ++at) {
        if (quote == '\0' && xml[at] == '=') bytes += kAttribute;
        if (xml[at] == quote) {
          quote = '\0';
        } else if (quote == '\0' && (xml[at] == '"' || xml[at] == '\'')) {
          quote = xml[at];
        }
      }
    }
  }
  return bytes;
}

}  // namespace

std::int64_t line_at(std::string_view content, std::ptrdiff_t offset) {
  const auto end = std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(content));
  return 1 + std::count(content.begin(), content.begin() + end, '\n');
}

std::vector<pugi::xml_node> load_reports(pugi::xml_document& document, std::string_view content,
                                         Examples& text) {
  if (tree_bytes(content) > Limits::kDocumentBytes) {
    throw UnreadableInput(
        "the report has more elements than are taken at a time; write several reports");
  }
  // The parser takes a NUL for the end; of UTF-16 and UTF-32 there is one in the first four bytes.
  const std::size_t nul = content.find('\0');
  if (nul != content.npos && nul > 3)
    throw UnreadableInput(fmt::format("not XML: there is a NUL in it (line {})",
                                      line_at(content, static_cast<std::ptrdiff_t>(nul))));
  const auto result = document.load_buffer(content.data(), content.size(),
                                           pugi::parse_default | pugi::parse_fragment);
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!result) {
    throw UnreadableInput(fmt::format("not XML: {} (line {})", result.description(),
                                      line_at(content, result.offset)));
  }
  std::vector<pugi::xml_node> roots;
  for (const pugi::xml_node node : document.children()) {
    const std::string_view name = node.name();
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
      std::string_view words = trim(node.value());
      while (words.starts_with(kByteOrderMark)) words = trim(words.substr(kByteOrderMark.size()));
      if (!words.empty())
        text.add(fmt::format("\"{}\"", cut(words.substr(0, words.find('\n')), kShownBytes)));
    } else if (name == "testsuites" || name == "testsuite") {
      roots.push_back(node);
    } else {
      throw UnreadableInput(fmt::format(
          "not a JUnit report: the root is <{}>; it must be <testsuites> or <testsuite>",
          cut(name, kShownBytes)));
    }
  }
  if (roots.empty()) throw UnreadableInput("not XML: No document element found (line 1)");
  return roots;
}

bool is_failure(std::string_view element) { return element == "failure" || element == "error"; }

bool holds_tests(std::string_view element) {
  return element == "testsuites" || element == "testsuite" || element == "testcase";
}

bool is_beside(std::string_view element) {
  constexpr std::string_view kAll[] = {"properties",   "system-out",   "system-err",
                                       "skipped",      "rerunFailure", "rerunError",
                                       "flakyFailure", "flakyError",   "disabled"};
  return is_failure(element) ||
         std::find(std::begin(kAll), std::end(kAll), element) != std::end(kAll);
}

pugi::xml_node tests_within(pugi::xml_node element) {
  return element.find_node([](pugi::xml_node node) { return holds_tests(node.name()); });
}

bool is_like_verdict(std::string_view element) {
  std::string name = to_lower(element.substr(element.rfind(':') + 1));
  if (name.ends_with('s')) name.pop_back();
  return is_failure(name) || name == "skipped" || name == "testcase" || name == "testsuite";
}

// Whether the test's failure is expected: node's "todo" tests, and Catch2's that may fail.
static bool is_expected(pugi::xml_node skipped) {
  return skipped.attribute("type").value() == std::string_view("todo") ||
         std::string_view(skipped.attribute("message").value())
             .starts_with("TEST_CASE tagged with !");
}

Verdict verdict_of(pugi::xml_node testcase, Examples& odd) {
  // In small letters, without blanks. A word for a failure begins with one of the first list; one
  // for a test that did not run is in the second.
  constexpr std::string_view kFailed[] = {"fail",        "err",   "timeout",    "timedout",
                                          "crash",       "broke", "abort",      "kill",
                                          "interrupted", "notok", "unexpected", "unsuccessful"};
  constexpr std::string_view kSkipped[] = {
      "skipped",  "skip",      "ignored",    "ignore",      "notrun",       "disabled",
      "pending",  "todo",      "suppressed", "notexecuted", "inconclusive", "excluded",
      "canceled", "cancelled", "blocked",    "untested",    "undefined",    "notstarted"};
  constexpr std::string_view kPassed[] = {
      "",     "pass",      "passed",   "run",      "ok",       "success", "succeeded", "successful",
      "done", "completed", "complete", "executed", "finished", "flaky",   "warning"};
  const pugi::xml_node skipped = testcase.child("skipped");
  if (could_not_run(testcase)) return Verdict::failed;
  if (skipped && is_expected(skipped)) return Verdict::skipped;
  if (testcase.child("failure") || testcase.child("error")) return Verdict::failed;
  bool fails = false, skips = !!skipped;
  for (const char* attribute : {"status", "result"}) {
    const std::string_view written = testcase.attribute(attribute).value();
    std::string word = to_lower(written);
    std::erase_if(word, [](char c) { return !is_letter(c); });
    const auto is_in = [&](const auto& words) {
      return std::find(std::begin(words), std::end(words), word) != std::end(words);
    };
    const bool is_failed =
        std::any_of(std::begin(kFailed), std::end(kFailed),
                    [&](std::string_view beginning) { return word.starts_with(beginning); });
    const bool is_number = std::all_of(written.begin(), written.end(), is_digit);
    const bool is_known =
        is_failed || is_in(kSkipped) || (word.empty() ? is_number : is_in(kPassed));
    fails = fails || is_failed;
    skips = skips || is_in(kSkipped);
    if (!is_known && !skipped) odd.add(fmt::format("\"{}\"", cut(written, kShownBytes)));
  }
  return skips ? Verdict::skipped : fails ? Verdict::failed : Verdict::passed;
}

namespace {

// Takes a separator of thousands out; false: it does not stand between groups of three digits.
bool take_thousands_out(std::string& integer, char separator) {
  const std::size_t first = integer.find(separator);
  if (first == integer.npos) return true;
  for (std::size_t at = first; at < integer.size(); at += 4)
    if (integer[at] != separator || integer.find(separator, at + 1) < at + 4 ||
        integer.size() < at + 4)
      return false;
  std::erase(integer, separator);
  return true;
}

// A number as people write it, with a point or a comma before decimals and perhaps the other
// between thousands. What has one comma or point has decimals.
std::optional<double> number_of(std::string text) {
  std::string decimals;
  const std::size_t last = text.find_last_of(".,");
  if (last != text.npos && text.find(text[last]) == last) {
    decimals = "." + text.substr(last + 1);
    text.erase(last);
  }
  if (!take_thousands_out(text, ',') || !take_thousands_out(text, '.')) return std::nullopt;
  text += decimals;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> unit_seconds(std::string_view unit) {
  struct Unit {
    std::string_view names;
    double seconds;
  };
  constexpr Unit kUnits[] = {
      {" ns nanos nanoseconds ", 1e-9},        {" us \u00b5s \u03bcs micros microseconds ", 1e-6},
      {" ms msec millis milliseconds ", 1e-3}, {" s sec secs second seconds ", 1},
      {" m min mins minute minutes ", 60},     {" h hr hrs hour hours ", 3600}};
  for (const Unit& one : kUnits)
    if (one.names.find(fmt::format(" {} ", unit)) != one.names.npos) return one.seconds;
  return std::nullopt;
}

// "0.25", "0,25", "80.803us", "1m 2.5s", "00:01:02.5". Nothing: it is no time.
std::optional<double> parse_seconds(std::string_view text) {
  text = trim(text);
  double sum = 0;
  if (text.find(':') != text.npos) {
    while (true) {
      const std::size_t colon = text.find(':');
      const auto part = number_of(std::string(text.substr(0, colon)));
      if (!part || *part < 0) return std::nullopt;
      sum = 60 * sum + *part;
      if (colon == text.npos) return sum;
      text.remove_prefix(colon + 1);
    }
  }
  if (const auto seconds = number_of(std::string(text))) return seconds;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.,"), text.size());
    const auto number = number_of(std::string(text.substr(0, end)));
    text = trim(text.substr(end));
    const std::size_t next = std::min(text.find_first_of("0123456789 "), text.size());
    const auto unit = unit_seconds(to_lower(text.substr(0, next)));
    if (!number || !unit) return std::nullopt;
    sum += *number * *unit;
    text = trim(text.substr(next));
  }
  return sum;
}

}  // namespace

double seconds_of(pugi::xml_node element, Examples& odd) {
  const std::string_view text = element.attribute("time").value();
  if (text.empty()) return 0;
  const auto value = parse_seconds(text);
  if (value && *value < kSecondsMax) return std::max(*value, 0.0);
  odd.add(fmt::format("\"{}\"", cut(text, kShownBytes)));
  return 0;
}

std::optional<TimeMs> time_of(pugi::xml_node element, const ReadOptions& options, Examples& odd) {
  const std::string text = element.attribute("timestamp").value();
  if (text.empty()) return std::nullopt;
  const auto time = parse_timestamp(text, options);
  const TimeMs latest = std::min(options.latest.value_or(Limits::kLatestTime), Limits::kLatestTime);
  if (time && *time >= Limits::kEarliestTime && *time <= latest) return time;
  odd.add(fmt::format("\"{}\"", cut(text, kShownBytes)));
  return std::nullopt;
}

}  // namespace hebb::input
