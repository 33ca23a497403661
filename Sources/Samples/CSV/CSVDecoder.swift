package import Wire

/// Decodes the CSV body (guide section 4).
///
/// The header row's columns are found by name, in any order; all ten must be there, further ones are kept. The header row
/// alone is the Check connection request. Rows are read as their kind asks for:
///
/// | kind | when | `value` | `value_name` | `unit` |
/// | --- | --- | --- | --- | --- |
/// | deletion | `value_name` is `deleted`; no `start`, `end` and `value` | | `deleted` | |
/// | workout | type `workout` | seconds | activity | `s` or nothing |
/// | characteristic | type `characteristic` | number, or a date where there is no name | name | any |
/// | the other kinds that are a type of their own | by type | kept in `rest` | kept in `rest` | any |
/// | category | there is a `value_name` | HealthKit's number, or nothing | name | any |
/// | quantity | there is a `value` | number | | any |
/// | other | neither | | | any |
///
/// Numbers are those of JSON. Times are RFC 3339; an offset goes to `utcOffsetMinutes` (0 for `+00:00`), and `Z` leaves that
/// nil, since the phone writes UTC where it does not know the zone. A record is the native one of the same sample where the
/// row says as much: `start` and `end` in the columns, whatever their offset; a characteristic's `name` from its key. In
/// `rest` are: `user_entered` as true or false; a time that columns and offset don't give back to the letter, such as an
/// end in another offset than the start's; HealthKit's number of a named value as `raw_value` where no double holds it;
/// fields of further columns that are not empty, as strings under their own names, or within `columns` where a sample's
/// own member has that name. An apostrophe in front of one of `= + - @`, tab and CR is taken off `source` and `device`, where
/// the sender's rule puts it.
package enum CSVDecoder {
    /// Reads one whole body.
    ///
    /// - Throws: codes `csv_invalid`, `column_missing`, `column_repeated`, `field_invalid`, `key_invalid`, `number_invalid`,
    ///   `time_invalid`; the line is where the row starts, the path the column's name.
    package static func decode(_ body: PaddedBytes, context: DecodeContext) throws(DecodeFault) -> DecodedBody {
        guard body.count <= JSONScanner.maximumBytes else {
            throw DecodeFault(code: "csv_invalid", message: "The body is longer than this reader can address.")
        }
        let rows: CSVReader
        do throws(CSVFault) { rows = try CSVReader(body, maximumFields: CSVColumns.maximumCount) } catch {
            throw DecodeFault(code: "csv_invalid", message: error.message, offset: error.offset, line: error.line)
        }
        var reader = CSVRowReader(
            rows, JSONScanner(body, at: 0, limits: context.json), body.content, catalog: context.catalog)
        try reader.readBody()
        return reader.takeBody()
    }
}
