/// The words of the command line as the C library was given them.
///
/// Swift's `CommandLine` finds them through /proc, which a chroot need not have. The C library hands them to each
/// function of `.init_array` before `main` (System V ABI, glibc's `_dl_init`).
enum ProgramArguments {
    /// The words behind the program's name; nil when one is no UTF-8, which `CommandLine` would repair without a word,
    /// so that a token or a path became another one.
    static func words() -> [String]? {
        guard let pointers = unsafe argumentPointers else { return [] }
        var words: [String] = []
        for index in 1..<max(1, Int(unsafe argumentCount)) {
            guard let pointer = unsafe pointers[index], let word = unsafe String(validatingCString: pointer) else {
                return nil
            }
            words.append(word)
        }
        return words
    }
}

// Written once before `main`, when there is one thread, and read after that.
nonisolated(unsafe) private var argumentCount: CInt = 0
nonisolated(unsafe) private var argumentPointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

@section(".init_array") @used
nonisolated(unsafe) private let takeArguments:
    @convention(c) (CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Void = { count, pointers in
        unsafe argumentCount = count
        unsafe argumentPointers = pointers
    }
