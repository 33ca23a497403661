/// How a body is written. The raw value is the text of `X-Syncky-Format` and of the `dialect` column.
package enum Dialect: String, CaseIterable, Sendable {
    case native, hae, csv, influx
}
