#include "cli/ingest_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/ingest.h"
#include "cli/cycle.h"
#include "cli/output.h"
#include "cli/time_option.h"
#include "engine/ledger/refusals.h"

namespace hebb::cli {

namespace {

constexpr std::size_t kRefusalsShown = 10;

void add_to(IngestSummary& sum, const IngestSummary& one) {
  sum.items += one.items;
  sum.applied += one.applied;
  sum.duplicates += one.duplicates;
  sum.refused += one.refused;
}

// Converts times without a zone, by --tz, else as UTC; it remembers that this was a guess.
class LocalTimes {
 public:
  explicit LocalTimes(const std::string& zone) {
    if (!zone.empty()) utc_of_local_ = utc_of_local(zone);
  }
  std::function<TimeMs(TimeMs)> reader() {
    guessed_ = false;
    if (utc_of_local_) return utc_of_local_;
    return [this](TimeMs time) {
      guessed_ = true;
      return time;
    };
  }
  bool guessed() const { return guessed_; }  // since reader() was last called

 private:
  std::function<TimeMs(TimeMs)> utc_of_local_;
  bool guessed_ = false;
};

// Whether every refusal is for one of these reasons.
bool refused_only_for(const IngestSummary& s, std::initializer_list<std::string_view> reasons) {
  return std::all_of(s.refusals.begin(), s.refusals.end(), [&](const RefusedItem& r) {
    return std::find(reasons.begin(), reasons.end(), r.refusal.reason) != reasons.end();
  });
}

// If every item was refused: a hint at the probable mistake; "" if the refusals say enough.
std::string probable_mistake(const Context& context, const IngestSummary& s,
                             const std::string& file, std::string_view format) {
  if (s.items == 0 || s.refused != s.items) return "";
  if (refused_only_for(s, {refusal::kUnknownTask, refusal::kUnknownNode})) {
    return fmt::format("nothing that {} names is in {}; is that the right database?", file,
                       context.db_path());
  }
  if (refused_only_for(s, {refusal::kFuture, refusal::kConflict})) return "";
  return fmt::format("nothing of {} was taken as {}; is that its --format?", file, format);
}

struct FileSummary {
  std::string file;  // for messages
  IngestSummary summary;
  bool zone_guessed = false;
};

FileSummary take_file(const Context& context, Engine& engine, const IngestOptions& options,
                      const Format& format, LocalTimes& times, Embedder* embedder,
                      const std::string& file) {
  const FileInput opened(file);
  Input input(opened.read(), options.max_size);
  ProgressBar progress(context, "reading " + file);
  IngestRequest request;
  request.input = &input;
  request.file = file == "-" ? "(stdin)" : file;
  request.format = &format;
  request.read.now = context.now();
  request.read.task = options.task;
  request.read.utc_of_local = times.reader();
  request.latest = latest_of(context, options.allow_future);
  request.strict = options.strict;
  request.embedder = embedder;
  request.progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
  try {
    input.expect(opened.size());
    IngestSummary summary = engine.ingest(request);
    return {request.file, std::move(summary), times.guessed()};
  } catch (const UnreadableInput& e) {
    throw UnreadableInput(fmt::format("{}: {}", request.file, e.what()));
  }
}

// Prints what was done with each file, and the sum. It does so only after everything is on disk, so
// that a command that is killed before can be run again.
IngestSummary report(const Context& context, Engine& engine, const IngestOptions& options,
                     const std::vector<FileSummary>& done) {
  engine.sync();
  IngestSummary sum;
  api::IngestedFiles json;
  const auto cycle = engine.blocking_cycle();
  for (const auto& [file, one, zone_guessed] : done) {
    json.files.push_back(api::result_of(one, file));
    json.files.back().blocking_cycle = cycle;
    print_refusals(context, json.files.back());
    note_missing_vectors(context, one.missing_vectors);
    if (!context.json) print_sums(context, json.files.back());
    if (zone_guessed) {
      context.note(
          fmt::format("{}: its times have no zone and were taken as UTC; --tz ZONE, such as "
                      "Europe/Berlin or +02:00, says which they are of",
                      file));
    }
    const auto mistake = probable_mistake(context, one, file, options.format);
    if (!mistake.empty()) context.note(mistake);
    add_to(sum, one);
  }
  if (context.json) context.print_json(api::write_record(api::IngestedFiles::fields(), &json));
  flush_output();  // before the database is closed, which may take a while
  return sum;
}

}  // namespace

void add_allow_future(CLI::App& command, bool& allow_future) {
  command.add_flag("--allow-future", allow_future,
                   "Take also what is dated more than five minutes after now");
}

std::optional<TimeMs> latest_of(const Context& context, bool allow_future) {
  if (allow_future) return std::nullopt;
  return latest_taken(context.now());
}

void add_max_size(CLI::App& command, IngestOptions& options) {
  command
      .add_option("--max-size", options.max_size,
                  "Refuse a file that is longer, such as 500MB or 4GiB (default 1GiB)")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::PositiveNumber);
}

void print_refusals(const Context& context, const api::IngestResult& result) {
  std::size_t shown = 0;
  for (const auto& r : result.refusals) {
    if (++shown > kRefusalsShown) break;
    context.note(
        fmt::format("{}:{}: {}: {}", result.file.value_or(""), r.line, r.reason, r.detail));
  }
  const auto more = result.refused - static_cast<std::int64_t>(kRefusalsShown);
  if (more > 0) context.note(fmt::format("… and {} more", more));
}

void print_sums(const Context& context, const api::IngestResult& result) {
  context.report(fmt::format("{}: {} items, {} applied, {} already there, {} refused",
                             result.file.value_or(""), result.items, result.applied,
                             result.duplicates, result.refused));
}

void ingest_files(const Context& context, const IngestOptions& options) {
  const Format& format = api::format_named(options.format);
  if (format.name == "junit" && options.task.empty()) {
    throw Stop(kUsage, "--format junit needs --task ID: whose outcome the report is");
  }
  if (format.name != "junit" && !options.task.empty()) {
    throw Stop(kUsage, "--task is for --format junit; in other formats each item names its own");
  }
  if (format.name != "junit" && !options.tz.empty()) {
    throw Stop(kUsage, "--tz is for --format junit; in other formats every time says its zone");
  }
  LocalTimes times(options.tz);
  // Checked first, so that no database is made if a file is missing.
  for (const auto& file : options.files) require_file(file);
  const auto embedder = embedder_of(options.embedder, options.model);
  Engine engine = context.open(Context::Access::create);
  std::vector<FileSummary> done;
  try {
    for (const auto& file : options.files) {
      done.push_back(take_file(context, engine, options, format, times, embedder.get(), file));
      if (options.strict && done.back().summary.refused > 0) break;
    }
  } catch (const UnreadableInput&) {
    report(context, engine, options, done);
    throw;
  }
  const IngestSummary sum = report(context, engine, options, done);
  if (options.strict && done.back().summary.refused > 0) {
    throw Stop(kFailed, fmt::format("{}: refused as a whole (--strict); nothing of it was written",
                                    done.back().file));
  }
  note_blocking_cycle(context, engine.blocking_cycle());
  if (sum.refused > 0) {
    throw Stop(kSomeRefused,
               fmt::format("{} of {} items were refused and kept; see `hebb dead-letters list`",
                           sum.refused, sum.items));
  }
}

}  // namespace hebb::cli
