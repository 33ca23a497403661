/// HMAC-SHA256 of `message` under `key`: 32 bytes.
package func authenticationCode(key: [UInt8], message: [UInt8]) -> [UInt8] {
    let code = HMACKey(key.span).code(prefix: message.span, body: [UInt8]().span)
    return code.indices.map { code[$0] }
}
