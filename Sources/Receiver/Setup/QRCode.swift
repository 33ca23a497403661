import Glibc

/// Why there is no QR code.
package enum QRCodeError: Error, Equatable, Sendable {
    /// `libqrencode.so.4` is not installed.
    case libraryMissing
    /// More than the largest code holds, 2,953 bytes.
    case tooLong
}

/// The modules of a QR code, without its quiet zone.
package struct QRCode: Equatable, Sendable {
    /// Modules on a side: 21 to 177.
    package let width: Int
    /// True is dark; row by row from the top left, `width * width` of them.
    package let modules: [Bool]

    package init(width: Int, modules: [Bool]) {
        precondition(width > 0 && modules.count == width * width)
        self.width = width
        self.modules = modules
    }

    /// Whether the module is dark; light outside of the code.
    package subscript(column column: Int, row row: Int) -> Bool {
        guard (0..<width).contains(column), (0..<width).contains(row) else { return false }
        return modules[row * width + column]
    }

    /// Encodes `text` with libqrencode, which is opened now: the program runs without it otherwise.
    ///
    /// Byte mode, error correction level L: the code is read from a screen, where a smaller one scans better than
    /// a more redundant one.
    package init(encoding text: String) throws(QRCodeError) {
        guard !text.isEmpty, text.utf8.count <= 2_953 else { throw .tooLong }
        guard let library = unsafe dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL) else { throw .libraryMissing }
        defer { unsafe _ = dlclose(library) }
        // QRcode *QRcode_encodeString8bit(const char *string, int version, QRecLevel level);
        // typedef struct { int version; int width; unsigned char *data; } QRcode;   qrencode.h of version 4
        typealias Encode = @convention(c) (UnsafePointer<CChar>, CInt, CInt) -> UnsafeMutableRawPointer?
        typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void
        guard let encodeSymbol = unsafe dlsym(library, "QRcode_encodeString8bit"),
            let freeSymbol = unsafe dlsym(library, "QRcode_free")
        else { throw .libraryMissing }
        let encode = unsafe unsafeBitCast(encodeSymbol, to: Encode.self)
        let free = unsafe unsafeBitCast(freeSymbol, to: Free.self)
        guard let code = unsafe text.withCString({ unsafe encode($0, 0, 0) }) else { throw .tooLong }
        defer { unsafe free(code) }
        let width = unsafe Int(code.load(fromByteOffset: 4, as: CInt.self))
        guard (21...177).contains(width),
            let data = unsafe code.load(fromByteOffset: 8, as: UnsafeMutablePointer<UInt8>?.self)
        else { throw .libraryMissing }
        // The lowest bit is the colour, the others tell what a module is for.
        self.init(width: width, modules: (0..<width * width).map { unsafe data[$0] & 1 == 1 })
    }
}
