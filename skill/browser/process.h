// A Chromium for one run, with its own profile and temporary folder, controlled through a pair of
// pipes. The destructor removes all of it, as does the end of this process, even if killed.
#pragma once

#include <compare>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace hebb::skill {

// The browser cannot be started, is gone, or does not answer.
class BrowserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The run was cancelled.
class Cancelled : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An origin that a browser may connect to; scheme: "http" or "https", web sockets included.
struct OpenOrigin {
  std::string scheme, host;  // * in the host stands for any part of it
  std::string port;          // "*": any
  auto operator<=>(const OpenOrigin&) const = default;
};

struct BrowserOptions {
  std::string program;             // empty: chromium, chromium-browser, google-chrome on PATH
  bool headed = false;             // with a window
  std::vector<OpenOrigin> open;    // only these are connected to or looked up
  int width = 1280, height = 720;  // of the page
  // Called several times a second during waits; true ends the run with Cancelled.
  std::function<bool()> cancelled;
};

// The browser's error of a request to an address that is not open.
inline constexpr std::string_view kNotOpen = "net::ERR_PROXY_CONNECTION_FAILED";

// The path of the program; empty if there is none.
std::string find_browser(const std::string& program);

class BrowserProcess {
 public:
  explicit BrowserProcess(const BrowserOptions& options);  // throws BrowserError
  ~BrowserProcess();  // ends all processes and removes the profile
  BrowserProcess(const BrowserProcess&) = delete;
  BrowserProcess& operator=(const BrowserProcess&) = delete;

  int to() const { return to_; }                         // non-blocking
  int from() const { return from_; }                     // non-blocking
  const std::string& folder() const { return folder_; }  // profile, downloads and the like
  std::string downloads() const { return folder_ + "/downloads"; }
  std::string error_output() const;  // the end of its standard error

 private:
  std::string folder_;
  int to_ = -1, from_ = -1, life_ = -1;
  pid_t guard_ = 0;
};

}  // namespace hebb::skill
