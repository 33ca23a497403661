import COpenSSL

/// OpenSSL's word for the oldest error of this thread's queue, which is emptied; nil when there is none.
func takeOpenSSLError() -> (code: UInt, reason: String)? {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return nil }
    guard let reason = unsafe ERR_reason_error_string(code) else { return (code, "error \(code)") }
    return (code, unsafe String(cString: reason))
}
