// Every command works with a ledger on a server as it does with a file.
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/all_commands.h"
#include "tests/support/cluster.h"

namespace hebb::test {
namespace {

std::string said(const Hebb& hebb, const Call& call) {
  Args args = words_of(call.command);
  args.insert(args.end(), call.arguments.begin(), call.arguments.end());
  const auto result = hebb.run(args, call.in);
  std::string text =
      std::to_string(result.exit_code) + "\n" + result.out + "\n" + result.err + "\n";
  for (const std::string& place : {hebb.db(), hebb.file("")}) {
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place))
      text.replace(at, place.size(), "DB");
  }
  return text;
}

// What is said of the file, and not of what is in it.
bool is_of_the_file(const Call& call) {
  return call.command == "stats" || call.command == "verify" || call.command == "backup";
}

}  // namespace

TEST_CASE("two machines that take turns say of a ledger on a server what is said of a file",
          "[slow]") {
  Cluster cluster;
  const Hebb file, another;
  Hebb first, second;
  first.url = second.url = cluster.url() + "&behind=0&ledger=a";
  for (const Hebb* hebb : {&file, &another, static_cast<const Hebb*>(&first)}) hebb->fill();
  std::size_t same = 0;
  for (std::size_t i = 0; i < calls().size(); ++i) {
    const Call& call = calls()[i];
    if (call.command == "move" || call.command == "rescue") continue;
    CAPTURE(call.command, call.arguments);
    const std::string wanted = said(file, call), again = said(another, call);
    const std::string got = said(i % 2 == 0 ? first : second, call);
    CHECK(got.substr(0, got.find('\n')) == wanted.substr(0, wanted.find('\n')));
    // Some print what they made up: an id, a time.
    if (wanted != again || is_of_the_file(call)) continue;
    CHECK(got == wanted);
    ++same;
  }
  CHECK(same > 30);
  CHECK(first.run({"verify"}).exit_code == 0);
  CHECK(second.run({"verify"}).exit_code == 0);
}

}  // namespace hebb::test
