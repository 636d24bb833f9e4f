// The embedders that a request can name: the built-in one, and servers that speak OpenAI's
// /v1/embeddings (OpenAI, llama.cpp, Ollama, vLLM).
#pragma once

#include <memory>
#include <string_view>

#include "engine/embed/embedder.h"

namespace hebb {

// spec: "hashing", or "openai:URL", which is POST {URL}/v1/embeddings with `model`; a key in
// HEBB_API_KEY or OPENAI_API_KEY is sent as bearer. Throws std::invalid_argument, also for an
// invalid URL.
std::unique_ptr<Embedder> make_embedder(std::string_view spec, std::string_view model);

}  // namespace hebb
