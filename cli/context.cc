// The global options, opening the database, and reading arguments: what every command shares.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/database.h"
#include "cli/command.h"

namespace hebb::cli {

namespace fs = std::filesystem;

constexpr const char* kRest = "COMMAND";  // the positional that stands for a command of its own

TimeMs Context::now() const {
  if (now_option) return *now_option;
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

namespace {

// Refuses databases in memory, because what a command does to them would be lost.
std::string named_file(std::string path, std::string_view by) {
  if (path != ":memory:" && !path.starts_with("file:")) return path;
  throw Stop(kUsage, fmt::format("{} names \"{}\": give the path of a file (./{} if that is one)",
                                 by, path, path));
}

}  // namespace

std::string Context::db_path() const {
  if (!db.empty()) return named_file(db, "--db");
  if (const char* env = std::getenv("HEBB_DB"); env && *env) return named_file(env, "HEBB_DB");
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) {
    return (fs::path(state) / "hebb" / "hebb.db").string();
  }
  const char* home = std::getenv("HOME");
  if (!home || !*home) {
    throw Stop(kUsage,
               "no database named: give --db PATH, or set HEBB_DB (HOME is not set either)");
  }
  return (fs::path(home) / ".local" / "state" / "hebb" / "hebb.db").string();
}

void Context::make_default_folder() const {
  const char* env = std::getenv("HEBB_DB");
  if (!db.empty() || (env && *env)) return;
  std::error_code ec;
  fs::create_directories(fs::path(db_path()).parent_path(), ec);
}

namespace {

void require_database(const std::string& path) {
  std::error_code ec;
  if (fs::exists(path, ec)) return;
  const fs::path folder = fs::absolute(path, ec).parent_path();
  const std::string make_folder =
      fs::exists(folder, ec) ? "" : fmt::format("mkdir -p {} && ", folder.string());
  throw Stop(kNoDatabase,
             fmt::format("there is no database at {}; make one with `{}hebb --db {} init`, "
                         "or name another with --db or HEBB_DB",
                         path, make_folder, path));
}

std::string why_unwritable(const std::string& path, const sql::Error& e) {
  if (::access(path.c_str(), W_OK) != 0) return std::strerror(errno);
  std::error_code ec;
  const std::string folder = fs::absolute(path, ec).parent_path().string();
  if (::access(folder.c_str(), W_OK) != 0) {
    return fmt::format("its folder {}: {}", folder, std::strerror(errno));
  }
  return e.what();
}

// Calls open(options), and again read-only if the file cannot be written and `access` allows it.
template <class Open>
auto open_as(Context::Access access, EngineOptions options, Open open) {
  options.create = access == Context::Access::create;
  if (!options.create) require_database(options.path);
  try {
    return open(options);
  } catch (const sql::NotOurs&) {
    throw;
  } catch (const sql::Error& e) {
    std::error_code ec;
    if (!e.unwritable() || !fs::exists(options.path, ec)) throw;
    if (access != Context::Access::read) {
      throw Stop(kFailed, fmt::format("{} cannot be written, and this command would change it: {}",
                                      options.path, why_unwritable(options.path, e)));
    }
  }
  options.read_only = true;
  return open(options);
}

}  // namespace

Engine Context::open(Access access, int busy_timeout_ms) const {
  if (access == Access::create) make_default_folder();
  EngineOptions options;
  options.path = db_path();
  options.busy_timeout_ms = busy_timeout_ms;
  options.progress = [bar = std::make_shared<ProgressBar>(*this, "reading the graph")](
                         std::size_t done, std::size_t total) { bar->update(done, total); };
  options.warning = [this](const std::string& text) { note("warning: " + text); };
  return open_as(access, options, [](const EngineOptions& o) { return Engine(o); });
}

sql::Database Context::open_tables(Access access) const {
  if (access == Access::create) make_default_folder();
  EngineOptions options;
  options.path = db_path();
  return open_as(access, options, [](const EngineOptions& o) { return open_database(o); });
}

void Context::require_other_file(const std::string& path) const {
  api::require_other_file(path, db_path());
}

void Context::write_file(const std::string& path, std::string_view text) const {
  if (path == "-") return data(text);
  require_other_file(path);
  sql::FileReplacement file(path, sql::FileReplacement::Existing::replace);
  file.write(text);
  file.commit();
}

CLI::App* add_command(CLI::App& app, Context& context, const std::string& name,
                      const std::string& does, const std::string& examples,
                      std::function<void()> run) {
  CLI::App* command = app.add_subcommand(name, does);
  command->footer("Examples:\n" + examples);
  command->fallthrough();
  if (run) command->callback([&context, run = std::move(run)] { context.run = run; });
  return command;
}

void add_rest(CLI::App& command, const std::string& does) {
  // Only for help, completions and the man page; main.cc removes the words before CLI11 parses.
  command.add_option_function<std::vector<std::string>>(
      kRest, [](const std::vector<std::string>&) {}, does);
}

bool has_rest(const CLI::App& command) { return command.get_option_no_throw(kRest) != nullptr; }

void require_file(const std::string& path) {
  if (path == "-") return;
  std::error_code ec;
  if (fs::is_directory(path, ec))
    throw Stop(kNoFile, fmt::format("{} is a folder, not a file", path));
  if (::access(path.c_str(), R_OK) != 0)
    throw Stop(kNoFile, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
}

FileInput::FileInput(const std::string& path) : path_(path), fd_(STDIN_FILENO) {
  require_file(path);
  if (path != "-") fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd_ < 0) throw Stop(kNoFile, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
}

std::uint64_t FileInput::size() const {
  struct stat status {};
  const bool regular = ::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode);
  return regular ? static_cast<std::uint64_t>(status.st_size) : 0;
}

FileInput::~FileInput() {
  if (fd_ != STDIN_FILENO) ::close(fd_);
}

Input::Read FileInput::read() const {
  return [this, ended = false](char* to, std::size_t room) mutable -> std::size_t {
    while (!ended) {  // do not read a terminal again after its end of input
      const auto got = ::read(fd_, to, room);
      ended = got == 0;
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno == EINTR) continue;
      throw Stop(kNoFile, fmt::format("cannot read {}: {}", path_ == "-" ? "standard input" : path_,
                                      std::strerror(errno)));
    }
    return 0;
  };
}

std::string read_file(const std::string& path) {
  constexpr std::size_t kMost = 16 << 20;
  const FileInput file(path);
  Input input(file.read(), 2 * kMost);
  try {
    return std::string(input.rest(kMost));
  } catch (const UnreadableInput& e) {
    throw UnreadableInput(fmt::format("{}: {}", path == "-" ? "(stdin)" : path, e.what()));
  }
}

std::string format_time(TimeMs t) {
  if (t == graph::kNever) return "never";
  using namespace std::chrono;
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                     fmt::gmtime(floor<seconds>(milliseconds(t)).count()));
}

std::optional<TimeMs> duration_ms(const std::string& text) {
  if (text.size() < 2) return std::nullopt;
  double unit = 0;
  switch (text.back()) {
    case 'd':
      unit = 86'400'000;
      break;
    case 'h':
      unit = 3'600'000;
      break;
    case 'm':
      unit = 60'000;
      break;
    case 's':
      unit = 1'000;
      break;
    default:
      return std::nullopt;
  }
  std::size_t used = 0;
  double number = 0;
  try {
    number = std::stod(text, &used);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (used != text.size() - 1 || !(number >= 0) || number * unit > 4e15) return std::nullopt;
  return static_cast<TimeMs>(number * unit);
}

TimeMs parse_duration_ms(const std::string& text) {
  if (const auto span = duration_ms(text)) return *span;
  throw Stop(
      kUsage,
      fmt::format("\"{}\" is no span of time; write a number with d, h, m or s, such as 14d, "
                  "of no more than 46000000 days",
                  text));
}

std::vector<reward::Setting> parse_settings(const std::vector<std::string>& assignments) {
  std::vector<reward::Setting> settings;
  for (const auto& a : assignments) {
    const auto eq = a.find('=');
    if (eq == std::string::npos) {
      throw Stop(kUsage, fmt::format("\"{}\" is no setting; write KEY=VALUE", a));
    }
    settings.push_back({a.substr(0, eq), a.substr(eq + 1)});
  }
  return settings;
}

}  // namespace hebb::cli
