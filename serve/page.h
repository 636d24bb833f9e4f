// The page at /: its files, as they were built into the program. They hold no data, so that they
// are given without a token; what the page shows it asks for as any other client does.
#pragma once

#include <span>
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

const PageFile* page_file(std::string_view name);  // null: there is none
// The answer to a request whose route has a file.
Response page_response(const Request& request);

}  // namespace hebb::serve
