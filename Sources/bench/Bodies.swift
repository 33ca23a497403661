import Samples

/// A body format that is measured.
enum BodyDialect: String, CaseIterable {
    case native, csv, influx, hae, results
}

/// Bodies as a phone sends them.
enum Bodies {
    /// A body that was made.
    struct Body {
        var bytes: [UInt8]
        /// Samples, points or results in it.
        var samples: Int
    }

    /// How long a body gets: it ends with the sample that reaches this.
    enum Size {
        case bytes(Int)
        case samples(Int)

        fileprivate func isReached(_ bytes: Int, _ samples: Int) -> Bool {
            switch self {
            case .bytes(let least): bytes >= least
            case .samples(let least): samples >= least
            }
        }

        fileprivate func divided(by parts: Int) -> Size {
            switch self {
            case .bytes(let least): .bytes(least / parts)
            case .samples(let least): .samples(least / parts)
            }
        }
    }

    /// A body of the next samples: the same bytes from the same generator, on every machine.
    static func make(_ dialect: BodyDialect, _ size: Size, of samples: inout PhoneSamples) -> Body {
        switch dialect {
        case .native:
            list(
                size, open: #"{"v":1,"type":"sync","device":"d_bench","samples":["#, separator: ",",
                close: #"],"deleted":[],"acks":[],"more":false}"#
            ) { _ in nativeSample(samples.next()) }
        case .csv:
            list(size, open: "type,uuid,start,end,value,unit,value_name,source,device,user_entered\n") { _ in
                csvRow(samples.next())
            }
        case .influx: list(size) { _ in linePoint(samples.next()) }
        case .hae: healthAutoExport(size, &samples)
        case .results:
            list(size, open: #"{"v":1,"type":"results","results":["#, separator: ",", close: "]}") { index in
                """
                {"command_id":"\(samples.next().uuid)","version":\(index % 3 + 1),"status":"applied","reason":null}
                """
            }
        }
    }

    /// The one body of a dialect that is at least so long.
    static func make(_ dialect: BodyDialect, bytes: Int) -> Body {
        var samples = PhoneSamples(seed: 1)
        return make(dialect, .bytes(bytes), of: &samples)
    }

    private static func list(
        _ size: Size, open: String = "", separator: String = "", close: String = "", _ item: (_ index: Int) -> String
    ) -> Body {
        var body = Array(open.utf8), count = 0
        while !size.isReached(body.count, count) {
            if count > 0 { body += separator.utf8 }
            body += item(count).utf8
            count += 1
        }
        body += close.utf8
        return Body(bytes: body, samples: count)
    }

    private static func time(_ seconds: Int64) -> String { Timestamp(microseconds: seconds * 1_000_000).text }

    private static func nativeSample(_ sample: PhoneSamples.Sample) -> String {
        """
        {"uuid":"\(sample.uuid)","type":"\(sample.type)","value":\(sample.value),"unit":"\(sample.unit)",\
        "start":"\(time(sample.startSeconds))","end":"\(time(sample.endSeconds))",\
        "source":{"app":"com.apple.health","device":"Apple Watch"}}
        """
    }

    private static func csvRow(_ sample: PhoneSamples.Sample) -> String {
        // On a clock two hours east of UTC.
        let start = time(sample.startSeconds + 7_200).dropLast(), end = time(sample.endSeconds + 7_200).dropLast()
        return """
            \(sample.type),\(sample.uuid),\(start)+02:00,\(end)+02:00,\(sample.value),\(sample.unit),,\
            com.apple.health,Apple Watch,false

            """
    }

    private static func linePoint(_ sample: PhoneSamples.Sample) -> String {
        """
        \(sample.type),device=Apple\\ Watch,source=com.apple.health,unit=\(sample.unit) value=\(sample.value) \
        \(sample.startSeconds)000000000

        """
    }

    /// Three metrics of a third each: a number, a range, and a number whose unit has to be converted.
    private static func healthAutoExport(_ size: Size, _ samples: inout PhoneSamples) -> Body {
        let metrics: [(head: String, value: (Int) -> String)] = [
            (#""name":"step_count","units":"count""#, { #""qty":\#($0 % 90 + 1)"# }),
            (
                #""name":"heart_rate","units":"count/min""#,
                { #""Min":\#($0 % 60 + 50),"Avg":\#($0 % 60 + 53).5,"Max":\#($0 % 60 + 59)"# }
            ),
            (#""name":"active_energy","units":"kJ""#, { #""qty":\#($0 % 90).238"# }),
        ]
        var body = Body(bytes: Array(#"{"data":{"metrics":["#.utf8), samples: 0)
        for (place, metric) in metrics.enumerated() {
            let open = "\(place > 0 ? "," : ""){\(metric.head),\"data\":["
            let points = list(size.divided(by: metrics.count), open: open, separator: ",", close: "]}") { index in
                let date = time(samples.next().startSeconds)
                let local = "\(date.prefix(10)) \(date.dropFirst(11).prefix(8)) +0000"
                return #"{"date":"\#(local)",\#(metric.value(index)),"source":"Watch"}"#
            }
            body.bytes += points.bytes
            body.samples += points.samples
        }
        body.bytes += "]}}".utf8
        return body
    }
}
