#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/*
 * A disk under load, and one that is full: each sync takes SLOW_SYNC_MS, and while the file FULL_WHILE is there, no file grows or changes.
 */
static void delay(void) {
  const char *ms = getenv("SLOW_SYNC_MS");
  if (ms == NULL) return;
  struct timespec left = {atoi(ms) / 1000, (atoi(ms) % 1000) * 1000000L};
  while (nanosleep(&left, &left) != 0) {
  }
}

static int is_full(void) {
  const char *path = getenv("FULL_WHILE");
  return path != NULL && access(path, F_OK) == 0;
}

int fsync(int file) {
  delay();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
  delay();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  if (is_full()) {
    errno = ENOSPC;
    return -1;
  }
  return ((ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(file, bytes, count, offset);
}
