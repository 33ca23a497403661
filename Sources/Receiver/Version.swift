/// What this program is called and how old it is.
package enum Version {
    /// Semantic version; the newest heading of CHANGELOG.md.
    package static let number = "0.1.0"
}
