// One type: its chart from a day to all of it, what each source adds, and its newest records.
import { get, getIfAllowed, session, withTypes } from "./api.js";
import { choice, h, icon, replace, table } from "./dom.js";
import { measure, number, percent, show, store, today, wallAt, isoDate } from "./format.js";
import { figures } from "./today.js";
import { groupOf, sourceKey, sourceName, typeName } from "./names.js";
import { Plot } from "./plot.js";
import { fill, ranges, slots, span } from "./span.js";
import { timeOf, valueOf } from "./types.js";

/** The bucket that is as long as a range: its mean is the API's own. */
const wholes = { day: "day", week: "week", month: "month", year: "year" };
const rules = [["priority", "As the Health app"], ["highest-source", "Highest source a day"]];

export async function typePage({ name, query, signal }) {
  const asked = query.get("range"), wish = query.get("at");
  const rule = query.get("merge") === "highest-source" ? "highest-source" : null;
  const [types] = await withTypes(signal, async (zone) => {
    if (!wholes[asked]) return;
    // The first chart needs no types: where the address says what it shows, it is asked for at once, and found again below.
    const { from, to, by } = span(asked, /^\d{4}-\d\d-\d\d$/.test(wish ?? "") ? wish : today(zone), null, today(zone));
    get("buckets", { type: name, by, from, to, merge: rule }, signal).catch(() => null);
  });
  const { zone } = session;
  const type = types.find((one) => one.type === name);
  if (!type) {
    return { title: typeName(name), body: [h("h1", { tabindex: "-1" }, typeName(name)), h("section", { class: "card" },
      h("p", null, "Nothing of this type is stored."), h("p", null, h("a", { href: "#/types" }, "All types")))] };
  }
  const now = today(zone), hourNow = new Date(wallAt(Date.now(), zone)).toISOString().slice(0, 13);
  const range = ranges.some(([key]) => key === asked) ? asked : type.samples < 40 ? "all" : "month";
  const merge = rule ?? "priority";
  const first = type.first ? isoDate(wallAt(type.first, zone)) : null;
  const last = type.last ? isoDate(wallAt(type.last, zone)) : now;
  const at = /^\d{4}-\d\d-\d\d$/.test(wish ?? "") ? wish : last < now ? last : now;
  const view = span(range, at, first, now > last ? now : last);
  const to = (change) => {
    const next = new URLSearchParams({ range, at, ...change });
    if ((change.merge ?? merge) === "priority") next.delete("merge"); else next.set("merge", "highest-source");
    return `#/types/${encodeURIComponent(name)}?${next}`;
  };
  const go = (change) => { location.hash = to(change); };

  const adds = type.aggregation === "cumulative";
  const question = { type: name, by: view.by, from: view.from, to: view.to, merge: adds ? rule : null };
  const whole = wholes[range];
  const [series, total] = await Promise.all([
    get("buckets", question, signal),
    whole && !adds ? get("buckets", { ...question, by: whole }, signal) : null,
  ]);
  const withSources = getIfAllowed("buckets", { ...question, sources: true }, signal);

  const plot = new Plot(chart(type, view, series, total, first, hourNow));
  const legend = h("section", { class: "card", "aria-labelledby": "sources" }, h("h2", { id: "sources" }, "Sources"), h("p", { class: "quiet" }, "Loading …"));
  withSources.then((detailed) => {
    if (signal.aborted || !detailed) return;
    const sources = sourcesOf(detailed);
    if (adds && sources.length > 1) plot.update(chart(type, view, detailed, total, first, hourNow, sources));
    replace(legend, sourceTable(type, detailed, sources, adds, merge));
  }, (problem) => { if (problem.name !== "AbortError") replace(legend, h("h2", { id: "sources" }, "Sources"), h("p", null, problem.message)); });

  const step = (date, side, text) => date ? h("a", { class: "button", href: to({ at: date }), "aria-label": text }, icon(side))
    : h("span", { class: "button off", "aria-hidden": "true" }, icon(side));
  const body = [
    h("div", { class: "titlebar" }, h("h1", { tabindex: "-1", class: `hue-${groupOf(name)}` }, typeName(name)), figureSwitch(name)),
    h("section", { class: "card", "aria-label": "Chart" },
      h("div", { class: "toolbar" },
        choice("Range", "range", ranges, range, (key) => go({ range: key })),
        h("div", { class: "steppers" }, step(view.previous, "left", `Earlier ${range}`), h("strong", { class: "period" }, view.title), step(view.next, "right", `Later ${range}`)),
        adds ? choice("Where several sources were there", "merge", rules, merge, (key) => go({ merge: key })) : null),
      plot.element,
      series.buckets.length ? null : h("p", { class: "nothing" }, "Nothing of this type is stored for this time. ",
        type.last ? h("a", { href: to({ at: last }) }, `The newest is of ${show("date", last)}`) : null),
      series.unconverted ? h("p", { class: "quiet" }, `${number(series.unconverted, 0)} samples have a unit that can't be converted, and are left out.`) : null,
      h("p", { class: "quiet key" }, h("span", { class: "gapkey" }, h("span", { class: "hatchkey", "aria-hidden": "true" }), "no data"), h("span", { class: "averagekey" }, h("i", { "aria-hidden": "true" }), "mean"),
        h("span", { class: "trendkey" }, h("i", { "aria-hidden": "true" }), "mean of 7 days"), h("span", null, "Arrow keys, a finger or the pointer read the chart."))),
    legend,
    records(name),
  ];
  return { title: `${typeName(name)}, ${view.title}`, body };
}

// What happens now and then has no gaps.
const nowAndThen = /^dietary_|alcohol|insulin|inhaler|fallen|distance_(?!walking)|stroke_count|push_count/;

/** What the plot is told for a series; with `sources` its bars are split among them. */
function chart(type, view, series, total, first, now, sources) {
  const { buckets } = series;
  const isDuration = buckets.some((bucket) => bucket.seconds !== undefined);
  const isBars = isDuration || type.aggregation === "cumulative" || buckets.some((bucket) => bucket.sum !== undefined);
  const value = (bucket) => bucket === null ? null : bucket.sum ?? bucket.seconds ?? bucket.mean ?? null;
  const how = measure(type.type, isDuration || isBars && series.unit === null && type.kind !== "quantity" ? "s" : series.unit ?? "",
    Math.max(0, ...buckets.map(value)));
  const filled = fill(slots(view), buckets, view.by, session.zone).map((slot) => ({
    ...slot, value: value(slot.bucket), low: slot.bucket?.min ?? null, high: slot.bucket?.max ?? null,
    parts: sources && slot.bucket?.sources ? sources.map((source) => slot.bucket.sources.find((one) => sourceKey(one) === source.key)?.counted ?? 0) : undefined,
    outside: slot.key > now.slice(0, slot.key.length) || first !== null && (slot.end ?? slot.key).slice(0, 10) < first,
  }));
  const sum = buckets.reduce((all, bucket) => all + (value(bucket) ?? 0), 0);
  const each = { hour: "hour", day: "day", week: "week", month: "month", year: "year" }[view.by];
  const one = total?.buckets.length === 1 ? total.buckets[0] : null;
  const days = view.by === "day" ? buckets.length : null;
  const average = isBars ? (days ? sum / days : null) : one?.mean ?? null;
  const range = (bucket) => bucket.min === bucket.max ? `${number(bucket.samples, 0)} sample${bucket.samples === 1 ? "" : "s"}`
    : `${how.figure(bucket.min)} to ${how.text(bucket.max)} · ${number(bucket.samples, 0)} samples`;
  const readout = (slot) => {
    if (slot) {
      if (slot.value === null) return { head: slot.outside ? " " : "No data", figure: "–", note: slot.text };
      return { head: isBars ? "Total" : "Mean", figure: how.figure(slot.value), unit: how.unit,
        note: isBars ? [slot.text, sources && slot.parts ? slot.parts.flatMap((part, i) => part > 0 ? [`${sources[i].name} ${how.figure(part)}`] : []).join(" + ") : null].filter(Boolean).join(" · ")
          : `${slot.text} · ${range(slot.bucket)}` };
    }
    if (!buckets.length) return { head: isBars ? "Total" : "Mean", figure: "–", note: view.title };
    if (isBars) {
      return days && view.range !== "day" ? { head: "Mean of a day", figure: how.figure(average), unit: how.unit, note: `${how.text(one?.sum ?? one?.seconds ?? sum)} in ${number(days, 0)} day${days === 1 ? "" : "s"} with data` }
        : { head: "Total", figure: how.figure(one?.sum ?? one?.seconds ?? sum), unit: how.unit, note: view.title };
    }
    const low = Math.min(...buckets.map((bucket) => bucket.min)), high = Math.max(...buckets.map((bucket) => bucket.max));
    if (one) return { head: "Mean", figure: how.figure(one.mean), unit: how.unit, note: `${range(one)} · last ${how.text(one.last)}` };
    return { head: low === high ? "Value" : "Range", figure: low === high ? how.figure(low) : `${how.figure(low)} – ${how.figure(high)}`, unit: how.unit, note: view.title };
  };
  return {
    mode: isBars ? "bars" : "band", slots: filled, measure: how, hue: groupOf(type.type),
    average: view.by === "day" && view.range !== "year" ? average : view.range === "day" ? null : average,
    trend: isBars && view.range === "year" ? 7 : 0, hatch: isBars ? !isDuration && view.by !== "hour" && !nowAndThen.test(type.type) : true, readout,
    label: `${typeName(type.type)}${how.unit ? ` in ${how.unit}` : ""}, by ${each}, ${view.title}`,
    heads: isBars ? ["When", "Total", "Samples"] : ["When", "Mean", "Lowest", "Highest", "Last", "Samples"],
    row: (slot) => isBars ? [slot.text, how.text(slot.value), number(slot.bucket.samples, 0)]
      : [slot.text, how.text(slot.value), how.text(slot.bucket.min), how.text(slot.bucket.max), how.text(slot.bucket.last), number(slot.bucket.samples, 0)],
  };
}

/** The sources of a series, in the order in which they count. */
function sourcesOf(series) {
  const found = new Map();
  for (const bucket of series.buckets) {
    for (const share of bucket.sources ?? []) {
      const key = sourceKey(share);
      const source = found.get(key) ?? { key, name: sourceName(share), value: 0, counted: 0, samples: 0, weighted: 0 };
      source.value += share.value;
      source.counted += share.counted ?? 0;
      source.samples += share.samples;
      source.weighted += share.value * share.samples;
      found.set(key, source);
    }
  }
  return [...found.values()];
}

function sourceTable(type, series, sources, adds, merge) {
  const head = h("h2", { id: "sources" }, "Sources");
  if (!sources.length) return [head, h("p", { class: "quiet" }, "No source in this time.")];
  const isDuration = series.buckets.some((bucket) => bucket.seconds !== undefined);
  const how = measure(type.type, isDuration ? "s" : series.unit ?? "", Math.max(...sources.map((source) => source.value)));
  const counted = sources.reduce((sum, source) => sum + source.counted, 0);
  const all = sources.reduce((sum, source) => sum + source.value, 0);
  const samples = sources.reduce((sum, source) => sum + source.samples, 0);
  const swatch = (source, i) => [h("i", { class: `swatch series-${Math.min(i, 5)} hue-${groupOf(type.type)}`, "aria-hidden": "true" }), source.name];
  const meter = (share, i) => [h("span", { class: `meter series-${Math.min(i, 5)}${i < 2 ? ` hue-${groupOf(type.type)}` : ""}`, "aria-hidden": "true", vars: { "--share": `${(share * 100).toFixed(1)}%` } }), percent(share, share < 0.1)];
  if (!adds) {
    return [head, table("Sources", ["Source", ...isDuration ? [] : ["Mean"], "Share of samples", "Samples"], sources.map((source, i) => [swatch(source, i), ...isDuration ? [] : [how.text(source.weighted / source.samples)],
      meter(samples ? source.samples / samples : 0, i), number(source.samples, 0)]))];
  }
  return [head, h("p", null, sources.length === 1 ? "One source: all of it counts."
    : all > counted * 1.001 ? [`Added up, they would come to ${how.text(all)}. `, h("b", null, how.text(counted)), " count, since ", merge === "priority"
      ? "of sources that measured at the same time only the first in this list does." : "of each day only the source with the highest total does."]
      : "They never measured at the same time: all of it counts."),
  table("Sources, in the order in which they count", ["Source", "Counts", "Share", "Measured", "Samples"], sources.map((source, i) => [swatch(source, i), how.text(source.counted),
    meter(counted ? source.counted / counted : 0, i), how.text(source.value), number(source.samples, 0)])),
  h("p", { class: "quiet" }, "Another order? ", h("code", null, "server sources"), " sets it.")];
}

function figureSwitch(name) {
  const button = h("button", { type: "button", class: "quiet toggle", onclick: () => {
    const chosen = figures();
    store("figures", JSON.stringify(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]));
    draw();
  } });
  const draw = () => {
    const on = figures().includes(name);
    button.setAttribute("aria-pressed", String(on));
    replace(button, icon("star"), on ? "On today's page" : "Show on today's page");
  };
  draw();
  return button;
}

/** The newest records as they came, asked for when someone looks. */
function records(name) {
  const body = h("div", null, h("p", { class: "quiet" }, "Loading …"));
  let cursor = null, rows = [];
  const load = async () => {
    try {
      const answer = await get("samples", { type: name, order: "desc", limit: 50, cursor });
      rows = [...rows, ...answer.samples];
      cursor = answer.next;
      replace(body, table("Newest records", ["Time", "Value", "Source", "Arrived", "Through"], rows.map((sample) => [timeOf(sample), valueOf(sample) || "–",
        sourceName(sample.source), sample.received_at ? show("full", wallAt(sample.received_at, session.zone)) : "–", sample.endpoint ?? "–"])),
      cursor ? h("button", { type: "button", onclick: load }, "Older records") : null);
    } catch (problem) { replace(body, h("p", null, problem.message)); }
  };
  return h("section", { class: "card" }, h("details", { ontoggle: (event) => { if (event.target.open && !rows.length) load(); } },
    h("summary", null, h("h2", null, "Records as they arrived")), body));
}
