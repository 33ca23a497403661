"""The files of single bodies in CSV and in line protocol: what a decoder makes of each, or why it refuses it."""

import hashlib
import uuid

HEADER = "type,uuid,start,end,value,unit,value_name,source,device,user_entered"
KEY = "5E1D0000-0000-4000-8000-000000000001"
START, END = "2026-10-14T07:01:00Z", "2026-10-14T07:01:59Z"
NAMESPACE = bytes.fromhex("8D0E3B526F1A4C779B352CE451A0976E")
NANOSECONDS = 1791961260000000000


def csv(*rows, header=HEADER, end="\r\n"):
    return end.join([header, *rows]) + end


def point_key(measurement, nanoseconds, **tags):
    """The key of a point: a uuid of version 5 over its parts, each with its length in front; tags by key."""
    name = b"".join(len(part.encode()).to_bytes(8, "big") + part.encode()
                    for part in ["influx", measurement, *(text for pair in sorted(tags.items()) for text in pair)])
    digest = bytearray(hashlib.sha1(NAMESPACE + name + nanoseconds.to_bytes(8, "big", signed=True)).digest()[:16])
    digest[6] = 0x50 | digest[6] & 0x0F
    digest[8] = 0x80 | digest[8] & 0x3F
    return str(uuid.UUID(bytes=bytes(digest))).upper()


def accepted(name, body, **expected):
    return {"name": name, "body": body, **expected}


def refused(name, body, code, path=None, line=1):
    return {"name": name, "body": body, "code": code, "line": line, **({"path": path} if path else {})}


def row(type="steps", key=KEY, start=START, end=END, value="412", unit="count", name="", source="", device="",
        entered=""):
    return ",".join([type, key, start, end, value, unit, name, source, device, entered])


STEPS = {"kind": "quantity", "type": "steps", "value": 412, "unit": "count", "start": START, "end": END}
ASLEEP = {"kind": "category", "type": "sleep_analysis", "valueName": "asleep_core", "start": START, "end": END}


def csv_accepted():
    yield accepted("quantity", csv(row(source="com.apple.Health", device="Apple Watch", entered="false")), **STEPS,
                   sourceApp="com.apple.Health", sourceDevice="Apple Watch", rest='"user_entered":false')
    yield accepted("user entered", csv(row(entered="true")), **STEPS, rest='"user_entered":true')
    yield accepted("line feeds alone", csv(row(), end="\n"), **STEPS)
    yield accepted("last line without an end", csv(row())[:-2], **STEPS)
    yield accepted("last field empty and without an end", HEADER + "\n" + row(), **STEPS)
    yield accepted("both line ends", HEADER + "\n" + row() + "\r\n", **STEPS)
    yield accepted("empty lines", "\r\n\n" + HEADER + "\r\n\r\n" + row() + "\r\n\n\r\n", **STEPS)
    yield accepted("byte order mark", "\ufeff" + csv(row()), **STEPS)
    yield accepted("header alone", csv(), isTest=True, samples=0)
    yield accepted("header alone without an end", HEADER, isTest=True, samples=0)
    yield accepted("header alone and empty lines", csv() + "\r\n\n", isTest=True, samples=0)
    yield accepted("all fields in quotes", "\r\n".join(
        ",".join(f'"{field}"' for field in line.split(",")) for line in [HEADER, row()]), **STEPS)
    yield accepted("columns in another order", csv(
        f"412,{KEY},,steps,{END},{START},,,,count", header="value,uuid,user_entered,type,end,start,source,device,"
        "value_name,unit"), **STEPS)

    # Texts.
    yield accepted("comma, quote and line ends in quotes", csv(
        row(source='"a,""b"""', device='"Ann\'s\r\nwatch\n"')), **STEPS, sourceApp='a,"b"',
        sourceDevice="Ann's\r\nwatch\n")
    yield accepted("quotes alone", csv(row(source='""""', device='""')), **STEPS, sourceApp='"')
    yield accepted("letters past ASCII", csv(row(device="Ünïcode ⌚️ \U0001F44D")), **STEPS,
                   sourceDevice="Ünïcode ⌚️ \U0001F44D")
    yield accepted("blanks are kept", csv(row(device=" a\t ")), **STEPS, sourceDevice=" a\t ")
    for name, first in [("equals sign", "="), ("plus", "+"), ("minus", "-"), ("at", "@"), ("tab", "\t")]:
        yield accepted(f"formula quote: {name}", csv(row(source="'" + first + "x", device="'" + first)), **STEPS,
                       sourceApp=first + "x", sourceDevice=first)
    yield accepted("formula quote: carriage return", csv(row(source='"\'\rx"')), **STEPS, sourceApp="\rx")
    yield accepted("apostrophe that no rule put there", csv(row(source="'x", device="'")), **STEPS, sourceApp="'x",
                   sourceDevice="'")
    yield accepted("apostrophe taken off once", csv(row(source="''=x", device="'=x'")), **STEPS, sourceApp="''=x",
                   sourceDevice="=x'")
    yield accepted("formula that no apostrophe guards", csv(row(source="=x", device="-")), **STEPS, sourceApp="=x",
                   sourceDevice="-")
    yield accepted("apostrophe in other columns", csv(row(unit="'=x", entered="")), **STEPS | {"unit": "'=x"})
    yield accepted("longest text of a column", csv(row(device="d" * 1024)), **STEPS, sourceDevice="d" * 1024)
    yield accepted("text too long for a column", csv(row(source="a", device="d" * 1025)), **STEPS, sourceApp="a",
                   spelled=["source"], rest='"source":{"app":"a","device":"' + "d" * 1025 + '"}')
    yield accepted("NUL in a text", csv(row(device="a\0\u0001", unit="\0")), **STEPS | {"unit": None},
                   spelled=["source", "unit"], rest='"unit":"\\u0000","source":{"device":"a\\u0000\\u0001"}')

    # Kinds.
    yield accepted("category", csv(row("sleep_analysis", value="3", unit="", name="asleep_core")), **ASLEEP, value=3)
    yield accepted("category without HealthKit's number", csv(
        row("sleep_analysis", value="", unit="", name="asleep_core")), **ASLEEP, value=3)
    yield accepted("category of another number than the catalog's", csv(
        row("sleep_analysis", value="7", unit="", name="asleep_core")), **ASLEEP, value=7)
    yield accepted("category of an unknown name", csv(row("sleep_analysis", value="", unit="", name="asleep_sideways")),
                   **ASLEEP | {"valueName": "asleep_sideways"})
    yield accepted("category whose number no double holds", csv(
        row("sleep_analysis", value="9007199254740993", unit="", name="asleep_core")), **ASLEEP,
        value=9007199254740992, rest='"raw_value":9007199254740993')
    yield accepted("category with a unit", csv(row("headache", value="2", unit="x", name="mild")), kind="category",
                   type="headache", value=2, unit="x", valueName="mild", start=START, end=END)
    yield accepted("category whose name is too long for a column", csv(
        row("headache", value="2", unit="", name="m" * 1025)), kind="category", type="headache", value=2, start=START,
        end=END, spelled=["value"], rest='"value":"' + "m" * 1025 + '"')
    yield accepted("category named deleted", csv(row("pulse", value="1", unit="", name="deleted")), kind="category",
                   type="pulse", value=1, valueName="deleted", start=START, end=END)
    yield accepted("category named deleted with an end alone", csv(
        row("pulse", start="", value="", unit="", name="deleted")), kind="category", type="pulse",
        valueName="deleted", end=END)
    yield accepted("workout", csv(row("workout", value="1870", unit="s", name="running")), kind="workout",
                   type="workout", value=1870, unit="s", valueName="running", start=START, end=END)
    yield accepted("workout without anything", csv(row("workout", start="", end="", value="", unit="")),
                   kind="workout", type="workout", unit="s")
    yield accepted("workout of a duration that no double holds", csv(
        row("workout", value="9007199254740993", unit="s", name="a" * 1025)), kind="workout", type="workout",
        value=9007199254740992, unit="s", start=START, end=END, spelled=["value", "valueName"],
        rest='"duration_s":9007199254740993,"activity":"' + "a" * 1025 + '"')
    blood = "characteristic:blood_type"
    yield accepted("characteristic", csv(row("characteristic", blood, "", "", "1", "", "a_positive")),
                   kind="characteristic", type="characteristic", key=blood, value=1, valueName="a_positive",
                   rest='"name":"blood_type"')
    yield accepted("characteristic that is a date", csv(
        row("characteristic", "characteristic:date_of_birth", "", "", "1984-02-29", "")), kind="characteristic",
        key="characteristic:date_of_birth", valueName="1984-02-29", rest='"name":"date_of_birth"')
    yield accepted("characteristic that is a number", csv(row("characteristic", "characteristic:x", "", "", "2.5", "")),
                   kind="characteristic", key="characteristic:x", value=2.5, rest='"name":"x"')
    for text in ["1984-02-30", "1984-02-29T00:00:00Z", "fifty", "1e400"]:
        yield accepted(f"characteristic that is the text {text}", csv(
            row("characteristic", "characteristic:x", "", "", text, "")), kind="characteristic", key="characteristic:x",
                       valueName=text, rest='"name":"x"')
    yield accepted("characteristic without a value", csv(row("characteristic", "characteristic:", "", "", "", "")),
                   kind="characteristic", key="characteristic:")
    yield accepted("characteristic under a name to escape", csv(
        row("characteristic", '"characteristic:""x"', "", "", "2", "")), kind="characteristic", value=2,
        key='characteristic:"x', rest='"name":"\\"x"')
    yield accepted("quantity without a unit", csv(row("vo2_max", unit="")), **STEPS | {"type": "vo2_max", "unit": None})
    yield accepted("unknown type without a value", csv(row("pulse", value="", unit="x")), kind="other", type="pulse",
                   unit="x", start=START, end=END)
    yield accepted("another kind that is a type of its own", csv(row("state_of_mind", name="calm", value="-0.5")),
                   kind="state_of_mind", type="state_of_mind", unit="count", start=START, end=END,
                   rest='"value":"-0.5","value_name":"calm"')
    yield accepted("type of 64 letters", csv(row("a" * 64)), **STEPS | {"type": "a" * 64})

    # Deletions.
    yield accepted("deletion", csv(row("steps", value="", unit="", start="", end="", name="deleted")), samples=0,
                   deletions=[["steps", KEY]])
    yield accepted("deletion of a text key, and with a unit", csv(
        row("steps", "k", "", "", "", "count", "deleted", "a", "b", "false")), samples=0, deletions=[["steps", "k"]])
    yield accepted("deletion without a type", csv(row("", "k", "", "", "", "", "deleted")), samples=0,
                   deletions=[[None, "k"]])

    # Numbers.
    for text, value in [("0", 0), ("-0.0", None), ("1E+2", 100), ("36.60", 36.6), ("-12.5e-1", -1.25),
                        ("0.30000000000000004", 0.30000000000000004), ("1e-400", None),
                        ("1" * 64, None)]:
        exact = {"value": value} if value is not None else {"value": float(text), "spelled": ["value"],
                                                            "rest": f'"value":{text}'}
        yield accepted(f"number {text}", csv(row(value=text)), **STEPS | exact)

    # Times.
    for name, start, end, offset, shown in [
        ("offset", "2026-10-14T09:01:00+02:00", "2026-10-14T09:01:59+02:00", 120, (START, END)),
        ("negative offset", "2026-10-13T20:31:00-10:30", "2026-10-13T20:31:59-10:30", -630, (START, END)),
        ("offset of zero", "2026-10-14T07:01:00+00:00", "2026-10-14T07:01:59+00:00", 0, (START, END)),
        ("fractions", "2026-10-14T09:01:00.5+02:00", "2026-10-14T09:01:59.123456+02:00", 120,
         ("2026-10-14T07:01:00.500000Z", "2026-10-14T07:01:59.123456Z")),
        ("fraction in UTC", "2026-10-14T07:01:00.25Z", END, None, ("2026-10-14T07:01:00.250000Z", END)),
    ]:
        yield accepted(f"time: {name}", csv(row(start=start, end=end)), **STEPS | {"start": shown[0], "end": shown[1]},
                       **({"offset": offset} if offset is not None else {}))
    for name, start, end, offset, shown, spelled in [
        ("clocks set back", "2026-10-25T02:30:00+02:00", "2026-10-25T02:10:00+01:00", 120,
         ("2026-10-25T00:30:00Z", "2026-10-25T01:10:00Z"), ["end"]),
        ("start in UTC alone", START, "2026-10-14T09:01:59+02:00", None, (START, END), ["end"]),
        ("end in UTC alone", "2026-10-14T09:01:00+02:00", END, 120, (START, END), ["end"]),
        ("no start", "", "2026-10-14T09:01:59+02:00", None, (None, END), ["end"]),
        ("unknown offset", "2026-10-14T07:01:00-00:00", "2026-10-14T07:01:59-00:00", None, (START, END),
         ["start", "end"]),
        ("nanoseconds", "2026-10-14T09:01:00.123456789+02:00", "2026-10-14T09:01:59+02:00", 120,
         ("2026-10-14T07:01:00.123456Z", END), ["start"]),
        ("zeros at the end", "2026-10-14T09:01:00.50+02:00", "2026-10-14T07:01:59.000Z", 120,
         ("2026-10-14T07:01:00.500000Z", END), ["start", "end"]),
        ("small letters", "2026-10-14t09:01:00+02:00", "2026-10-14t07:01:59z", 120, (START, END), ["start", "end"]),
        ("leap second", "2017-01-01T00:59:60+01:00", "2016-12-31T23:59:60Z", 60,
         ("2017-01-01T00:00:00Z", "2017-01-01T00:00:00Z"), ["start", "end"]),
    ]:
        rest = ",".join(f'"{member}":"{text}"' for member, text in [("start", start), ("end", end)]
                        if member in spelled)
        expected = STEPS | {"start": shown[0], "end": shown[1]}
        yield accepted(f"time: {name}", csv(row(start=start, end=end)), **expected, spelled=spelled, rest=rest,
                       **({"offset": offset} if offset is not None else {}))
    yield accepted("no times", csv(row(start="", end="")), kind="quantity", value=412, unit="count")
    yield accepted("end before start", csv(row(end="2026-10-14T07:00:00Z")), **STEPS | {"end": "2026-10-14T07:00:00Z"})

    # Keys.
    for name, key, shown in [("one byte", "k", "k"), ("256 bytes", "k" * 256, "k" * 256),
                             ("lower case", KEY.lower(), KEY), ("letters past ASCII", "schön", "schön"),
                             ("with a comma", '"a,b"', "a,b")]:
        yield accepted(f"key: {name}", csv(row(key=key)), **STEPS, key=shown)

    # Further columns.
    more = HEADER + ',note,"the ""other""",'
    yield accepted("further columns", csv(row() + ',"a,b",x,y', header=more), **STEPS,
                   rest='"note":"a,b","the \\"other\\"":"x","":"y"')
    yield accepted("further columns that are empty", csv(row() + ',,"",', header=more), **STEPS)
    yield accepted("further columns named as members of a sample", csv(
        row(entered="true") + ",a,b,c,d,", header=HEADER + ",activity,columns,name,n,part"), **STEPS,
        rest='"user_entered":true,"n":"d","columns":{"activity":"a","columns":"b","name":"c"}')
    yield accepted("256 columns", csv(row() + "," * 246, header=HEADER + "".join(f",c{n}" for n in range(246))), **STEPS)
    yield accepted("many rows", csv(*(row(key=f"k{n}") for n in range(300))), **STEPS, key="k0", samples=300)


def csv_refused():
    for name, body in [("empty", "§"), ("empty lines alone", "§\r\n\n")]:
        yield refused(name, body, "csv_invalid")
    yield refused("byte order mark alone", "§\ufeff", "csv_invalid")
    for column in HEADER.split(","):
        header = ",".join(name for name in HEADER.split(",") if name != column)
        yield refused(f"without the column {column}", "§" + csv(header=header), "column_missing", column)
    yield refused("name of a column in capitals", "§" + csv(header=HEADER.upper()), "column_missing", "type")
    yield refused("blank behind a comma", "§" + csv(header=HEADER.replace(",", ", ")), "column_missing", "uuid")
    yield refused("no header row", "\n§" + row() + "\r\n", "column_missing", "type", line=2)
    yield refused("semicolons", "§" + csv(header=HEADER.replace(",", ";")), "column_missing", "type")
    yield refused("column twice", csv(header=HEADER + ",§value"), "column_repeated", "value")
    yield refused("further column twice", csv(header=HEADER + ",x,§x"), "column_repeated")
    yield refused("257 columns", csv(header=HEADER + "".join(f",c{n}" for n in range(246)) + ",§x"), "csv_invalid")
    yield refused("JSON", '{§"v":1,"type":"sync","samples":[]}', "csv_invalid")
    yield refused("line protocol", "§steps,unit=count value=412 1791961260000000000\n", "column_missing", "type")

    # Grammar.
    yield refused("too few fields", csv("§" + row()[:-1]), "csv_invalid", line=2)
    yield refused("one field", csv(row(), "§x"), "csv_invalid", line=3)
    yield refused("too many fields", csv(row(), row() + ",§"), "csv_invalid", line=3)
    yield refused("bare quote", csv(row(device='Apple §"Watch"')), "csv_invalid", "device", line=2)
    yield refused("text behind a quote", csv(row(device='"Apple"§ Watch')), "csv_invalid", "device", line=2)
    yield refused("quote at the end alone", csv(row(device='Apple§"')), "csv_invalid", "device", line=2)
    yield refused("unterminated quote", csv(row(), row(device='§"Apple')), "csv_invalid", "device", line=3)
    yield refused("unterminated quote at the very end", csv(row()) + '§"', "csv_invalid", "type", line=3)
    yield refused("quote closed by a doubled one", csv(row(device='§"Apple""')), "csv_invalid", "device", line=2)
    yield refused("bare carriage return", csv(row(device="a§\rb")), "csv_invalid", "device", line=2)
    yield refused("carriage return at the very end", HEADER + "\n" + row(entered="true") + "§\r", "csv_invalid",
                  "user_entered", line=2)
    yield refused("carriage return behind a quote", csv(row(device='"a"§\rb')), "csv_invalid", "device", line=2)
    yield refused("old line ends", HEADER + "§\r" + row() + "\r", "csv_invalid")
    yield refused("line of a row behind line ends in quotes", csv(row(device='"a\nb\r\nc"'), row(value="§x")),
                  "number_invalid", "value", line=5)
    yield refused("line of a row with line ends in quotes", csv(row(source='"a\nb"', device='"c\nd"', entered="§x")),
                  "field_invalid", "user_entered", line=2)

    # Fields.
    for name, type in [("empty", ""), ("short", "a"), ("65 letters", "a" * 65), ("a capital", "Steps"),
                       ("a digit first", "1a"), ("a blank", " steps"), ("past ASCII", "schön"), ("a line end", '"a\n"')]:
        yield refused(f"type: {name}", csv(row("§" + type)), "field_invalid", "type", line=2)
    yield refused("type of a deletion", csv(row("§Steps", "k", "", "", "", "", "deleted")), "field_invalid", "type",
                  line=2)
    for name, key in [("empty", ""), ("257 bytes", "k" * 257), ("NUL", "a\0")]:
        yield refused(f"key: {name}", csv(row(key="§" + key)), "key_invalid", "uuid", line=2)
    yield refused("key of a deletion", csv(row("steps", "§", "", "", "", "", "deleted")), "key_invalid", "uuid", line=2)
    for text in ["x", "+1", "01", ".5", "1.", "1e", "nan", "NaN", "inf", "Infinity", "-", "0x10", " 1", "1 ", "1_0",
                 "1.5.1", "true", "null", "1e400", "-1e400", "1" * 65, "1\0"]:
        yield refused(f"number {text}", csv(row(value="§" + text)), "number_invalid", "value", line=2)
    yield refused("number with a decimal comma", csv(row(value='§"1,5"')), "number_invalid", "value", line=2)
    yield refused("number of a category", csv(row(value="§asleep", name="asleep_core")), "number_invalid", "value",
                  line=2)
    yield refused("number of a workout", csv(row("workout", value="§31:10", unit="s")), "number_invalid", "value",
                  line=2)
    for column in ("start", "end"):
        for text in ["2026-10-14", "2026-10-14 07:01:00Z", "2026-10-14T07:01:00", "2026-02-30T07:01:00Z",
                     "2026-10-14T24:00:00Z", "2026-10-14T07:01:00+2", "2026-10-14T07:01:00+0200", "1791961260",
                     "yesterday", " "]:
            yield refused(f"{column} {text}", csv(row(**{column: "§" + text})), "time_invalid", column, line=2)
    yield refused("workout in minutes", csv(row("workout", value="31", unit="§min")), "field_invalid", "unit", line=2)
    for text in ["TRUE", "1", "yes", " false"]:
        yield refused(f"user_entered {text}", csv(row(entered="§" + text)), "field_invalid", "user_entered", line=2)
    yield refused("one bad row among good ones", csv(row(), row(key="k"), row(start="§x"), row()), "time_invalid",
                  "start", line=4)


def line(measurement="steps", tags="unit=count", fields="value=412", nanoseconds=NANOSECONDS):
    return f"{measurement}{',' + tags if tags else ''} {fields} {nanoseconds}\n"


def point(tags=None, measurement="steps", nanoseconds=NANOSECONDS, **expected):
    """What is expected of a point: its key follows from the tags."""
    tags = {"unit": "count"} if tags is None else tags
    shown = {"kind": "quantity", "type": measurement, "key": point_key(measurement, nanoseconds, **tags), "value": 412,
             "unit": tags.get("unit"), "start": START, "sourceApp": tags.get("source"),
             "sourceDevice": tags.get("device")} | expected
    return {name: value for name, value in shown.items() if value is not None}


def influx_accepted():
    yield accepted("quantity", line(tags="device=Apple\\ Watch,source=com.apple.Health,unit=count"),
                   **point({"device": "Apple Watch", "source": "com.apple.Health", "unit": "count"}))
    yield accepted("tags in another order", line(tags="unit=count,source=com.apple.Health,device=Apple\\ Watch"),
                   **point({"device": "Apple Watch", "source": "com.apple.Health", "unit": "count"}))
    yield accepted("no tags", line(tags=""), **point({}))
    yield accepted("empty", "", isTest=True, samples=0)
    yield accepted("empty lines and comments alone", "\n# a comment\r\n \t\r\n\t# another, value=1 1", isTest=True,
                   samples=0)
    yield accepted("comments and empty lines between", "# one\n\n" + line() + "  #two\r\n\r\n", **point())
    yield accepted("CRLF", line().replace("\n", "\r\n"), **point())
    yield accepted("last line without an end", line()[:-1], **point())
    yield accepted("last line with half an end", line()[:-1] + "\r", **point())
    yield accepted("several spaces", f" \tsteps,unit=count   value=412  {NANOSECONDS}   \r\n", **point())
    yield accepted("two lines", line() + line(nanoseconds=NANOSECONDS + 1000), **point(), samples=2)

    # Escapes.
    yield accepted("escapes in tags", line(tags=r"device=a\,b\=c\ d,source=\\x,unit=a\b"),
                   **point({"device": "a,b=c d", "source": "\\\\x", "unit": "a\\b"}))
    yield accepted("two backslashes in front of a comma", line(tags=r"device=a\\,b,unit=count"),
                   **point({"device": "a\\,b", "unit": "count"}))
    yield accepted("letters past ASCII and tabs", line(tags="device=Ünï\t⌚️"), **point({"device": "Ünï\t⌚️"}))
    yield accepted("quotes in tags", line(tags='device="a'), **point({"device": '"a'}))
    yield accepted("escapes in keys", line(tags=r"a\ b\,c\=d=e,unit=count", fields=r"value=412,a\ b\,c\=d=1"),
                   **point({"a b,c=d": "e", "unit": "count"}, rest='"a b,c=d":1,"tags":{"a b,c=d":"e"}'))
    yield accepted("escapes in strings", line(fields=r'value=412,s="a\"b\\c\d,e=f g"'),
                   **point(rest=r'"s":"a\"b\\c\\d,e=f g"'))
    yield accepted("line ends in strings", line(fields='s="a\nb\r\nc",value=412'), **point(rest='"s":"a\\nb\\r\\nc"'))

    # Numbers.
    for text, value in [("412i", 412), ("412u", 412), ("412.0", 412), ("4.12e2", 412), ("4.12E+2", 412), ("412.", 412),
                        ("00412", 412), ("-00.5", -0.5), (".5", 0.5), ("-.5e1", -5), ("-0i", 0), ("0", 0),
                        ("007i", 7), ("5.e-1", 0.5)]:
        yield accepted(f"number {text}", line(fields="value=" + text), **point(value=value))
    for text, value, rest in [
        ("9223372036854775807i", 2.0 ** 63, "9223372036854775807"),
        ("-9223372036854775808i", -2.0 ** 63, "-9223372036854775808"),
        ("18446744073709551615u", 2.0 ** 64, "18446744073709551615"),
        ("0009007199254740993i", 2.0 ** 53, "9007199254740993"), ("-0.0", -0.0, "-0.0"), ("-00.", -0.0, "-0")]:
        yield accepted(f"number {text}", line(fields="value=" + text),
                       **point(value=value, spelled=["value"], rest='"value":' + rest))
    for text, truth in [("t", True), ("T", True), ("true", True), ("True", True), ("TRUE", True), ("f", False),
                        ("F", False), ("false", False), ("False", False), ("FALSE", False)]:
        yield accepted(f"boolean {text}", line(fields="value=412,b=" + text),
                       **point(rest='"b":' + str(truth).lower()))

    # Kinds.
    asleep = {"kind": "category", "measurement": "sleep_analysis", "valueName": "asleep_core"}
    yield accepted("category", line("sleep_analysis", "", 'value=3,value_name="asleep_core"'),
                   **point({}, **asleep, value=3))
    yield accepted("category without HealthKit's number", line("sleep_analysis", "", 'value_name="asleep_core"'),
                   **point({}, **asleep, value=3))
    yield accepted("category whose name is the value", line("sleep_analysis", "", 'value="asleep_core"'),
                   **point({}, **asleep, value=3))
    yield accepted("category of another number than the catalog's", line(
        "sleep_analysis", "", 'value=7i,value_name="asleep_core"'), **point({}, **asleep, value=7))
    yield accepted("category whose number no double holds", line(
        "sleep_analysis", "", 'value=9007199254740993i,value_name="asleep_core"'),
        **point({}, **asleep, value=9007199254740992, rest='"raw_value":9007199254740993'))
    yield accepted("category whose value is another name", line(
        "sleep_analysis", "", 'value="x",value_name="asleep_core"'),
        **point({}, **asleep, value=3, rest='"raw_value":"x"'))
    yield accepted("category without a name", line("sleep_analysis", "", 'value_name=""'),
                   **point({}, **asleep | {"value": None, "valueName": None}, spelled=["value"], rest='"value":""'))
    yield accepted("workout", line("workout", "activity=running", "duration_s=1870,energy_kcal=312.4,distance_m=5020"),
                   **point({"activity": "running"}, "workout", kind="workout", value=1870, unit="s",
                           valueName="running", rest='"energy_kcal":312.4,"distance_m":5020'))
    yield accepted("workout without a duration", line("workout", "unit=min,a=b", "energy_kcal=1"),
                   **point({"unit": "min", "a": "b"}, "workout", kind="workout", value=None, unit="s",
                           rest='"energy_kcal":1,"tags":{"a":"b","unit":"min"}') | {"unit": "s"})
    yield accepted("workout whose duration is text", line("workout", "", 'duration_s="long"'),
                   **point({}, "workout", kind="workout", value=None, unit="s", spelled=["value"],
                           rest='"duration_s":"long"'))
    yield accepted("boolean value", line(fields="value=t"), **point(kind="other", value=None, rest='"value":true'))
    yield accepted("no value", line(fields="count=3i"), **point(kind="other", value=None, rest='"count":3'))
    yield accepted("name of a value that is a number", line(fields="value_name=3"),
                   **point(kind="other", value=None, rest='"value_name":3'))
    yield accepted("another kind that is a type of its own", line("state_of_mind", "", 'value=0.5,value_name="x"'),
                   **point({}, "state_of_mind", kind="state_of_mind", value=None,
                           rest='"value":0.5,"value_name":"x"'))
    yield accepted("fields and tags named as members of a sample", line(
        tags="activity=a,unit=count,uuid=b", fields='uuid="c",value=412,fields=1,tags=t'),
        **point({"activity": "a", "unit": "count", "uuid": "b"},
                rest='"fields":{"uuid":"c","fields":1,"tags":true},"tags":{"activity":"a","uuid":"b"}'))
    yield accepted("field twice", line(fields="value=1,x=1,value=412,x=2"), **point(rest='"x":2'))
    yield accepted("ten fields, one of them twice", line(
        fields=",".join(f"f{n}={n}" for n in range(9)) + ",value=412,f3=7"),
        **point(rest=",".join(f'"f{n}":{7 if n == 3 else n}' for n in range(9))))
    yield accepted("unit too long for a column", line(tags="unit=" + "u" * 1025),
                   **point({"unit": "u" * 1025}, spelled=["unit"], rest='"unit":"' + "u" * 1025 + '"') | {"unit": None})

    # Times.
    for nanoseconds, start, rest in [
        (0, "1970-01-01T00:00:00Z", None), (-1000, "1969-12-31T23:59:59.999999Z", None),
        (1791961260123456000, "2026-10-14T07:01:00.123456Z", None),
        (1791961260123456789, "2026-10-14T07:01:00.123456Z", "2026-10-14T07:01:00.123456789Z"),
        (-1, "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999999Z"),
        (9223372036854775807, "2262-04-11T23:47:16.854775Z", "2262-04-11T23:47:16.854775807Z"),
        (-9223372036854775808, "1677-09-21T00:12:43.145224Z", "1677-09-21T00:12:43.145224192Z"),
    ]:
        more = {"spelled": ["start"], "rest": f'"start":"{rest}"'} if rest else {}
        yield accepted(f"timestamp {nanoseconds}", line(nanoseconds=nanoseconds),
                       **point(nanoseconds=nanoseconds, start=start, **more))
    yield accepted("timestamp with zeros in front", line(nanoseconds=f"000{NANOSECONDS}"), **point())


def influx_refused():
    yield refused("no measurement", "§,unit=count value=412 1\n", "line_invalid", "measurement")
    yield refused("no fields", "steps§\n", "line_invalid")
    yield refused("no fields behind the tags", "steps,unit=count§", "line_invalid")
    yield refused("no fields behind a space", "steps,unit=count §\n", "line_invalid")
    yield refused("no tag key", "steps,§ value=412 1", "line_invalid")
    yield refused("no tag key in front of an equals sign", "steps,§=a value=412 1", "line_invalid")
    yield refused("two commas", "steps,unit=count,§,a=b value=412 1", "line_invalid")
    yield refused("tag without a value", "steps,unit§ value=412 1", "line_invalid")
    yield refused("empty tag", "steps,unit=§ value=412 1", "line_invalid")
    yield refused("empty tag in the middle", "steps,unit=§,a=b value=412 1", "line_invalid")
    yield refused("two equals signs in a tag", "steps,unit=a§=b value=412 1", "line_invalid")
    yield refused("backslash at the end of a tag", "steps,unit=a\\ value§=412 1", "line_invalid")
    yield refused("tag twice", "steps,unit=a,b=c,§unit=d value=412 1", "tag_repeated")
    yield refused("tag twice, once escaped", "steps,a\\ b=1,§a\\ b=1 value=412 1", "tag_repeated")
    yield refused("no field key", "steps §=412 1", "line_invalid")
    yield refused("no field key behind a comma", "steps value=412,§ 1", "line_invalid")
    yield refused("field without a value", "steps value§ 1", "line_invalid", "value")
    yield refused("field without a value behind an equals sign", "steps value=§ 1", "line_invalid", "value")
    yield refused("field without a value behind a comma", "steps x=1,value_name§\n", "line_invalid", "value_name")
    yield refused("timestamp in place of the fields", f"steps {NANOSECONDS}§\n", "line_invalid")
    yield refused("string without quotes", "steps value_name=§asleep 1", "line_invalid", "value_name")
    yield refused("word that is no boolean", "steps b=§tRUE 1", "line_invalid")
    yield refused("unterminated string", line() + 'steps value_name=§"asleep 1\n', "line_invalid", "value_name", line=2)
    yield refused("string that ends in a backslash", 'steps value_name=§"asleep\\" 1\n', "line_invalid", "value_name")
    yield refused("text behind a string", 'steps value_name="asleep"§x 1', "line_invalid", "value_name")
    yield refused("CSV", "type,uuid§,start,end,value,unit,value_name,source,device,user_entered\r\n", "line_invalid")
    yield refused("JSON", '{"v":1,"type":"sync"§,"samples":[]}', "line_invalid")
    for text in ["-", ".", "-.", "1.1.1", "1e", "1e+", "1.0i", "1ii", "-1u", "1iu", "--1", "42+3", "0x10", "1_0", "-i",
                 "9223372036854775808i", "-9223372036854775809i", "18446744073709551616u", "1e400", "-nan", "-inf",
                 "1" * 65]:
        yield refused(f"number {text}", f"steps value=§{text} 1", "number_invalid", "value")
    yield refused("number of an unknown field", "steps value=1,x=§1.1.1 1", "number_invalid")
    for text in ["nan", "NaN", "inf", "+1", "Infinity"]:
        yield refused(f"number {text}", f"steps value=§{text} 1", "line_invalid", "value")
    yield refused("no timestamp", "steps,unit=count value=412§", "timestamp_missing", "timestamp")
    yield refused("no timestamp in front of a line end", line() + "steps value=412 §\r\n", "timestamp_missing",
                  "timestamp", line=2)
    yield refused("line behind a string of two lines", 'steps s="a\nb" 1\nsteps value=412§\n', "timestamp_missing",
                  "timestamp", line=3)
    for text in ["9223372036854775808", "-9223372036854775809", "1" * 40, "-", "1.5", "1e9", "1i", "now", "+1",
                 "2026-10-14T07:01:00Z", "--1", "1\t"]:
        yield refused(f"timestamp {text}", f"steps value=412 §{text}\n", "time_invalid", "timestamp")
    yield refused("text behind the timestamp", "steps value=412 1 §2\n", "line_invalid")
    yield refused("carriage return behind the timestamp", "steps value=412 §1\r2\n", "time_invalid", "timestamp")
    for name, text in [("short", "a"), ("a capital", "Steps"), ("65 letters", "a" * 65), ("a space", r"step\ s"),
                       ("a quote", '"steps"'), ("an equals sign", "a=b"), ("NUL", "a\0")]:
        yield refused(f"measurement: {name}", f"§{text} value=412 1", "field_invalid", "measurement")
    yield refused("one bad line among good ones", line() + "# comment\n" + line() + "steps§\n" + line(), "line_invalid",
                  line=4)


def files():
    """Name and cases of each file."""
    yield "csv-accepted.json", list(csv_accepted())
    yield "csv-refused.json", list(csv_refused())
    yield "influx-accepted.json", list(influx_accepted())
    yield "influx-refused.json", list(influx_refused())
