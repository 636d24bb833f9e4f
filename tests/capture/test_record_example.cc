// examples/record runs and prints what its page says.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>

TEST_CASE("record: the example prints what demo.txt shows") {
  const std::string folder = std::string(HEBB_SOURCE_DIR) + "/examples/record";
  FILE* pipe = popen(("sh '" + folder + "/demo.sh' '" + HEBB_BINARY + "' 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  char buffer[4096];
  for (std::size_t got = 0; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    out.append(buffer, got);
  CHECK(pclose(pipe) == 0);
  std::ifstream file(folder + "/demo.txt");
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  CHECK(out == expected);
}
