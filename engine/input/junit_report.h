// The XML of a JUnit report, and what its elements say. Internal to the
// readers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "engine/input/items.h"

namespace hebb::input {

// The root, <testsuites> or <testsuite>. Throws UnreadableInput.
pugi::xml_node load_report(pugi::xml_document& document, std::string_view content);

bool ran(pugi::xml_node testcase);  // rather than being skipped
// A failure, an error, or what ctest could not run and counts as failed.
bool failed(pugi::xml_node testcase);

double seconds_of(pugi::xml_node element);  // 0: it says none

// The times of a report, however its reporter writes them. What is no time, or none that can be, is
// left out and counted: it costs no test its outcome.
class ReportTimes {
 public:
  explicit ReportTimes(const ReadOptions& options) : options_(options) {}
  std::optional<TimeMs> of(pugi::xml_node element);
  void tell_odd() const;  // by options.note

 private:
  const ReadOptions& options_;
  std::size_t odd_ = 0;
  std::string first_;  // of the odd ones
};

}  // namespace hebb::input
