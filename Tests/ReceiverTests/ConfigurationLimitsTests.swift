import Foundation
import Testing

@testable import Receiver

@Suite struct ConfigurationLimitsRules {
    /// Each stored property is in the table once, so that none can be forgotten.
    @Test func tableIsComplete() {
        let settings = Limits.settings
        #expect(settings.count == Mirror(reflecting: Limits()).children.count)
        #expect(Set(settings.map(\.keyPath)).count == settings.count)
        #expect(Set(settings.map(\.key)).count == settings.count)
        for setting in settings {
            #expect(setting.range.contains(setting.defaultValue), "\(setting.key)")
            #expect(setting.key.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
            #expect(setting.summary.hasSuffix(".") && !setting.pastIt.isEmpty)
            #expect(
                setting.key.contains("_bytes") || setting.key.contains("_second") || setting.key.hasPrefix("max_")
                    || setting.key.hasSuffix("_per_minute"), "\(setting.key) has no unit")
        }
    }

    /// The design's numbers, written out once more: a default that is changed by mistake shows here.
    @Test func defaults() {
        let expected: [String: Int] = [
            "max_body_bytes": 4_194_304, "max_large_body_bytes": 134_217_728, "spool_past_bytes": 1_048_576,
            "max_body_memory_bytes": 134_217_728, "max_queued_bytes": 67_108_864, "max_request_line_bytes": 8_192,
            "max_header_block_bytes": 32_768, "max_header_field_bytes": 16_384, "max_header_fields": 100,
            "max_chunk_line_bytes": 256, "max_json_depth": 64, "max_number_characters": 64,
            "max_protocol_line_bytes": 65_536, "tls_handshake_seconds": 10, "header_block_seconds": 10,
            "body_seconds": 30, "body_bytes_per_extra_second": 131_072, "idle_seconds": 60,
            "stalled_write_seconds": 10, "max_connections": 4_096, "max_connections_per_address": 256,
            "drop_seconds": 2, "max_dropped_bytes": 8_388_608, "max_wrong_credentials": 10,
            "wrong_credentials_refill_per_minute": 10, "max_wrong_credential_addresses": 10_000,
            "clock_window_seconds": 300, "used_signature_seconds": 600, "max_used_signatures": 65_536,
            "max_reply_bytes": 65_536, "stop_seconds": 10,
        ]
        #expect(Dictionary(uniqueKeysWithValues: Limits.settings.map { ($0.key, $0.defaultValue) }) == expected)
    }

    @Test func names() {
        let setting = Limits.settings.first { $0.key == "max_body_bytes" }
        #expect(setting?.environmentName == "SYNCKY_MAX_BODY_BYTES")
        #expect(setting?.flag == "--max-body-bytes")
        #expect(SettingOverrides.names.prefix(2).map(\.flag) == ["--bind", "--port"])
    }

    private func read(_ limits: [String: Int]) throws -> Configuration {
        let members = limits.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
        return try Configuration(parsing: Array("{\"schema\": 1, \"limits\": {\(members)}}".utf8))
    }

    /// At each end of its range in the file, the environment and a flag, and one past it.
    @Test(arguments: Limits.settings.map(\.key)) func range(key: String) throws {
        let setting = try #require(Limits.settings.first { $0.key == key })
        // Bodies that fit no memory are refused for another reason, so make room.
        let room = key == "max_body_memory_bytes" ? [:] : ["max_body_memory_bytes": 64 << 30]
        for value in [setting.range.lowerBound, setting.range.upperBound] {
            var limits = room
            limits[key] = value
            if key == "max_body_memory_bytes" {
                limits["max_body_bytes"] = 1_000_000; limits["spool_past_bytes"] = 65_536
            }
            let configuration = try read(limits)
            #expect(configuration.limits[keyPath: setting.keyPath] == value)
            #expect(try Configuration(parsing: Array(configuration.text().utf8)) == configuration)

            let flag = try SettingOverrides(flags: [setting.flag: "\(value)"])
            let base = try read(limits.filter { $0.key != key })
            #expect(try flag.applied(to: base) == configuration)
            let environment = try SettingOverrides(environment: [setting.environmentName: "\(value)"])
            #expect(try environment.applied(to: base) == configuration)
        }
        let rule = "must be a whole number from \(setting.range.lowerBound) to \(setting.range.upperBound)"
        for value in [setting.range.lowerBound - 1, setting.range.upperBound + 1, -1] {
            #expect(throws: ConfigurationError(.invalid, "limits.\(key) \(rule)")) { try read([key: value]) }
            #expect(throws: ConfigurationError(.invalid, "\(setting.flag) \(rule)")) {
                try SettingOverrides(flags: [setting.flag: "\(value)"])
            }
            #expect(throws: ConfigurationError(.invalid, "\(setting.environmentName) \(rule)")) {
                try SettingOverrides(environment: [setting.environmentName: "\(value)"])
            }
        }
        for text in [
            "x", "+\(setting.range.lowerBound)", " 7", "1e6", "0x10", "9223372036854775808", "1_000", "٧", "-",
        ] {
            #expect(throws: ConfigurationError.self) { try SettingOverrides(flags: [setting.flag: text]) }
        }
        var unchecked = Configuration()
        unchecked.limits[keyPath: setting.keyPath] = setting.range.upperBound + 1
        #expect(throws: ConfigurationError(.invalid, "limits.\(key) \(rule)")) { try unchecked.check() }
    }

    @Test func precedence() throws {
        var file = Configuration()
        file.limits.idleSeconds = 11
        file.limits.bodySeconds = 11
        file.limits.stopSeconds = 11
        file.port = 1111
        file.bind = "10.0.0.1"
        let overrides = try SettingOverrides(
            flags: ["--idle-seconds": "33", "--port": "0"],
            environment: [
                "SYNCKY_IDLE_SECONDS": "22", "SYNCKY_BODY_SECONDS": "22", "SYNCKY_PORT": "2222", "SYNCKY_BIND": "::1",
                "SYNCKY_STOP_SECONDS": "", "SYNCKY_DATA": "/tmp", "IDLE_SECONDS": "44", "syncky_stop_seconds": "44",
            ])
        let result = try overrides.applied(to: file)
        #expect(result.limits.idleSeconds == 33)
        #expect(result.limits.bodySeconds == 22)
        #expect(result.limits.stopSeconds == 11)
        #expect(result.port == 0 && result.bind == "::1")
        #expect(try SettingOverrides().applied(to: file) == file)
    }

    @Test func badOverrides() {
        func message(_ flags: [String: String], _ environment: [String: String] = [:]) -> String? {
            do {
                _ = try SettingOverrides(flags: flags, environment: environment)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(message(["--max-body-byte": "7"]) == "--max-body-byte is no setting")
        #expect(message(["--port": "65536"]) == "--port must be a whole number from 0 to 65535")
        #expect(message(["--port": ""]) == "--port must be a whole number from 0 to 65535")
        #expect(message([:], ["SYNCKY_PORT": "0"]) == "SYNCKY_PORT must be a whole number from 1 to 65535")
        #expect(message(["--bind": "localhost"]) == "--bind must be an IPv4 or IPv6 address")
        #expect(message(["--port": "1"], ["SYNCKY_PORT": "x"]) == "SYNCKY_PORT must be a whole number from 1 to 65535")
        #expect(throws: ConfigurationError.self) {
            try SettingOverrides(flags: ["--max-body-memory-bytes": "1000000"]).applied(to: Configuration())
        }
    }
}
