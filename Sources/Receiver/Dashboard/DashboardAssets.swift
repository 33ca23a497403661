/// The files of the dashboard, which anyone may load: they hold no data.
package enum DashboardAssets {
    /// - path: `/` and what is below `/assets/`.
    package static let all: [(path: String, contentType: String, bytes: [UInt8])] = []
}
