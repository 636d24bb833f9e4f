#include "cli/selectors.h"

#include <fmt/format.h>

#include "api/problem.h"
#include "api/selectors.h"
#include "cli/output.h"

namespace hebb::cli {

void print_for_runner(const Context& context, const std::string& name,
                      const std::vector<std::string>& selectors, const char* smaller) {
  const api::Runner& runner = *api::find_runner(name);
  if (!api::takes_all(runner, selectors)) {
    throw api::Problem(
        api::ProblemType::not_found,
        fmt::format("{} takes no choice of {} at a time, so nothing is printed: run all, or choose "
                    "fewer by {}",
                    name, counted(static_cast<std::int64_t>(selectors.size()), "test"), smaller),
        "limit");
  }
  if (const std::string text = api::joined_selectors(runner, selectors); !text.empty())
    context.data(text + "\n");
}

}  // namespace hebb::cli
