// What both readings of a JUnit report share: the XML, and what its elements say. Internal to the
// readers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "engine/input/items.h"

namespace hebb::input {

// The root, <testsuites> or <testsuite>. Throws UnreadableInput.
pugi::xml_node load_report(pugi::xml_document& document, std::string_view content);

bool ran(pugi::xml_node testcase);     // rather than being skipped
bool failed(pugi::xml_node testcase);  // a failure or an error

double seconds_of(pugi::xml_node element);  // 0: it says none

// A time as an element says it; a text where what stands there is none.
struct ReportTime {
  std::optional<TimeMs> time;
  std::string bad;  // as it stands there
};
ReportTime time_of(pugi::xml_node element, const ReadOptions& options);

// The lines that a report amounts to where each test case counts: see read_junit(). Of a history
// log, and outcomes where the report has no time.
// The key is of an event that its line does not tell from others; empty: there is none.
using KeyedSink = std::function<void(const RawItem&, const std::string& key)>;
void read_each_test(std::string_view content, const ReadOptions& options, const KeyedSink& sink);

}  // namespace hebb::input
