// What every command shares: the global options, opening the database, writing output.
//
// A command is one file, cli/<name>.cc, with one function add_<name>(app, context), and one line in
// the list in commands.cc. It throws; main.cc alone turns errors into exit codes.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "engine/engine.h"
#include "engine/storage/sqlite_storage.h"

namespace hebb::cli {

// Exit codes that users rely on; do not renumber.
enum Exit : int {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,
  kSomeRefused = 3,
  kUnreadable = 65,
  kNoFile = 66,
  kNoDatabase = 69,
  kTryAgain = 75,
};

// Ends the command with a message and a code. Empty message: the command has printed it already.
class Stop : public std::runtime_error {
 public:
  Stop(Exit code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Exit code() const { return code_; }

 private:
  Exit code_;
};

using Json = nlohmann::ordered_json;

// A column of a table; numbers are aligned to the right. One that `shrinks` is cut if a line would
// not fit on the terminal.
struct Column {
  std::string heading;
  bool right = false;
  bool shrinks = false;
};

class Context {
 public:
  // --- set by the global options ---
  std::string db;  // empty: $HEBB_DB, else the state folder
  std::optional<TimeMs> now_option;
  bool json = false;
  bool quiet = false;

  // For commands that take a COMMAND: its words, unchanged. CLI11 does not see them.
  std::vector<std::string> command;

  // --- run after parsing; set by the callback of the chosen command ---
  std::function<void()> run;

  TimeMs now() const;  // --now, else the clock: the only place that reads it
  std::string db_path() const;
  // Makes the folder of the default database. The folder of a database that was named is not made.
  void make_default_folder() const;

  // What a command does with the database:
  //   read    appends no events. The database must exist; its mirror is brought up to date if it
  //           can be written;
  //   write   the database must exist and be writable;
  //   create  the same, but it is made if there is none.
  // Throws Stop: kNoDatabase if there is none (and says how to make one), kFailed if it cannot be
  // written.
  enum class Access { read, write, create };
  Engine open(Access access, int busy_timeout_ms = 5000) const;
  sql::Database open_tables(Access access) const;  // without the graph

  // Writes a file that the user named, whole or not at all; "-" is stdout. Throws sql::FileError.
  void write_file(const std::string& path, std::string_view text) const;
  // Throws api::Problem if a file to be written is the database itself.
  void require_other_file(const std::string& path) const;

  // --- output, by way of cli/output.h; `text` is one line without its newline ---
  void line(std::string_view text) const;    // stdout: the data that the user asked for
  void report(std::string_view text) const;  // stdout, unless -q: what the command did
  void note(std::string_view text) const;    // stderr, unless -q
  // As line(), but a line that is too long is broken at blanks, and the rest is indented.
  void wrapped_line(std::string_view text, std::size_t indent) const;
  void data(std::string_view text) const;    // stdout, any text, unchanged, for programs
  void print_json(const Json& value) const;  // stdout
  // On stdout: columns as wide as their content, under headings.
  void table(const std::vector<Column>& columns,
             const std::vector<std::vector<std::string>>& rows) const;
  // On stdout: names and values, one pair per line.
  void fields(const std::vector<std::pair<std::string, std::string>>& pairs) const;
};

// A sub-command with help text and its examples in the footer; `run` is called after parsing.
CLI::App* add_command(CLI::App& app, Context& context, const std::string& name,
                      const std::string& does, const std::string& examples,
                      std::function<void()> run);

// The command takes a COMMAND with arguments: everything from the first word that is not an option,
// or after "--".
void add_rest(CLI::App& command, const std::string& does);
bool has_rest(const CLI::App& command);

void require_file(const std::string& path);      // throws Stop(kNoFile) unless readable, or "-"
std::string read_file(const std::string& path);  // a small one; throws Stop(kNoFile)

// A file that is read piece by piece; "-": stdin. Throws Stop(kNoFile).
class FileInput {
 public:
  explicit FileInput(const std::string& path);
  ~FileInput();
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;
  Input::Read read() const;    // valid as long as this
  std::uint64_t size() const;  // of a regular file; else 0

 private:
  std::string path_;
  int fd_;
};
std::string format_time(TimeMs t);  // 2026-01-30 12:00:00 UTC; "never" for kNever
// "30d", "12h", "90m", "45s"; nullopt if it is not a duration, or too long for TimeMs.
std::optional<TimeMs> duration_ms(const std::string& text);
TimeMs parse_duration_ms(const std::string& text);  // throws Stop(kUsage) instead

// KEY=VALUE each, of --set; throws Stop(kUsage).
std::vector<reward::Setting> parse_settings(const std::vector<std::string>& assignments);

std::string one_line(std::string text);  // newlines and tabs as blanks

// Shows progress on a terminal, for work that can take over a second.
class ProgressBar {
 public:
  ProgressBar(const Context& context, std::string what);
  ~ProgressBar();
  void update(std::size_t done, std::size_t total);  // removes the bar once done == total

 private:
  bool enabled_;
  std::string what_;
  std::int64_t last_drawn_ms_ = 0;
};

}  // namespace hebb::cli
