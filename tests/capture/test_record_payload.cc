#include <string>

#include <catch2/catch.hpp>

#include "capture/actions/payload.h"
#include "secrets/secrets.h"

namespace hebb::capture {
namespace {

using secrets::mask_secrets;
using secrets::Redactor;

Payload payload_of(std::string_view raw, std::size_t length) {
  Redactor secrets;
  return stored_payload(raw, length, [&](std::string_view json, bool cut) {
    return secrets.arguments("t", json, cut);
  });
}

}  // namespace

TEST_CASE("payload: values under secret keys are masked, the rest stays byte for byte") {
  CHECK(mask_secrets(R"({ "a" : 1.50, "password":"x" })") ==
        R"({ "a" : 1.50, "password":"[masked]" })");
  CHECK(mask_secrets(R"({"apiKey":"x","X-Api-Key":"y","api_key":3})") ==
        R"({"apiKey":"[masked]","X-Api-Key":"[masked]","api_key":"[masked]"})");
  // Objects and lists keep their form.
  CHECK(mask_secrets(R"({"client_secret":{"a":["}x8Kq2Vb9"],"b":"\"}m4Zt7Wd1"},"z":1})") ==
        R"({"client_secret":{"a":["[masked]"],"b":"[masked]"},"z":1})");
  CHECK(mask_secrets(R"({"authorization":"z","AUTH":"q"})") ==
        R"({"authorization":"[masked]","AUTH":"[masked]"})");
  CHECK(mask_secrets(R"({"p\u0061ssword":"x"})") == R"({"p\u0061ssword":"[masked]"})");
  CHECK(mask_secrets(R"({"h":"Bearer abc","i":"Basic abc"})") ==
        R"({"h":"[masked]","i":"[masked]"})");
  CHECK(mask_secrets(R"(["BEARER abC","Authorization: Bearer ab1","x-auth:basic abc="])") ==
        R"(["[masked]","[masked]","[masked]"])");
  for (const std::string prose : {R"(["to: the bearer of this","Bearers"])",
                                  R"(["basic python tutorial","summary: basic checks passed"])",
                                  R"(["note: bearer bonds"])"}) {
    CHECK(mask_secrets(prose) == prose);
  }
}

TEST_CASE("payload: what is no secret is not masked") {
  for (const std::string text : {R"({"max_tokens":5,"tokenCount":7,"progressToken":"p"})",
                                 R"({"has_password":true,"token":null})",
                                 R"({"author":"x","pinned":"y","text":"the password"})",
                                 R"(["password","x"])", R"({"token":""})"}) {
    CHECK(mask_secrets(text) == text);
  }
}

TEST_CASE("payload: an object that names what it holds") {
  CHECK(mask_secrets(R"({"name":"password","value":"x"})") ==
        R"({"name":"password","value":"[masked]"})");
  CHECK(mask_secrets(R"({"value":"x","selector":"#user-password"})") ==
        R"({"value":"[masked]","selector":"#user-password"})");
  CHECK(mask_secrets(R"([{"name":"token","text":"x"},{"name":"user","text":"y"}])") ==
        R"([{"name":"token","text":"[masked]"},{"name":"user","text":"y"}])");
  CHECK(mask_secrets(R"({"value":"x","o":{"name":"password"}})") ==
        R"({"value":"x","o":{"name":"password"}})");
}

TEST_CASE("payload: secrets in JSON within strings") {
  CHECK(mask_secrets(R"({"text":"{\"token\":\"x\",\"a\":\"é\"}"})") ==
        R"({"text":"{\"token\":\"[masked]\",\"a\":\"é\"}"})");
  CHECK(mask_secrets(R"({"text":"{\"a\":1}"})") == R"({"text":"{\"a\":1}"})");
}

TEST_CASE("payload: a cut anywhere shows no secret") {
  const std::string text =
      R"({"a":{"password":"hunter2","b":"{\"token\":\"hunter2\"}"},"h":"Bearer hunter2","c":[{"secret":{"x":"hunter2"}}]})";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string masked = mask_secrets(text.substr(0, cut));
    CAPTURE(cut, masked);
    REQUIRE(masked.find("hunt") == std::string::npos);
  }
}

TEST_CASE("payload: bytes that are no UTF-8 are stored escaped") {
  CHECK(escape_invalid_utf8("a\xff\xc3(\xc3\xa9\xed\xa0\x80\xf0\x9f\x98\x80") ==
        "a\\\\xff\\\\xc3(\xc3\xa9\\\\xed\\\\xa0\\\\x80\xf0\x9f\x98\x80");
}

TEST_CASE("payload: cut to the bound between characters, with the length of the whole") {
  std::string text = "{\"a\":\"";
  while (text.size() < 70'000) text += "\xc3\xa9";
  text += "\"}";
  const Payload payload = payload_of(text, text.size());
  CHECK(payload.text.size() <= kPayloadBytes);
  CHECK(payload.text.size() > kPayloadBytes - 4);
  CHECK(payload.text == text.substr(0, payload.text.size()));
  CHECK((static_cast<unsigned char>(text[payload.text.size()]) & 0xC0) != 0x80);
  CHECK(payload.bytes == std::ssize(text));
  const Payload whole = payload_of("{\"password\":\"a long one\"}", 25);
  CHECK(whole.bytes == std::ssize(whole.text));
  const Payload prefix = payload_of("{\"a\":\"xxx", 5'000'000);
  CHECK(prefix.bytes == 5'000'000);
}

TEST_CASE("payload: the word that a cut may have gone through is left out") {
  Redactor secrets;
  const auto mask = [&](std::string_view json, bool cut) { return secrets.result(json, cut); };
  // The stored text is cut after it was masked, and where the line itself was cut the last word
  // goes.
  const std::string raw = R"({"a":"ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4 ghp_a1B2c3D4e5F6)";
  const Payload payload = stored_payload(raw, raw.size() + 1000, mask);
  CHECK(payload.text == R"({"a":"[masked] )");
  CHECK(payload.bytes == std::ssize(raw) + 1000);
}

}  // namespace hebb::capture
