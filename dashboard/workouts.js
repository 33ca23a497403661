// Workouts: the list, and one with its curve, its route drawn without a map, and its splits.
import { get, link, session } from "./api.js";
import { choice, empty, h, icon, replace, table } from "./dom.js";
import { clock, distance, distanceUnit, duration, measure, number, show, units, wall } from "./format.js";
import { metres, routeDrawing } from "./marks.js";
import { activityName, sourceName } from "./names.js";
import { Plot } from "./plot.js";

const beats = measure("heart_rate", "count/min");

export async function workoutsPage({ signal }) {
  const list = h("div");
  let rows = [], cursor = null;
  const load = async () => {
    const answer = await get("workouts", { limit: 100, cursor }, signal);
    rows = [...rows, ...answer.workouts];
    cursor = answer.next;
    draw();
  };
  const draw = () => {
    const months = Map.groupBy ? Map.groupBy(rows, (one) => one.start.slice(0, 7)) : rows.reduce((map, one) => map.set(one.start.slice(0, 7), [...map.get(one.start.slice(0, 7)) ?? [], one]), new Map());
    replace(list, [...months].map(([month, members]) => h("section", { "aria-label": show("month", `${month}-01`) },
      h("div", { class: "monthline" }, h("h2", null, show("month", `${month}-01`)), h("span", { class: "quiet" },
        `${members.length} workout${members.length === 1 ? "" : "s"}, ${duration(members.reduce((sum, one) => sum + one.duration_s, 0))}`)),
      h("ul", { class: "rows workoutrows" }, members.map((one) => h("li", null, h("a", { href: address(one) },
        h("span", { class: "name" }, activityName(one.activity), one.has_route ? h("small", null, " with route") : null),
        h("span", { class: "value" }, one.distance_m ? distance(one.distance_m) : one.energy_kcal ? `${number(one.energy_kcal, 0)} kcal` : ""),
        h("span", { class: "quiet" }, `${show("full", wall(one.start).wall)} · ${duration(one.duration_s)}${one.distance_m && one.energy_kcal ? ` · ${number(one.energy_kcal, 0)} kcal` : ""}`))))))),
    cursor ? h("button", { type: "button", onclick: load }, "Older workouts") : null);
  };
  await load();
  return { title: "Workouts", body: [h("h1", { tabindex: "-1" }, "Workouts"), rows.length ? list
    : empty("No workouts yet", h("p", null, "They appear here when the phone sends the type ", h("code", null, "workout"), "; routes need ", h("code", null, "workout_route"), ", curves ", h("code", null, "heart_rate"), "."))] };
}

const address = (one) => `#/workouts/${encodeURIComponent(one.uuid)}?device=${encodeURIComponent(one.device)}`;

export async function workoutPage({ name, query, signal }) {
  const device = query.get("device");
  const path = `workouts/${encodeURIComponent(name)}`;
  const workout = await get(path, { device }, signal);
  const start = wall(workout.start), shift = start.wall - start.at;
  const title = activityName(workout.activity);
  const route = workout.route ?? [], curve = workout.heart_rate;
  const drawing = route.length > 1 ? routePart(workout, route, curve) : null;
  const heart = curve?.points?.length ? heartPart(workout, curve, shift, (moment) => drawing?.mark(moment)) : null;
  return {
    title: `${title}, ${show("date", start.wall)}`,
    body: [
      h("p", { class: "back" }, h("a", { href: "#/workouts" }, icon("left"), "Workouts")),
      h("h1", { tabindex: "-1", class: "hue-mobility" }, title),
      h("p", { class: "lead" }, `${show("weekday", start.wall)}, ${show("fullYear", start.wall)} – ${show("time", wall(workout.end).wall)} · ${sourceName(workout.source)}`),
      h("section", { class: "card", "aria-label": "Figures" }, facts(workout, route, curve)),
      h("div", { class: "pair" }, drawing?.element, heart),
      splitsPart(workout),
      route.length > 1 ? h("p", { class: "links" }, "Take the route elsewhere: ", h("a", { href: link(`${path}.gpx`, { device }), download: "" }, "GPX"), " ", h("a", { href: link(`${path}.geojson`, { device }), download: "" }, "GeoJSON")) : null,
    ],
  };
}

const paceActivities = /run|walk|hik/;
/** Seconds a metre as a pace, or as a speed where people speak of speed. */
function pace(workout, metresDone, seconds) {
  if (!metresDone || !seconds) return "–";
  const [length, unit] = distanceUnit();
  return paceActivities.test(workout.activity ?? "") ? `${clock(seconds / metresDone * length)} /${unit}` : `${number(metresDone / seconds * 3600 / length, 1)} ${unit}/h`;
}

function facts(workout, route, curve) {
  const fact = (name, text) => text && text !== "–" ? h("div", null, h("dt", null, name), h("dd", null, text)) : null;
  const climbs = (workout.splits?.km ?? []).map((split) => split.climb_m).filter((climb) => climb !== null && climb !== undefined);
  const climb = climbs.length ? climbs.reduce((a, b) => a + b, 0) : null;
  return h("dl", { class: "facts large" }, fact("Duration", clock(workout.duration_s)), fact("Distance", workout.distance_m ? distance(workout.distance_m) : null),
    fact(paceActivities.test(workout.activity ?? "") ? "Pace" : "Speed", workout.distance_m ? pace(workout, workout.distance_m, workout.duration_s) : null),
    fact("Energy", workout.energy_kcal ? `${number(workout.energy_kcal, 0)} kcal` : null),
    fact("Heart rate", curve ? [beats.text(curve.mean), h("small", null, ` ${number(curve.min, 0)} – ${number(curve.max, 0)}`)] : null),
    fact("Climb", climb ? units === "us" ? `${number(climb * 3.28084, 0)} ft` : `${number(climb, 0)} m` : null));
}

function heartPart(workout, curve, shift, follow) {
  const points = curve.points.map(([time, value]) => [Date.parse(time), value]);
  const start = wall(workout.start).at, end = Math.max(wall(workout.end).at, start + 1000);
  // As many slots as a curve of this many points fills, at most one for two pixels of a phone.
  const count = Math.min(240, Math.max(12, Math.round(points.length / 1.5)));
  const length = (end - start) / count;
  const filled = Array.from({ length: count }, () => []);
  for (const [at, value] of points) filled[Math.min(count - 1, Math.max(0, Math.floor((at - start) / length)))].push(value);
  const minutes = (end - start) / 60000;
  const step = [1, 2, 5, 10, 15, 30, 60, 120].find((one) => minutes / one <= 7) ?? 240;
  const slots = filled.map((values, i) => {
    const from = Math.floor(i * length / 60000 / step), before = i ? Math.floor((i - 1) * length / 60000 / step) : -1;
    return { text: `${clock(i * length / 1000)} in, ${show("time", start + i * length + shift)}`, tick: from !== before ? `${from * step}` : "", at: start + (i + 0.5) * length,
      value: values.length ? values.reduce((a, b) => a + b, 0) / values.length : null, low: values.length ? Math.min(...values) : null, high: values.length ? Math.max(...values) : null };
  });
  const plot = new Plot({
    mode: "band", slots, measure: beats, hue: "heart", height: 220, average: curve.mean, label: "Heart rate during the workout, over minutes", caption: "Heart rate during the workout",
    readout: (slot) => slot ? { head: slot.value === null ? "No data" : "Heart rate", figure: slot.value === null ? "–" : number(slot.value, 0), unit: "bpm", note: slot.text }
      : { head: "Heart rate", figure: number(curve.mean, 0), unit: "bpm", note: `${number(curve.min, 0)} to ${number(curve.max, 0)} bpm, by minutes` },
    heads: ["When", "Mean", "Lowest", "Highest"], row: (slot) => [slot.text, beats.text(slot.value), beats.text(slot.low), beats.text(slot.high)],
    picked: (index) => follow(index === null ? null : slots[index].at),
  });
  return h("section", { class: "card", "aria-labelledby": "heart" }, h("h2", { id: "heart" }, "Heart rate"), plot.element);
}

function routePart(workout, route, curve) {
  const speeds = smoothed(route);
  const pulses = curve?.points?.length ? nearest(route, curve.points) : null;
  const modes = [...pulses ? [["heart", "Heart rate"]] : [], ["speed", paceActivities.test(workout.activity ?? "") ? "Pace" : "Speed"]];
  const box = h("div"), legend = h("p", { class: "heatkey" });
  const part = { element: null, mark: () => {} };
  const draw = (mode) => {
    const drawn = routeDrawing(route, mode === "heart" ? pulses : speeds, `The route of ${distance(workout.distance_m)}, drawn without a map, north is up, coloured by ${mode === "heart" ? "heart rate" : "speed"}.`);
    part.mark = drawn.mark;
    replace(box, drawn.element);
    const text = (value) => value === undefined ? "" : mode === "heart" ? beats.text(value) : pace(workout, value, 1);
    replace(legend, h("span", null, text(drawn.low)), h("i", { "aria-hidden": "true" }, Array.from({ length: 6 }, (_, i) => h("b", { class: `heat-${i}` }))), h("span", null, text(drawn.high)));
  };
  draw(modes[0][0]);
  part.element = h("section", { class: "card", "aria-labelledby": "route" }, h("div", { class: "titlebar" }, h("h2", { id: "route" }, "Route"),
    modes.length > 1 ? choice("Colour", "colour", modes, modes[0][0], draw) : null), box, legend,
  h("p", { class: "quiet" }, "The circle is the start, the square the end."));
  return part;
}

/** Metres a second at each point, over about 20 seconds: single fixes jump. */
function smoothed(route) {
  const times = route.map(([time]) => Date.parse(time) / 1000);
  const along = [0];
  for (let i = 1; i < route.length; i += 1) along.push(along[i - 1] + metres(route[i - 1], route[i]));
  let from = 0, to = 0;
  return route.map((_, i) => {
    while (times[i] - times[from] > 10) from += 1;
    while (to < route.length - 1 && times[to] - times[i] < 10) to += 1;
    const seconds = times[to] - times[from];
    return seconds > 0 ? (along[to] - along[from]) / seconds : null;
  });
}

function nearest(route, points) {
  let i = 0;
  const times = points.map(([time]) => Date.parse(time));
  return route.map(([time]) => {
    const at = Date.parse(time);
    while (i < times.length - 1 && Math.abs(times[i + 1] - at) <= Math.abs(times[i] - at)) i += 1;
    return Math.abs(times[i] - at) < 60000 ? points[i][1] : null;
  });
}

function splitsPart(workout) {
  if (!workout.splits?.km?.length && !workout.splits?.mile?.length) return null;
  const box = h("div");
  const draw = (key) => {
    const length = key === "km" ? 1000 : 1609.344, unit = key === "km" ? "km" : "mi";
    const splits = workout.splits[key] ?? [];
    const full = splits.filter((split) => split.m > length * 0.98);
    const slowest = Math.max(...splits.map((split) => split.s / split.m)), fastest = Math.min(...(full.length ? full : splits).map((split) => split.s / split.m));
    const byPace = paceActivities.test(workout.activity ?? "");
    replace(box, table(`Splits by ${key}`, [unit, byPace ? "Pace" : "Speed", "Time", "Heart rate", "Climb"], splits.map((split, i) => {
      const rate = split.s / split.m;
      return [split.m > length * 0.98 ? number(i + 1, 0) : number(split.m / length, 2),
        [h("span", { class: "meter wide hue-mobility", "aria-hidden": "true", vars: { "--share": `${Math.round(fastest / rate * 100)}%` } }), byPace ? `${clock(rate * length)} /${unit}` : `${number(3600 / rate / length, 1)} ${unit}/h`,
          rate === fastest && full.length > 1 && slowest > fastest ? h("small", null, " fastest") : null],
        clock(split.s), split.heart_rate ? beats.text(split.heart_rate) : "–", split.climb_m === null || split.climb_m === undefined ? "–" : key === "mile" ? `${number(split.climb_m * 3.28084, 0)} ft` : `${number(split.climb_m, 0)} m`];
    })));
  };
  const first = units === "us" ? "mile" : "km";
  draw(first);
  return h("section", { class: "card", "aria-labelledby": "splits" }, h("div", { class: "titlebar" }, h("h2", { id: "splits" }, "Splits"), choice("Split by", "splits", [["km", "km"], ["mile", "mile"]], first, draw)), box);
}
