#include "cli/selectors.h"

#include <filesystem>

#include <fmt/format.h>

#include "api/problem.h"
#include "api/selectors.h"
#include "cli/output.h"

namespace hebb::cli {

namespace {

// pytest and unittest run nothing at all if one of their arguments does not exist, and jest warns.
void note_missing_files(const Context& context, const std::vector<std::string>& selectors) {
  std::size_t missing = 0;
  std::string first;
  for (const auto& selector : selectors) {
    const std::string file = selector.substr(0, selector.find("::"));
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) continue;
    if (++missing == 1) first = file;
  }
  if (missing == 0) return;
  context.note(fmt::format(
      "{} of {} in a file that is not here, such as {}: pytest ends with \"not found\" and runs "
      "none. Run it where the files are, or give the tests that there are with --among",
      missing,
      counted(static_cast<std::int64_t>(selectors.size()), "test is",
              missing == 1 ? "tests is" : "tests are"),
      first));
}

}  // namespace

void print_for_runner(const Context& context, const std::string& name,
                      const std::vector<std::string>& selectors) {
  const api::Runner& runner = *api::find_runner(name);
  if (!api::takes_all(runner, selectors)) {
    throw api::Problem(
        api::ProblemType::not_found,
        fmt::format("{} takes no choice of {} at a time, so nothing is printed: run all, or choose "
                    "fewer by --limit or --budget",
                    name, counted(static_cast<std::int64_t>(selectors.size()), "test")),
        "limit");
  }
  if (name == "pytest") note_missing_files(context, selectors);
  context.data(api::joined_selectors(runner, selectors) + "\n");
}

}  // namespace hebb::cli
