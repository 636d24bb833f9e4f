#include "engine/input/tracker.h"

#include <algorithm>

#include "engine/input/recognise.h"

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

}  // namespace hebb::input
