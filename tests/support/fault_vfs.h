// A SQLite VFS between SQLite and the disk that fails when told to.
//
// It counts every call that changes or reads a file. The chosen call fails, writes only half, or is
// a simulated power cut: from then on every call fails, and recover() restores what a disk may hold
// after a power cut, without the writes that were not synced. Syncs can fail as on Linux: what they
// were to write is not on the disk, and no later sync writes it. For one process, which closes all
// its connections before recover().
#pragma once

#include <cstdint>
#include <functional>

namespace hebb::test {

enum class Fault : std::uint8_t {
  none,
  error,      // this call fails, later ones work again
  full,       // this write and all later ones find the disk full
  torn,       // this write is cut in half, and then the power is cut
  power_cut,  // the power is cut before this call; unsynced writes are lost
  kill,       // the process ends by SIGKILL before this call
  hang,       // this call takes a minute
};

// Makes the VFS SQLite's default as long as it lives.
class FaultVfs {
 public:
  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  void arm(Fault fault, int nth);  // at the nth call from now, from 1
  int calls() const;               // since armed
  // The nth sync from now, from 1, fails, or it and all after it. Of each write that it was for,
  // and that was not synced as recover() is called, chance decides whether the disk has it; seed 0:
  // it has none.
  void fail_syncs(int nth, bool and_all_after, std::uint64_t seed);
  int syncs() const;  // since fail_syncs()
  void cut();         // the power, now
  bool happened() const;
  void recover();  // takes back what was not synced, if the power was cut; disarms
};

}  // namespace hebb::test
