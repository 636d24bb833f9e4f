#include "api/embedder.h"

#include <chrono>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/net/peer.h"
#include "engine/values/counted.h"
#include "engine/values/limits.h"

namespace hebb {

namespace {

using nlohmann::json;

constexpr std::size_t kBatch = 64;                  // texts per request
constexpr std::chrono::seconds kAnswerWithin{120};  // a local model may have to be loaded first
constexpr std::size_t kAnswerBytes = std::size_t{64} << 20;
constexpr std::size_t kQuotedBytes = 200;  // of a server's answer, in an error

// Bases are given with and without /v1; both mean the same endpoint.
HttpUrl endpoint(std::string_view base) {
  HttpUrl url;
  try {
    url = parse_http_url(base, "http://localhost:8080");
    if (url.path.find('?') != std::string::npos) {
      throw std::invalid_argument(
          fmt::format("\"{}\" has a query, which an embedder's address has not", url.text()));
    }
  } catch (const std::invalid_argument& wrong) {
    throw std::invalid_argument(fmt::format("embedder: {}", wrong.what()));
  }
  std::string_view path = url.path;
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with("/v1")) path.remove_suffix(3);
  url.path = std::string(path) + "/v1/embeddings";
  return url;
}

HttpHeaders headers_with_key() {
  for (const char* const variable : {"HEBB_API_KEY", "OPENAI_API_KEY"}) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') {
      return {{"Authorization", std::string("Bearer ") + value}};
    }
  }
  return {};
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

class OpenAiEmbedder final : public Embedder {
 public:
  OpenAiEmbedder(std::string_view url, std::string model)
      : model_(std::move(model)), server_(endpoint(url), headers_with_key()) {
    if (model_.empty()) throw std::invalid_argument("embedder: openai needs the name of a model");
  }

  std::vector<std::vector<float>> embed(std::span<const std::string> texts) override {
    std::vector<std::vector<float>> vectors(texts.size());
    std::vector<std::size_t> places;  // of the next request's texts; servers refuse blank ones
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!is_blank(texts[i])) places.push_back(i);
      if (places.size() == kBatch || (i + 1 == texts.size() && !places.empty())) {
        embed_batch(texts, places, vectors);
        places.clear();
      }
    }
    return vectors;
  }
  std::string name() const override { return "openai:" + model_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw EmbedderError(fmt::format("embedder: {}: {}", server_.url().text(), what));
  }

  void embed_batch(std::span<const std::string> texts, const std::vector<std::size_t>& places,
                   std::vector<std::vector<float>>& vectors) {
    json request = {{"model", model_}, {"input", json::array()}, {"encoding_format", "float"}};
    for (const std::size_t place : places) request["input"].push_back(texts[place]);
    const std::string body = request.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string answer = post(body);
    try {
      read_answer(json::parse(answer), places, vectors);
    } catch (const json::exception& e) {
      fail(fmt::format("the answer is not that of /v1/embeddings: {}", e.what()));
    }
  }

  std::string post(std::string_view body) {
    int status = 0;
    std::string answer;
    bool fits = true;
    HttpRequest request;
    request.method = "POST";
    request.headers = {{"Content-Type", "application/json"}};
    request.body = body;
    request.answer_within = kAnswerWithin;
    request.head = [&](const HttpHead& head) {
      status = head.status;
      return true;
    };
    request.body_piece = [&](std::string_view piece) {
      fits = answer.size() + piece.size() <= kAnswerBytes;
      if (fits) answer += piece;
      return fits;
    };
    HttpPeer::Call call;
    const HttpFailure failure = server_.exchange(request, call);
    if (!failure.empty()) throw EmbedderError("embedder: " + failure);
    if (!fits) fail(fmt::format("the answer has more than {} MiB", kAnswerBytes >> 20));
    if (status != 200) {
      fail(fmt::format("status {}: {}", status, answer.substr(0, kQuotedBytes)));
    }
    return answer;
  }

  // Answers carry the index of the text they are for; servers need not keep the order.
  void read_answer(const json& answer, const std::vector<std::size_t>& places,
                   std::vector<std::vector<float>>& vectors) {
    const json& data = answer.at("data");
    if (!data.is_array() || data.size() != places.size()) {
      fail(fmt::format("{} sent, {} back", counted(std::ssize(places), "text was", "texts were"),
                       counted(data.is_array() ? static_cast<std::int64_t>(data.size()) : 0,
                               "vector came", "vectors came")));
    }
    std::size_t position = 0;
    for (const json& entry : data) {
      const std::size_t index = entry.value("index", position++);
      if (index >= places.size() || !vectors[places[index]].empty()) {
        fail(fmt::format("the answer has no or two vectors for a text (index {})", index));
      }
      vectors[places[index]] = read_vector(entry.at("embedding"));
    }
  }

  std::vector<float> read_vector(const json& embedding) {
    std::vector<float> vector = embedding.get<std::vector<float>>();
    if (vector.empty() || vector.size() > Limits::kVectorDimension) {
      fail(fmt::format("a vector has {}; 1 to {} are allowed",
                       counted(std::ssize(vector), "number"), Limits::kVectorDimension));
    }
    if (dimension_ != 0 && vector.size() != dimension_) {
      fail(fmt::format("a vector has {}; the first had {}", counted(std::ssize(vector), "number"),
                       dimension_));
    }
    for (const float x : vector) {
      if (!std::isfinite(x)) fail("a vector holds a number that is not finite");
    }
    dimension_ = vector.size();
    return vector;
  }

  std::string model_;
  HttpPeer server_;
  std::size_t dimension_ = 0;
};

}  // namespace

std::unique_ptr<Embedder> make_embedder(std::string_view spec, std::string_view model) {
  constexpr std::string_view kOpenAi = "openai:";
  if (spec == "hashing") return make_hashing_embedder();
  if (spec.starts_with(kOpenAi)) {
    return std::make_unique<OpenAiEmbedder>(spec.substr(kOpenAi.size()), std::string(model));
  }
  throw std::invalid_argument("embedder: \"" + std::string(spec) +
                              "\" is unknown; allowed are \"hashing\" and \"openai:URL\"");
}

}  // namespace hebb
