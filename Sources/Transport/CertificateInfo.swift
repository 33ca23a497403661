import COpenSSL
import Glibc

/// What a person should know about the certificate that is served.
package struct CertificateInfo: Equatable, Sendable {
    /// Valid from and until, in seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
    /// DNS names and IP addresses of the subject alternative name, which is all that clients look at.
    package let subjectNames: [String]
    /// Issued by its own subject: no client trusts it unless it was told to.
    package let isSelfIssued: Bool

    /// Nil when its dates can't be read.
    init?(_ certificate: OpaquePointer) {
        guard let from = unsafe unixSeconds(X509_get0_notBefore(certificate)),
            let until = unsafe unixSeconds(X509_get0_notAfter(certificate))
        else { return nil }
        notBefore = from
        notAfter = until
        isSelfIssued =
            unsafe X509_NAME_cmp(X509_get_issuer_name(certificate), X509_get_subject_name(certificate)) == 0
        subjectNames = unsafe alternativeNames(of: certificate)
    }
}

private func unixSeconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = unsafe tm()
    guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return unsafe Int64(timegm(&parts))
}

private func alternativeNames(of certificate: OpaquePointer) -> [String] {
    guard let list = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
    let names = OpaquePointer(list)
    defer { unsafe GENERAL_NAMES_free(names) }
    var result: [String] = []
    for index in 0..<max(0, unsafe openssl_general_names_count(names)) {
        guard let name = unsafe openssl_general_names_at(names, index) else { continue }
        let bytes = unsafe contents(name.pointee.d.ia5)
        switch unsafe name.pointee.type {
        case GEN_DNS where bytes.allSatisfy { (0x21...0x7E).contains($0) }:
            result.append(String(decoding: bytes, as: UTF8.self))
        case GEN_IPADD:
            if let address = SocketAddress(networkBytes: bytes) { result.append(address.host) }
        default: continue
        }
    }
    return result
}

private func contents(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    guard let string = unsafe string, let data = unsafe ASN1_STRING_get0_data(string) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: data, count: Int(ASN1_STRING_length(string))))
}
