// Golden output: every command as a process, in sessions that read as they were typed. The format
// is in tests/golden/README.md.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/process.h"

namespace {

namespace fs = std::filesystem;
using hebb::test::Folder;

const std::string kFolder = HEBB_SOURCE_DIR "/tests/golden";
constexpr const char* kStart = "1767571200000";  // 2026-01-05 00:00:00 UTC

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t i = 0; (i = text.find(from, i)) != std::string::npos; i += to.size()) {
    text.replace(i, from.size(), to);
  }
  return text;
}

class Session {
 public:
  Session() { fs::copy(kFolder + "/files", folder_.path(), fs::copy_options::recursive); }

  // The session as it comes out when what it says is typed again.
  std::string run(const std::string& session) {
    const auto lines = lines_of(session);
    std::string now = kStart, out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      if (line.starts_with("# ")) out += line + "\n";
      if (line.starts_with("@ ")) {
        now = line.substr(2);
        out += "\n" + line + "\n";
      }
      if (!line.starts_with("$ ")) continue;
      std::string command = line.substr(2);
      if (!out.empty() && lines[i - 1][0] != '#' && lines[i - 1][0] != '@') out += "\n";
      out += line + "\n";
      while (i + 1 < lines.size() && lines[i + 1].starts_with("> ")) {
        out += lines[++i] + "\n";
        command += "\n" + lines[i].substr(2);
      }
      out += outcome(command, now);
    }
    return out;
  }

 private:
  std::string outcome(const std::string& command, const std::string& now) {
    hebb::test::ProcessOptions options;
    options.folder = folder_.path();
    options.env = {{"HEBB_DB", folder_.file("hebb.db")},
                   {"HEBB", HEBB_BINARY},
                   {"NO_COLOR", "1"},
                   {"LC_ALL", "C.UTF-8"},
                   {"NOW", now}};
    const auto result = hebb::test::run_process(
        {"sh", "-c", "hebb() { \"$HEBB\" --now \"$NOW\" \"$@\"; }\n" + command}, options);
    std::string out;
    for (const auto& line : lines_of(replaced(result.out, folder_.path(), "DIR")))
      out += line + "\n";
    for (const auto& line : lines_of(replaced(result.err, folder_.path(), "DIR"))) {
      out += "! " + line + "\n";
    }
    if (result.exit_code != 0) out += "[exit " + std::to_string(result.exit_code) + "]\n";
    return out;
  }

  Folder folder_;
};

std::vector<fs::path> sessions() {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".session") all.push_back(entry.path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

// The names that the program's own help lists.
std::vector<std::string> commands() {
  std::vector<std::string> names;
  for (const auto& line : lines_of(hebb::test::run_process({HEBB_BINARY, "__complete", ""}).out))
    if (!line.starts_with('-')) names.push_back(line.substr(0, line.find('\t')));
  return names;
}

}  // namespace

TEST_CASE("sessions print what they printed") {
  const bool update = std::getenv("HEBB_UPDATE_GOLDEN") != nullptr;
  const auto all = sessions();
  REQUIRE(all.size() > 5);
  for (const auto& path : all) {
    DYNAMIC_SECTION(path.stem().string()) {
      const std::string expected = hebb::test::read_text(path.string());
      const std::string actual = Session().run(expected);
      if (update) {
        hebb::test::write_text(path.string(), actual);
      } else {
        CHECK(actual == expected);
      }
    }
  }
}

TEST_CASE("no line that a command prints ends with a blank") {
  for (const auto& path : sessions()) {
    INFO(path.filename().string());
    for (const auto& line : lines_of(hebb::test::read_text(path.string()))) {
      INFO(line);
      CHECK_FALSE(line.ends_with(' '));
    }
  }
}

TEST_CASE("every command has a session") {
  std::string all;
  for (const auto& path : sessions()) all += hebb::test::read_text(path.string());
  const auto names = commands();
  REQUIRE(names.size() > 20);
  for (const auto& name : names) {
    INFO(name);
    CHECK(all.find("hebb " + name) != std::string::npos);
  }
}

TEST_CASE("a session that prints something else is seen") {
  const std::string wrong = "$ hebb --version\nhebb of another day\n";
  CHECK(Session().run(wrong) != wrong);
}
