// The page at /: its files, as they were built into the program. They hold no data, so that they
// are given without a token; what the page shows it asks for as any other client does.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "serve/message.h"

namespace hebb::serve {

struct PageFile {
  std::string_view name;  // "index.html"
  std::string_view hash;  // of the body
  std::string_view body;
};
// Generated from serve/page/built/ by cmake/GeneratePage.cmake.
std::span<const PageFile> page_files();

// Whether the target is the page, or a file of it.
bool is_page(std::string_view target);
// The answer to such a request; nothing, where the target is something else.
std::optional<Response> page_response(const Request& request);

}  // namespace hebb::serve
