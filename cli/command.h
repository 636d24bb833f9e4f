// The parts that every command shares: the global options, opening the database, writing output.
//
// A command is an operation's, with a view (cli/view.h), or a program of its own: a file and a line
// in the list in commands.cc. It throws; main.cc alone turns errors into exit codes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "api/database_folder.h"
#include "api/session.h"

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
  // As in a shell, for a command that could not be started.
  kNotExecutable = 126,
  kNotFound = 127,
};

// Ends the command with a message and a code. An empty message: it is printed already.
class Stop : public std::runtime_error {
 public:
  Stop(Exit code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Exit code() const { return code_; }

 private:
  Exit code_;
};

using Json = nlohmann::ordered_json;

// A column of a table; right: aligned to the right, for numbers; shrinks: cut where a line would be
// wider than the terminal.
struct Column {
  std::string heading;
  bool right = false;
  bool shrinks = false;
};

class OutcomeHook;

class Context {
 public:
  // --- set by the global options ---
  std::vector<std::string> databases;  // none: see place()
  std::optional<TimeMs> now_option;
  std::string tz;  // empty: none was given
  bool json = false;
  bool quiet = false;
  std::string format;  // how results are printed; see add_format()

  bool asks_several = false;  // the command may be given several databases: see CommandSession

  // The words of the argument COMMAND, of commands that have it: CLI11 does not see them.
  std::vector<std::string> command;

  // --- --on-outcome, of commands that have it: see cli/outcome_hook.h ---
  std::string on_outcome;  // empty: none
  TimeMs on_outcome_ms = 60'000;
  mutable std::shared_ptr<OutcomeHook> outcome_hook;  // set when the database is opened

  // --- what runs after the line is parsed: set by the command's callback ---
  std::function<void()> run;

  TimeMs now() const;         // --now, else the clock
  std::string agent() const;  // $HEBB_AGENT_ID; empty: not set
  // The first database of --db, else api::database_place(). Throws Problem.
  api::DatabasePlace place() const;
  bool names_database() const;   // by --db or $HEBB_DB
  std::string db_path() const;   // to open it; with the password of a URL
  std::string shown_db() const;  // for messages: the same without the password
  // Makes .hebb/ in api::folder_for_database(), which git ignores, if no database was named and
  // api::database_folder() finds none.
  void make_own_folder() const;
  // Writes the .gitignore of a .hebb that has no database yet.
  void keep_out_of_git() const;
  // The end of a message: if the default database is used although a folder further up has one,
  // names that and how to use it. Else empty.
  std::string further_up() const;
  // Before the default database is made: makes its folder, with a note, since another database may
  // have been meant. Does nothing for a database that was named.
  void make_default_folder(const std::function<void(const std::string&)>& note) const;

  // The options to open the database, for CommandSession; makes the folder of a new one.
  EngineOptions opening(api::Access access) const;

  // --- output, by cli/output.h; `text` is one line without its newline ---
  void line(std::string_view text) const;    // stdout: the result
  void report(std::string_view text) const;  // stdout, unless -q: what the command did
  void note(std::string_view text) const;    // stderr, unless -q
  // As line(); where it does not fit, it is broken at blanks, and the rest is indented.
  void wrapped_line(std::string_view text, std::size_t indent) const;
  void data(std::string_view text) const;    // stdout, any text, unchanged: for programs
  void print_json(const Json& value) const;  // stdout
  // On stdout: columns as wide as their cells, under headings.
  void table(const std::vector<Column>& columns,
             const std::vector<std::vector<std::string>>& rows) const;
  // On stdout: names and values, a pair a line.
  void fields(const std::vector<std::pair<std::string, std::string>>& pairs) const;
};

// A sub-command with help text and its examples in the footer; `run` is called after parsing.
CLI::App* add_command(CLI::App& app, Context& context, const std::string& name,
                      const std::string& does, const std::string& examples,
                      std::function<void()> run);

// A check that the value of an option is not empty, as in --db="$UNSET".
CLI::Validator not_empty();
// A check of choices; its message lists them, and the one that was probably meant.
CLI::Validator one_of(std::vector<std::string> choices);

// Lets the command take an argument COMMAND: all words from the first plain word or "--" on.
void add_rest(CLI::App& command, const std::string& does);
bool has_rest(const CLI::App& command);

std::string format_time(TimeMs t);        // 2026-01-30T12:00:00Z; "never" for kNever
std::string one_line(std::string text);   // newlines and tabs as blanks
std::string shortened(std::string text);  // for a table: one line of at most 60 columns

// Shows progress on a terminal, for work that can take over a second.
class ProgressBar {
 public:
  ProgressBar(const Context& context, std::string what);
  ~ProgressBar();
  void update(std::size_t done, std::size_t total);  // disappears when done is total

 private:
  bool enabled_;
  std::string what_;
  std::int64_t last_drawn_ms_ = 0;
};

}  // namespace hebb::cli
