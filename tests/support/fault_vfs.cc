#include "tests/support/fault_vfs.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sqlite3.h>

namespace hebb::test {
namespace {

// What the disk holds of a file, while SQLite reads what it has written.
struct OnDisk {
  std::string bytes;
  std::vector<std::pair<sqlite3_int64, sqlite3_int64>> unsynced;  // offsets and sizes
};

struct Disk {
  sqlite3_vfs* real = nullptr;
  sqlite3_vfs shim{};
  Fault fault = Fault::none;
  int nth = 0, calls = 0;
  bool happened = false, dead = false;
  int syncs = 0, failing_sync = 0;  // 0: none
  bool fails_after = false;
  std::uint64_t chance = 0;               // 0: never
  std::map<std::string, OnDisk> written;  // by path; other files are on the disk as they are
};
Disk& disk() {
  static Disk d;
  return d;
}

struct File {
  sqlite3_file base;
  std::string* path;
  sqlite3_file* real;  // lies behind this struct
};
File* file_of(sqlite3_file* f) { return reinterpret_cast<File*>(f); }
sqlite3_file* real_of(sqlite3_file* f) { return file_of(f)->real; }

enum class Call { read, write, other };

// 0 if the call may go on; `half`: it is to be cut and to fail after that.
int strike(Call call, bool* half = nullptr) {
  Disk& d = disk();
  if (d.dead) return SQLITE_IOERR;
  ++d.calls;
  if (d.fault == Fault::full && d.happened && call == Call::write) return SQLITE_FULL;
  if (d.fault == Fault::none || d.calls != d.nth) return SQLITE_OK;
  switch (d.fault) {
    case Fault::kill:
      std::raise(SIGKILL);
      break;
    case Fault::hang:
      d.happened = true;
      std::this_thread::sleep_for(std::chrono::minutes(1));
      return SQLITE_OK;
    case Fault::full:
      d.happened = true;
      return call == Call::write ? SQLITE_FULL : SQLITE_OK;
    case Fault::torn:
      d.happened = d.dead = true;
      if (half) *half = true;
      return half ? SQLITE_OK : SQLITE_IOERR;
    case Fault::power_cut:
      d.happened = d.dead = true;
      return SQLITE_IOERR;
    case Fault::error:
    case Fault::none:
      d.happened = true;
      break;
  }
  return call == Call::read ? SQLITE_IOERR_READ : SQLITE_IOERR_WRITE;
}

int do_close(sqlite3_file* f) {
  const int rc = real_of(f)->pMethods->xClose(real_of(f));
  delete file_of(f)->path;
  return rc;
}

int do_read(sqlite3_file* f, void* to, int size, sqlite3_int64 offset) {
  if (const int rc = strike(Call::read)) return rc;
  return real_of(f)->pMethods->xRead(real_of(f), to, size, offset);
}

std::string bytes_of(sqlite3_file* f, sqlite3_int64 offset, sqlite3_int64 size) {
  sqlite3_int64 all = 0;
  real_of(f)->pMethods->xFileSize(real_of(f), &all);
  std::string bytes(static_cast<std::size_t>(std::clamp<sqlite3_int64>(all - offset, 0, size)), 0);
  if (!bytes.empty()) {
    real_of(f)->pMethods->xRead(real_of(f), bytes.data(), static_cast<int>(bytes.size()), offset);
  }
  return bytes;
}

// To be called before the file is changed.
OnDisk& on_disk(sqlite3_file* f) {
  const auto [found, is_new] = disk().written.try_emplace(*file_of(f)->path);
  if (is_new) found->second.bytes = bytes_of(f, 0, std::numeric_limits<int>::max());
  return found->second;
}

bool by_chance() {
  std::uint64_t& x = disk().chance;  // xorshift
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return (x & 1) != 0;
}

void put(OnDisk& file, sqlite3_int64 offset, const std::string& bytes) {
  const auto at = static_cast<std::size_t>(offset);
  if (file.bytes.size() < at + bytes.size()) file.bytes.resize(at + bytes.size());
  file.bytes.replace(at, bytes.size(), bytes);
}

void sync(sqlite3_file* f) {
  OnDisk& file = on_disk(f);
  sqlite3_int64 size = 0;
  real_of(f)->pMethods->xFileSize(real_of(f), &size);
  file.bytes.resize(static_cast<std::size_t>(size));
  for (const auto& [offset, bytes] : std::exchange(file.unsynced, {}))
    put(file, offset, bytes_of(f, offset, bytes));
}

// Linux takes what could not be written for written.
void fail_to_sync(sqlite3_file* f) {
  OnDisk& file = on_disk(f);
  for (const auto& [offset, bytes] : std::exchange(file.unsynced, {}))
    if (by_chance()) put(file, offset, bytes_of(f, offset, bytes));
}

int do_write(sqlite3_file* f, const void* from, int size, sqlite3_int64 offset) {
  bool half = false;
  if (const int rc = strike(Call::write, &half)) return rc;
  OnDisk& file = on_disk(f);
  if (half) size /= 2;
  file.unsynced.emplace_back(offset, size);
  const int rc = real_of(f)->pMethods->xWrite(real_of(f), from, size, offset);
  if (half) sync(f);  // what was written before stays, and so does the half
  return half ? SQLITE_IOERR_WRITE : rc;
}

int do_truncate(sqlite3_file* f, sqlite3_int64 size) {
  if (const int rc = strike(Call::write)) return rc;
  on_disk(f);
  return real_of(f)->pMethods->xTruncate(real_of(f), size);
}

// Nothing is waited for: what counts is what would have been lost.
int do_sync(sqlite3_file* f, int) {
  if (const int rc = strike(Call::other)) return rc;
  Disk& d = disk();
  const int nth = ++d.syncs;
  if (d.failing_sync > 0 && (nth == d.failing_sync || (d.fails_after && nth > d.failing_sync))) {
    d.happened = true;
    fail_to_sync(f);
    return SQLITE_IOERR_FSYNC;
  }
  sync(f);
  return SQLITE_OK;
}

int do_file_size(sqlite3_file* f, sqlite3_int64* size) {
  return real_of(f)->pMethods->xFileSize(real_of(f), size);
}
int do_lock(sqlite3_file* f, int how) { return real_of(f)->pMethods->xLock(real_of(f), how); }
int do_unlock(sqlite3_file* f, int how) { return real_of(f)->pMethods->xUnlock(real_of(f), how); }
int do_check_lock(sqlite3_file* f, int* out) {
  return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}
int do_control(sqlite3_file* f, int op, void* arg) {
  return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}
int do_sector(sqlite3_file* f) { return real_of(f)->pMethods->xSectorSize(real_of(f)); }
int do_traits(sqlite3_file* f) { return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f)); }
int do_shm_map(sqlite3_file* f, int page, int size, int extend, void volatile** out) {
  return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, out);
}
int do_shm_lock(sqlite3_file* f, int offset, int n, int flags) {
  return real_of(f)->pMethods->xShmLock(real_of(f), offset, n, flags);
}
void do_shm_barrier(sqlite3_file* f) { real_of(f)->pMethods->xShmBarrier(real_of(f)); }
int do_shm_unmap(sqlite3_file* f, int remove) {
  return real_of(f)->pMethods->xShmUnmap(real_of(f), remove);
}

const sqlite3_io_methods kMethods{
    2,           do_close,       do_read,       do_write,   do_truncate, do_sync,   do_file_size,
    do_lock,     do_unlock,      do_check_lock, do_control, do_sector,   do_traits, do_shm_map,
    do_shm_lock, do_shm_barrier, do_shm_unmap,  nullptr,    nullptr};

int do_open(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* f, int flags, int* out) {
  f->pMethods = nullptr;
  if (disk().dead) return SQLITE_CANTOPEN;
  File* file = file_of(f);
  file->real = reinterpret_cast<sqlite3_file*>(file + 1);
  const int rc = disk().real->xOpen(disk().real, name, file->real, flags, out);
  if (rc != SQLITE_OK) return rc;
  file->path = new std::string(name ? name : "");
  f->pMethods = &kMethods;
  return SQLITE_OK;
}

int do_delete(sqlite3_vfs*, const char* name, int sync_directory) {
  if (const int rc = strike(Call::other)) return rc;
  disk().written.erase(name);
  return disk().real->xDelete(disk().real, name, sync_directory);
}

}  // namespace

FaultVfs::FaultVfs() {
  Disk& d = disk();
  d.real = sqlite3_vfs_find(nullptr);
  d.shim = *d.real;
  d.shim.zName = "fault";
  d.shim.szOsFile = static_cast<int>(sizeof(File)) + d.real->szOsFile;
  d.shim.xOpen = do_open;
  d.shim.xDelete = do_delete;
  sqlite3_vfs_register(&d.shim, 1);
}

FaultVfs::~FaultVfs() {
  sqlite3_vfs_unregister(&disk().shim);
  disk() = Disk{};
}

void FaultVfs::arm(Fault fault, int nth) {
  Disk& d = disk();
  d.fault = fault;
  d.nth = nth;
  d.calls = 0;
  d.happened = false;
}

int FaultVfs::calls() const { return disk().calls; }
bool FaultVfs::happened() const { return disk().happened; }

int FaultVfs::syncs() const { return disk().syncs; }
void FaultVfs::cut() { disk().happened = disk().dead = true; }

void FaultVfs::fail_syncs(int nth, bool and_all_after, std::uint64_t seed) {
  Disk& d = disk();
  d.syncs = 0;
  d.failing_sync = nth;
  d.fails_after = and_all_after;
  d.chance = seed;
}

void FaultVfs::recover() {
  Disk& d = disk();
  for (auto& [path, file] : d.written) {
    std::error_code gone;
    if (!d.dead || !std::filesystem::exists(path, gone)) continue;
    std::ifstream in(path, std::ios::binary);
    const std::string written{std::istreambuf_iterator<char>(in), {}};
    for (const auto& [offset, size] : file.unsynced) {
      const auto at = std::min(static_cast<std::size_t>(offset), written.size());
      if (by_chance()) put(file, offset, written.substr(at, static_cast<std::size_t>(size)));
    }
    std::ofstream(path, std::ios::binary) << file.bytes;
  }
  d.written.clear();
  d.dead = d.happened = d.fails_after = false;
  d.failing_sync = 0;
  d.chance = 0;
  d.fault = Fault::none;
}

}  // namespace hebb::test
