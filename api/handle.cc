#include "api/handle.h"

#include <algorithm>
#include <utility>

#include "api/values.h"
#include "api/when.h"

namespace hebb::api {

Handle::Handle(SessionOptions options)
    : session_([&] {
        if (!options.zone.empty()) TimeZone(options.zone, "tz");
        options.serves = true;
        options.cancelled = [this] { return cancels_ != cancels_before_; };
        return std::move(options);
      }()) {
  try {
    session_.engine(Access::read);
  } catch (...) {
    throw problem_of(std::current_exception());
  }
}

void Handle::require_not_cancelled(std::uint64_t since) const {
  if (cancels_ != since) throw Problem(ProblemType::cancelled, "the caller cancelled this");
}

Answer Handle::run(const Operation& operation, const Json& request, std::uint64_t since) {
  const std::lock_guard lock(mutex_);
  cancels_before_ = since;
  require_not_cancelled(since);
  try {
    return operation.run(session_, request);
  } catch (const Problem& problem) {
    if (problem.type == ProblemType::no_memory || problem.type == ProblemType::cancelled)
      session_.lacked_memory();
    throw;
  }
}

const Operation& require_operation(std::string_view name) {
  if (const Operation* found = find_operation(name)) return *found;
  std::vector<std::string> names;
  for (const Operation& o : operations()) names.emplace_back(o.about.name);
  throw invalid("operation", "there is no operation \"{}\"{}", name,
                did_you_mean_text(std::string(name), names));
}

}  // namespace hebb::api
