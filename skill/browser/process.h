// A Chromium for one run, with its own profile and temporary folder, controlled through a pair of
// pipes. Nothing of it is left when this is destroyed, nor when this process is killed.
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

// Whoever asked for the run does not want it any more.
class Cancelled : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a browser may connect to: the scheme, "http" or "https", with that of its web sockets.
struct OpenOrigin {
  std::string scheme, host;  // * in the host stands for any part of it
  std::string port;          // "*": any
  auto operator<=>(const OpenOrigin&) const = default;
};

struct BrowserOptions {
  std::string program;             // empty: chromium, chromium-browser, google-chrome on PATH
  bool headed = false;             // with a window
  std::vector<OpenOrigin> open;    // nothing else is connected to, nor looked up
  int width = 1280, height = 720;  // of the page
  // Asked several times a second while the browser is waited for; true ends the run with Cancelled.
  std::function<bool()> cancelled;
};

// The browser's error of a request to what is not open.
inline constexpr std::string_view kNotOpen = "net::ERR_PROXY_CONNECTION_FAILED";

// The path of the program; empty if there is none.
std::string find_browser(const std::string& program);

class BrowserProcess {
 public:
  explicit BrowserProcess(const BrowserOptions& options);  // throws BrowserError
  ~BrowserProcess();  // ends all that was started and removes the profile
  BrowserProcess(const BrowserProcess&) = delete;
  BrowserProcess& operator=(const BrowserProcess&) = delete;

  int to() const { return to_; }                         // non-blocking
  int from() const { return from_; }                     // non-blocking
  const std::string& folder() const { return folder_; }  // profile, downloads and the like
  std::string downloads() const { return folder_ + "/downloads"; }
  std::string said() const;  // the end of what it wrote to standard error

 private:
  std::string folder_;
  int to_ = -1, from_ = -1, life_ = -1;
  pid_t guard_ = 0;
};

}  // namespace hebb::skill
