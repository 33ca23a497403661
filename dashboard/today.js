// The morning's page: rings, key figures with their last 30 days, and what should be looked at.
import { getIfAllowed, session, status as askStatus, withTypes } from "./api.js";
import { empty, h, icon, table } from "./dom.js";
import { addDays, ago, duration, measure, number, percent, show, showAt, stored, today, wall } from "./format.js";
import { rings, sparkline } from "./marks.js";
import { groupOf, sourceName, typeName } from "./names.js";
import { asleep, lengthOf, mainNights, stageBar } from "./night.js";

export const usualFigures = ["steps", "distance_walking_running", "active_energy_burned", "sleep_analysis", "resting_heart_rate",
  "heart_rate_variability_sdnn", "body_mass", "flights_climbed", "vo2_max"];
/** What someone chose to see, else the usual ones. */
export function figures() {
  try { return JSON.parse(stored("figures")) ?? usualFigures; } catch { return usualFigures; }
}

const days = 30;
const ringParts = [["move", "Move", "kcal"], ["exercise", "Exercise", "min"], ["stand", "Stand", "h"]];

export async function todayPage({ name, signal }) {
  const isAllowed = (type) => !session.types || session.types.includes(type);
  const wanted = figures().filter(isAllowed);
  // A morning's page with a part missing is better than none; which part it is gets said.
  const missing = [];
  const part = (text, answer) => answer.catch((problem) => {
    if (problem.name === "AbortError" || problem.status === 401) throw problem;
    missing.push(text);
    return null;
  });
  const [types, { now, date, from, status, activity, nights, series }] = await withTypes(signal, async (zone) => {
    const now = today(zone);
    const date = /^\d{4}-\d\d-\d\d$/.test(name ?? "") && name <= now ? name : now;
    const from = addDays(date, -days), to = addDays(date, 1);
    const [status, activity, nights, ...series] = await Promise.all([
      askStatus(signal),
      isAllowed("activity_summary") ? part("the rings", getIfAllowed("activity", { from, to }, signal)) : null,
      isAllowed("sleep_analysis") ? part("sleep", getIfAllowed("sleep", { from, to }, signal)) : null,
      ...wanted.map((type) => type === "sleep_analysis" ? null : part(typeName(type), getIfAllowed("buckets", { type, by: "day", from, to }, signal))),
    ]);
    return { now, date, from, status, activity, nights, series };
  });
  if (!types.length) return { title: "Welcome", body: welcome(status) };
  const byName = new Map(types.map((type) => [type.type, type]));
  const night = mainNights(nights?.nights ?? []).find((one) => one.date === date) ?? null;
  const rows = activity?.days ?? [];
  const isToday = date === now;
  const cards = wanted.map((type, i) => !byName.has(type) ? null : type === "sleep_analysis" ? (nights ? sleepCard(nights.nights, night, from, date) : null)
    : series[i] ? figureCard(byName.get(type), series[i], from, date, isToday) : null).filter(Boolean);

  const title = isToday ? "Today" : show("dayMonth", date);
  return {
    title,
    body: [
      warnings(status),
      h("section", { class: "hero", "aria-labelledby": "day" },
        h("div", { class: "words" },
          h("p", { class: "eyebrow" }, isToday ? `Today, ${show("weekday", date)}` : show("weekday", date)),
          h("h1", { id: "day", tabindex: "-1" }, show("dayMonth", date)),
          sentence(wanted, series, night, date, isToday),
          h("div", { class: "steppers" },
            h("a", { class: "button", href: `#/today/${addDays(date, -1)}`, "aria-label": `The day before, ${show("day", addDays(date, -1))}` }, icon("left")),
            isToday ? null : [h("a", { class: "button", href: addDays(date, 1) === now ? "#/today" : `#/today/${addDays(date, 1)}`,
              "aria-label": `The day after, ${show("day", addDays(date, 1))}` }, icon("right")), h("a", { class: "button", href: "#/today" }, "Today")],
            isToday ? h("span", { class: "quiet" }, status.last_stored ? `Last data ${ago(status.last_stored)}` : "Nothing stored yet") : null)),
        ringsOf(rows, date, now)),
      cards.length ? h("section", { "aria-labelledby": "figures" }, h("h2", { id: "figures" }, "Key figures"),
        h("ul", { class: "cards" }, cards.map((card) => h("li", null, card))),
        h("p", { class: "quiet" }, "A type's own page puts it here, or takes it away.")) : null,
      missing.length ? h("p", { class: "error", role: "status" }, `The server could not read ${missing.join(", ")}. Reload the page to try again.`) : null,
      agreement(rows),
    ],
  };
}

/** A day in one sentence, of what is known. */
function sentence(wanted, series, night, date, isToday) {
  const value = (type) => {
    const bucket = series[wanted.indexOf(type)]?.buckets?.find((one) => one.start.startsWith(date));
    return bucket ? bucket.sum ?? null : null;
  };
  const steps = value("steps"), metres = value("distance_walking_running");
  const parts = [];
  if (night) parts.push(h("span", null, asleep(night) ? "You slept " : "You were in bed for ", h("b", null, duration(asleep(night) ?? night.in_bed_s))));
  const walked = steps !== null ? [h("b", null, number(steps, 0)), " steps"] : metres !== null ? [h("b", null, measure("distance_walking_running", "m").text(metres))] : null;
  if (walked) parts.push(h("span", null, parts.length ? " and walked " : "You walked ", walked, isToday ? " so far" : ""));
  if (!parts.length) return h("p", { class: "lead" }, isToday ? "Nothing of today has arrived yet." : "Nothing of this day is stored.");
  return h("p", { class: "lead" }, parts, ".");
}

const ringValue = (ring) => ring?.phone ?? ring?.computed ?? null;

function ringsOf(rows, date, now) {
  const shown = ringParts.filter(([key]) => rows.some((row) => row[key]?.goal));
  if (!shown.length) return null;
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const part = (row, [key, text, unit], prefix = "") => {
    const value = ringValue(row?.[key]), goal = row?.[key]?.goal ?? null;
    return { name: key, share: value !== null && goal ? value / goal : 0,
      label: `${prefix}${text} ${value === null ? "unknown" : number(value, 0)}${goal ? ` of ${number(goal, 0)}` : ""} ${unit}` };
  };
  const row = byDate.get(date);
  const week = Array.from({ length: 7 }, (_, i) => addDays(date, i - 6));
  return h("div", { class: "ringbox" },
    row ? rings(shown.map((one) => part(row, one))) : rings(shown.map(([key, text]) => ({ name: key, share: 0, label: `${text} unknown` }))),
    h("dl", { class: "ringlist" }, shown.map(([key, text, unit]) => {
      const value = ringValue(row?.[key]), goal = row?.[key]?.goal;
      return h("div", { class: `hue-${key}` }, h("dt", null, text),
        h("dd", null, h("b", null, value === null ? "–" : number(value, 0)), goal ? h("span", null, ` / ${number(goal, 0)} ${unit}`) : h("span", null, ` ${unit}`)));
    })),
    h("ul", { class: "week", "aria-label": "The last seven days" }, week.map((one) => h("li", null,
      h("a", { href: one === now ? "#/today" : `#/today/${one}`, "aria-current": one === date ? "date" : null,
        "aria-label": `${show("day", one)}: ${shown.map((ring) => part(byDate.get(one), ring).label).join(", ")}` },
      h("span", { "aria-hidden": "true" }, show("weekdayLetter", one)), hidden(rings(shown.map((ring) => part(byDate.get(one), ring)), 36)))))));
}

function hidden(svg) {
  svg.removeAttribute("role");
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

/** Values of 31 days, null where there is none, the last of them the day that is shown. */
function lastDays(from, date, pairs) {
  const byDate = new Map(pairs);
  return Array.from({ length: days + 1 }, (_, i) => byDate.get(addDays(from, i)) ?? null);
}
function meanOf(values) {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
}

function comparison(value, mean, text, count, isPartial) {
  if (mean === null) return "The first of its kind in 30 days";
  if (value === null) return `30-day mean ${text(mean)}`;
  if (!mean) return `30-day mean ${text(mean)}`;
  if (isPartial) return `${percent(value / mean)} of the 30-day mean of ${text(mean)}`;
  const change = value / mean - 1;
  if (Math.abs(change) < 0.005) return `As the 30-day mean of ${text(mean)}`;
  return [h("span", { class: "arrow", "aria-hidden": "true" }, change > 0 ? "▲ " : "▼ "),
    `${percent(Math.abs(change), Math.abs(change) < 0.02)} ${change > 0 ? "above" : "below"} the 30-day mean of ${text(mean)}`];
}

function card(type, href, figure, unit, when, note, spark) {
  return h("a", { class: `card figurecard hue-${groupOf(type)}`, href }, h("h3", null, typeName(type)), h("p", { class: "figure" }, figure, unit ? h("small", null, ` ${unit}`) : null),
    h("p", { class: "note" }, when ? [when, " · "] : null, note), spark);
}

function figureCard(type, series, from, date, isToday) {
  const cumulative = series.buckets.some((bucket) => bucket.sum !== undefined) || type.aggregation === "cumulative";
  const isDuration = series.buckets.some((bucket) => bucket.seconds !== undefined);
  const pick = (bucket) => bucket.sum ?? bucket.seconds ?? bucket.mean;
  const values = lastDays(from, date, series.buckets.map((bucket) => [bucket.start.slice(0, 10), pick(bucket)]));
  const how = measure(type.type, isDuration ? "s" : series.unit, Math.max(0, ...values));
  // Of what is measured, the newest value is the figure, and the day it is of is said when it is another one.
  const newest = series.buckets.at(-1);
  const adds = cumulative || isDuration;
  const value = adds ? values.at(-1) : newest ? newest.last ?? newest.mean : null;
  if (value === null && !newest) return null;
  const when = !adds && newest && !newest.start.startsWith(date) ? show("dayMonthShort", newest.start) : null;
  const before = values.slice(0, -1);
  const mean = meanOf(adds || when === null ? before : values);
  return card(type.type, `#/types/${encodeURIComponent(type.type)}?range=month&at=${date}`, value === null ? "–" : how.figure(value), value === null ? "" : how.unit,
    when ?? (value === null ? "Nothing yet" : null), comparison(value, mean, how.text, days, adds && isToday),
    sparkline(values, adds ? "bars" : "line", mean));
}

function sleepCard(nights, night, from, date) {
  const main = mainNights(nights);
  const values = lastDays(from, date, main.map((one) => [one.date, asleep(one)]));
  const mean = meanOf(values.slice(0, -1));
  if (!night && mean === null) return null;
  return card("sleep_analysis", night ? `#/sleep?night=${night.date}` : "#/sleep", night && asleep(night) ? duration(night.asleep_s) : "–", "",
    night ? `${asleep(night) ? "" : `${lengthOf(night)}, `}${show("time", wall(night.start).wall)} – ${show("time", wall(night.end).wall)}` : "Not of last night",
    comparison(night ? asleep(night) : null, mean, duration), night ? h("div", { class: "spark" }, stageBar(night)) : sparkline(values, "bars", mean));
}

/** Whether the samples come to what the phone says, day by day. */
function agreement(rows) {
  const known = rows.filter((row) => ringParts.some(([key]) => row[key]?.phone != null && row[key]?.computed != null)).slice(-14).reverse();
  if (!known.length) return null;
  const move = known.filter((row) => row.move?.phone && row.move.computed != null && row.date !== today(session.zone));
  const off = move.length ? move.reduce((sum, row) => sum + Math.abs(row.move.computed - row.move.phone), 0) / move.reduce((sum, row) => sum + row.move.phone, 0) : null;
  const cell = (ring) => ring?.phone == null || ring.computed == null ? "–"
    : [`${number(ring.computed, 0)} / ${number(ring.phone, 0)}`, Math.abs(ring.drift ?? 0) / (ring.phone || 1) > 0.01 ? h("span", { class: "drift" }, ` ${ring.drift > 0 ? "+" : "−"}${number(Math.abs(ring.drift), 0)}`) : null];
  return h("section", { class: "card", "aria-labelledby": "agreement" }, h("h2", { id: "agreement" }, "Do the totals match the phone?"),
    h("p", null, off === null ? "The phone's own rings beside what the stored samples come to." : off < 0.0005
      ? `Yes: over the last ${move.length} days active energy is what the phone's own rings say.` : off < 0.01
      ? `Yes: over the last ${move.length} days active energy is within ${percent(off, true)} of the phone's own rings.`
      : `Over the last ${move.length} days active energy is ${percent(off, true)} off the phone's own rings.`),
    h("details", null, h("summary", null, "Day by day: samples / phone"),
      table("Samples and the phone's rings, day by day", ["Day", "Move (kcal)", "Exercise (min)", "Stand (h)", "What explains it"], known.map((row) => [show("day", row.date),
        cell(row.move), cell(row.exercise), cell(row.stand), explained(row)]))));
}

function explained(row) {
  const source = ringParts.map(([key]) => row[key]?.explained_by).find(Boolean);
  return source ? sourceName(source) : "";
}

function warnings(status) {
  const found = [
    ...(status.rhythms).filter((rhythm) => rhythm.quiet).map((rhythm) =>
      `${typeName(rhythm.type)} from ${rhythm.endpoint}: nothing new since ${showAt("full", rhythm.last_stored, session.zone)}, which is longer than ever before.`),
    ...(status.warnings).filter((warning) => warning.code !== "quiet").map((warning) => warning.message),
  ];
  if (!found.length) return null;
  return h("section", { class: "warning", "aria-labelledby": "look" }, icon("warning"), h("div", null, h("h2", { id: "look" }, found.length === 1 ? "Look at this" : `Look at these ${found.length} things`),
    h("ul", null, found.slice(0, 3).map((text) => h("li", null, text))), h("p", null, h("a", { href: "#/senders" }, found.length > 3 ? `All ${found.length}, and the senders' health` : "The senders' health"))));
}

/** A server that has nothing yet: what to do. */
function welcome(status) {
  const endpoints = status.endpoints;
  const name = endpoints[0]?.name ?? "phone";
  const step = (text, command, more) => h("li", null, h("p", null, text), command ? h("pre", null, h("code", null, command)) : null, more ? h("p", { class: "quiet" }, more) : null);
  return [h("h1", { tabindex: "-1" }, "Welcome"), empty("Nothing has arrived yet", h("p", null, "Pair a phone and this page fills by itself."),
    h("ol", { class: "steps" },
      endpoints.length ? null : step("Give the phone a place to send to:", "server init phone"),
      step("Show the pairing code on the machine that runs the server:", `server link ${name}`, "It prints a QR code and a link. They hold a secret: show them to your phone alone."),
      step("Scan it with the iPhone's camera, choose what to send, and tap Sync.", null, "The first sync of years of data takes a while."),
      step("Something in between? This says what:", `server check ${name}`)),
    h("p", null, "Only want to look around? ", h("code", null, "server demo"), " fills a store of its own with a year of invented data."))];
}
