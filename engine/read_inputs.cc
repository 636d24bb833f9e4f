#include "engine/read_inputs.h"

namespace hebb {

namespace {

constexpr std::int64_t kLeaseMs = 60'000;  // a reader whose row has not changed for so long is gone

}  // namespace

bool ReadInputs::has_row(const std::string& content, const std::string& reader) const {
  const auto rows = storage_.inbox().progress(content);
  return std::any_of(rows.begin(), rows.end(),
                     [&](const ReadingProgress& row) { return row.reader == reader; });
}

bool ReadInputs::is_gone(const std::string& content, const std::string& reader) const {
  if (is_of_this_machine(reader)) return false;  // its lock says so
  const auto age = storage_.upstream()->progress_age_ms(storage_.database(), content, reader);
  return age && *age > kLeaseMs;
}

void ReadInputs::take_over(const std::string& content) {
  if (!storage_.upstream() || storage_.inbox().progress(content).empty()) return;
  sql::Transaction transaction(storage_.database());
  for (const ReadingProgress& there : storage_.inbox().progress(content)) {
    if (!is_gone(content, there.reader)) continue;
    int n = 1;
    while (has_row(content, reader(n))) ++n;
    storage_.inbox().set_progress(content, {0, 0, there.reader});
    storage_.inbox().set_progress(content, {there.items, there.now, reader(n)});
  }
  transaction.commit();
}

void ReadInputs::renew(const std::string& content, const ReadingProgress& row) {
  if (!storage_.upstream()) return;  // others see its lock
  sql::Transaction transaction(storage_.database());
  require_row(content, row.reader);
  storage_.inbox().set_progress(content, row);
  transaction.commit();
}

void ReadInputs::require_row(const std::string& content, const std::string& reader) const {
  if (has_row(content, reader)) return;
  throw sql::Error(sql::kBusy,
                   "another machine went on with this input, since this one had not written for a "
                   "minute; what it had taken before is there");
}

}  // namespace hebb
