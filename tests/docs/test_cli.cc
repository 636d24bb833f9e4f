// docs/cli.md against the program: commands, exit codes, schedulers.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "api/schedule.h"
#include "tests/docs/page.h"

using hebb::Scheduler;
using hebb::test::in_backticks;
using hebb::test::Page;
using hebb::test::Shell;
using hebb::test::Table;

namespace {

const Page& cli_page() {
  static const Page cli("docs/cli.md");
  return cli;
}

// What may stand for `begin` behind `hebb`.
std::set<std::string> completed(Shell& shell, const std::string& begin) {
  std::istringstream lines(shell.run("hebb __complete '" + begin + "'").output);
  std::set<std::string> words;
  for (std::string line; std::getline(lines, line);) words.insert(line.substr(0, line.find('\t')));
  return words;
}

// Names in the list of subcommands that --help prints; of the program, all that there are.
std::set<std::string> subcommands(Shell& shell, const std::string& of) {
  if (of.empty()) {
    auto words = completed(shell, "");
    std::erase_if(words, [](const std::string& word) { return word.starts_with('-'); });
    return words;
  }
  std::istringstream help(shell.run("hebb " + of + " --help").output);
  std::set<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(help, line);) {
    if (line == "Subcommands:") {
      inside = true;
    } else if (inside && line.starts_with("  ") && line[2] != ' ') {
      names.insert(line.substr(2, line.find(' ', 2) - 2));
    } else if (inside && !line.starts_with(" ")) {
      inside = false;
    }
  }
  return names;
}

}  // namespace

TEST_CASE("every command is in the table, with its subcommands") {
  Shell shell;
  std::set<std::string> documented;
  const Table table = cli_page().tables("Commands").at(0);
  for (const auto& row : table.rows) {
    const auto names = in_backticks(row.at(0));
    documented.insert(names.begin(), names.end());
    const auto described = in_backticks(row.at(1));
    for (const std::string& name : names) {
      for (const std::string& subcommand : subcommands(shell, name)) {
        INFO(name << " " << subcommand);
        const bool named =
            std::find(described.begin(), described.end(), subcommand) != described.end();
        CHECK((named || name == "tools"));  // which has one, described by its page
      }
    }
  }
  CHECK(documented == subcommands(shell, ""));
}

TEST_CASE("the exit codes are those of the program") {
  std::ifstream in(std::string(HEBB_SOURCE_DIR) + "/cli/command.h");
  const std::string header{std::istreambuf_iterator<char>(in), {}};
  const auto from = header.find("enum Exit");
  REQUIRE(from != std::string::npos);
  const std::string list = header.substr(from, header.find('}', from) - from);
  const std::regex code(R"(k\w+ = (\d+))");
  std::set<std::string> documented, actual;
  for (std::sregex_iterator it(list.begin(), list.end(), code), end; it != end; ++it)
    actual.insert((*it)[1]);
  const Table table = cli_page().tables("Exit codes").at(0);
  for (const auto& row : table.rows) documented.insert(row.at(0));
  CHECK(documented == actual);
}

TEST_CASE("the ranges of schedulers are those of the program") {
  const std::map<std::string, Scheduler> schedulers{
      {"slurm", Scheduler::slurm},
      {"airflow", Scheduler::airflow},
      {"celery", Scheduler::celery_rabbitmq},
      {"celery --broker redis", Scheduler::celery_redis},
      {"temporal", Scheduler::temporal},
      {"k8s", Scheduler::kubernetes},
  };
  const Table table = cli_page().tables("Numbers for schedulers").at(0);
  CHECK(table.rows.size() == schedulers.size());
  for (const auto& row : table.rows) {
    const auto range = hebb::range_of(schedulers.at(in_backticks(row.at(0)).at(0)));
    INFO(row.at(0));
    CHECK(row.at(2) == std::to_string(range.first));
    CHECK(row.at(3) == std::to_string(range.last));
  }
}

TEST_CASE("the options of every command are in the table") {
  Shell shell;
  std::set<std::string> documented{"--help", "--version"}, actual = completed(shell, "-");
  const Table table = cli_page().tables("Every command").at(0);
  for (const auto& row : table.rows) {
    for (const std::string& option : in_backticks(row.at(0))) {
      if (option.starts_with("--")) documented.insert(option.substr(0, option.find(' ')));
    }
  }
  CHECK(documented == actual);
}
