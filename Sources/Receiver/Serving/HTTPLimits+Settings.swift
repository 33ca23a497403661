package import Wire

extension HTTPLimits {
    /// The part of the settings that the HTTP parsers need.
    package init(_ limits: Limits) {
        self.init()
        requestLineBytes = limits.maximumRequestLineBytes
        headerBlockBytes = limits.maximumHeaderBlockBytes
        fieldBytes = limits.maximumHeaderFieldBytes
        fieldCount = limits.maximumHeaderFields
        chunkLineBytes = limits.maximumChunkLineBytes
    }
}
