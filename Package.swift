// swift-tools-version: 6.3
import PackageDescription

#if canImport(Glibc)
    import Glibc
#endif

let common: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
]
let audited = common + [.strictMemorySafety()]  // each unsafe expression says `unsafe`: grep is the audit

// So that a server that waits takes less memory. Nobody looks up the program's symbols by name, and lld writes a table of
// relocations in a hundredth of its length where the C library can read that: glibc from 2.36 on, not Ubuntu 22.04's.
var linking = ["-Xlinker", "--no-export-dynamic"]
#if canImport(Glibc)
    var glibc = [CChar](repeating: 0, count: 64)
    confstr(Int32(_CS_GNU_LIBC_VERSION), &glibc, glibc.count)  // such as "glibc 2.36"
    let words = String(decoding: glibc.map(UInt8.init(bitPattern:)), as: UTF8.self).split { " .\0".contains($0) }
    if !words.compactMap({ Int($0) }).lexicographicallyPrecedes([2, 36]) {
        linking += ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
    }
#endif

let package = Package(
    name: "receiver",
    products: [.executable(name: "server", targets: ["server"])],
    targets: [
        // C libraries: a module map and a shim each, no code of ours beyond macros.
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(name: "Threads", dependencies: ["CLinux"], swiftSettings: audited),  // what may block runs on these
        .target(name: "Transport", dependencies: ["CLinux", "COpenSSL"], swiftSettings: audited),  // 1 socket -> bytes
        .target(name: "Wire", dependencies: ["CZlib"], swiftSettings: audited),  // 2 bytes <-> values
        .target(name: "Signing", dependencies: ["COpenSSL", "Wire"], swiftSettings: audited),  // 3 is it genuine?
        .target(name: "Samples", dependencies: ["Signing", "Wire"], swiftSettings: audited),  // 4 values -> samples
        .target(  // 5 samples -> SQLite
            name: "Storage", dependencies: ["CLinux", "CSQLite", "Threads", "Wire", "Samples"], exclude: ["README.md"],
            swiftSettings: audited),
        .target(  // 6 stored samples -> answers: totals, nights, workouts, rhythms
            name: "Insights", dependencies: ["Wire", "Samples", "Storage"], exclude: ["README.md"],
            swiftSettings: audited),
        .target(  // not of the server: an invented year with known truth, for `server demo` and tests
            name: "Demo", dependencies: ["Threads", "Wire", "Samples", "Storage"], swiftSettings: audited),
        .target(  // 7 the composition
            name: "Receiver",
            dependencies: ["CLinux", "Threads", "Transport", "Wire", "Signing", "Samples", "Storage", "Insights"],
            swiftSettings: audited),
        .executableTarget(  // 8 the command line
            name: "server",
            dependencies: ["Receiver", "Transport", "Wire", "Signing", "Samples", "Storage", "Insights", "Demo"],
            swiftSettings: audited,
            linkerSettings: [.unsafeFlags(linking, .when(configuration: .release))]),
        .executableTarget(  // measurements, not a product: swift run -c release bench
            name: "bench",
            dependencies: [
                "COpenSSL", "Receiver", "Threads", "Transport", "Wire", "Signing", "Samples", "Storage",
            ],
            exclude: ["README.md"], swiftSettings: audited),

        .target(
            name: "TestSupport", dependencies: ["COpenSSL", "CZlib", "Wire", "Signing", "Transport"],
            path: "Tests/TestSupport", swiftSettings: common),
        .testTarget(name: "WireTests", dependencies: ["Wire", "TestSupport"], swiftSettings: common),
        .testTarget(name: "SigningTests", dependencies: ["Signing", "Wire", "TestSupport"], swiftSettings: common),
        .testTarget(name: "SamplesTests", dependencies: ["Samples", "Wire", "TestSupport"], swiftSettings: common),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Storage", "Threads", "Samples", "Signing", "Wire", "CSQLite", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "TransportTests", dependencies: ["Transport", "Wire", "TestSupport"], swiftSettings: common),
        .testTarget(
            name: "ReceiverTests",
            dependencies: [
                "Receiver", "Threads", "Transport", "Wire", "Signing", "Samples", "Storage", "Insights", "Demo",
                "TestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "InsightsTests",
            dependencies: ["Insights", "Demo", "Storage", "Samples", "Signing", "Wire", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "server", "Receiver", "Transport", "Wire", "Signing", "Samples", "Storage", "Insights", "Demo",
                "TestSupport",
            ],
            swiftSettings: common),
    ],
    swiftLanguageModes: [.v6])
