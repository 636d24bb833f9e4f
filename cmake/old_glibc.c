/* What hebb and Debian 12's libstdc++.a ask of glibc and glibc 2.31 does not have (cmake/Portable.cmake). */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* glibc 2.32: whether the process has one thread. "No" is always right; counts of shared pointers are atomic then. */
char __libc_single_threaded = 0;

/* glibc 2.36: for std::random_device. */
uint32_t arc4random(void) {
  uint32_t value = 0;
  if (getrandom(&value, sizeof value, 0) != sizeof value) abort();
  return value;
}

/* glibc 2.34: closes the files that are open now. hebb's own are closed by exec. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from) {
  DIR *open = opendir("/proc/self/fd");
  if (!open) return errno;
  int error = 0;
  const struct dirent *entry;
  while (error == 0 && (entry = readdir(open))) {
    int fd = atoi(entry->d_name); /* 0 for "." and ".." */
    if (fd >= from && fd != dirfd(open)) error = posix_spawn_file_actions_addclose(actions, fd);
  }
  closedir(open);
  return error;
}
