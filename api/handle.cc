#include "api/handle.h"

#include <algorithm>
#include <utility>

#include "api/values.h"

namespace hebb::api {

Handle::Handle(SessionOptions options)
    : session_([&] {
        options.serves = true;
        options.cancelled = [this] { return is_cancelled(); };
        return std::move(options);
      }()) {
  try {
    session_.engine(Access::read);
  } catch (...) {
    throw problem_of(std::current_exception());
  }
}

void Handle::require_not_cancelled() const {
  if (is_cancelled()) throw Problem(ProblemType::cancelled, "the caller cancelled this");
}

Json Handle::call(const Operation& operation, const Json& request, const TakeRow& take_row,
                  std::uint64_t since) {
  if (caller_ == std::this_thread::get_id()) {
    throw Problem(ProblemType::conflict,
                  "a call takes rows, and its function calls the same database: open it a second "
                  "time for that");
  }
  const std::lock_guard lock(mutex_);
  struct Turn {  // of this thread
    Handle& handle;
    ~Turn() {
      handle.session_.take_row = nullptr;
      handle.caller_ = std::thread::id();
    }
  } turn{*this};
  caller_ = std::this_thread::get_id();
  cancels_before_ = since;
  require_not_cancelled();
  bool gives_rows = false;  // the work is done
  if (take_row) {
    session_.take_row = [&](Json row) {
      gives_rows = true;
      require_not_cancelled();
      take_row(std::move(row));
    };
  }
  try {
    return operation.call(session_, request);
  } catch (const Problem& problem) {
    const bool incomplete =
        problem.type == ProblemType::no_memory || problem.type == ProblemType::cancelled;
    if (incomplete && !gives_rows) session_.lacked_memory();
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
