#include "serve/page.h"

#include <algorithm>

#include <fmt/format.h>

namespace hebb::serve {

namespace {

constexpr std::string_view kFolder = "/page/";
// Nothing but the page's own files and its own server; no script and no style within the markup.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

const PageFile* file_of(std::string_view target) {
  target = target.substr(0, target.find('?'));
  std::string_view name = target;
  if (target == "/") {
    name = "index.html";
  } else if (target.starts_with(kFolder)) {
    name.remove_prefix(kFolder.size());
  } else {
    return nullptr;
  }
  const auto files = page_files();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const PageFile& f) { return f.name == name; });
  return file == files.end() ? nullptr : &*file;
}

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  if (name.ends_with(".woff2")) return "font/woff2";
  return "text/plain; charset=utf-8";
}

}  // namespace

bool is_page(std::string_view target) { return file_of(target) != nullptr; }

std::optional<Response> page_response(const Request& request) {
  const PageFile* file = file_of(request.target);
  if (!file) return std::nullopt;
  if (request.method != "GET") {
    Response response = problem_response(405, "Method Not Allowed", "this has GET");
    response.headers.emplace_back("Allow", "GET");
    return response;
  }
  Response response;
  response.operation = "page";
  const std::string etag = fmt::format("\"{}\"", file->hash);
  response.headers.emplace_back("ETag", etag);
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  if (names_tag(request.header("if-none-match"), etag)) {
    response.status = 304;
    return response;
  }
  response.content_type = type_of(file->name);
  response.body = file->body;
  return response;
}

}  // namespace hebb::serve
