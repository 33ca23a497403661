"""Cases of whole requests in CSV and in line protocol, the bodies that the contract prints among them."""

from .build import CLOCK, Endpoint, ask, case, dump, stored, sync
from .rows import HEADER, csv, line, point_key, row
from .samples import BLOOD_TYPE, SLEEP, STEPS, WORKOUT

CSV = Endpoint("csv", format="csv")
INFLUX = Endpoint("influx", format="influx", secret=None)
SIGNED_INFLUX = Endpoint("influx-signed", format="influx", scheme="header", header="X-Api-Key")

# Section 4, byte for byte.
PRINTED_CSV = (
    "type,uuid,start,end,value,unit,value_name,source,device,user_entered\r\n"
    "steps,5E1D0000-0000-4000-8000-000000000001,2026-10-14T09:01:00+02:00,2026-10-14T09:01:59+02:00,412,count,,"
    "com.apple.Health,Apple Watch,false\r\n"
    "sleep_analysis,51EE0000-0000-4000-8000-000000000001,2026-10-14T01:10:00+02:00,2026-10-14T02:40:00+02:00,3,,"
    "asleep_core,com.apple.Health,Apple Watch,false\r\n"
    "workout,0B6F0000-0000-4000-8000-000000000001,2026-10-14T07:00:00+02:00,2026-10-14T07:31:10+02:00,1870,s,running,"
    "com.apple.Health,Apple Watch,false\r\n"
    "characteristic,characteristic:blood_type,,,1,,a_positive,,,\r\n"
    "steps,5E1D0000-0000-4000-8000-000000000099,,,,,deleted,,,\r\n")
CHECK_CSV = "type,uuid,start,end,value,unit,value_name,source,device,user_entered\r\n"
PRINTED_INFLUX = (
    "steps,device=Apple\\ Watch,source=com.apple.Health,unit=count value=412 1791961260000000000\n"
    "sleep_analysis,device=Apple\\ Watch,source=com.apple.Health value=3,value_name=\"asleep_core\" "
    "1791933000000000000\n"
    "workout,activity=running,device=Apple\\ Watch,source=com.apple.Health "
    "duration_s=1870,energy_kcal=312.4,distance_m=5020 1791954000000000000\n")

WATCH = {"device": "Apple Watch", "source": "com.apple.Health"}


def cases():
    yield from csv_cases()
    yield from influx_cases()


def of_csv(sample, kind, *values, **more):
    return stored(sample, kind, *values, device=CSV.destination, **more)


def csv_row(value=412, **more):
    """The row of what `rows.row` writes."""
    sample = STEPS | {"value": value, "source": None} | more
    return of_csv({name: member for name, member in sample.items() if member is not None}, "quantity", value,
                  None, "count")


def csv_cases():
    steps = STEPS | {"user_entered": False}
    sleep = SLEEP | {"user_entered": False}
    run = {name: WORKOUT[name] for name in ("uuid", "type", "activity", "start", "end", "duration_s", "source")}
    run["user_entered"] = False
    rows = [of_csv(steps, "quantity", 412, None, "count"), of_csv(sleep, "category", 3, "asleep_core"),
            of_csv(run, "workout", 1870, "running", "s"), of_csv(BLOOD_TYPE, "characteristic", 1, "a_positive")]
    yield case("csv_every_kind", "The rows that the contract prints: a quantity, a category, a workout, a "
               "characteristic and a deletion of a sample that was never stored.", CSV, ask(CSV, PRINTED_CSV), rows, [])
    yield case("csv_check_connection", "The Check connection request: the header row alone stores nothing.", CSV,
               ask(CSV, CHECK_CSV), [])
    yield case("csv_check_connection_without_a_line_end", "The same without the CRLF.", CSV, ask(CSV, HEADER), [])
    yield case("csv_repeat", "The same rows again, the second time in another order and with bare line feeds.", CSV,
               [ask(CSV, PRINTED_CSV), ask(CSV, PRINTED_CSV, timestamp=CLOCK + 1),
                ask(CSV, "\n".join([HEADER, *reversed(PRINTED_CSV.split("\r\n")[1:-1])]), timestamp=CLOCK + 2)],
               rows, [])
    gone = row(start="", end="", value="", unit="", name="deleted")
    yield case("csv_deletion", "A deletion of a stored sample, and one in the same body as the sample.", CSV,
               [ask(CSV, csv(row(), row(key="k"))), ask(CSV, csv(gone), timestamp=CLOCK + 1),
                ask(CSV, csv(row("steps", "l", "", "", "", "", "deleted"), row(key="l")), timestamp=CLOCK + 2)],
               [csv_row(uuid="k")],
               [{"device": CSV.destination, "uuid": STEPS["uuid"], "type": "steps"},
                {"device": CSV.destination, "uuid": "l", "type": "steps"}])
    deleted = {"uuid": STEPS["uuid"], "type": "pulse", "value": "deleted", "start": STEPS["start"], "end": STEPS["end"]}
    yield case("csv_category_named_deleted", "With times it is a category's value, no deletion.", CSV,
               ask(CSV, csv(row("pulse", value="1", unit="", name="deleted"))),
               [of_csv(deleted, "category", 1, "deleted")], [])
    yield case("csv_changed_value", "The same uuid with another value, and twice in one body: the last one.", CSV,
               [ask(CSV, csv(row())), ask(CSV, csv(row(value="1"), row(value="413")), timestamp=CLOCK + 1)],
               [csv_row(413)])
    yield case("csv_quoted_fields", "Commas, quotes and line breaks in quotes.", CSV,
               ask(CSV, csv(row(source='"a,""b"""', device='"Ann’s\r\nwatch"'), row(key="k"))),
               [csv_row(source={"app": 'a,"b"', "device": "Ann’s\r\nwatch"}), csv_row(uuid="k")])
    yield case("csv_formula_quote", "The apostrophe goes where the sender's rule puts it, and nowhere else.", CSV,
               ask(CSV, csv(row(source="'=1+1", device="'@home"), row(key="k", source="'tis", device="''-"))),
               [csv_row(source={"app": "=1+1", "device": "@home"}),
                csv_row(uuid="k", source={"app": "'tis", "device": "''-"})])
    yield case("csv_columns_by_name", "Columns in another order; a further one is kept.", CSV,
               ask(CSV, csv(f"x,412,{STEPS['uuid']},,steps,{STEPS['end']},{STEPS['start']},,,,count",
                            header="note,value,uuid,user_entered,type,end,start,source,device,value_name,unit")),
               [csv_row(note="x")])
    back = row(start="2026-10-25T02:30:00+02:00", end="2026-10-25T02:10:00+01:00")
    yield case("csv_clocks_set_back", "Start and end in different offsets: the end's is kept in `body`.", CSV,
               ask(CSV, csv(back)), [csv_row(start="2026-10-25T00:30:00Z", end="2026-10-25T02:10:00+01:00")
                                     | {"end": "2026-10-25T01:10:00Z"}])

    def refused(name, description, body, code, at):
        return case("csv_refused_" + name, description, CSV, ask(CSV, body, 400, code, at))

    yield refused("empty", "No body is no Check connection request in this format.", "", "csv_invalid",
                  {"offset": 0, "line": 1})
    yield refused("native_body", "A body of another format than X-Syncky-Format says.", dump(sync([STEPS])),
                  "csv_invalid", {"offset": 1, "line": 1})
    yield refused("line_protocol_body", "The same with line protocol.", line(), "column_missing",
                  {"offset": 0, "line": 1, "path": "type"})
    bad = csv(row(device='"a\r\nb"'), row(key="k"), row(start="yesterday"))
    yield refused("as_a_whole", "One bad row among good ones: nothing of the request is stored, and the line is "
                  "told.", bad, "time_invalid",
                  {"offset": bad.encode().index(b"yesterday"), "line": 5, "path": "start"})
    bad = csv(row(), row(device='Apple "Watch"'))
    yield refused("bare_quote", "A quote in the middle of a field.", bad, "csv_invalid",
                  {"offset": bad.index('"'), "line": 3, "path": "device"})
    bad = csv(row(), row() + ",")
    yield refused("too_many_fields", "A field more than the header row has.", bad, "csv_invalid",
                  {"offset": len(bad) - 2, "line": 3})
    yield refused("byte_order_mark_alone", "A byte order mark alone has no header row.", "\ufeff".encode(),
                  "csv_invalid", {"offset": 0, "line": 1})
    marked = ask(CSV, "\ufeff".encode() + csv(row()).encode())
    yield case("csv_byte_order_mark", "A byte order mark, as spreadsheets write it, is passed over.", CSV, marked,
               [csv_row()])


def of_influx(endpoint, measurement, nanoseconds, tags, kind, columns, start, /, **more):
    """The row of a point: `columns` are value, value_name and unit, `more` members of its body."""
    unit = columns[2]
    source = {name: tags[tag] for name, tag in (("app", "source"), ("device", "device")) if tag in tags}
    body = {"uuid": point_key(measurement, nanoseconds, **tags), "type": measurement, "start": start, **more}
    if source:
        body["source"] = source
    if unit and kind != "workout":
        body["unit"] = unit
    return stored(body, kind, *columns, device=endpoint.destination)


def influx_cases():
    def rows_of(endpoint):
        return [of_influx(endpoint, "steps", 1791961260000000000, WATCH | {"unit": "count"}, "quantity",
                          (412, None, "count"), STEPS["start"], value=412),
                of_influx(endpoint, "sleep_analysis", 1791933000000000000, WATCH, "category",
                          (3, "asleep_core", None), SLEEP["start"], value="asleep_core"),
                of_influx(endpoint, "workout", 1791954000000000000, WATCH | {"activity": "running"}, "workout",
                          (1870, "running", "s"), WORKOUT["start"], activity="running", duration_s=1870,
                          energy_kcal=312.4, distance_m=5020)]

    yield case("influx_every_kind", "The lines that the contract prints: a quantity, a category and a workout.",
               SIGNED_INFLUX, ask(SIGNED_INFLUX, PRINTED_INFLUX), rows_of(SIGNED_INFLUX))
    yield case("influx_check_connection", "The Check connection request: an empty body, signed like any other.",
               SIGNED_INFLUX, ask(SIGNED_INFLUX, ""), [])
    yield case("influx_comments_alone", "A body of comments and empty lines is as good as empty.", INFLUX,
               ask(INFLUX, "# nothing today\n\r\n \n"), [])
    lines = PRINTED_INFLUX.split("\n")
    turned = ("steps,unit=count,source=com.apple.Health,device=Apple\\ Watch   value=412.0  1791961260000000000\r\n"
              + lines[2] + "\n" + lines[1])
    yield case("influx_repeat", "The same points again, the second time in another order, with their tags in another "
               "order and other spellings: one row each.", INFLUX,
               [ask(INFLUX, PRINTED_INFLUX), ask(INFLUX, PRINTED_INFLUX), ask(INFLUX, turned)], rows_of(INFLUX))
    tags = {"unit": "count"}

    def steps(nanoseconds, value, start):
        return of_influx(INFLUX, "steps", nanoseconds, tags, "quantity", (value, None, "count"), start, value=value)

    at = 1791961260000000000
    yield case("influx_same_point", "The same measurement, tags and time: the newer value, as in InfluxDB; the last "
               "of a body.", INFLUX, [ask(INFLUX, line()), ask(INFLUX, line(fields="value=1") + line(fields="value=413"))],
               [steps(at, 413, STEPS["start"])])
    first = steps(at + 123456788, 1, "2026-10-14T07:01:00.123456788Z") | {"start": "2026-10-14T07:01:00.123456Z"}
    second = steps(at + 123456789, 2, "2026-10-14T07:01:00.123456789Z") | {"start": "2026-10-14T07:01:00.123456Z"}
    yield case("influx_nanoseconds", "Two points that differ in nanoseconds alone; `body` keeps them.", INFLUX,
               ask(INFLUX, line(fields="value=1", nanoseconds=at + 123456788)
                   + line(fields="value=2", nanoseconds=at + 123456789)), [first, second])
    escaped = of_influx(INFLUX, "note", at, {"unit": "a b", "device": "x,y=z\\w", "room": "küche"}, "other",
                        (None, None, "a b"), STEPS["start"], text='say "hi"\nC:\\', done=True, count=3,
                        tags={"room": "küche"})
    yield case("influx_escapes", "Escapes in tags and strings; fields and tags that the contract doesn't have stay.",
               INFLUX, ask(INFLUX, r'note,device=x\,y\=z\w,room=küche,unit=a\ b text="say \"hi\"' "\n"
                           rf'C:\\",done=t,count=3i {at}'), [escaped])

    def refused(name, description, body, code, at):
        return case("influx_refused_" + name, description, INFLUX, ask(INFLUX, body, 400, code, at))

    body = line() + "steps value=412\n"
    yield refused("without_timestamp", "A retry of such a line would be another point; nothing of the request is kept.",
                  body, "timestamp_missing", {"offset": len(body) - 1, "line": 2, "path": "timestamp"})
    yield refused("native_body", "A body of another format than X-Syncky-Format says.", dump(sync([STEPS])),
                  "line_invalid", {"offset": 20, "line": 1})
    yield refused("csv_body", "The same with CSV.", CHECK_CSV, "line_invalid", {"offset": 9, "line": 1})
    body = "steps,unit=a,unit=b value=1 1\n"
    yield refused("tag_twice", "Two values of one tag.", body, "tag_repeated", {"offset": 13, "line": 1})
    body = "steps value=nan 1\n"
    yield refused("not_a_number", "NaN is no number of the format.", body, "line_invalid",
                  {"offset": 12, "line": 1, "path": "value"})
    body = "steps value=1 9223372036854775808\n"
    yield refused("timestamp_too_large", "Past 64 bits.", body, "time_invalid",
                  {"offset": 14, "line": 1, "path": "timestamp"})
    body = 'steps note="' + "x" * 65536 + '",value=1 1\n'
    yield refused("line_too_long", "Past 64 KiB in one line.", body, "line_too_long", {"offset": 0, "line": 1})
    longest = 'steps note="' + "x" * (65536 - len('steps note="",value=1 1000')) + '",value=1 1000\n'
    yield case("influx_longest_line", "64 KiB in one line, its end not counted.", INFLUX, ask(INFLUX, longest),
               [of_influx(INFLUX, "steps", 1000, {}, "quantity", (1, None, None), "1970-01-01T00:00:00.000001Z",
                          value=1, note="x" * (65536 - len('steps note="",value=1 1000')))])
