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

void run_in_node(const std::string& folder, const std::string& work, const std::string& script,
                 const ProcessOptions& options) {
  namespace fs = std::filesystem;
  const fs::path source = fs::path(HEBB_SOURCE_DIR) / "tests" / folder / "node";
  run_script({(source / "run.sh").string(), source.string(), (fs::current_path() / work).string(),
              HEBB_BINARY, script},
             options);
}

}  // namespace hebb::test
