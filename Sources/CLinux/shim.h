#pragma once
// Linux calls that the Glibc module does not show without _GNU_SOURCE.
#include <sys/socket.h>

#ifndef SOCK_NONBLOCK
#include <bits/socket_type.h>
#endif

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

static inline int linux_accept4(int fd, struct sockaddr *address, socklen_t *length) {
    return accept4(fd, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
