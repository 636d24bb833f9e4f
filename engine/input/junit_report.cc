#include "engine/input/junit_report.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

namespace hebb::input {

namespace {

constexpr double kSecondsMax = 1e12;  // longer than anything ran; sums of these stay finite

// ISO 8601 as reports have it, often without a zone.
std::optional<TimeMs> parse_timestamp(const std::string& text, const ReadOptions& options) {
  if (const auto time = parse_rfc3339(text)) return time;
  const auto local = parse_rfc3339(text + "Z");
  return local && options.utc_of_local ? options.utc_of_local(*local) : local;
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
  return !testcase.child("skipped") && status != "notrun" && status != "disabled";
}

bool failed(pugi::xml_node testcase) {
  return testcase.child("failure") || testcase.child("error");
}

// Some writers put commas between thousands. What is no time is none.
double seconds_of(pugi::xml_node element) {
  std::string text = element.attribute("time").value();
  std::erase(text, ',');
  const double value = std::strtod(text.c_str(), nullptr);
  return value > 0 && value < kSecondsMax ? value : 0;
}

ReportTime time_of(pugi::xml_node element, const ReadOptions& options) {
  const std::string text = element.attribute("timestamp").value();
  if (text.empty()) return {};
  const auto time = parse_timestamp(text, options);
  if (!time) return {std::nullopt, text};
  if (*time < Limits::kEarliestTime) return {time, format_rfc3339(*time)};
  return {time, ""};
}

}  // namespace hebb::input
