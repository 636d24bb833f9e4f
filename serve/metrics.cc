#include "serve/metrics.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

namespace hebb::serve {

namespace {

void add_head(std::string& out, std::string_view name, std::string_view words,
              std::string_view type) {
  out += fmt::format("# HELP hebb_{0} {1}.\n# TYPE hebb_{0} {2}\n", name, words, type);
}

}  // namespace

void Metrics::Histogram::add(Clock::time_point begin) {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::size_t i = 0;
  while (i < kSeconds.size() && seconds > kSeconds[i]) ++i;
  ++counts[i];
  sum += seconds;
}

void Metrics::Histogram::write(std::string& out, std::string_view name,
                               const std::string& labels) const {
  const std::string comma = labels.empty() ? "" : labels + ",";
  const std::string braces = labels.empty() ? "" : "{" + labels + "}";
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < kSeconds.size(); ++i) {
    n += counts[i];
    out += fmt::format("hebb_{}_bucket{{{}le=\"{}\"}} {}\n", name, comma, kSeconds[i], n);
  }
  n += counts.back();
  out += fmt::format("hebb_{}_bucket{{{}le=\"+Inf\"}} {}\n", name, comma, n);
  out += fmt::format("hebb_{}_sum{} {}\n", name, braces, sum);
  out += fmt::format("hebb_{}_count{} {}\n", name, braces, n);
}

void Metrics::count_request(const Response& response, Clock::time_point begin) {
  const std::lock_guard lock(mutex_);
  const std::string name = response.operation.empty() ? "none" : response.operation;
  ++requests_[{name, response.status}];
  latencies_[name].add(begin);
}

void Metrics::fold_took(Clock::time_point begin) {
  const std::lock_guard lock(mutex_);
  folds_.add(begin);
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  if (!requests_.empty()) {
    add_head(out, "requests_total", "Requests, by operation and status", "counter");
    for (const auto& [key, n] : requests_) {
      out += fmt::format("hebb_requests_total{{operation=\"{}\",status=\"{}\"}} {}\n", key.first,
                         key.second, n);
    }
    add_head(out, "request_seconds", "From the request's last byte to its answer", "histogram");
    for (const auto& [operation, latency] : latencies_)
      latency.write(out, "request_seconds", fmt::format("operation=\"{}\"", operation));
  }
  add_head(out, "fold_seconds", "Bringing the graph up to what was appended", "histogram");
  folds_.write(out, "fold_seconds", "");
  return out;
}

std::string gauges(api::Session& session) {
  std::string out;
  const auto gauge = [&](std::string_view name, std::string_view words, auto value) {
    add_head(out, name, words, "gauge");
    out += fmt::format("hebb_{} {}\n", name, static_cast<double>(value));
  };
  Engine& engine = session.engine(api::Access::read);
  const auto stats = stats_of(engine, session.now());
  gauge("events", "Events in the ledger", stats.events);
  gauge("nodes", "Nodes in the graph", stats.nodes);
  gauge("edges", "Edges in the graph", stats.edges);
  gauge("candidates", "Tasks that can be done now", stats.candidates);
  gauge("dead_letters", "Refused items that wait for someone", stats.dead_letters);
  std::size_t active = 0, stuck = 0;
  for (const ClaimRow& claim : engine.claims()) {
    active += claim.active(session.now());
    stuck += claim.stuck(session.now());
  }
  gauge("claims", "Tasks that agents work on now", active);
  gauge("claims_stuck", "Tasks whose claims expired three times in a row", stuck);
  gauge("database_bytes", "Size of the database", stats.bytes);
  if (stats.copied_at) {
    gauge("copy_age_seconds", "Since the copy of the ledger on a server was brought up to date",
          1e-3 * static_cast<double>(clock_now() - *stats.copied_at));
  }
  std::error_code ec;
  const auto written = std::filesystem::last_write_time(session.file() + "-image", ec);
  if (!ec) {
    const auto age = std::filesystem::file_time_type::clock::now() - written;
    gauge("image_age_seconds", "Since the graph cache was written",
          std::chrono::duration<double>(age).count());
  }
  return out;
}

}  // namespace hebb::serve
