// A small suite of GoogleTest, for the reports beside it.
#include <string>

#include <gtest/gtest.h>

namespace {

std::string trim(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

TEST(Trim, LeavesWhatHasNoBlanks) { EXPECT_EQ(trim("a"), "a"); }
TEST(Trim, TakesBlanksAway) { EXPECT_EQ(trim("  a b "), "a b"); }
TEST(Trim, NothingIsLeftOfBlanks) { EXPECT_EQ(trim("   "), ""); }

}  // namespace
