// Command lines, one word per line: each is understood or refused, with a documented exit code, and
// the database is sound afterwards. Commands that run other programs, or name files or servers, are
// parsed and not run (--help before them does that); the others work on a temporary database.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "cli/program.h"
#include "engine/engine.h"
#include "engine/input/input.h"

extern "C" void __sanitizer_set_report_fd(void* fd) __attribute__((weak));

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWords = 24;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// A folder in memory where there is one, a database to begin with, and the way back to it. The
// working folder stays: the corpus is named relative to it.
class Playground {
 public:
  Playground() {
    std::error_code none;
    std::string folder = fs::is_directory("/dev/shm", none) ? "/dev/shm" : "/tmp";
    folder += "/hebb-fuzz-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) std::abort();
    folder_ = folder;
    hebb::EngineOptions options;
    options.path = folder_ / "seed.db";
    hebb::Engine engine(options);
    constexpr std::string_view kHistory =
        R"({"kind":"node","at":1700000000001,"id":"a","type":"TASK","state":"OPEN","name":"first"}
{"kind":"node","at":1700000000001,"id":"b","type":"TASK","state":"OPEN"}
{"kind":"edge","at":1700000000002,"source":"a","target":"b","type":"BLOCKS"}
{"kind":"outcome","at":1700000000003,"taskId":"a","outcome":"failure","id":"o"}
{"kind":"outcome","at":1700000000004,"taskId":"ghost","outcome":"failure"}
)";
    hebb::IngestRequest request;
    request.content = kHistory;
    request.file = "f";
    for (const auto& format : hebb::formats()) {
      if (format.name == "history") request.format = &format;
    }
    require(engine.ingest(request).applied == 4, "the seed is taken");
    engine.sync();
    engine.back_up(folder_ / "copy.db", true);
  }
  ~Playground() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Playground(const Playground&) = delete;
  Playground& operator=(const Playground&) = delete;

  std::string database() const { return folder_ / "hebb.db"; }
  void restore() const {
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(database() + suffix);
    fs::copy_file(folder_ / "copy.db", database(), fs::copy_options::overwrite_existing);
  }

 private:
  fs::path folder_;
};

// Throws a command's output away; a sanitizer's reports are still printed.
class Silence {
 public:
  Silence() : out_(::dup(STDOUT_FILENO)), err_(::dup(STDERR_FILENO)) {
    if (__sanitizer_set_report_fd) {
      __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(err_)));
    }
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
  }
  ~Silence() {
    if (__sanitizer_set_report_fd) {
      __sanitizer_set_report_fd(reinterpret_cast<void*>(std::intptr_t{STDERR_FILENO}));
    }
    std::cout.flush();
    ::dup2(out_, STDOUT_FILENO);
    ::dup2(err_, STDERR_FILENO);
    ::close(out_);
    ::close(err_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int out_, err_;
};

// Of commands that need nothing but the database, and of their options.
bool may_run(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 23> kSafe{
      "init",     "rank",      "explain",     "node",     "link",        "unlink",
      "pivot",    "neighbors", "path",        "topology", "stats",       "search",
      "promoted", "policy",    "verify",      "undo",     "gc",          "rebuild",
      "tools",    "actions",   "recalibrate", "manpage",  "dead-letters"};
  constexpr std::array<std::string_view, 9> kUnsafe{"save",   "load",   "record", "trace",
                                                    "backup", "import", "ingest", "backtest"};
  bool safe = false;
  for (const std::string& w : words) {
    if (w.starts_with("-") && w != "-q" && w != "--json") {
      for (const char* reads : {"--vector", "--embedder", "--model"}) {
        if (w.starts_with(reads)) return false;
      }
      continue;
    }
    if (std::find(kUnsafe.begin(), kUnsafe.end(), w) != kUnsafe.end()) return false;
    safe = safe || std::find(kSafe.begin(), kSafe.end(), w) != kSafe.end();
    if (!safe) return false;  // the first word is the command
  }
  return safe;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Playground playground;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> words;
  while (!text.empty() && words.size() < kWords) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    words.emplace_back(text.substr(0, std::min(end, text.find('\0'))));  // as a kernel cuts it
    if (words.back().starts_with("--db")) return 0;                      // that of the playground
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  const bool run = may_run(words);
  std::vector<std::string> line{"hebb", "--db", playground.database()};
  if (!run) line.emplace_back("--help");
  line.insert(line.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& w : line) argv.push_back(w.data());
  argv.push_back(nullptr);
  playground.restore();
  int code = -1;
  {
    const Silence silence;
    code = hebb::cli::run_program(static_cast<int>(line.size()), argv.data());
  }
  constexpr std::array<int, 8> kCodes{0, 1, 2, 3, 65, 66, 69, 75};
  require(std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end(), "an exit code is known");
  require(run || code == 0 || code == 2, "what is not run is understood or refused");
  if (run) {
    hebb::EngineOptions options;
    options.path = playground.database();
    require(hebb::Engine(options).verify().empty(), "the database is sound");
  }
  return 0;
}
