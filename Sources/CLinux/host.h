#pragma once
// What a command asks the kernel about this machine and itself; prctl(2) is variadic, timex has flags for fields.
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/timex.h>

static inline int linux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// 1: something keeps the clock right; 0: nothing does; -1: this process may not ask.
static inline int linux_clock_is_synchronized(void) {
    struct timex state = {0};
    int result = adjtimex(&state);
    if (result < 0) return -1;
    return result != TIME_ERROR && !(state.status & STA_UNSYNC);
}

// Columns of the terminal at `fd`; 0 when it is none.
static inline int linux_terminal_columns(int fd) {
    struct winsize size = {0};
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Has blocks from 1 MiB on come from the kernel and go back to it when they are freed. By itself glibc raises that bound
// to the largest block freed so far, and keeps what lies below it. Up to 2 MiB a heap stay: to take pages anew costs more than
// to fill them.
static inline void linux_return_large_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 2 << 20);
}

// Gives the kernel what the allocator holds without use, of all threads.
static inline void linux_return_free_memory(void) { malloc_trim(0); }
