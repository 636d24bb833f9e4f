// hebb verify, rebuild, quarantine
#include <fmt/format.h>

#include "api/counted.h"
#include "api/integrity.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

void add_verify(CLI::App& app, Context& context) {
  using api::VerifyRequest, api::VerifyResult;
  add_operation<VerifyRequest, VerifyResult>(
      app, context,
      {"verify",
       api::verify,
       [](const Context& c, const VerifyRequest&, const VerifyResult& result) {
         for (const auto& problem : result.problems) c.line(problem);
         if (result.ok) {
           c.report(
               "ok: the file and the ledger are whole, and the mirror is what the ledger "
               "folds to");
         }
       },
       {},
       [](const Context& c, const VerifyRequest&, const VerifyResult& result) {
         if (result.ok) return;
         throw Stop(
             kFailed,
             fmt::format("{} in {}", counted(std::ssize(result.problems), "problem"), c.db_path()));
       }});
}

void add_rebuild(CLI::App& app, Context& context) {
  using api::RebuildRequest, api::RebuildResult;
  add_operation<RebuildRequest, RebuildResult>(
      app, context,
      {"rebuild", api::rebuild,
       [](const Context& c, const RebuildRequest&, const RebuildResult& result) {
         c.report("the mirror is rebuilt from " + counted(result.events, "event"));
       }});
}

void add_quarantine(CLI::App& app, Context& context) {
  using api::QuarantineRequest, api::QuarantineResult;
  add_operation<QuarantineRequest, QuarantineResult>(
      app, context,
      {"quarantine", api::quarantine,
       [](const Context& c, const QuarantineRequest&, const QuarantineResult& result) {
         for (const auto& [event, damage] : result.events)
           c.report(fmt::format("event {} counts no more: {}", event, damage));
         c.report("what is left of it stays in the ledger; `hebb verify` looks at the rest");
       }});
}

}  // namespace hebb::cli
