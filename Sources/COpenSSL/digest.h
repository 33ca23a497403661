#pragma once
// The digest functions under EVP: they need no provider and no memory of their own. Loading the providers takes 2 MB and
// each message a few allocations.
#include <openssl/sha.h>

static inline void openssl_sha256_init(SHA256_CTX *state) { SHA256_Init(state); }
static inline void openssl_sha256_update(SHA256_CTX *state, const void *bytes, size_t count) {
    SHA256_Update(state, bytes, count);
}
static inline void openssl_sha256_final(SHA256_CTX *state, unsigned char *digest) { SHA256_Final(digest, state); }

static inline void openssl_sha1(const void *bytes, size_t count, unsigned char *digest) {
    SHA_CTX state;
    SHA1_Init(&state);
    SHA1_Update(&state, bytes, count);
    SHA1_Final(digest, &state);
}
