/* Loaded in front of libswiftSynchronization (LD_PRELOAD) for the thread sanitizer's sake.
 *
 * `Mutex` takes a free lock, and gives back one that nobody waits for, in code that is compiled into the program, which the
 * sanitizer sees. One that is contended changes hands in the library and the kernel, which it doesn't see: whoever had to
 * wait then seems to read without a lock. This tells it of both ends. Wrong reports go, races are still found. To be removed
 * when the library itself tells the sanitizer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
/* Swift hands `self` over in a register of its own. */
typedef __attribute__((swiftcall)) void Lock(uint32_t word, __attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) void Unlock(__attribute__((swift_context)) void *handle);

Lock lock_slow __asm__(LOCK);
Unlock unlock_slow __asm__(UNLOCK);

__attribute__((swiftcall)) void lock_slow(uint32_t word, __attribute__((swift_context)) void *handle) {
    static Lock *real;
    if (!real) real = (Lock *)dlsym(RTLD_NEXT, LOCK);
    real(word, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) {
    static Unlock *real;
    if (!real) real = (Unlock *)dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    real(handle);
}
