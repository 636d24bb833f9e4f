// The built-in embedder.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/embed/embedder.h"

using namespace hebb;

namespace {

std::vector<float> hashed(const std::string& text) {
  const std::vector<std::string> texts = {text};
  return make_hashing_embedder()->embed(texts).front();
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace

TEST_CASE("hashing: deterministic, of length 1, blind to case and punctuation") {
  const auto embedder = make_hashing_embedder();
  CHECK(embedder->name() == "hashing");
  const auto vector = hashed("Fix the parser");
  REQUIRE(vector.size() == 256);
  CHECK(cosine(vector, vector) == Approx(1).margin(1e-6));
  CHECK(vector == hashed("Fix the parser"));
  CHECK(vector == hashed("  FIX, the-parser!\n"));
  CHECK(vector != hashed("Fix the parsers"));
}

TEST_CASE("hashing: texts that share words or parts of words are near") {
  const auto text = hashed("parser fails on nested arrays");
  CHECK(cosine(text, hashed("nested arrays make the parser fail")) > 0.6);
  CHECK(cosine(text, hashed("release notes of the week")) < 0.3);
  CHECK(cosine(hashed("parsing"), hashed("parser")) > 0.2);
}

TEST_CASE("hashing: a term counts by the logarithm of its frequency") {
  // Two words that share no gram: the cosine to one of them grows with its count, but slowly.
  const auto rare = hashed("qqq");
  const double once = cosine(hashed("qqq zzz"), rare);
  const double eight = cosine(hashed("qqq qqq qqq qqq qqq qqq qqq qqq zzz"), rare);
  CHECK(once == Approx(1 / std::sqrt(2)).margin(0.2));
  const double weight = 1 + std::log(8.0);
  CHECK(eight == Approx(weight / std::sqrt(weight * weight + 1)).margin(0.1));
  CHECK(eight < 0.99);
}

TEST_CASE("hashing: characters beyond ASCII are letters, whole ones") {
  CHECK(hashed("\xc3\xbc").size() == 256);
  CHECK(hashed("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e") != hashed("\xe6\x97\xa5\xe6\x9c\xac"));
  CHECK(hashed("\xff\xfe\x80").size() == 256);  // not UTF-8: no crash
}

TEST_CASE("hashing: nothing to embed gives nothing") {
  CHECK(hashed("").empty());
  CHECK(hashed(" \n-- !").empty());
}

TEST_CASE("hashing: the vectors are those that databases hold") {
  const auto vector = hashed("hebb");
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (vector[i] != 0) places.push_back(i);
  }
  // hebb; " he", heb, ebb, "bb "; " heb", hebb, "ebb "; " hebb", "hebb ": ten features of weight 1.
  CHECK(places == std::vector<std::size_t>{87, 96, 117, 132, 141, 148, 170, 189, 217, 255});
}
