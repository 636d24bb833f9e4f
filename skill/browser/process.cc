#include "skill/browser/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "skill/browser/clock.h"

namespace hebb::skill {
namespace {

namespace fs = std::filesystem;

constexpr int kEndMs = 10'000;  // for all of a browser's processes to end after a kill

constexpr const char* kFlags[] = {
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-dev-shm-usage",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-domain-reliability",
    "--disable-search-engine-choice-screen",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--no-service-autorun",
    "--no-pings",
    "--mute-audio",
    "--disable-gpu",
    "--force-color-profile=srgb",
    "--lang=en-US",
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,"
    "CertificateTransparencyComponentUpdater,AutofillServerCommunication,"
    "InterestFeedContentSuggestions,"
    "HttpsUpgrades,PaintHolding,DestroyProfileOnBrowserClose,"
    // A new window starts processes that a run does not use: for the list under the address bar,
    // and for a next page. Without them a run's page takes half as much work.
    "SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup"};

// The browser's network process sends all requests to a missing proxy, except those to open
// origins: also of workers, web sockets and redirections. Only names of open origins are looked up.
// WebRTC would bypass a proxy where it can.
std::vector<std::string> network_limits(const std::vector<OpenOrigin>& open) {
  std::string names = "MAP * ~NOTFOUND", direct = "<-loopback>";
  for (const OpenOrigin& o : open) {
    // An address of IPv6 is compared without its brackets.
    const bool bare = o.host.starts_with('[') && o.host.ends_with(']');
    names += " , EXCLUDE " + (bare ? o.host.substr(1, o.host.size() - 2) : o.host);
    const std::string port = o.port == "*" ? "" : ":" + o.port;
    for (const std::string_view scheme :
         {o.scheme == "http" ? "http" : "https", o.scheme == "http" ? "ws" : "wss"})
      direct += fmt::format(";{}://{}{}", scheme, o.host, port);
  }
  return {"--host-resolver-rules=" + names, "--proxy-server=http://not-open.invalid:1",
          "--proxy-bypass-list=" + direct, "--webrtc-ip-handling-policy=disable_non_proxied_udp"};
}

std::vector<std::string> arguments(const BrowserOptions& options, const std::string& program,
                                   const std::string& folder) {
  std::vector<std::string> args{program};
  args.insert(args.end(), std::begin(kFlags), std::end(kFlags));
  args.push_back("--user-data-dir=" + folder + "/profile");
  args.push_back(fmt::format("--window-size={},{}", options.width, options.height));
  if (!options.headed) args.emplace_back("--headless=new");
  // Chromium's sandbox does not work for root.
  if (geteuid() == 0) args.emplace_back("--no-sandbox");
  for (std::string& limit : network_limits(options.open)) args.push_back(std::move(limit));
  args.emplace_back("about:blank");
  return args;
}

// The browser's environment: all its user files go into `folder`, which is removed at the end.
std::vector<std::string> environment(const std::string& folder) {
  std::vector<std::string> out;
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string_view entry = *e;
    const std::string_view name = entry.substr(0, entry.find('='));
    const bool ours = name == "HOME" || name == "TMPDIR" || name.starts_with("XDG_") ||
                      name.starts_with("HEBB_SECRET_");
    if (!ours) out.emplace_back(entry);
  }
  out.push_back("HOME=" + folder + "/home");
  out.push_back("TMPDIR=" + folder + "/tmp");
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Child processes of this one. It is a subreaper, so orphans of the browser are among them.
std::vector<pid_t> children() {
  std::vector<pid_t> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat(entry.path() / "stat");
    std::string text;
    std::getline(stat, text);
    // The line is `pid (name) state parent`; the name may contain any characters.
    const std::size_t end = text.rfind(')');
    if (end == std::string::npos || end + 4 > text.size()) continue;
    if (std::strtol(text.c_str() + end + 4, nullptr, 10) == getpid())
      out.push_back(static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10)));
  }
  return out;
}

// Kills all child processes and waits for them, because a dying one may still write.
void end_children() {
  const Deadline deadline = in_ms(kEndMs);
  while (!is_over(deadline)) {
    for (const pid_t pid : children()) kill(pid, SIGKILL);
    pid_t reaped = 0;
    do {
      reaped = waitpid(-1, nullptr, WNOHANG);
    } while (reaped > 0);
    if (reaped < 0 && errno == ECHILD) return;
    usleep(2000);
  }
}

struct Ends {
  int life, commands, answers, log;
};

void keep_only(std::initializer_list<int> keep) {
  for (int fd = 3; fd < 4096; ++fd) {
    if (std::find(keep.begin(), keep.end(), fd) == keep.end()) close(fd);
  }
}

[[noreturn]] void become_browser(const Ends& ends, char** args, char** env) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Move them to 10 and above first, because they may themselves be descriptors 3 and 4.
  const int commands = fcntl(ends.commands, F_DUPFD, 10),
            answers = fcntl(ends.answers, F_DUPFD, 10);
  const int log = fcntl(ends.log, F_DUPFD, 10);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, 0);
  dup2(nothing, 1);
  dup2(log, 2);
  dup2(commands, 3);
  dup2(answers, 4);
  for (int fd = 5; fd < 4096; ++fd) close(fd);
  execve(args[0], args, env);
  _exit(127);
}

// The process between hebb and the browser. When the other end of `life` is closed, which also
// happens if hebb is killed, it kills all of the browser's processes and removes the folder.
[[noreturn]] void guard(const Ends& ends, char** args, char** env, const std::string& folder) {
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM}) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGCHLD, SIG_DFL);
  keep_only({ends.life, ends.commands, ends.answers, ends.log});
  const pid_t browser = fork();
  if (browser == 0) become_browser(ends, args, env);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) dup2(nothing, fd);
  close(ends.commands);
  close(ends.answers);
  char byte = 0;
  while (read(ends.life, &byte, 1) < 0 && errno == EINTR) {
  }
  end_children();
  std::error_code error;
  fs::remove_all(folder, error);
  _exit(0);
}

// A socket pair rather than a pipe, so that a write without a reader raises no signal.
struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
      throw BrowserError("no pipe for the browser can be made");
    read = fds[0];
    write = fds[1];
  }
  ~Pipe() {
    for (const int fd : {read, write}) {
      if (fd >= 0) close(fd);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

std::string make_folder() {
  std::string folder = (fs::temp_directory_path() / "hebb-browser-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    throw BrowserError(fmt::format("cannot make {}: {}", folder, std::strerror(errno)));
  }
  for (const char* name : {"/profile", "/home", "/tmp", "/downloads"})
    mkdir((folder + name).c_str(), 0700);
  return folder;
}

void never_block(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

std::string find_browser(const std::string& program) {
  const auto runs = [](const std::string& path) {
    return access(path.c_str(), X_OK) == 0 && !fs::is_directory(path);
  };
  if (program.find('/') != std::string::npos) return runs(program) ? program : "";
  const char* path = std::getenv("PATH");
  std::vector<std::string> names{"chromium", "chromium-browser", "google-chrome"};
  if (!program.empty()) names = {program};
  for (const std::string& name : names) {
    std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const std::string file = fmt::format("{}/{}", rest.substr(0, end), name);
      if (runs(file)) return file;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return "";
}

BrowserProcess::BrowserProcess(const BrowserOptions& options) {
  const std::string program = find_browser(options.program);
  if (program.empty()) {
    throw BrowserError(options.program.empty()
                           ? "no Chromium is installed; `scripts/install-deps --browser` does so, "
                             "or name one by --browser"
                           : fmt::format("{} is no program", options.program));
  }
  Pipe commands, answers, life;
  folder_ = make_folder();
  auto args = arguments(options, program, folder_);
  auto env = environment(folder_);
  const int log = open((folder_ + "/stderr").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  auto arg_pointers = pointers(args);
  auto env_pointers = pointers(env);
  guard_ = fork();
  if (guard_ == 0) {
    close(life.write);
    guard({life.read, commands.read, answers.write, log}, arg_pointers.data(), env_pointers.data(),
          folder_);
  }
  close(log);
  if (guard_ < 0) {
    fs::remove_all(folder_);
    throw BrowserError("no process for the browser can be made");
  }
  to_ = std::exchange(commands.write, -1);
  from_ = std::exchange(answers.read, -1);
  life_ = std::exchange(life.write, -1);
  never_block(to_);
  never_block(from_);
}

BrowserProcess::~BrowserProcess() {
  close(to_);
  close(from_);
  close(life_);
  int status = 0;
  while (waitpid(guard_, &status, 0) < 0 && errno == EINTR) {
  }
  // In case the guard itself was killed.
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::string BrowserProcess::error_output() const {
  std::ifstream in(folder_ + "/stderr");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  constexpr std::size_t kEnd = 500;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.size() > kEnd ? text.substr(text.size() - kEnd) : text;
}

}  // namespace hebb::skill
