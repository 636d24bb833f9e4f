// hebb verify
#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

namespace {

// A database too damaged to open is what this command is asked about, not a reason to give up.
std::vector<std::string> problems_of(const Context& context) {
  try {
    return context.open(Context::Access::read).verify();
  } catch (const sql::Error& e) {
    if (!e.corrupt()) throw;
    return {fmt::format("file: {}", e.what())};
  }
}

void verify(const Context& context) {
  const auto problems = problems_of(context);
  if (context.json) {
    context.print_json({{"ok", problems.empty()}, {"problems", problems}});
  } else {
    for (const auto& p : problems) context.line(p);
    if (problems.empty())
      context.report(
          "ok: the file and the ledger are whole, and the mirror is what the ledger folds to");
  }
  if (!problems.empty()) {
    throw Stop(kFailed,
               fmt::format("{} {} in {}", problems.size(),
                           problems.size() == 1 ? "problem" : "problems", context.db_path()));
  }
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  add_command(app, context, "verify",
              "Check the file, the ledger, and that the mirror is what it folds to (exit 1 if not)",
              "  hebb verify\n  hebb verify --json | jq -r '.problems[]'",
              [&context] { verify(context); });
}

}  // namespace hebb::cli
