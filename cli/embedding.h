// Helpers for commands that take vectors: an embedder by name, a vector from a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

void add_embedder_options(CLI::App& command, std::string& embedder, std::string& model);
// nullptr if none was named.
std::unique_ptr<Embedder> embedder_of(const std::string& embedder, const std::string& model);

// Prints a note with how many nodes have no vector, because none could be made.
void note_missing_vectors(const Context& context, const MissingVectors& missing);

// A JSON array of numbers; "-" is stdin. Throws Stop, UnreadableInput.
std::vector<float> read_vector(const std::string& file);

}  // namespace hebb::cli
