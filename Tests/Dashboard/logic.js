// What the page's modules compute, asked in the page itself; each fault is one line of the answer. See check.py.
(async () => {
  const [span, plot, format, names, marks, { catalog }, night] = await Promise.all(["span", "plot", "format", "names", "marks", "catalog", "night"].map((name) => import(`/${name}.js`)));
  const faults = [];
  const equal = (shown, expected, what) => {
    if (JSON.stringify(shown) !== JSON.stringify(expected)) faults.push(`${what}: ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`);
  };
  const holds = (what, sentence) => { if (!what) faults.push(sentence); };

  // Spans are half open, meet their neighbours and have a slot for each bucket.
  for (const at of ["2026-11-30", "2024-02-29", "2025-12-31", "2026-01-01", "2026-03-29", "2026-03-01"]) {
    for (const [range, by, counts] of [["day", "hour", [24]], ["week", "day", [7]], ["month", "day", [28, 29, 30, 31]], ["year", "day", [365, 366]]]) {
      const one = span.span(range, at, "2020-01-01", "2027-01-01");
      holds(one.from <= at && at < one.to && one.by === by, `${range} of ${at} holds it: ${one.from} ${one.to}`);
      holds(counts.includes(span.slots(one).length), `${range} of ${at}: ${span.slots(one).length} slots`);
      equal(span.span(range, one.previous, "2020-01-01", "2027-01-01").to, one.from, `what is before the ${range} of ${at} ends where it begins`);
      equal(span.span(range, one.next ?? one.to, "2020-01-01", "2028-01-01").from, one.to, `what is after the ${range} of ${at} begins where it ends`);
    }
  }
  equal(span.span("week", "2026-11-29", null, "2026-11-30").from, "2026-11-23", "a week begins on Monday");
  equal(span.slots(span.span("year", "2024-06-01", null, "2026-11-30")).length, 366, "a leap year");
  equal(["2026-11-01", "2025-10-01", "2020-01-01", "1990-01-01"].map((first) => span.span("all", "2026-11-30", first, "2026-11-30").by), ["day", "week", "month", "year"], "all of it, by its length");
  for (const first of ["2026-11-30", "2026-08-02", "2024-12-25", "1996-12-31"]) {
    const one = span.span("all", "2026-11-30", first, "2026-11-30"), slots = span.slots(one);
    holds(slots[0].key <= first && slots.at(-1).key <= "2026-11-30" && slots.at(-1).end > "2026-11-30" && slots.length <= 400, `all since ${first} has ${slots.length} slots from ${slots[0].key}`);
    holds(slots.every((slot, i) => i === 0 || slots[i - 1].end === slot.key), `all since ${first} has no hole`);
  }
  equal([span.span("month", "2026-11-30", "2026-11-02", "2026-11-30").previous, span.span("month", "2026-11-30", "2026-11-02", "2026-11-30").next], [null, null], "nothing is before the first and after now");

  // Of two nights of a date the longer one is the night, on every page.
  const twoNights = [{ date: "2026-11-30", asleep_s: 18000 }, { date: "2026-11-30", asleep_s: 12600 }, { date: "2026-11-29", asleep_s: 0, in_bed_s: 9 }, { date: "2026-11-30", asleep_s: 99999, nap: true }];
  equal(night.mainNights(twoNights).map((one) => [one.date, one.asleep_s]), [["2026-11-30", 18000], ["2026-11-29", 0]], "the longer of two nights");
  equal(night.mainNights([...twoNights].reverse()).map((one) => one.asleep_s), [0, 18000], "in any order");
  // As many points as the API has.
  holds(marks.routeDrawing(Array.from({ length: 200000 }, (_, i) => [i, 50 + i / 1e6, 8]), null, "long").element, "a route of 200,000 points is drawn");

  // Clock changes: 23 hours, 25 hours.
  const hours = (date, buckets = []) => span.fill(span.slots(span.span("day", date, null, "2027-01-01")), buckets, "hour", "Europe/Berlin");
  equal([hours("2026-03-29").length, hours("2026-03-28").length], [23, 24], "a day without an hour");
  const twice = ["02:00:00+02:00", "02:00:00+01:00"].map((time) => ({ start: `2026-10-25T${time}` }));
  equal(hours("2026-10-25", twice).length, 25, "a day that has an hour twice");
  holds(hours("2026-10-25", twice)[3].text.includes("second time"), "the second one says so");

  // What somebody typed is one number or none.
  for (const [text, sign, value] of [
    ["1500", ".", 1500], ["71.4", ".", 71.4], ["71,4", ".", 71.4], ["1,500", ".", null], ["1.500", ".", 1.5], ["1,5000", ".", 1.5],
    ["71,4", ",", 71.4], ["71.4", ",", 71.4], ["1.500", ",", null], ["1,500", ",", 1.5], ["-0.25", ",", -0.25], ["1,500.5", ".", null],
    ["", ".", null], ["much", ".", null], [".5", ".", null], ["1e3", ".", null],
  ]) equal(format.typedNumber(text, sign), value, `${text} where ${sign} begins a fraction`);

  // Ticks cover what is shown, are few, and go up.
  for (const [low, high] of [[0, 1], [0, 8423], [42, 183], [-3, 2], [0.968, 0.971], [0, 1e-7], [0, 3.2e9], [5, 5.0001], [36.1, 39]]) {
    for (const isDuration of [false, true]) {
      const ticks = plot.ticks(low, high, 5, isDuration);
      holds(ticks.length >= 2 && ticks.length <= 9 && ticks[0] <= low && ticks.at(-1) >= high * (1 - 1e-12) && ticks.every((tick, i) => !i || tick > ticks[i - 1]), `ticks of ${low} to ${high}: ${ticks}`);
    }
  }

  // Every type has a name and a measure.
  for (const [type, [unit]] of Object.entries(catalog)) {
    holds(names.typeName(type) && !names.typeName(type).includes("_") && names.groupName(names.groupOf(type)), `the name of ${type}`);
    for (const largest of [0.0002, 0.5, 40, 5000]) {
      const how = format.measure(type, unit, largest);
      holds(Math.abs(how.unscale?.(how.scale(12.5)) - 12.5) < 1e-9 && !/NaN|undefined/.test(how.text(12.5) + how.figure(0) + how.axis(how.scale(3))), `the measure of ${type}`);
    }
  }
  const before = format.units;
  for (const [units, expected] of [["us", ["98.6 °F", "154.3 lb", "3.11 mi", "6.2 mph"]], ["metric", ["37 °C", "70 kg", "5 km", "10 km/h"]]]) {
    format.setUnits(units);
    equal([format.measure("body_temperature", "degC").text(37), format.measure("body_mass", "kg").text(70), format.measure("distance_walking_running", "m", 5000).text(5000),
      format.measure("walking_speed", "m/s").text(10 / 3.6)], expected, `units of ${units}`);
  }
  format.setUnits(before);
  equal([format.measure("oxygen_saturation", "%").text(0.973), format.measure("dietary_caffeine", "g", 0.2).text(0.095), format.measure("dietary_vitamin_b12", "g", 3e-6).text(2.4e-6)], ["97.3 %", "95 mg", "2.4 µg"], "fractions and small weights");
  equal([0, 45, 3599, 3600, 26640, NaN].map(format.duration), ["0m", "45s", "1h", "1h", "7h 24m", "–"], "durations");
  equal([format.number(1e300), format.compact(-2e20), format.number(1e14, 0)], ["1.00e+300", "-2.00e+20", "100,000,000,000,000"], "numbers that no body has");
  equal([65, 3725, 59.6].map(format.clock), ["1:05", "1:02:05", "1:00"], "a stopwatch");
  equal([format.wall("2026-10-01T07:30:00-04:00").date, new Date(format.wall("2026-10-01T07:30:00-04:00").wall).toISOString()], ["2026-10-01", "2026-10-01T07:30:00.000Z"], "a clock on a wall is read as it is written");
  equal(format.showAt("time", "2026-10-01T05:30:00Z", "No/Where"), format.show("time", Date.parse("2026-10-01T05:30:00Z")), "an unknown zone is UTC");

  // Routes: nowhere to go, over the date line, without values.
  for (const [what, points] of [["one place", [["2026-01-01T00:00:00Z", 10, 10], ["2026-01-01T00:00:05Z", 10, 10]]], ["the date line", [["2026-01-01T00:00:00Z", 0, 179.999], ["2026-01-01T00:00:05Z", 0, -179.999]]],
    ["a pole", [["2026-01-01T00:00:00Z", 90, 0], ["2026-01-01T00:00:05Z", 89.999, 0]]]]) {
    for (const values of [null, [null, null], [1, 2]]) {
      const html = marks.routeDrawing(points, values, "route").element.outerHTML;
      holds(!/NaN|Infinity|undefined/.test(html), `a route at ${what} is drawn: ${html.match(/.{30}(NaN|Infinity|undefined)/)?.[0]}`);
    }
  }
  equal(Math.round(marks.metres(["", 0, 179.999], ["", 0, -179.999])) > 1e6, false, "metres over the date line");
  for (const values of [[1, null, 2], [5, 5, 5], [0, 0], [null, 7]]) {
    for (const kind of ["bars", "line"]) holds(!/NaN|Infinity/.test(marks.sparkline(values, kind, 1)?.outerHTML), `a sparkline of ${values}`);
  }
  return faults;
})()
