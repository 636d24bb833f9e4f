#include "engine/mirror/graph_cache.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "sql/database.h"

namespace hebb {
namespace {

using graph::AnyColumn;
using Json = nlohmann::json;

// --- the format: stored, do not change without another version ----------------------------------

constexpr char kMagic[8] = {'h', 'e', 'b', 'b', 'i', 'm', 'g', '\n'};
constexpr std::uint32_t kVersion = 8, kByteOrder = 0x01020304;
constexpr std::size_t kPage = 4096, kSectionsMax = 64;

struct Section {
  std::uint64_t offset, bytes, capacity_bytes;  // whole pages apart
  std::uint64_t value_bytes, checksum;
};

struct Header {
  char magic[8];
  std::uint32_t version, byte_order;
  std::uint64_t file_bytes;
  std::int64_t position, checksum, rules;
  std::uint64_t items, sections;
  Section section[kSectionsMax];  // the meta data, then the columns
  std::uint64_t header_checksum;  // of all above
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) <= kPage);

std::uint64_t checksum_of(const Header& header) {
  return XXH3_64bits(&header, offsetof(Header, header_checksum));
}

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::size_t to_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// --- the meta data: what is not a column ---------------------------------------------------------

Json names_json(const graph::Names& names) {
  Json list = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i)
    list.push_back(names.name(static_cast<graph::TypeId>(i)));
  return list;
}

std::string meta_of(const State& s, const graph::Packing& packing) {
  const auto& g = s.graph();
  const LedgerFacts& facts = s.facts();
  OutcomeSignal learned;  // learned exponents stand in the ledger as part of one
  learned.learned = facts.learned;
  Json counts = Json::array();
  for (const std::size_t* count : packing.counts) counts.push_back(*count);
  return Json{{"node_types", names_json(g.node_types())},
              {"states", names_json(g.states())},
              {"edge_types", names_json(g.edge_types())},
              {"latest_at", facts.latest.at},
              {"latest_key", facts.latest.key},
              {"recalibrated_at", facts.recalibrated_at},
              {"embedder", facts.embedder},
              {"dimension", facts.dimension},
              {"completed", facts.completed},
              {"learned", encode_payload(learned)},
              {"learned_at", facts.learned_from.at},
              {"learned_key", facts.learned_from.key},
              {"counts", std::move(counts)}}
      .dump();
}

// --- files --------------------------------------------------------------------------------------

class File {
 public:
  File(const std::string& path, int flags, mode_t mode = 0)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, mode)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  std::optional<struct stat> status() const {
    struct stat status {};
    if (fd_ < 0 || ::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return status;
  }

 private:
  int fd_;
};

bool write_at(int fd, std::span<const std::byte> bytes, std::size_t offset) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::size_t>(n);
  }
  return true;
}

// Makes the columns views of the sections; false if the sections do not fit the columns.
bool unpack(const Header& header, std::byte* memory, const graph::Packing& packing,
            const Json& counts) {
  if (header.sections != packing.columns.size() + 1 || counts.size() != packing.counts.size())
    return false;
  for (std::size_t i = 0; i < packing.columns.size(); ++i) {
    const Section& s = header.section[i + 1];
    if (s.value_bytes != packing.columns[i]->value_bytes()) return false;
    packing.columns[i]->view(memory + s.offset, s.bytes / s.value_bytes,
                             s.capacity_bytes / s.value_bytes);
  }
  for (std::size_t i = 0; i < packing.counts.size(); ++i)
    *packing.counts[i] = counts[i].get<std::size_t>();
  // They size memory. Each counts words or rows of a section.
  return std::ranges::all_of(packing.counts,
                             [&](const std::size_t* count) { return *count <= header.file_bytes; });
}

// Written by another hebb, or another kind of machine: the next write puts another in its place.
bool is_of_another_version(const Header& h) {
  if (std::memcmp(h.magic, kMagic, sizeof kMagic) != 0) return false;
  if (h.version != kVersion || h.byte_order != kByteOrder) return true;
  return h.rules != fold_rules() && h.header_checksum == checksum_of(h);
}

// What is wrong with the header of a file of that size; empty: nothing.
std::string fault_of(const Header& h, std::size_t file_bytes) {
  if (std::memcmp(h.magic, kMagic, sizeof kMagic) != 0) return "it is no graph cache";
  if (h.header_checksum != checksum_of(h)) return "its header is damaged";
  if (h.file_bytes != file_bytes) return "it is not as long as it was";
  if (h.sections < 1 || h.sections > kSectionsMax) return "its header is damaged";
  for (std::size_t i = 0; i < h.sections; ++i) {
    const Section& s = h.section[i];
    const bool fits = s.offset % kPage == 0 && s.offset <= file_bytes &&
                      s.capacity_bytes <= file_bytes - s.offset && s.bytes <= s.capacity_bytes &&
                      s.value_bytes > 0 && s.bytes % s.value_bytes == 0;
    if (!fits) return "its header is damaged";
  }
  return "";
}

}  // namespace

std::string graph_cache_path(const std::string& database) {
  std::error_code error;
  if (database.empty() || database.starts_with(":memory:")) return "";
  const auto path = std::filesystem::canonical(database, error);
  struct stat status {};
  if (error || ::stat(path.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return "";
  return path.string() + "-image";
}

// --- reading ------------------------------------------------------------------------------------

struct GraphCache::Mapping {
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
  Json meta;

  ~Mapping() {
    if (memory != nullptr) ::munmap(memory, bytes);
  }
  const Header& header() const { return *reinterpret_cast<const Header*>(memory); }
  std::span<const std::byte> section(std::size_t i) const {
    const Section& s = header().section[i];
    return {memory + s.offset, s.bytes};
  }
  bool has_checksum(std::size_t i) const {
    return checksum_of(section(i)) == header().section[i].checksum;
  }
};

std::variant<GraphCache, NoGraphCache> GraphCache::open(const std::string& path) {
  const File file(path, O_RDONLY);
  if (file.fd() < 0 && errno == ENOENT) return NoGraphCache{};
  const auto status = file.status();
  if (!status) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(path, error);
    return NoGraphCache{is_folder ? "a folder is in its place: remove that first"
                                  : "it cannot be read"};
  }
  if (status->st_uid != ::geteuid()) return NoGraphCache{"it belongs to another user"};
  const auto bytes = static_cast<std::size_t>(status->st_size);
  if (bytes < kPage) return NoGraphCache{"it is not as long as it was"};
  auto mapping = std::make_shared<Mapping>();
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.fd(), 0);
  if (memory == MAP_FAILED) return NoGraphCache{"it cannot be mapped"};
  mapping->memory = static_cast<std::byte*>(memory);
  mapping->bytes = bytes;
  const Header& header = mapping->header();
  if (is_of_another_version(header)) return NoGraphCache{};
  if (auto fault = fault_of(header, bytes); !fault.empty()) return NoGraphCache{std::move(fault)};

  GraphCache cache;
  cache.ledger_ = {header.position, header.checksum};
  if (!mapping->has_checksum(0)) return NoGraphCache{"it is damaged"};
  const auto meta = mapping->section(0);
  mapping->meta = Json::parse(reinterpret_cast<const char*>(meta.data()),
                              reinterpret_cast<const char*>(meta.data()) + meta.size(), nullptr,
                              false);  // load() finds that it is none
  cache.mapping_ = std::move(mapping);
  return cache;
}

bool GraphCache::is_whole() const {
  for (std::size_t i = 0; i < mapping_->header().sections; ++i) {
    if (!mapping_->has_checksum(i)) return false;
  }
  return true;
}

bool GraphCache::load(State& state) const try {
  const Json& meta = mapping_->meta;
  if (!unpack(mapping_->header(), mapping_->memory, state.unpack(mapping_), meta.at("counts")))
    return false;
  LedgerFacts loaded;
  meta.at("latest_at").get_to(loaded.latest.at);
  meta.at("latest_key").get_to(loaded.latest.key);
  meta.at("recalibrated_at").get_to(loaded.recalibrated_at);
  meta.at("embedder").get_to(loaded.embedder);
  meta.at("dimension").get_to(loaded.dimension);
  meta.at("completed").get_to(loaded.completed);
  const auto learned = decode_payload("outcome", meta.at("learned").get<std::string>(), {});
  loaded.learned = std::get<OutcomeSignal>(learned).learned;
  meta.at("learned_at").get_to(loaded.learned_from.at);
  meta.at("learned_key").get_to(loaded.learned_from.key);
  using Names = std::vector<std::string>;
  state.load(std::move(loaded), {meta.at("node_types").get<Names>(), meta.at("states").get<Names>(),
                                 meta.at("edge_types").get<Names>()});
  return true;
} catch (const std::exception&) {  // the meta data is no JSON, or its names do not fit
  return false;
}

// --- writing ------------------------------------------------------------------------------------

namespace {

Header lay_out(const graph::Packing& packing, std::string_view meta, const LedgerPrefix& ledger,
               std::size_t items) {
  Header h{};
  std::memcpy(h.magic, kMagic, sizeof kMagic);
  h.version = kVersion;
  h.byte_order = kByteOrder;
  h.position = ledger.position;
  h.checksum = ledger.checksum;
  h.rules = fold_rules();
  h.items = items;
  std::size_t end = kPage;
  const auto place = [&](std::span<const std::byte> bytes, std::size_t value_bytes, bool grows) {
    if (h.sections == kSectionsMax) throw std::logic_error("a graph cache has too many sections");
    Section& s = h.section[h.sections++];
    s.offset = end;
    s.bytes = bytes.size();
    // Room for an eighth more; after so much growth the graph cache is written anew. Uses no disk
    // space.
    s.capacity_bytes = grows ? bytes.size() + bytes.size() / 8 / value_bytes * value_bytes +
                                   kPage / value_bytes * value_bytes
                             : bytes.size();
    s.value_bytes = value_bytes;
    s.checksum = checksum_of(bytes);
    end += to_pages(s.capacity_bytes);
  };
  place(std::as_bytes(std::span(meta)), 1, false);
  for (const AnyColumn* column : packing.columns)
    place(column->bytes(), column->value_bytes(), true);
  h.file_bytes = end;
  h.header_checksum = checksum_of(h);
  return h;
}

bool write_sections(int fd, const Header& header, const graph::Packing& packing,
                    std::string_view meta) {
  if (::ftruncate(fd, static_cast<off_t>(header.file_bytes)) != 0) return false;
  if (!write_at(fd, std::as_bytes(std::span(meta)), header.section[0].offset)) return false;
  for (std::size_t i = 0; i < packing.columns.size(); ++i) {
    if (!write_at(fd, packing.columns[i]->bytes(), header.section[i + 1].offset)) return false;
  }
  return write_at(fd, std::as_bytes(std::span(&header, 1)), 0) && ::fsync(fd) == 0;
}

// Takes the writer's lock of the file; false: another process has it, or has put another file in
// its place.
bool lock_in_place(const File& file, const std::string& path) {
  struct stat there {};
  if (file.fd() < 0 || ::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) return false;
  const auto status = file.status();
  return status && ::lstat(path.c_str(), &there) == 0 && there.st_ino == status->st_ino &&
         there.st_dev == status->st_dev;
}

}  // namespace

bool write_graph_cache(const std::string& path, State& state, const LedgerPrefix& ledger) {
  const std::string next = path + "-new";
  // Only the one that has its lock removes the file, so none removes that of a living process. It
  // may be a second name of another file: nothing is written to it.
  const File left(next, O_RDWR);
  if (left.fd() < 0 && errno != ENOENT) return false;
  if (left.fd() >= 0 && (!lock_in_place(left, next) || ::unlink(next.c_str()) != 0)) return false;
  const File file(next, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (!lock_in_place(file, next)) return false;
  const auto& g = state.graph();
  const graph::Packing packing = state.pack();
  std::string meta;
  try {
    meta = meta_of(state, packing);
  } catch (const Json::exception&) {  // a name that is not UTF-8, from a damaged mirror
    ::unlink(next.c_str());
    return false;
  }
  const Header header = lay_out(packing, meta, ledger, g.num_nodes() + g.num_edges());
  const bool written =
      write_sections(file.fd(), header, packing, meta) && ::rename(next.c_str(), path.c_str()) == 0;
  if (!written) ::unlink(next.c_str());
  return written;
}

}  // namespace hebb
