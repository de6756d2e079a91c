#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/*
 * A disk under load, one that is full, and one that breaks: each sync takes SLOW_SYNC_MS; while the file FULL_WHILE is there, no file
 * grows or changes; while BROKEN_WHILE is there, each sync fails.
 */
static void delay(void) {
  const char *ms = getenv("SLOW_SYNC_MS");
  if (ms == NULL) return;
  struct timespec left = {atoi(ms) / 1000, (atoi(ms) % 1000) * 1000000L};
  while (nanosleep(&left, &left) != 0) {
  }
}

static int is_there(const char *name) {
  const char *path = getenv(name);
  return path != NULL && access(path, F_OK) == 0;
}

static int fails(void) {
  delay();
  if (!is_there("BROKEN_WHILE")) return 0;
  errno = EIO;
  return 1;
}

int fsync(int file) {
  if (fails()) return -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
  if (fails()) return -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  if (is_there("FULL_WHILE")) {
    errno = ENOSPC;
    return -1;
  }
  return ((ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(file, bytes, count, offset);
}
