extension Limits {
    /// All limits, in the order in which a request meets them. JSON members, environment names, flags, help and the
    /// README's table come from here.
    package static let settings: [LimitSetting] = connectionSettings + requestSettings + contentSettings + ownerSettings

    private static let connectionSettings: [LimitSetting] = [
        LimitSetting(
            "max_connections", \.maximumConnections, 16...65_536, "the oldest idle one is closed",
            "Open connections of all clients."),
        LimitSetting(
            "max_connections_per_address", \.maximumConnectionsPerAddress, 1...65_536, "closed when accepted",
            "Open connections of one address."),
        LimitSetting(
            "tls_handshake_seconds", \.tlsHandshakeSeconds, 1...300, "close", "Time for the whole TLS handshake."),
        LimitSetting(
            "header_block_seconds", \.headerBlockSeconds, 1...300, "408",
            "Time from a request's first byte to the end of its header block."),
        LimitSetting(
            "body_seconds", \.bodySeconds, 1...3_600, "408",
            "Time for a body to arrive, to which every received body_bytes_per_extra_second adds a second."),
        LimitSetting(
            "body_bytes_per_extra_second", \.bodyBytesPerExtraSecond, 1_024...1 << 30, "408",
            "Bytes of a body that earn it one more second."),
        LimitSetting(
            "idle_seconds", \.idleSeconds, 1...3_600, "close",
            "Time between two requests of a connection; shorter when half of the connections are used."),
        LimitSetting(
            "stalled_write_seconds", \.stalledWriteSeconds, 1...300, "close",
            "Time in which a client must take some of a reply."),
        LimitSetting(
            "drop_seconds", \.dropSeconds, 1...60, "close",
            "Time for which the rest of a refused body is read and dropped, so that the refusal arrives."),
        LimitSetting(
            "max_dropped_bytes", \.maximumDroppedBytes, 65_536...1 << 30, "close",
            "Bytes of a refused body that are read and dropped."),
        LimitSetting(
            "stop_seconds", \.stopSeconds, 1...300, "exit", "Time for running requests to finish after SIGTERM."),
    ]

    private static let requestSettings: [LimitSetting] = [
        LimitSetting(
            "max_request_line_bytes", \.maximumRequestLineBytes, 4_096...65_536, "414",
            "The request line: method, target and version."),
        LimitSetting(
            "max_header_block_bytes", \.maximumHeaderBlockBytes, 16_384...1 << 20, "431",
            "All header fields together; trailer fields likewise."),
        LimitSetting(
            "max_header_field_bytes", \.maximumHeaderFieldBytes, 8_192...1 << 20, "431", "One header field."),
        LimitSetting("max_header_fields", \.maximumHeaderFields, 32...1_000, "431", "Number of header fields."),
        LimitSetting(
            "max_chunk_line_bytes", \.maximumChunkLineBytes, 18...8_192, "400",
            "The line before each chunk, extensions included."),
        LimitSetting(
            "max_body_bytes", \.maximumBodyBytes, 1_000_000...1 << 30, "413 for the owner",
            "A request's body; never under what the phone starts with."),
        LimitSetting(
            "max_large_body_bytes", \.maximumLargeBodyBytes, 1_000_000...4 << 30, "413 for the owner",
            "A Health Auto Export body, which comes in one piece however large."),
        LimitSetting(
            "spool_past_bytes", \.spoolPastBytes, 65_536...128 << 20, "the body is kept in a file",
            "The part of a large body that is kept in memory."),
        LimitSetting(
            "max_body_memory_bytes", \.maximumBodyMemoryBytes, 1_000_000...64 << 30, "503, Retry-After",
            "Body bytes in memory, of all clients together."),
        LimitSetting(
            "max_queued_bytes", \.maximumQueuedBytes, 1_000_000...64 << 30, "503, Retry-After",
            "Decoded requests that wait for the disk."),
    ]

    private static let contentSettings: [LimitSetting] = [
        LimitSetting(
            "max_json_depth", \.maximumJSONDepth, 16...64, "400", "Arrays and objects inside of one another."),
        LimitSetting("max_number_characters", \.maximumNumberCharacters, 32...1_024, "400", "Length of one number."),
        LimitSetting(
            "max_protocol_line_bytes", \.maximumProtocolLineBytes, 4_096...1 << 20, "400",
            "One line of InfluxDB line protocol."),
    ]

    private static let ownerSettings: [LimitSetting] = [
        LimitSetting(
            "max_wrong_credentials", \.maximumWrongCredentials, 1...1_000, "429, Retry-After",
            "Requests with wrong credentials of one address; right ones never count and are never refused."),
        LimitSetting(
            "wrong_credentials_refill_per_minute", \.wrongCredentialsRefillPerMinute, 1...1_000, "429, Retry-After",
            "How many of them an address gets back in a minute."),
        LimitSetting(
            "max_wrong_credential_addresses", \.maximumWrongCredentialAddresses, 100...1_000_000,
            "the one nearest to forgiven is forgotten", "Addresses whose wrong credentials are counted."),
        LimitSetting(
            "clock_window_seconds", \.clockWindowSeconds, 1...300, "401",
            "Difference between the phone's clock and ours, either way."),
        LimitSetting(
            "used_signature_seconds", \.usedSignatureSeconds, 600...86_400, "forgotten",
            "Time for which the signature of a stored request is remembered; at least twice the clock window."),
        LimitSetting(
            "max_used_signatures", \.maximumUsedSignatures, 1...4 << 20, "the oldest is forgotten",
            "Signatures of stored requests that are remembered."),
        LimitSetting(
            "max_reply_bytes", \.maximumReplyBytes, 1_024...65_536, "the rest waits for the next request",
            "A reply with commands; the phone ignores larger ones."),
    ]
}
