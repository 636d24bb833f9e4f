// The program: global options, the list of commands, and errors into exit codes.
#include <algorithm>
#include <csignal>
#include <iostream>
#include <string_view>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/commands.h"

namespace hebb::cli {

namespace {

int explain_database_error(const sql::Error& e, const Context& context) {
  std::cerr << "hebb: " << e.what() << "\n";
  if (e.busy()) {
    std::cerr << "hebb: another process is writing to it; nothing was changed, try again\n";
    return kTryAgain;
  }
  if (e.corrupt()) {
    std::cerr << fmt::format(
        "hebb: the file is damaged or no hebb database; `hebb --db {} verify` says more\n",
        context.db_path());
    return kNoDatabase;
  }
  return e.cannot_open() ? kNoDatabase : kFailed;
}

// --help and --version come this way too.
int explain_usage_error(const CLI::App& app, const CLI::ParseError& e) {
  if (e.get_exit_code() == 0) return app.exit(e), kDone;
  const auto left = app.remaining(true);
  if (dynamic_cast<const CLI::RequiredError*>(&e) && !left.empty()) {
    std::cerr << fmt::format("hebb: there is no command \"{}\"", left.front());
  } else {
    std::cerr << "hebb: " << e.what();
  }
  std::cerr << "; `hebb --help` and `hebb COMMAND --help` say what there is\n";
  return kUsage;
}

int run(int argc, char** argv) {
  CLI::App app{"hebb: a graph of tasks that learns from outcomes and answers \"what next?\"",
               "hebb"};
  Context context;
  app.set_version_flag("--version", std::string("hebb ") + HEBB_VERSION);
  app.add_option("--db", context.db,
                 "The database (else $HEBB_DB, else $XDG_STATE_HOME/hebb/hebb.db)")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--now", context.now_option,
                 "The time to take as now, epoch milliseconds, for reproducible runs")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{253'402'300'799'999}));
  app.add_flag("--json", context.json, "Print JSON");
  app.add_flag("-q,--quiet", context.quiet, "Say nothing on stderr but errors");
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Example:\n  hebb init && hebb import history.jsonl && hebb recalibrate && hebb rank\n"
      "Each command has its own: hebb COMMAND --help");
  for (const auto& [name, add] : commands()) add(app, context);
  const auto mark = std::find(argv, argv + argc, std::string_view("--"));
  if (mark != argv + argc) context.after_mark.assign(mark + 1, argv + argc);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return explain_usage_error(app, e);
  }
  try {
    context.run();
    std::cout.flush();
    if (!std::cout) throw Stop(kFailed, "cannot write to stdout");
    return kDone;
  } catch (const Stop& e) {
    std::cout.flush();
    if (*e.what()) std::cerr << "hebb: " << e.what() << "\n";
    return e.code();
  } catch (const Refused& e) {
    std::cerr << "hebb: refused: " << e.what() << "\n";
    return kFailed;
  } catch (const UnreadableInput& e) {
    std::cerr << "hebb: " << e.what() << "\n";
    return kUnreadable;
  } catch (const reward::BadPolicy& e) {
    std::cerr << "hebb: " << e.what() << "\n";
    return kUsage;
  } catch (const sql::NewerSchema& e) {
    std::cerr << "hebb: " << e.what() << "\n";
    return kNoDatabase;
  } catch (const sql::Error& e) {
    return explain_database_error(e, context);
  } catch (const std::exception& e) {
    std::cerr << "hebb: " << e.what() << "\n";
    return kFailed;
  }
}

}  // namespace

}  // namespace hebb::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // `hebb … | head` ends quietly
  return hebb::cli::run(argc, argv);
}
