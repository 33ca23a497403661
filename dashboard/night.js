// A night's stages: as one bar in a list, and large with a lane each.
import { h, table, tableView } from "./dom.js";
import { duration, show, wall } from "./format.js";
import { sourceName, stageName } from "./names.js";

/** Segments as one bar; `from` and `to`, milliseconds on the wall, are where the bar's box begins and ends. */
export function stageBar(night, from = null, to = null) {
  const { shift, start, end } = frame(night);
  const begin = from ?? start, length = (to ?? end) - begin;
  const width = 1000;
  const x = (at) => (at - begin) / length * width;
  return h("svg", { class: "stagebar", viewBox: `0 0 ${width} 12`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    night.segments.map(({ stage, start: one, end: other }) => {
      const left = x(Date.parse(one) + shift), right = x(Date.parse(other) + shift);
      const [top, tall] = stage === "in_bed" ? [4.5, 3] : [0, 12];
      return h("rect", { class: `stage-${stage}`, x: left.toFixed(1), width: Math.max(0.5, right - left).toFixed(1), y: top, height: tall });
    }));
}

/** Seconds of sleep; null of a night of which only the time in bed is known. */
export const asleep = (night) => night.asleep_s > 0 ? night.asleep_s : null;

/** One night a date, naps left out: of two the longer. */
export function mainNights(nights) {
  const byDate = new Map();
  const length = (night) => asleep(night) ?? night.in_bed_s ?? 0;
  for (const night of nights) {
    const other = byDate.get(night.date);
    if (!night.nap && (!other || length(night) > length(other))) byDate.set(night.date, night);
  }
  return [...byDate.values()];
}

/** What a night was, in one line: time asleep, else in bed. */
export const lengthOf = (night) => asleep(night) ? duration(night.asleep_s) : `${duration(night.in_bed_s)} in bed`;

/** Where a night lies on the wall; `shift` brings its segments, which are in UTC, there. */
export function frame(night) {
  const start = wall(night.start), end = wall(night.end);
  return { shift: end.wall - end.at, start: start.at + end.wall - end.at, end: end.wall };
}

const lanes = ["awake", "asleep_rem", "asleep_core", "asleep_deep"];

/** The enlarged night: lanes from awake down to deep, with a cursor for the pointer and for keys. */
export function hypnogram(night) {
  const { shift, start, end } = frame(night);
  const coarse = night.segments.some((one) => one.stage === "asleep_unspecified");
  const rows = [...new Set([...lanes.filter((lane) => night.segments.some((one) => one.stage === lane)), ...coarse ? ["asleep_unspecified"] : [],
    ...night.segments.some((one) => one.stage === "in_bed") ? ["in_bed"] : []])];
  const row = 34, bottom = 22, height = rows.length * row + bottom;
  const svg = h("svg", { "aria-hidden": "true", focusable: "false", height });
  const readout = h("div", { class: "readout" });
  let width = 0, index = null;
  const labels = 70;
  const x = (at) => labels + (at - start) / (end - start || 1) * (width - labels - 4);
  const draw = () => {
    const parts = [];
    rows.forEach((stage, i) => {
      parts.push(h("line", { class: "grid", x1: labels, x2: width, y1: i * row + row / 2, y2: i * row + row / 2 }));
      parts.push(h("text", { class: "tick lane", x: 0, y: i * row + row / 2 + 4 }, stageName(stage)));
    });
    const hours = [];
    const step = (end - start) / 3600000 > 6 && width < 520 ? 2 : 1;
    for (let at = Math.ceil(start / 3600000) * 3600000; at <= end; at += 3600000) {
      if ((at / 3600000) % step === 0) hours.push(at);
    }
    for (const at of hours) {
      parts.push(h("line", { class: "grid upright", x1: x(at).toFixed(1), x2: x(at).toFixed(1), y1: 0, y2: height - bottom + 4 }));
      parts.push(h("text", { class: "tick", x: x(at).toFixed(1), y: height - 5, "text-anchor": x(at) > width - 24 ? "end" : x(at) < labels + 16 ? "start" : "middle" }, show("hour", at)));
    }
    let before = null;
    night.segments.forEach(({ stage, start: one, end: other }, i) => {
      const lane = rows.indexOf(stage), left = x(Date.parse(one) + shift), right = x(Date.parse(other) + shift);
      const y = lane * row + row / 2;
      if (before !== null && before !== y) parts.push(h("line", { class: "riser", x1: left.toFixed(1), x2: left.toFixed(1), y1: before, y2: y }));
      before = y;
      parts.push(h("rect", { class: `stage-${stage}${i === index ? " picked" : ""}`, x: left.toFixed(1), y: y - 9, rx: 4, height: 18, width: Math.max(1.5, right - left).toFixed(1) }));
    });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren(...parts);
  };
  const time = (text) => show("time", Date.parse(text) + shift);
  const tell = () => {
    const one = index === null ? null : night.segments[index];
    const seconds = one ? (Date.parse(one.end) - Date.parse(one.start)) / 1000 : asleep(night) ?? night.in_bed_s;
    const head = one ? stageName(one.stage) : asleep(night) ? "Time asleep" : "Time in bed";
    const note = one ? `${time(one.start)} – ${time(one.end)}` : `${show("dayYear", night.date)}, ${show("time", start)} – ${show("time", end)} · ${sourceName(night.source)}`;
    readout.replaceChildren(h("span", { class: "head" }, head), h("span", { class: "figure" }, duration(seconds)), h("span", { class: "note" }, note));
    box.setAttribute("aria-valuenow", String(index === null ? 0 : index + 1));
    box.setAttribute("aria-valuetext", `${head}, ${duration(seconds)}, ${note}`);
  };
  const pick = (to) => {
    if (to === index) return;
    index = to;
    draw();
    tell();
  };
  const last = night.segments.length - 1;
  const box = h("div", { class: "plot", tabindex: "0", role: "slider", "aria-orientation": "horizontal", "aria-label": `Stages of the night to ${show("day", night.date)}`,
    "aria-valuemin": "0", "aria-valuemax": String(night.segments.length),
    onkeydown: (event) => {
      const from = index ?? (event.key === "ArrowLeft" ? last + 1 : -1);
      const to = { ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1, Home: 0, End: last, Escape: null }[event.key];
      if (to === undefined || event.metaKey || event.altKey || event.ctrlKey) return;
      event.preventDefault();
      pick(to === null ? null : Math.min(last, Math.max(0, to)));
    },
    onpointermove: (event) => point(event), onpointerdown: (event) => point(event),
    onpointerleave: (event) => { if (event.pointerType === "mouse") pick(null); }, onblur: () => pick(null),
  }, svg);
  const point = (event) => {
    const left = event.clientX - svg.getBoundingClientRect().left;
    const at = start + (left - labels) / (width - labels - 4) * (end - start) - shift;
    const found = night.segments.findIndex((one) => Date.parse(one.start) <= at && at < Date.parse(one.end));
    pick(found < 0 ? null : found);
  };
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (now && now !== width) {
      width = now;
      draw();
    }
  }).observe(box);
  tell();
  return h("figure", { class: "chart hue-sleep" }, readout, box, tableView(() => table(`Stages of the night to ${show("day", night.date)}`, ["From", "To", "Stage", "How long"],
    night.segments.map((one) => [time(one.start), time(one.end), stageName(one.stage), duration((Date.parse(one.end) - Date.parse(one.start)) / 1000)]))));
}
