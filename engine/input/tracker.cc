#include "engine/input/tracker.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/input/recognise.h"
#include "engine/values/canonical_json.h"

namespace hebb::input {

namespace {

// The list of a document that has it in an object; else the document.
std::string_view list_in(std::string_view document, const Setting& list) {
  const std::string_view found = value_in_first(document, list.text());
  const bool is_object = document.find_first_of("{[") == document.find('{');
  return is_object && found.starts_with('[') ? value_at(found) : document;
}

}  // namespace

void read_tracker(const Mapping& mapping, Input& input, const ReadOptions& options,
                  const ItemSink& sink) {
  Tickets tickets(mapping, options, sink);
  std::int64_t lines_before = 0;
  const RawSink take = [&](RawItem raw) {
    raw.line += lines_before;
    tickets.take(raw);
  };
  if (mapping["pages"]) return tickets.finish(split_pages(input, take));
  const std::string_view document = input.rest(Limits::kDocumentBytes);
  const std::string_view list = mapping["list"] ? list_in(document, mapping["list"]) : document;
  lines_before = std::count(document.data(), list.data(), '\n');
  Input items(list);
  split_items(items, take);
  tickets.finish(true);
}

std::string origin_of(const Mapping& mapping, Element whole, Element item) {
  const auto text = [&](Key key) -> std::string {
    auto value = value_of(whole, mapping[key]);
    if (!value) value = value_of(item, mapping[key]);
    std::uint64_t n = 0;
    if (value && value->get(n) == simdjson::SUCCESS) return std::to_string(n);
    return value && value->is_string() ? std::string(value->get_string().value()) : std::string();
  };
  const std::string number = text("shown_number");
  std::string url = text("url");
  if (const std::string_view before = mapping["url_before"].text(); !before.empty()) {
    const auto end = url.find(before);
    url = end == url.npos
              ? ""
              : fmt::format("{}{}{}", url.substr(0, end), mapping["url_then"].text(), number);
  }
  if (!url.starts_with("https://") && !url.starts_with("http://")) url.clear();
  std::string json = "{";
  const auto add = [&](std::string_view name, std::string_view value) {
    constexpr std::size_t kMost = 2048;  // bytes; what is longer is none, and costs no task
    if (value.empty() || value.size() > kMost) return;
    json += fmt::format(R"({}"{}":{})", json.size() > 1 ? "," : "", name, json_text(value));
  };
  add("number", number);
  add("source", mapping.name);
  add("url", url);
  return json + "}";
}

}  // namespace hebb::input
