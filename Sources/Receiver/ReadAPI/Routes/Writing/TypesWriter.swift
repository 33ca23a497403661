import Insights
import Samples

/// `/types` and `/sources`.
enum TypesWriter {
    static func json(_ types: [TypeSummary], of person: Person) -> [UInt8] {
        JSONOut.text { out in
            out.member("person", person.name)
            out.member("zone", person.zoneName)
            out.array("types", of: types) { out, type in
                out.object {
                    $0.member("type", type.type)
                    $0.member("kind", word: type.kind.name)
                    $0.member("unit", type.unit)
                    $0.member("aggregation", word: type.aggregation?.rawValue)
                    $0.member("samples", count: type.samples)
                    $0.member("first", type.first)
                    $0.member("last", type.last)
                }
            }
        }
    }

    static func csv(_ types: [TypeSummary]) -> [UInt8] {
        var out = CSVOut(header: "type,kind,unit,aggregation,samples,first,last")
        for type in types {
            out.field(type.type)
            out.field(word: type.kind.name)
            out.field(type.unit)
            out.field(word: type.aggregation?.rawValue)
            out.field(count: type.samples)
            out.field(type.first)
            out.field(type.last)
            out.endLine()
        }
        return out.bytes
    }
}

enum SourcesWriter {
    static func json(_ sources: [SourceRank]) -> [UInt8] {
        JSONOut.text { out in
            out.array("sources", of: sources) { out, rank in
                out.object {
                    $0.member("app", rank.source.app)
                    $0.member("device", rank.source.device)
                    $0.member("class", word: word(rank.sourceClass))
                    $0.member("samples", count: rank.samples)
                    $0.member("set", rank.isSet)
                }
            }
        }
    }

    static func csv(_ sources: [SourceRank]) -> [UInt8] {
        var out = CSVOut(header: "app,device,class,samples,set")
        for rank in sources {
            out.fields(rank.source)
            out.field(word: word(rank.sourceClass))
            out.field(count: rank.samples)
            out.field(rank.isSet)
            out.endLine()
        }
        return out.bytes
    }

    private static func word(_ sourceClass: SourceClass) -> String {
        switch sourceClass {
        case .watch: "watch"
        case .phone: "phone"
        case .other: "other"
        }
    }
}
