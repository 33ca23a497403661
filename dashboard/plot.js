// The chart of a series: bars for what adds up, a band from minimum to maximum with the mean in it for what is measured.
//
// SVG of our own and no library: the two shapes, gaps that are seen, a cursor for keys and screen readers and a table are what this
// page needs, and a library that has the last three would be several times as large as this file.
import { h, replace, table, tableView } from "./dom.js";

let plots = 0;

/** Round numbers that divide [low, high] into about `count` parts; of durations, whole minutes and hours. */
export function ticks(low, high, count, isDuration) {
  const rough = (high - low || 1) / count;
  let step;
  if (isDuration && rough >= 30) {
    const steps = [60, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400];
    step = steps.find((one) => one >= rough) ?? Math.ceil(rough / 86400) * 86400;
  } else {
    const power = 10 ** Math.floor(Math.log10(rough));
    step = power * [1, 2, 2.5, 3, 4, 5, 10].find((factor) => factor * power >= rough * 0.999);
  }
  const found = [];
  for (let i = Math.floor(low / step); i * step < high + step * 0.999; i += 1) found.push(Number((i * step).toPrecision(12)));
  return found;
}

/**
 * A chart. Options:
 * - `label`: its accessible name; `caption`: of its table
 * - `mode`: `bars` or `band`
 * - `slots`: `{ text, tick, value, low, high, parts, outside }`, null values where there is no data; `outside`: where none can be
 * - `measure`: how values are shown; `hue`: name of a colour
 * - `average`: a dashed line; `trend`: how many slots a moving mean has; `hatch`: whether gaps are marked
 * - `readout(slot or null, index)`: `{ head, figure, note }`, null for the whole
 * - `heads`, `row(slot)`: the table; `picked(index or null)`: told when the cursor moves
 */
export class Plot {
  constructor(options) {
    this.id = `gap${plots += 1}`;
    this.index = null;
    this.readout = h("div", { class: "readout" });
    this.svg = h("svg", { "aria-hidden": "true", focusable: "false" });
    this.box = h("div", {
      class: "plot", tabindex: "0", role: "slider", "aria-orientation": "horizontal",
      onkeydown: (event) => this.key(event), onpointermove: (event) => this.point(event), onpointerdown: (event) => this.point(event),
      onpointerleave: (event) => { if (event.pointerType === "mouse") this.pick(null); }, onblur: () => this.pick(null),
    }, this.svg);
    this.table = h("div");
    this.element = h("figure", { class: "chart" }, this.readout, this.box, this.table);
    this.width = 0;
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (width && width !== this.width) {
        this.width = width;
        this.draw();
      }
    }).observe(this.box);
    this.update(options);
  }

  update(options) {
    this.options = options;
    this.index = null;
    this.element.className = `chart hue-${options.hue}`;
    this.box.setAttribute("aria-label", options.label);
    this.box.setAttribute("aria-valuemin", "0");
    this.box.setAttribute("aria-valuemax", String(options.slots.length));
    this.tell();
    if (options.row) {
      replace(this.table, tableView(() => table(options.caption ?? options.label, options.heads,
        options.slots.filter((slot) => slot.value !== null).map(options.row))));
    }
    if (this.width) this.draw();
  }

  /** Where data is missing though it was to be expected: runs of slots, and whether a line may cross them. */
  gaps() {
    const { slots, hatch = true } = this.options;
    const filled = slots.flatMap((slot, i) => slot.value === null ? [] : [i]);
    const steps = filled.slice(1).map((at, i) => at - filled[i]).sort((a, b) => a - b);
    const usual = steps[Math.floor(steps.length / 2)] ?? 1;
    this.crossed = usual === 1 ? 1 : usual * 2;
    const runs = [];
    let run = null;
    slots.forEach((slot, i) => {
      if (slot.value === null && !slot.outside) run = run ? [run[0], i] : [i, i];
      else if (run) { runs.push(run); run = null; }
    });
    if (run) runs.push(run);
    return hatch && filled.length ? runs.filter(([from, to]) => to - from + 1 >= this.crossed) : [];
  }

  draw() {
    const { slots, mode, measure, average, trend = 0, height = 240, floor } = this.options;
    const scaled = slots.map((slot) => ({
      value: slot.value === null ? null : measure.scale(slot.value),
      low: slot.low === undefined || slot.low === null ? null : measure.scale(slot.low),
      high: slot.high === undefined || slot.high === null ? null : measure.scale(slot.high),
    }));
    const values = scaled.flatMap(({ value, low, high }) => value === null ? [] : [value, low ?? value, high ?? value]);
    let low = mode === "bars" ? 0 : Math.min(...values), high = Math.max(...values, mode === "bars" ? 0 : -Infinity);
    if (!values.length) [low, high] = [0, 1];
    if (floor !== undefined) low = Math.min(low, floor);
    if (high === low) [low, high] = mode === "bars" ? [0, 1] : [low - Math.max(1, Math.abs(low) * 0.02), high + Math.max(1, Math.abs(high) * 0.02)];
    else if (mode === "band") [low, high] = [low - (high - low) * 0.05, high + (high - low) * 0.05];
    const marks = ticks(low, high, height < 160 ? 2 : 5, measure.isDuration);
    [low, high] = [marks[0], marks.at(-1)];

    const labels = marks.map((mark) => measure.axis(mark));
    const right = Math.max(...labels.map((label) => label.length)) * 6.8 + 10, top = 8, bottom = 24;
    const width = Math.max(40, this.width - right), tall = height - top - bottom;
    const slotWidth = width / slots.length;
    const x = (i) => (i + 0.5) * slotWidth;
    const y = (value) => top + tall * (1 - (value - low) / (high - low));
    const f = (value) => value.toFixed(1);
    Object.assign(this, { slotWidth, plotWidth: width, x, y, scaled, top, tall });

    const gaps = this.gaps();
    this.element.classList.toggle("gapped", gaps.length > 0);
    this.element.classList.toggle("averaged", average !== null && average !== undefined);
    this.element.classList.toggle("trended", trend > 0);
    const parts = [h("defs", null, h("pattern", { id: this.id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      h("rect", { width: 1.5, height: 6, class: "hatch" })))];
    this.cursor = h("rect", { class: "cursor", y: top, height: tall, width: Math.max(2, slotWidth), visibility: "hidden" });
    parts.push(this.cursor);
    marks.forEach((mark, i) => {
      parts.push(h("line", { class: i ? "grid" : "axis", x1: 0, x2: f(width), y1: f(y(mark)), y2: f(y(mark)) }));
      parts.push(h("text", { class: "tick", x: f(width + 6), y: f(y(mark) + 4) }, labels[i]));
    });
    for (const [from, to] of gaps) {
      parts.push(h("rect", { class: "gap", x: f(from * slotWidth), width: f((to - from + 1) * slotWidth), y: top, height: tall, fill: `url(#${this.id})` }));
    }
    let lastEnd = -Infinity;
    slots.forEach((slot, i) => {
      if (!slot.tick) return;
      const half = slot.tick.length * 3.3, wide = slotWidth > 60 || slots.length <= 7;
      const at = wide ? x(i) : Math.min(Math.max(i * slotWidth + 2, 0), width - half * 2);
      const start = wide ? at - half : at;
      if (start < lastEnd + 6) return;
      lastEnd = start + half * 2;
      if (!wide) parts.push(h("line", { class: "grid upright", x1: f(i * slotWidth), x2: f(i * slotWidth), y1: top, y2: height - 14 }));
      parts.push(h("text", { class: "tick", x: f(wide ? at : at + 1), y: height - 7, "text-anchor": wide ? "middle" : "start" }, slot.tick));
    });
    parts.push(...(mode === "bars" ? this.bars(f) : this.band(f)));
    if (trend) {
      const means = scaled.map((_, i) => {
        const window = scaled.slice(Math.max(0, i - trend + 1), i + 1).map((one) => one.value).filter((value) => value !== null);
        return scaled[i].value === null || window.length < Math.min(3, trend) ? null : window.reduce((a, b) => a + b, 0) / window.length;
      });
      parts.push(h("path", { class: "trend", d: this.line(means, f) }));
    }
    if (average !== null && average !== undefined) {
      const at = f(y(measure.scale(average)));
      parts.push(h("line", { class: "average", x1: 0, x2: f(width), y1: at, y2: at }));
    }
    this.dot = h("circle", { class: "dot", r: 4.5, visibility: "hidden" });
    parts.push(this.dot);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    this.svg.setAttribute("height", String(height));
    replace(this.svg, parts);
    if (this.index !== null) this.pick(this.index);
  }

  bars(f) {
    const { slots } = this.options;
    const wide = Math.min(40, Math.max(1, this.slotWidth * (this.slotWidth > 6 ? 0.72 : 0.86)));
    const count = Math.max(1, ...slots.map((slot) => slot.parts?.length ?? 1));
    const paths = Array.from({ length: count }, () => "");
    slots.forEach((slot, i) => {
      const total = this.scaled[i].value;
      if (!total) return;
      const sum = slot.parts?.reduce((a, b) => a + b, 0);
      const shares = sum > 0 ? slot.parts.map((part) => part / sum * total) : [total];
      const last = shares.findLastIndex((share) => share > 0);
      let from = 0;
      shares.forEach((share, s) => {
        if (share <= 0) return;
        const left = this.x(i) - wide / 2, base = this.y(from), head = this.y(from + share);
        const round = s === last ? Math.min(4, wide / 2, Math.max(0, base - head)) : 0;
        paths[s] += `M${f(left)} ${f(base)}V${f(head + round)}q0 ${f(-round)} ${f(round)} ${f(-round)}h${f(wide - 2 * round)}q${f(round)} 0 ${f(round)} ${f(round)}V${f(base)}Z`;
        from += share;
      });
    });
    return paths.map((d, s) => h("path", { class: `bar series-${Math.min(s, 5)}`, d }));
  }

  band(f) {
    const found = [];
    const hasBand = this.scaled.some((one) => one.low !== null && one.low !== one.high);
    const capsules = this.slotWidth >= 7;
    if (hasBand && capsules) {
      const wide = Math.min(12, this.slotWidth * 0.55);
      found.push(h("path", { class: "capsules", "stroke-width": f(wide), d: this.scaled.map((one, i) => one.value === null ? ""
        : `M${f(this.x(i))} ${f(this.y(one.low))}V${f(Math.min(this.y(one.high), this.y(one.low) - 0.1))}`).join("") }));
    } else if (hasBand) {
      let d = "";
      for (const run of this.runs(this.scaled.map((one) => one.value))) {
        const upper = run.map((i) => `${f(this.x(i))} ${f(this.y(this.scaled[i].high))}`);
        const lower = run.map((i) => `${f(this.x(i))} ${f(this.y(this.scaled[i].low))}`).reverse();
        if (run.length === 1) d += `M${f(this.x(run[0]) - 1)} ${f(this.y(this.scaled[run[0]].high))}h2V${f(this.y(this.scaled[run[0]].low))}h-2Z`;
        else d += `M${[...upper, ...lower].join("L")}Z`;
      }
      found.push(h("path", { class: "band", d }));
    }
    const means = this.scaled.map((one) => one.value);
    found.push(h("path", { class: "mean", d: this.line(means, f) }));
    const count = means.filter((value) => value !== null).length;
    if (this.slotWidth >= 7 || count <= 60) {
      found.push(h("path", { class: "dots", d: means.map((value, i) => value === null ? "" : `M${f(this.x(i))} ${f(this.y(value))}h.01`).join("") }));
    }
    return found;
  }

  /** Indices with values, cut where a gap is longer than usual. */
  runs(values) {
    const found = [];
    let last = -Infinity;
    values.forEach((value, i) => {
      if (value === null) return;
      if (i - last > this.crossed) found.push([]);
      found.at(-1).push(i);
      last = i;
    });
    return found;
  }

  line(values, f) {
    return this.runs(values).map((run) => run.length === 1
      ? `M${f(this.x(run[0]) - Math.min(1, this.slotWidth / 2))} ${f(this.y(values[run[0]]))}h${f(Math.min(2, this.slotWidth))}`
      : `M${run.map((i) => `${f(this.x(i))} ${f(this.y(values[i]))}`).join("L")}`).join("");
  }

  point(event) {
    if (!this.slotWidth) return;
    const left = event.clientX - this.svg.getBoundingClientRect().left;
    this.pick(Math.min(this.options.slots.length - 1, Math.max(0, Math.floor(left / this.slotWidth))));
  }

  key(event) {
    const last = this.options.slots.length - 1;
    const from = this.index ?? (event.key === "ArrowLeft" ? last + 1 : -1);
    const to = { ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1, Home: 0, End: last,
      PageDown: from - 7, PageUp: from + 7, Escape: null }[event.key];
    if (to === undefined || event.metaKey || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    this.pick(to === null ? null : Math.min(last, Math.max(0, to)));
  }

  pick(index) {
    this.index = index;
    const visible = index === null ? "hidden" : "visible";
    if (this.cursor) {
      this.cursor.setAttribute("visibility", visible);
      const value = index === null ? null : this.scaled[index].value;
      this.dot.setAttribute("visibility", value !== null && this.options.mode === "band" ? "visible" : "hidden");
      if (index !== null) {
        this.cursor.setAttribute("x", String(this.x(index) - Math.max(2, this.slotWidth) / 2));
        if (value !== null) {
          this.dot.setAttribute("cx", String(this.x(index)));
          this.dot.setAttribute("cy", String(this.y(value)));
        }
      }
    }
    this.tell();
    this.options.picked?.(index);
  }

  tell() {
    const { slots, readout } = this.options;
    const slot = this.index === null ? null : slots[this.index];
    const { head, figure, unit, note } = readout(slot, this.index);
    replace(this.readout, h("span", { class: "head" }, head), h("span", { class: "figure" }, figure, unit ? h("small", null, ` ${unit}`) : null),
      h("span", { class: "note" }, note ?? ""));
    this.box.setAttribute("aria-valuenow", String(this.index === null ? 0 : this.index + 1));
    this.box.setAttribute("aria-valuetext", [note, head, `${figure}${unit ? ` ${unit}` : ""}`].filter(Boolean).join(", "));
  }
}
