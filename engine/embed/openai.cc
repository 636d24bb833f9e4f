// The HTTP client for /v1/embeddings (OpenAI, llama.cpp, Ollama, vLLM).
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "engine/embed/embedder.h"
#include "engine/input/input.h"

namespace hebb {

namespace {

using nlohmann::json;

constexpr std::size_t kBatch = 64;  // texts per request
constexpr time_t kConnectSeconds = 10;
constexpr time_t kAnswerSeconds = 120;     // a local model may have to be loaded first
constexpr std::size_t kQuotedBytes = 200;  // of a server's answer, in an error

struct Url {
  std::string server;  // scheme://host:port
  std::string path;
};

// Bases are given with and without /v1; both mean the same endpoint.
Url parse_url(std::string_view url) {
  const auto scheme = url.find("://");
  const std::string_view name = url.substr(0, scheme);
#ifdef CPPHTTPLIB_OPENSSL_SUPPORT
  constexpr bool kHttps = true;
#else
  constexpr bool kHttps = false;
#endif
  const bool known = name == "http" || (kHttps && name == "https");
  if (scheme == std::string_view::npos || !known || url.size() == scheme + 3 ||
      url[scheme + 3] == '/' || url.find_first_of(" ?#\r\n") != std::string_view::npos) {
    throw std::invalid_argument(fmt::format(
        "embedder: \"{}\" is no URL of a server; give one such as http://localhost:8080{}", url,
        kHttps ? "" : " (this build has no https)"));
  }
  const auto slash = std::min(url.find('/', scheme + 3), url.size());
  std::string_view path = url.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with("/v1")) path.remove_suffix(3);
  return {std::string(url.substr(0, slash)), std::string(path) + "/v1/embeddings"};
}

std::string api_key() {
  for (const char* const variable : {"HEBB_API_KEY", "OPENAI_API_KEY"}) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

class OpenAiEmbedder final : public Embedder {
 public:
  OpenAiEmbedder(std::string_view url, std::string model)
      : url_(parse_url(url)), model_(std::move(model)), client_(url_.server) {
    if (model_.empty()) throw std::invalid_argument("embedder: openai needs the name of a model");
    client_.set_connection_timeout(kConnectSeconds);
    client_.set_read_timeout(kAnswerSeconds);
    client_.set_write_timeout(kAnswerSeconds);
    client_.set_keep_alive(true);
    if (const std::string key = api_key(); !key.empty()) client_.set_bearer_token_auth(key);
  }

  std::vector<std::vector<float>> embed(std::span<const std::string> texts) override {
    std::vector<std::vector<float>> vectors(texts.size());
    std::vector<std::size_t> places;  // of the texts of the next request; servers refuse blank ones
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
    throw EmbedderError(fmt::format("embedder: {}{}: {}", url_.server, url_.path, what));
  }

  void embed_batch(std::span<const std::string> texts, const std::vector<std::size_t>& places,
                   std::vector<std::vector<float>>& vectors) {
    json request = {{"model", model_}, {"input", json::array()}, {"encoding_format", "float"}};
    for (const std::size_t place : places) request["input"].push_back(texts[place]);
    const std::string body = request.dump(-1, ' ', false, json::error_handler_t::replace);
    const auto response = client_.Post(url_.path, body, "application/json");
    if (!response) {
      fail(httplib::to_string(response.error()) + "; is the server running?");
    }
    if (response->status != 200) {
      fail(fmt::format("status {}: {}", response->status, response->body.substr(0, kQuotedBytes)));
    }
    try {
      read_answer(json::parse(response->body), places, vectors);
    } catch (const json::exception& e) {
      fail(fmt::format("the answer is not that of /v1/embeddings: {}", e.what()));
    }
  }

  // Answers carry the index of the text they are for; servers need not keep the order.
  void read_answer(const json& answer, const std::vector<std::size_t>& places,
                   std::vector<std::vector<float>>& vectors) {
    const json& data = answer.at("data");
    if (!data.is_array() || data.size() != places.size()) {
      fail(fmt::format("{} texts were sent, {} vectors came back", places.size(),
                       data.is_array() ? data.size() : 0));
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
      fail(fmt::format("a vector has {} numbers; 1 to {} are allowed", vector.size(),
                       Limits::kVectorDimension));
    }
    if (dimension_ != 0 && vector.size() != dimension_) {
      fail(fmt::format("a vector has {} numbers; the first had {}", vector.size(), dimension_));
    }
    for (const float x : vector) {
      if (!std::isfinite(x)) fail("a vector holds a number that is not finite");
    }
    dimension_ = vector.size();
    return vector;
  }

  Url url_;
  std::string model_;
  httplib::Client client_;
  std::size_t dimension_ = 0;
};

}  // namespace

std::unique_ptr<Embedder> make_openai_embedder(std::string_view url, std::string model) {
  return std::make_unique<OpenAiEmbedder>(url, std::move(model));
}

}  // namespace hebb
