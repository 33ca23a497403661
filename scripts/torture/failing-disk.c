/* Loaded in front of the C library (LD_PRELOAD): what writes to regular files begins to fail when the file named by
 * FAILING_DISK has a number in it (an errno such as 5 for EIO, 28 for ENOSPC), and works again when it has none.
 * Every call counts as failing; a write with ENOSPC first writes half, as a disk does that fills up. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int failure(int fd) {
    static int control = -1;
    struct stat status;
    char text[8] = {0};
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    if (control < 0) {
        const char *path = getenv("FAILING_DISK");
        if (path == NULL) return 0;
        control = open(path, O_RDONLY | O_CLOEXEC);
        if (control < 0) return 0;
    }
    static ssize_t (*real)(int, void *, size_t, off_t);
    if (real == NULL) real = dlsym(RTLD_NEXT, "pread");
    if (real(control, text, 7, 0) <= 0) return 0;
    return atoi(text);
}

#define REAL(name, type, ...)                                         \
    static type (*real)(__VA_ARGS__);                                 \
    if (real == NULL) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static ssize_t failed(int number) {
    errno = number;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL("write", ssize_t, int, const void *, size_t);
    int number = failure(fd);
    if (number == ENOSPC && count > 1) return real(fd, bytes, count / 2);
    return number ? failed(number) : real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    REAL("pwrite", ssize_t, int, const void *, size_t, off_t);
    int number = failure(fd);
    if (number == ENOSPC && count >= 4096) return real(fd, bytes, count / 2, offset);
    return number ? failed(number) : real(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    REAL("pwrite64", ssize_t, int, const void *, size_t, off64_t);
    int number = failure(fd);
    if (number == ENOSPC && count >= 4096) return real(fd, bytes, count / 2, offset);
    return number ? failed(number) : real(fd, bytes, count, offset);
}

int fsync(int fd) {
    REAL("fsync", int, int);
    int number = failure(fd);
    return number ? (int)failed(number) : real(fd);
}

int fdatasync(int fd) {
    REAL("fdatasync", int, int);
    int number = failure(fd);
    return number ? (int)failed(number) : real(fd);
}

int ftruncate(int fd, off_t length) {
    REAL("ftruncate", int, int, off_t);
    int number = failure(fd);
    return number ? (int)failed(number) : real(fd, length);
}

int ftruncate64(int fd, off64_t length) {
    REAL("ftruncate64", int, int, off64_t);
    int number = failure(fd);
    return number ? (int)failed(number) : real(fd, length);
}
