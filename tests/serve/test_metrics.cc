// /metrics, read by the rules of Prometheus' text format 0.0.4 (Exposition formats, "Text format
// details"), and the log.
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

struct Sample {
  std::string name, labels;  // labels without le
  std::string le;            // of a bucket
  double value = 0;
};

struct Metrics {
  std::map<std::string, std::string> types;
  std::vector<Sample> samples;

  // 0: there is none.
  double value(const std::string& name, const std::string& labels = "") const {
    for (const Sample& s : samples) {
      if (s.name == name && s.labels == labels) return s.value;
    }
    return 0;
  }
};

// The metric that a sample belongs to: of a histogram's parts that of the histogram.
std::string family(const Metrics& metrics, const std::string& name) {
  const std::string stem = name.substr(0, name.rfind('_'));
  const auto it = metrics.types.find(stem);
  const bool part = name == stem + "_bucket" || name == stem + "_sum" || name == stem + "_count";
  return part && it != metrics.types.end() && it->second == "histogram" ? stem : name;
}

Metrics lint(const std::string& text) {
  static const std::regex head(
      R"(# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|[^\n]+))");
  static const std::regex sample(
      R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{([^}]*)\})? (-?[0-9.]+(e[-+]?[0-9]+)?|\+Inf|NaN))re");
  static const std::regex label(R"re(,?([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)")re");
  static const std::set<std::string> types{"counter", "gauge", "histogram"};
  Metrics metrics;
  std::set<std::string> helped, closed;
  std::string current;
  REQUIRE(text.ends_with('\n'));
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    INFO(line);
    std::smatch m;
    if (line.starts_with("#")) {
      REQUIRE(std::regex_match(line, m, head));
      if (m[1] == "HELP") {
        CHECK(helped.insert(m[2]).second);
        continue;
      }
      CHECK(types.contains(m[3]));
      CHECK(metrics.types.emplace(m[2], m[3]).second);  // once, before its samples
      CHECK(helped.contains(m[2]));
      CHECK((m[3] == "counter") == m[2].str().ends_with("_total"));
      continue;
    }
    REQUIRE(std::regex_match(line, m, sample));
    Sample s{m[1], "", "", std::stod(m[4] == "+Inf" ? std::string("inf") : m[4].str())};
    const std::string labels = m[3];
    CHECK(std::regex_replace(labels, label, "").empty());
    for (std::sregex_iterator it(labels.begin(), labels.end(), label), end; it != end; ++it) {
      if ((*it)[1] == "le") {
        s.le = (*it)[2];
      } else {
        s.labels += (*it)[0];
      }
    }
    const std::string name = family(metrics, s.name);
    CHECK(metrics.types.contains(name));
    // All lines of one metric stand together.
    if (name != current) CHECK(closed.insert(name).second);
    current = name;
    metrics.samples.push_back(std::move(s));
  }
  return metrics;
}

// Buckets are cumulative, in order, end with +Inf, and agree with _count.
void check_histograms(const Metrics& metrics) {
  std::map<std::string, Sample> last;  // bucket of each histogram
  for (const Sample& s : metrics.samples) {
    const std::string key = family(metrics, s.name) + s.labels;
    CAPTURE(s.name, s.labels, s.le);
    if (s.name.ends_with("_count")) {
      CHECK(last.at(key).le == "+Inf");
      CHECK(last.at(key).value == s.value);
    }
    if (!s.name.ends_with("_bucket")) continue;
    const auto before = last.find(key);
    if (before != last.end()) {
      CHECK(before->second.le != "+Inf");
      if (s.le != "+Inf") CHECK(std::stod(before->second.le) < std::stod(s.le));
      CHECK(before->second.value <= s.value);
    }
    last[key] = s;
  }
  CHECK(last.size() > 3);
}

}  // namespace

TEST_CASE("serve: /metrics is what Prometheus reads, and says what was done") {
  const Server server;
  for (const char* id : {"a", "b"}) add_task(server, id);
  for (int i = 0; i < 3; ++i) REQUIRE(status_of(server.ask("GET", "/v1/rank")) == 200);
  REQUIRE(status_of(server.ask("GET", "/v1/nodes/none")) == 404);
  const auto answer = server.ask("GET", "/metrics");
  CHECK(header_of(answer, "Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
  const Metrics metrics = lint(body_of(answer));
  check_histograms(metrics);
  CHECK(metrics.value("hebb_events") == 2);
  CHECK(metrics.value("hebb_candidates") == 2);
  CHECK(metrics.types.at("hebb_fold_seconds") == "histogram");
  CHECK(metrics.value("hebb_requests_total", R"(operation="rank",status="200")") == 3);
  CHECK(metrics.value("hebb_requests_total", R"(operation="node_set",status="200")") == 2);
  CHECK(metrics.value("hebb_requests_total", R"(operation="node_get",status="404")") == 1);
}

TEST_CASE("serve: the log has paths, and nothing of what was asked") {
  Server server;
  for (const char* target :
       {"/v1/search?text=s3cret", "/v1/rank?top=3&token=s3cret", "/v1/events?after=s3cret",
        "/v1/rank;token=s3cret", "http://u:s3cret@host/v1/rank", "http://u:s3cret@host", "/?s3cret",
        "/mcp?s3cret", "/v1/rank?%zz=s3cret", "/v1/rank#s3cret", "*?s3cret"})
    server.ask("GET", target);
  CHECK(server.stop() == 0);
  CHECK(server.log().find("target=/v1/search operation=search") != std::string::npos);
  CHECK(server.log().find("s3cret") == std::string::npos);
}

TEST_CASE("serve: the log is logfmt, or JSON, and nothing in a request makes a line of its own") {
  Server plain;
  plain.ask("GET", "/a=b");
  plain.ask("GET", "/v1/rank?limit=3");
  CHECK(plain.stop() == 0);
  CHECK(plain.log().find("level=info method=GET target=\"/a=b\" operation=none status=404") !=
        std::string::npos);
  CHECK(plain.log().find("target=/v1/rank operation=rank status=200 ms=") != std::string::npos);
  Server json({"--log", "json"});
  json.ask("GET", "/v1/nodes/%e2%80%ae%0a");
  CHECK(json.stop() == 0);
  std::istringstream in(json.log());
  std::vector<Json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].contains("listening"));
  CHECK(lines[1].at("status") == 404);
  CHECK(lines[1].at("operation") == "node_get");
  CHECK(lines[2].at("stopping") == true);
}
