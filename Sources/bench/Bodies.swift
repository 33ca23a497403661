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

    /// The same bytes for the same arguments, on every machine.
    ///
    /// - Parameter bytes: what the body is at least long; it ends with the sample that reaches this.
    static func make(_ dialect: BodyDialect, bytes: Int, seed: UInt64 = 1) -> Body {
        var samples = PhoneSamples(seed: seed)
        return switch dialect {
        case .native: native(&samples, until: { $0.count >= bytes })
        case .csv:
            list(
                bytes, open: "type,uuid,start,end,value,unit,value_name,source,device,user_entered\n", separator: "",
                close: ""
            ) { _ in csvRow(samples.next()) }
        case .influx:
            list(bytes, open: "", separator: "", close: "") { _ in linePoint(samples.next()) }
        case .hae: healthAutoExport(bytes)
        case .results:
            list(bytes, open: #"{"v":1,"type":"results","results":["#, separator: ",", close: "]}") { index in
                #"{"command_id":"\#(samples.next().uuid)","version":\#(index % 3 + 1),"status":"applied","reason":null}"#
            }
        }
    }

    /// A native body.
    ///
    /// - Parameter isFull: whether the body so far needs no more samples.
    static func native(_ samples: inout PhoneSamples, until isFull: (_ so: (count: Int, samples: Int)) -> Bool) -> Body {
        var body = Array(#"{"v":1,"type":"sync","device":"d_bench","samples":["#.utf8), count = 0
        while !isFull((body.count, count)) {
            if count > 0 { body.append(UInt8(ascii: ",")) }
            body += nativeSample(samples.next()).utf8
            count += 1
        }
        body += #"],"deleted":[],"acks":[],"more":false}"#.utf8
        return Body(bytes: body, samples: count)
    }

    private static func list(
        _ bytes: Int, open: String, separator: String, close: String, _ item: (_ index: Int) -> String
    ) -> Body {
        var body = Array(open.utf8), count = 0
        body.reserveCapacity(bytes + 1_024)
        while body.count < bytes {
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
    private static func healthAutoExport(_ bytes: Int) -> Body {
        let metrics: [(head: String, value: (Int) -> String)] = [
            (#""name":"step_count","units":"count""#, { #""qty":\#($0 % 90 + 1)"# }),
            (
                #""name":"heart_rate","units":"count/min""#,
                { index in
                    let lowest = index % 60 + 50
                    return #""Min":\#(lowest),"Avg":\#(lowest + 3).5,"Max":\#(lowest + 9)"#
                }
            ),
            (#""name":"active_energy","units":"kJ""#, { #""qty":\#($0 % 90).238"# }),
        ]
        var body = Body(bytes: Array(#"{"data":{"metrics":["#.utf8), samples: 0)
        for (place, metric) in metrics.enumerated() {
            let open = "\(place > 0 ? "," : ""){\(metric.head),\"data\":["
            let points = list(bytes / metrics.count, open: open, separator: ",", close: "]}") { index in
                let date = time(1_700_000_000 + Int64(index) * 5)
                return #"{"date":"\#(date.prefix(10)) \#(date.dropFirst(11).prefix(8)) +0000",\#(metric.value(index)),"source":"Watch"}"#
            }
            body.bytes += points.bytes
            body.samples += points.samples
        }
        body.bytes += "]}}".utf8
        return body
    }
}
