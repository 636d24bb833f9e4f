#include "serve/page.h"

#include <algorithm>

#include <fmt/format.h>

namespace hebb::serve {

namespace {

// Nothing but the page's own files and its own server; no script and no style within the markup.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  if (name.ends_with(".woff2")) return "font/woff2";
  return "text/plain; charset=utf-8";
}

}  // namespace

const PageFile* page_file(std::string_view name) {
  const auto files = page_files();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const PageFile& f) { return f.name == name; });
  return file == files.end() ? nullptr : &*file;
}

Response page_response(const Request& request) {
  const PageFile& file = *request.route.file;
  const std::string etag = fmt::format("\"{}\"", file.hash);
  Response response = not_modified(etag);
  if (!is_known(request, etag)) {
    response.status = 200;
    response.content_type = type_of(file.name);
    response.body = file.body;
  }
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  return response;
}

}  // namespace hebb::serve
