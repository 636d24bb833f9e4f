#include "tests/support/script.h"

#include <filesystem>

#include <catch2/catch.hpp>

namespace hebb::test {

void run_script(const std::vector<std::string>& command, const ProcessOptions& options) {
  constexpr int kSkipped = 77;
  const Folder temporary;  // browsers and other programs of others leave something there
  ProcessOptions own = options;
  own.env.emplace_back("TMPDIR", temporary.path());
  const ProcessResult run = run_process(command, own);
  if (run.exit_code == kSkipped) {
    WARN("hebb-test-skipped: " << run.out);
    return;
  }
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
}

void run_in_node(const std::string& room, const std::string& script,
                 const ProcessOptions& options) {
  const auto work = std::filesystem::current_path() / "node-oracles";
  run_script({HEBB_SOURCE_DIR "/tests/node/run.sh", room, work.string(), HEBB_BINARY, script},
             options);
}

}  // namespace hebb::test
