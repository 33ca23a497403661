#pragma once
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// ---- TLS: macros that Swift can't see ----
static const uint64_t openssl_op_no_renegotiation = SSL_OP_NO_RENEGOTIATION;
static const uint64_t openssl_op_no_compression = SSL_OP_NO_COMPRESSION;
static const uint64_t openssl_op_no_ticket = SSL_OP_NO_TICKET;

static inline int openssl_set_minimum_tls12(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}
static inline int openssl_set_groups(SSL_CTX *context, const char *groups) {
    return SSL_CTX_set1_groups_list(context, groups) == 1;
}
static inline void openssl_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void openssl_clear_mode(SSL_CTX *context, long mode) { SSL_CTX_clear_mode(context, mode); }
static inline void openssl_disable_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline int openssl_general_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline const GENERAL_NAME *openssl_general_names_at(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}
// ---- end of TLS ----
