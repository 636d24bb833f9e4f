#include "tests/skill/pages.h"

#include <fstream>
#include <stdexcept>

namespace hebb::test {

Site::Site() {
  server_.Get(".*", [this](const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard lock(mutex_);
    const auto page = pages_.find(request.path);
    if (page == pages_.end()) {
      response.status = 404;
    } else {
      response.set_content(page->second, "text/html; charset=utf-8");
    }
  });
  port_ = server_.bind_to_any_port("127.0.0.1");
  thread_ = std::thread([this] { server_.listen_after_bind(); });
}

Site::~Site() {
  server_.stop();
  thread_.join();
}

void Site::put(const std::string& path, const std::string& html) {
  const std::lock_guard lock(mutex_);
  pages_[path] = html;
}

std::string Site::file(const std::string& name) {
  std::ifstream in(std::string(HEBB_SOURCE_DIR "/tests/skill/site/") + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Site::url(const std::string& path) const { return "http://" + domain() + path; }
std::string Site::domain() const { return "127.0.0.1:" + std::to_string(port_); }

std::string with(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("there is no " + what);
  return text.replace(at, what.size(), by);
}

}  // namespace hebb::test
