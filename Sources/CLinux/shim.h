#pragma once
// Linux calls that the Glibc module does not show without _GNU_SOURCE, or not at all.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#ifndef SOCK_NONBLOCK
#include <bits/socket_type.h>
#endif

extern int pthread_setname_np(pthread_t thread, const char *name);
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

static inline int linux_accept4(int fd, struct sockaddr *address, socklen_t *length) {
    return accept4(fd, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

// Types and flags are C enums, which Swift does not combine: one call for the only socket kind we open.
static inline int linux_stream_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
}

static inline int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline int linux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

// The kernel keeps 15 bytes of a thread's name and refuses longer ones.
static inline void linux_set_thread_name(const char *name) {
    char kept[16];
    snprintf(kept, sizeof kept, "%s", name);
    pthread_setname_np(pthread_self(), kept);
}

// Has the processor fetch what will be read soon; any address will do.
static inline void linux_prefetch(const void *address) { __builtin_prefetch(address); }

// A file for reading and writing that has no name, in the folder at `folder`; O_TMPFILE is hidden without _GNU_SOURCE.
// O_EXCL: it can't be given a name later.
static inline int linux_open_unnamed_file(const char *folder) {
#ifdef O_TMPFILE
    return open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#else
    return open(folder, 020000000 | O_DIRECTORY | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#endif
}
