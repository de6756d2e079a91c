#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/*
 * A disk under load, one that stands still, one that is full, one whose quota is used up, one that breaks and one that is made read-only:
 * each sync takes SLOW_SYNC_MS; while the file STUCK_WHILE is there, none ends; while the file FULL_WHILE or OVER_QUOTA_WHILE is there, no
 * file grows or changes; while BROKEN_WHILE is there, each sync fails; while READONLY_WHILE is there, nothing below READONLY is changed or
 * opened for it, as after an error of a disk that is mounted with errors=remount-ro; while HELD_WHILE is there, no sync ends of a file
 * whose name ends in .part, as one is called until it is whole. SYNCS is a file to which each sync adds a byte. NOT_OURS is a file that
 * belongs to another user. With FIXED_MODES no mode and no time of a file or folder can be changed, as on a share that another user has
 * mounted. With UNSYNCED_FOLDERS no folder can be synced, as a shared folder of VirtualBox.
 */
static void count_sync(void) {
  const char *path = getenv("SYNCS");
  if (path == NULL) return;
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0 || write(file, ".", 1) != 1) abort();
  close(file);
}

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

static int is_part(int file) {
  char link[32];
  char path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path);
  return length >= 5 && memcmp(path + length - 5, ".part", 5) == 0;
}

static void hold(int file) {
  const struct timespec moment = {0, 5 * 1000000L};
  while (is_there("STUCK_WHILE") || (is_there("HELD_WHILE") && is_part(file))) nanosleep(&moment, NULL);
}

static int is_folder(int file) {
  struct stat found;
  return fstat(file, &found) == 0 && S_ISDIR(found.st_mode);
}

static int fails(int file) {
  count_sync();
  hold(file);
  delay();
  if (is_there("BROKEN_WHILE"))
    errno = EIO;
  else if (getenv("UNSYNCED_FOLDERS") != NULL && is_folder(file))
    errno = EINVAL;
  else
    return 0;
  return 1;
}

int fsync(int file) {
  if (fails(file)) return -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
  if (fails(file)) return -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}

static int is_file(int file) {
  struct stat found;
  return fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

static int takes_no_bytes(int file) {
  if (!is_file(file)) return 0;
  errno = is_there("FULL_WHILE")         ? ENOSPC
          : is_there("OVER_QUOTA_WHILE") ? EDQUOT
          : is_there("READONLY_WHILE")   ? EROFS
                                         : 0;
  return errno != 0;
}

static int is_read_only(const char *path) {
  const char *below = getenv("READONLY");
  if (below == NULL || strncmp(path, below, strlen(below)) != 0 || !is_there("READONLY_WHILE")) return 0;
  errno = EROFS;
  return 1;
}

static int is_not_ours(const char *path) {
  const char *one = getenv("NOT_OURS");
  if (one == NULL || strcmp(path, one) != 0) return 0;
  errno = EACCES;
  return 1;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  if (takes_no_bytes(file)) return -1;
  return ((ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (takes_no_bytes(file)) return -1;
  return ((ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(file, bytes, count);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = va_arg(more, mode_t);
  va_end(more);
  if ((flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != O_RDONLY && (is_read_only(path) || is_not_ours(path))) return -1;
  return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64"))(path, flags, mode);
}

int access(const char *path, int how) {
  if ((how & W_OK) != 0 && is_read_only(path)) return -1;
  return ((int (*)(const char *, int))dlsym(RTLD_NEXT, "access"))(path, how);
}

int unlink(const char *path) {
  if (is_read_only(path)) return -1;
  return ((int (*)(const char *))dlsym(RTLD_NEXT, "unlink"))(path);
}

int rename(const char *from, const char *to) {
  if (is_read_only(to)) return -1;
  return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}

static int is_fixed(void) {
  if (getenv("FIXED_MODES") == NULL) return 0;
  errno = EPERM;
  return 1;
}

int chmod(const char *path, mode_t mode) {
  struct stat found;
  if (stat(path, &found) == 0 && !S_ISSOCK(found.st_mode) && is_fixed()) return -1;
  return ((int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "chmod"))(path, mode);
}

int fchmod(int file, mode_t mode) {
  if (is_fixed()) return -1;
  return ((int (*)(int, mode_t))dlsym(RTLD_NEXT, "fchmod"))(file, mode);
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags) {
  if (is_fixed()) return -1;
  return ((int (*)(int, const char *, const struct timespec *, int))dlsym(RTLD_NEXT, "utimensat"))(directory, path, times, flags);
}

int futimens(int file, const struct timespec times[2]) {
  if (is_fixed()) return -1;
  return ((int (*)(int, const struct timespec *))dlsym(RTLD_NEXT, "futimens"))(file, times);
}
