// The embedders that are asked for by name, and the client against a server that speaks the
// protocol.
#include <cstdlib>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "api/embedder.h"
#include "tests/support/raw_server.h"

using namespace hebb;
using hebb::test::Heard;
using hebb::test::RawServer;
using hebb::test::Wire;
using nlohmann::json;

namespace {

// A server of /v1/embeddings, or another path, that answers as `answer` says.
class EmbeddingsServer {
 public:
  using Answer = std::function<void(const json& request, Wire& wire)>;
  explicit EmbeddingsServer(Answer answer, std::string path = "/v1/embeddings")
      : raw_([answer = std::move(answer), path = std::move(path)](const Heard& heard, Wire& wire) {
          if (heard.method != "POST" || heard.path != path) return wire.answer(404, "", "");
          answer(json::parse(heard.body), wire);
        }) {}
  std::string url() const { return raw_.url(""); }
  std::size_t requests() const { return raw_.heard().size(); }
  std::string bearer() const { return raw_.heard().back().header("authorization"); }

 private:
  RawServer raw_;
};

// [length of the text, 1], as OpenAI words it, in reverse order.
void answer_lengths(const json& request, Wire& wire) {
  json data = json::array();
  const json& input = request.at("input");
  for (std::size_t i = input.size(); i-- > 0;) {
    data.push_back({{"object", "embedding"},
                    {"index", i},
                    {"embedding", {input[i].get<std::string>().size(), 1}}});
  }
  wire.answer(200, "application/json", json{{"data", data}, {"model", request.at("model")}}.dump());
}

std::string error_of(const EmbeddingsServer& server,
                     const std::vector<std::string>& texts = {"a"}) {
  try {
    make_embedder("openai:" + server.url(), "m")->embed(texts);
  } catch (const EmbedderError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("openai: batches of up to 64, blank texts left out, answers in any order") {
  EmbeddingsServer server(answer_lengths);
  const auto embedder = make_embedder("openai:" + server.url() + "/v1/", "small");
  CHECK(embedder->name() == "openai:small");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 130; ++i) texts.emplace_back(i, 'x');
  const auto vectors = embedder->embed(texts);
  REQUIRE(vectors.size() == 130);
  CHECK(vectors[0].empty());
  for (std::size_t i = 1; i < vectors.size(); ++i) {
    CHECK(vectors[i] == std::vector<float>{static_cast<float>(i), 1});
  }
  CHECK(server.requests() == 3);
  CHECK(embedder->embed({}).empty());
  CHECK(server.requests() == 3);
}

TEST_CASE("openai: the key is sent as bearer") {
  ::unsetenv("HEBB_API_KEY");
  ::unsetenv("OPENAI_API_KEY");
  EmbeddingsServer server(answer_lengths, "/base/v1/embeddings");
  const std::vector<std::string> texts = {"a"};
  make_embedder("openai:" + server.url() + "/base", "m")->embed(texts);
  CHECK(server.bearer() == "");
  ::setenv("OPENAI_API_KEY", "theirs", 1);
  make_embedder("openai:" + server.url() + "/base", "m")->embed(texts);
  CHECK(server.bearer() == "Bearer theirs");
  ::setenv("HEBB_API_KEY", "ours", 1);
  make_embedder("openai:" + server.url() + "/base", "m")->embed(texts);
  CHECK(server.bearer() == "Bearer ours");
  ::unsetenv("HEBB_API_KEY");
  ::unsetenv("OPENAI_API_KEY");
}

TEST_CASE("openai: answers that are not valid") {
  const auto error_for = [](const std::string& body, int status = 200) {
    EmbeddingsServer server(
        [&](const json&, Wire& wire) { wire.answer(status, "application/json", body); });
    const std::string error = error_of(server, {"a", "b"});
    CHECK(error.find(server.url() + "/v1/embeddings: ") != std::string::npos);
    return error;
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(error_for(R"({"error":"no such model"})", 404), Contains("status 404: {\"error\""));
  CHECK_THAT(error_for("<html>"), Contains("not that of /v1/embeddings"));
  CHECK_THAT(error_for("{}"), Contains("not that of /v1/embeddings"));
  CHECK_THAT(error_for(R"({"data":[{"embedding":[1]}]})"),
             Contains("2 texts were sent, 1 vector came"));
  CHECK_THAT(error_for(R"({"data":[{"embedding":[1]},{"embedding":[1,2]}]})"),
             Contains("a vector has 2 numbers; the first had 1"));
  CHECK_THAT(error_for(R"({"data":[{"embedding":[]},{"embedding":[]}]})"), Contains("0 numbers"));
  CHECK_THAT(error_for(R"({"data":[{"embedding":[1e300]},{"embedding":[1]}]})"),
             Contains("not finite"));
  CHECK_THAT(error_for(R"({"data":[{"embedding":["1"]},{"embedding":[1]}]})"),
             Contains("not that of /v1/embeddings"));
  CHECK_THAT(error_for(R"({"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]})"),
             Contains("no or two vectors"));
  CHECK_THAT(error_for(R"({"data":[{"index":5,"embedding":[1]},{"index":0,"embedding":[1]}]})"),
             Contains("no or two vectors"));
  std::string wide = "1";
  for (int i = 0; i < 4096; ++i) wide += ",1";
  CHECK_THAT(error_for(R"({"data":[{"embedding":[)" + wide + R"(]},{"embedding":[1]}]})"),
             Contains("4097 numbers; 1 to 4096"));
}

TEST_CASE("openai: an error says where, and what went wrong", "[slow]") {
  using Catch::Matchers::Contains;
  SECTION("no server") {
    std::string url;
    {
      EmbeddingsServer server(answer_lengths);
      url = server.url();
    }
    const std::vector<std::string> texts = {"a"};
    CHECK_THROWS_WITH(make_embedder("openai:" + url, "m")->embed(texts),
                      Contains(url + "/v1/embeddings cannot be reached (Connection refused"));
  }
  SECTION("a redirection is not followed, and the key goes nowhere else") {
    EmbeddingsServer other(answer_lengths);
    EmbeddingsServer server([&](const json&, Wire& wire) {
      wire.answer(307, "", "", "Location: " + other.url() + "/v1/embeddings\r\n");
    });
    CHECK_THAT(error_of(server), Contains("status 307"));
    CHECK(other.requests() == 0);
  }
  SECTION("an answer that breaks off") {
    EmbeddingsServer server([](const json&, Wire& wire) {
      wire.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
      wire.cut();
    });
    CHECK_THAT(error_of(server), Contains("/v1/embeddings broke off ("));
  }
  SECTION("an answer without end") {
    EmbeddingsServer server([](const json&, Wire& wire) {
      wire.begin_events();
      const std::string piece(1 << 20, ' ');
      while (wire.send("100000\r\n") && wire.send(piece) && wire.send("\r\n")) {
      }
    });
    CHECK_THAT(error_of(server), Contains("the answer has more than 64 MiB"));
  }
}

TEST_CASE("embedders of unknown names are refused") {
  CHECK_THROWS_AS(make_embedder("magic", ""), std::invalid_argument);
  CHECK_THROWS_AS(make_embedder("openai:http://localhost", ""), std::invalid_argument);
  for (const char* const url : {"", "localhost:80", "ftp://host", "http://", "http:///path",
                                "http://host/?q", "http://ho st"}) {
    CAPTURE(url);
    CHECK_THROWS_AS(make_embedder(std::string("openai:") + url, "m"), std::invalid_argument);
  }
}
