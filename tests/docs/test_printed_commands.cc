// What the pages and the help print of the commands of others.
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/support/script.h"

TEST_CASE("commands of gh, claude and task that are printed are ones that these take") {
  const auto packages = std::filesystem::current_path() / "node-oracles";
  hebb::test::run_script({"/bin/sh", HEBB_SOURCE_DIR "/tests/docs/printed_commands.sh", HEBB_BINARY,
                          packages.string()});
}
