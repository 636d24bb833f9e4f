// The XML of a JUnit report.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include "engine/input/junit.h"

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

pugi::xml_node load_report(pugi::xml_document& document, std::string_view content) {
  if (tree_bytes(content) > Limits::kDocumentBytes) {
    throw UnreadableInput(
        "the report has more elements than are taken at a time; write several reports");
  }
  const auto result = document.load_buffer(content.data(), content.size());
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!result) {
    const auto offset = std::min(static_cast<std::size_t>(result.offset), content.size());
    const auto line = 1 + std::count(content.begin(),
                                     content.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    throw UnreadableInput(fmt::format("not XML: {} (line {})", result.description(), line));
  }
  const pugi::xml_node root = document.document_element();
  const std::string_view name = root.name();
  if (name != "testsuites" && name != "testsuite") {
    throw UnreadableInput(
        fmt::format("not a JUnit report: the root is <{}>; it must be <testsuites> or <testsuite>",
                    name.substr(0, 64)));
  }
  return root;
}

bool ran(pugi::xml_node testcase) {
  const std::string_view status = testcase.attribute("status").value();
  const bool skipped = testcase.child("skipped") || status == "notrun" || status == "disabled";
  return !skipped || failed(testcase);
}

bool failed(pugi::xml_node testcase) {
  return testcase.child("failure") || testcase.child("error") || could_not_run(testcase);
}

// Some writers put commas between thousands. What is no time is none.
double seconds_of(pugi::xml_node element) {
  std::string text = element.attribute("time").value();
  std::erase(text, ',');
  const double value = std::strtod(text.c_str(), nullptr);
  return value > 0 && value < kSecondsMax ? value : 0;
}

std::optional<TimeMs> time_of(pugi::xml_node element, const ReadOptions& options, Examples& odd) {
  const std::string text = element.attribute("timestamp").value();
  if (text.empty()) return std::nullopt;
  const auto time = parse_timestamp(text, options);
  const TimeMs latest = std::min(options.latest.value_or(Limits::kLatestTime), Limits::kLatestTime);
  if (time && *time >= Limits::kEarliestTime && *time <= latest) return time;
  odd.add(fmt::format("\"{}\"", text.substr(0, 64)));
  return std::nullopt;
}

}  // namespace hebb::input
