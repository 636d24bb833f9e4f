// A web site for tests of replay: the files of tests/skill/site, and pages made on the spot.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <httplib.h>

namespace hebb::test {

class Site {
 public:
  Site();
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // From now on the path gives this page.
  void put(const std::string& path, const std::string& html);
  static std::string file(const std::string& name);  // the text of a file of tests/skill/site
  std::string url(const std::string& path) const;
  std::string domain() const;

 private:
  httplib::Server server_;
  std::thread thread_;
  int port_ = 0;
  std::mutex mutex_;
  std::map<std::string, std::string> pages_;
};

// The text with the first `what` replaced.
std::string with(std::string text, const std::string& what, const std::string& by);

}  // namespace hebb::test
