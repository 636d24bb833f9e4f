// How fast a tool's result is masked before it is stored: pieces of this repository's sources and
// pages, as a server sends them, beside a plain scan that looks at each byte once in a table.
// Rounds take turns, so that both see the same machine; each figure is the median over the rounds.
//
//   bench_masking [--smoke]
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/measure.h"
#include "secrets/secrets.h"

namespace {

constexpr std::size_t kResultBytes = 16384;
constexpr double kTenthAsWritten = 0.0013;

// The results of calls that read files: JSON of Model Context Protocol, of 16 KiB of text each.
std::vector<std::string> results() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"docs", "engine", "capture", "scripts", "examples/neo", "cli"}) {
    const std::filesystem::path root = std::filesystem::path(HEBB_SOURCE_DIR) / folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string kind = entry.path().extension().string();
      const bool text = kind == ".md" || kind == ".cc" || kind == ".h" || kind == ".jsonl" ||
                        kind == ".toml" || kind.empty();
      if (entry.is_regular_file() && text) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> all;
  for (const std::filesystem::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t at = 0; at < text.size(); at += kResultBytes) {
      const nlohmann::json content{{"type", "text"}, {"text", text.substr(at, kResultBytes)}};
      all.push_back(nlohmann::json{{"content", {content}}}.dump(
          -1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
  }
  return all;
}

// Where words begin: one look into a table for each byte, each depending on the one before.
std::size_t plain_scan(const std::vector<std::string>& texts) {
  static constexpr auto kWord = [] {
    std::array<unsigned char, 256> word{};
    for (std::size_t c = 0; c < word.size(); ++c)
      word[c] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return word;
  }();
  std::size_t words = 0;
  for (const std::string& text : texts) {
    unsigned before = 0;
    for (const char c : text) {
      const unsigned is = kWord[static_cast<unsigned char>(c)];
      if (is > before) ++words;
      before = is;
    }
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  const bool smoke = argc > 1 && std::string_view(argv[1]) == "--smoke";
  std::vector<std::string> texts = results();
  if (smoke) texts.resize(std::min<std::size_t>(texts.size(), 32));
  std::size_t bytes = 0, changed = 0, words = 0;
  for (const std::string& text : texts) bytes += text.size();
  std::vector<double> masking, scanning;
  for (int round = 0; round < (smoke ? 3 : 15); ++round) {
    masking.push_back(hebb::bench::seconds([&] {
      for (const std::string& text : texts)
        changed += hebb::secrets::mask_secrets(text) != text ? 1 : 0;
    }));
    scanning.push_back(hebb::bench::seconds([&] { words += plain_scan(texts); }));
  }
  const double megabytes = static_cast<double>(bytes) / 1e6;
  const double floor = megabytes / hebb::bench::median(scanning);
  hebb::bench::Table table("results of tools", fmt::format(": {:.1f} MB, {} words, {} masked",
                                                           megabytes, words, changed));
  table.add({"masking a result", "MB/s", megabytes / hebb::bench::median(masking), "a plain scan",
             floor, "", std::nullopt, kTenthAsWritten});
  return smoke && !table.check() ? 1 : 0;
}
