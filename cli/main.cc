// run_program(): global options, the list of commands, and errors into exit codes.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "api/files.h"
#include "api/open.h"
#include "api/problem.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/usage.h"
#include "cli/version.h"

namespace hebb::cli {

namespace {

void print_error(std::string_view text) { write_message(fmt::format("hebb: {}", text)); }

// Adds the database that may have been meant, where none was found.
api::Problem with_further_up(const api::Problem& problem, const Context& context) {
  if (problem.type != api::ProblemType::no_database) return problem;
  const std::string further_up = context.further_up();
  return further_up.empty() ? problem : api::Problem(problem.type, problem.marked + further_up);
}

// Prints a Problem as text for people or as JSON for programs; returns the exit code.
int explain(const api::Problem& given, const Context& context) {
  const api::Problem problem = with_further_up(given, context);
  const auto& info = api::info_of(problem.type);
  if (context.json) {
    write_message(problem.json().dump(-1, ' ', false, Json::error_handler_t::replace));
    return info.exit_code;
  }
  const bool refused = problem.type == api::ProblemType::refused;
  print_error(refused ? fmt::format("refused: {} ({})", problem.what(), problem.reason)
                      : problem.what());
  return info.exit_code;
}

// The same for an error from outside of the operations.
api::Problem problem_of(const Stop& stop) {
  for (const auto& info : api::problem_types()) {
    const bool general = info.type == api::ProblemType::failed ||
                         info.type == api::ProblemType::no_database || info.exit_code > kFailed;
    if (general && info.exit_code == stop.code()) return {info.type, stop.what()};
  }
  return {api::ProblemType::failed, stop.what()};
}

bool asks_version(const CLI::ParseError& e) {
  return dynamic_cast<const CLI::CallForVersion*>(&e) != nullptr;
}

// --help and --version are ParseErrors too. `unknown`: the first word, if it names no command
// although a later word may.
int explain_usage_error(const CLI::App& app, const CLI::ParseError& e, const Context& context,
                        const std::optional<std::string>& unknown) {
  if (e.get_exit_code() == 0) {
    write_data(asks_version(e)                 ? fmt::format("{}\n", e.what())
               : app.get_subcommands().empty() ? help_text(app)
                                               : app.help());
    return kDone;
  }
  const std::string text = unknown ? no_command_text(app, *unknown) : usage_error_text(app, e);
  return explain({api::ProblemType::invalid_argument, text}, context);
}

// The option of a command or of its parents; nullptr: there is none.
const CLI::Option* option_of(const CLI::App* command, const std::string& name) {
  for (; command; command = command->get_parent())
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  return nullptr;
}

// Whether an option takes the next word for its value.
bool takes_next(const CLI::App& command, const std::string& word) {
  if (word.find('=') != std::string::npos) return false;
  const CLI::Option* option = option_of(&command, word);
  return option && option->get_items_expected_min() > 0;
}

// The index of the first word that is no option: the command, if it names one. The size where there
// is none, or where an unknown option comes first.
std::size_t first_word(const CLI::App& app, std::span<char* const> words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string word = words[i];
    if (word.size() < 2 || word[0] != '-') return i;
    if (!app.get_option_no_throw(word.substr(0, word.find('=')))) break;
    if (takes_next(app, word)) ++i;
  }
  return words.size();
}

// The words of a line, with a removed command replaced by its successor, also before or after
// `help`.
std::vector<std::string> words_now(const CLI::App& app, std::span<char* const> line) {
  std::vector<std::string> words(line.begin(), line.end());
  std::vector<std::size_t> plain;  // indices of words that are neither options nor their values
  for (std::size_t i = first_word(app, line); i < words.size(); ++i) {
    if (words[i].size() < 2 || words[i][0] != '-')
      plain.push_back(i);
    else if (takes_next(app, words[i]))
      ++i;
  }
  const bool help = !plain.empty() && words[plain.front()] == "help";
  if (help) plain.erase(plain.begin());
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}}) {
    if (plain.size() < size) break;
    const Gone* gone =
        gone_command(size == 1 ? words[plain[0]] : words[plain[0]] + " " + words[plain[1]]);
    if (!gone) continue;
    const std::string option(gone->option);
    const auto equals = std::min(option.find('='), option.size());
    const auto has = [&](auto is) { return std::ranges::any_of(words, is); };
    if (!has([](const std::string& word) { return word == "-q" || word == "--quiet"; })) {
      std::string shown = fmt::format("{} {}", gone->now, option);
      std::replace(shown.begin(), shown.end(), '=', ' ');
      print_error(fmt::format("`hebb {}` is now `hebb {}`", gone->words,
                              shown.substr(0, shown.find_last_not_of(' ') + 1)));
    }
    const bool given = has([&](const std::string& word) {
      return word.substr(0, word.find('=')) == option.substr(0, equals);
    });
    const bool takes_argument = equals + 1 == option.size();
    if (!help && takes_argument && plain.size() > size) words[plain[size]].insert(0, option);
    if (!help && !takes_argument && !given && !option.empty()) words.push_back(option);
    if (size == 2) words.erase(words.begin() + static_cast<std::ptrdiff_t>(plain[1]));
    auto now = CLI::detail::split(std::string(gone->now), ' ');
    if (help) now.resize(size);  // without an argument
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(plain[0]);
    words.insert(words.erase(at), now.begin(), now.end());
    break;
  }
  return words;
}

// The index of the argument COMMAND, its first word or "--"; argc if there is none. CLI11 would
// parse its options, and "[a,b]" as two words.
int begin_of_rest(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = nullptr;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.size() > 1 && word[0] == '-' && word != "--") {
      if (takes_next(command ? *command : app, word)) ++i;
    } else if (command) {
      return i;
    } else {
      const auto named =
          app.get_subcommands([&](const CLI::App* c) { return c->check_name(word); });
      if (named.empty() || !has_rest(*named.front())) return argc;
      command = named.front();
    }
  }
  return argc;
}

// The words in reverse order, as CLI11 wants them. "--agent=" is an option with an empty value:
// CLI11 would take the next word for it, so an empty one is put there.
std::vector<std::string> reversed(const CLI::App& app, std::span<char* const> line) {
  std::vector<std::string> words;
  const CLI::App* command = &app;
  for (std::size_t i = 0; i < line.size(); ++i) {
    words.emplace_back(line[i]);
    const std::string word = words.back();
    if (word == "--") {
      words.insert(words.end(), line.begin() + static_cast<std::ptrdiff_t>(i) + 1, line.end());
      break;
    }
    const std::string name = word.substr(0, word.find('='));
    if (word.size() < 2 || word[0] != '-') {
      const auto named =
          command->get_subcommands([&](const CLI::App* c) { return c->check_name(word); });
      if (!named.empty()) command = named.front();
    } else if (name.size() + 1 == word.size() && takes_next(*command, name)) {
      words.back() = name;
      words.emplace_back();
    } else if (name.size() + 1 == word.size() && option_of(command, name)) {
      throw api::Problem(api::ProblemType::invalid_argument,
                         word + " has no value: give true or false, or leave the = out");
    } else if (takes_next(*command, word) && i + 1 < line.size()) {
      words.emplace_back(line[++i]);
    }
  }
  std::ranges::reverse(words);
  return words;
}

bool given(int argc, char** argv, std::string_view option) {
  return std::find(argv, argv + argc, option) != argv + argc;
}

void add_program_options(CLI::App& app, Context& context) {
  app.set_version_flag("--version", version_text);
  app.add_option("--db", context.databases, "The database; else $HEBB_DB, .hebb/ here or above")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args(false)  // one value each time, lest it takes the command
      ->type_name("TEXT")
      ->check(not_empty());
  const auto read_now = [&context](const std::string& text) {
    const ReadTime time = read_time(text);
    if (const auto* why = std::get_if<std::string>(&time))
      throw CLI::ValidationError("--now", *why);
    context.now_option = std::get<TimeMs>(time);
  };
  app.add_option_function<std::string>("--now", read_now,
                                       "Take this as now: milliseconds or RFC 3339")
      ->type_name("TIME");
  app.add_option("--tz", context.tz, "The zone of times that name none: Europe/Berlin")
      ->type_name("ZONE")
      ->check(not_empty());
  app.add_flag("--json", context.json, "Print JSON");
  app.add_flag("-q,--quiet", context.quiet, "Print only errors and what was asked for");
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Example: hebb init && hebb add \"Call plumber\" --due friday && hebb next\n"
      "hebb help COMMAND has its options and more examples");
}

// Throws Problem for several databases if the command takes only one, or for equal ones.
void require_databases(const CLI::App& app, const Context& context) {
  const auto& given = context.databases;
  if (given.size() < 2) return;
  const auto refuse = [](std::string why) {
    throw api::Problem(api::ProblemType::invalid_argument, std::move(why));
  };
  if (!context.asks_several)
    refuse(fmt::format("`{}` works on one database; --db was given {} times",
                       full_name(reached(app)), given.size()));
  for (auto a = given.begin(); a != given.end(); ++a) {
    std::error_code ignored;
    for (auto b = given.begin(); b != a; ++b)
      if (*a == *b || std::filesystem::equivalent(*a, *b, ignored))
        refuse(fmt::format("--db names {} twice", api::shown_path(*a)));
  }
}

// Prints the exception in flight; returns its exit code.
int explain_exception(const Context& context) {
  try {
    throw;
  } catch (const Stop& e) {
    if (*e.what()) explain(problem_of(e), context);
    return e.code();
  } catch (const sql::Error& e) {
    if (!e.not_a_database()) return explain(api::problem_of(std::current_exception()), context);
    return explain(
        {api::ProblemType::no_database,
         fmt::format("{} is no database; name another with --db or HEBB_DB", context.shown_db())},
        context);
  } catch (...) {
    return explain(api::problem_of(std::current_exception()), context);
  }
}

enum class Commands { named, all };

// Declaring the options of all commands takes longer than most commands run. So first only the
// named command is declared; after an error, or for help, which may list others, the line is parsed
// again with all commands.
int run_with(Commands which, int argc, char** argv) {
  CLI::App app{"hebb: a graph of tasks that learns from outcomes and answers \"what next?\"",
               "hebb"};
  Context context;
  add_program_options(app, context);
  std::vector<std::string> words;
  std::vector<char*> now;
  if (which == Commands::named) {
    words = words_now(app, {argv, static_cast<std::size_t>(argc)});
    for (std::string& word : words) now.push_back(word.data());
    argc = static_cast<int>(now.size());
    argv = now.data();
  }
  const std::size_t at = first_word(app, {argv, static_cast<std::size_t>(argc)});
  const auto word =
      at < static_cast<std::size_t>(argc) ? std::optional<std::string>(argv[at]) : std::nullopt;
  const bool named = word && is_command(*word);
  if (named ? reads_others(*word) : argc > 2) which = Commands::all;  // else it is --version
  if (which == Commands::all || named) {
    add_commands(app, context,
                 which == Commands::all ? std::nullopt : std::optional<std::string_view>(*word));
  }
  const int rest = begin_of_rest(app, argc, argv);
  for (int i = rest; i < argc; ++i) context.command.emplace_back(argv[i]);
  // A "--" belongs neither to hebb nor to the COMMAND.
  if (!context.command.empty() && context.command.front() == "--")
    context.command.erase(context.command.begin());
  try {
    const std::span<char* const> line(argv + 1, argv + rest);
    app.parse(reversed(app, line));
  } catch (const CLI::ParseError& e) {
    if (which == Commands::named && !asks_version(e)) return run_with(Commands::all, argc, argv);
    if (given(rest, argv, "--json")) context.json = true;  // may come after the error
    return explain_usage_error(app, e, context, !named ? word : std::nullopt);
  } catch (...) {
    return explain_exception(context);
  }
  try {
    if (const char* file = std::getenv("HEBB_SECRETS"); file && *file) api::use_secret_rules(file);
    require_databases(app, context);
    context.run();
    if (!flush_output()) throw Stop(kFailed, "cannot write to stdout");
    return kDone;
  } catch (...) {
    return explain_exception(context);
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  const std::span<char* const> line(argv, static_cast<std::size_t>(argc));
  std::vector<std::string_view> given(line.begin(), line.end());
  if (const char* database = std::getenv("HEBB_DB")) given.emplace_back(database);
  hide_addresses(api::secret_addresses(given));
  if (argc > 1 && argv[1] == std::string_view("__complete")) {
    CLI::App app("", "hebb");
    Context context;
    add_program_options(app, context);
    add_commands(app, context, std::nullopt);
    write_data(completed(app, {argv + 2, argv + argc}));
    return kDone;
  }
  return run_with(Commands::named, argc, argv);
}

}  // namespace hebb::cli
