/* Loaded in front of libswiftSynchronization (LD_PRELOAD) for the thread sanitizer's sake.
 *
 * `Mutex` takes a free lock in code that is compiled into the program, which the sanitizer sees, but one that is held in the
 * library, which it doesn't: whoever had to wait then seems to read without a lock. This tells it that the lock was taken.
 * Wrong reports go, races are still found. To be removed when the library is built with the sanitizer's annotations. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *address) __attribute__((weak));

#define SWIFT_NAME "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
typedef __attribute__((swiftcall)) void LockSlow(uint32_t word, __attribute__((swift_context)) void *handle);

LockSlow lock_slow __asm__(SWIFT_NAME);

__attribute__((swiftcall)) void lock_slow(uint32_t word, __attribute__((swift_context)) void *handle) {
    static LockSlow *real;
    if (!real) real = (LockSlow *)dlsym(RTLD_NEXT, SWIFT_NAME);
    real(word, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}
