#pragma once
// Linux calls that the Glibc module does not show without _GNU_SOURCE, or not at all.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#ifndef SOCK_NONBLOCK
#include <bits/socket_type.h>
#endif

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
