#pragma once
// The client's side of TLS, for checks; macros that Swift can't see.
#include <openssl/ssl.h>

static inline int openssl_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name) == 1;
}
