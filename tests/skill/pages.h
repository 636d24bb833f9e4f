// A web site for tests of replay: the files of tests/skill/site, and pages made on the spot.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/raw_server.h"

namespace hebb::test {

class Site {
 public:
  // From now on the path gives this page.
  void put(const std::string& path, const std::string& html);
  // From now on this is called, on a thread of the server's, for the path.
  using Answer = std::function<void(const Wire&)>;
  void on(const std::string& path, Answer answer);
  static std::string file(const std::string& name);  // the text of a file of tests/skill/site
  std::string url(const std::string& path) const;
  std::string domain() const;

 private:
  void answer(const std::string& path, const Wire& wire);

  std::mutex mutex_;
  std::map<std::string, std::string> pages_;
  std::map<std::string, Answer> answers_;
  RawServer server_{[this](const Heard& heard, const Wire& wire) {
    answer(heard.path.substr(0, heard.path.find('?')), wire);
  }};
};

// What this process would leave behind if it ended now: child processes, folders and sockets of
// browsers, and descriptors.
struct Left {
  std::size_t processes = 0, folders = 0, descriptors = 0;
  bool operator==(const Left&) const = default;
};
Left left_behind();

// The browsers that this process has started, by their process ids.
std::vector<int> own_browsers();
// The processes of those that show pages.
std::vector<int> own_renderers();

// A page with this body and the title T.
std::string page(const std::string& body);

// The text with the first `what` replaced.
std::string with(std::string text, const std::string& what, const std::string& by);

}  // namespace hebb::test

// A test of replay ends here where there is no browser, and counts as skipped.
#define NEEDS_BROWSER()                                                       \
  if (hebb::skill::find_browser("").empty()) {                                \
    WARN("hebb-test-skipped: no chromium: `scripts/install-deps --browser`"); \
    return;                                                                   \
  }
