// Small drawings: rings, sparklines, a night's stages, a route.
import { h } from "./dom.js";

/** Rings from the outermost in: `[{ name, share, label }]`, share 1 is the goal. Only `label` is read out. */
export function rings(parts, size = 220) {
  const stroke = size * 0.105, step = stroke * 1.14;
  const label = parts.map((part) => part.label).join("; ");
  return h("svg", { class: "rings", viewBox: `0 0 ${size} ${size}`, width: size, height: size, role: "img", "aria-label": label },
    parts.map(({ name, share }, i) => {
      const r = size / 2 - stroke / 2 - 1 - i * step;
      const circle = (className, length) => h("circle", {
        class: className, cx: size / 2, cy: size / 2, r, "stroke-width": stroke, pathLength: 100, transform: `rotate(-90 ${size / 2} ${size / 2})`,
        "stroke-dasharray": length === null ? null : `${length} 200`,
      });
      // A dash of length 0 with a round cap would be a dot: a ring that hasn't begun has none.
      const shown = Math.min(Math.max(share ?? 0, 0), 3);
      const turns = [h("g", null, circle("track", null))];
      if (shown > 0.004) turns.push(circle("arc", Math.min(shown, 1) * 100));
      if (shown > 1.004) {
        const rest = shown - Math.floor(shown - 0.004);
        const angle = rest * 2 * Math.PI - Math.PI / 2;
        turns.push(h("circle", { class: "shade", cx: size / 2 + Math.cos(angle) * r + 0.5, cy: size / 2 + Math.sin(angle) * r + 0.5, r: stroke / 2 + 1 }));
        turns.push(circle("arc", rest * 100));
      }
      return h("g", { class: `ring hue-${name}` }, turns);
    }));
}

/** The last days of a series, the newest at the right: bars or a line, null where nothing is. Decoration: the card says it in words. */
export function sparkline(values, kind, mean) {
  const width = 200, height = 44, n = values.length;
  const known = values.filter((value) => value !== null);
  if (!known.length) return null;
  const high = Math.max(...known, kind === "bars" ? 0 : -Infinity), low = kind === "bars" ? 0 : Math.min(...known);
  const range = high - low || 1;
  const y = (value) => 3 + (height - 6) * (1 - (high === low && kind !== "bars" ? 0.5 : (value - low) / range));
  const step = width / n;
  const parts = [];
  if (mean !== null && mean !== undefined) {
    parts.push(h("line", { class: "average", x1: 0, x2: width, y1: y(mean).toFixed(1), y2: y(mean).toFixed(1) }));
  }
  if (kind === "bars") {
    const bar = (value, i) => value ? `M${(i * step + 0.8).toFixed(1)} ${height - 3}V${y(value).toFixed(1)}h${(step - 1.6).toFixed(1)}V${height - 3}Z` : "";
    parts.push(h("path", { class: "past", d: values.slice(0, -1).map(bar).join("") }));
    parts.push(h("path", { class: "now", d: bar(values[n - 1], n - 1) }));
  } else {
    let d = "", open = false, gap = 0;
    const sparse = known.length < n * 0.75;
    values.forEach((value, i) => {
      if (value === null) { gap += 1; if (gap > 1 && !sparse) open = false; return; }
      d += `${open ? "L" : "M"}${((i + 0.5) * step).toFixed(1)} ${y(value).toFixed(1)}${open ? "" : "h.01"}`;
      open = true;
      gap = 0;
    });
    parts.push(h("path", { class: "line", d }));
    const last = values.findLastIndex((value) => value !== null);
    // A dot as a line of no length: the drawing is stretched, a stroke is not.
    parts.push(h("path", { class: "now", d: `M${((last + 0.5) * step).toFixed(1)} ${y(values[last]).toFixed(1)}h.01` }));
  }
  return h("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" }, parts);
}

const radians = Math.PI / 180;

/** The least and the largest at a place of each: a call takes no 200,000 arguments. */
function bounds(rows, place) {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    if (row[place] < low) low = row[place];
    if (row[place] > high) high = row[place];
  }
  return [low, high];
}

/**
 * A route without a map: metres east and north of its middle, so that a kilometre is as long in both directions.
 * `values` colours it, low to high; runs of one colour are one path.
 */
export function routeDrawing(points, values, label) {
  const [south, north] = bounds(points, 1);
  const mid = (south + north) / 2;
  const perDegree = 111320;
  // A route over the date line goes on where it was.
  let turn = 0;
  const xy = points.map(([, lat, lon], i) => {
    if (i) {
      const jump = lon - points[i - 1][2];
      if (jump > 180) turn -= 360;
      else if (jump < -180) turn += 360;
    }
    return [(lon + turn) * Math.cos(mid * radians) * perDegree, lat * perDegree];
  });
  const [left, right] = bounds(xy, 0);
  const [bottom, top] = bounds(xy, 1);
  const width = 640, height = Math.round(Math.min(520, Math.max(240, width * (top - bottom || 1) / (right - left || 1))));
  const pad = 26;
  const scale = Math.min((width - 2 * pad) / (right - left || 1), (height - 2 * pad) / (top - bottom || 1));
  const at = ([px, py]) => [width / 2 + (px - (left + right) / 2) * scale, height / 2 - (py - (bottom + top) / 2) * scale];
  const drawn = xy.map(at);
  const text = ([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`;

  const steps = 6;
  const known = values?.filter((value) => value !== null).sort((a, b) => a - b) ?? [];
  const [low, high] = [known[Math.floor(known.length * 0.05)], known[Math.floor(known.length * 0.95)]];
  const step = (i) => {
    const value = values?.[i];
    if (value === null || value === undefined || !(high > low)) return 3;
    return Math.min(steps - 1, Math.max(0, Math.floor((value - low) / (high - low) * steps)));
  };
  const paths = Array.from({ length: steps }, () => "");
  for (let i = 1; i < drawn.length;) {
    const colour = step(i);
    let d = `M${text(drawn[i - 1])}`;
    while (i < drawn.length && step(i) === colour) {
      d += `L${text(drawn[i])}`;
      i += 1;
    }
    paths[colour] += d;
  }
  const bar = [50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000].find((metres) => metres * scale >= 60) ?? 100000;
  const marker = h("circle", { class: "walker", r: 7, visibility: "hidden" });
  const svg = h("svg", { class: "route", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    h("path", { class: "casing", d: `M${drawn.map(text).join("L")}` }),
    paths.map((d, i) => d ? h("path", { class: `leg heat-${i}`, d }) : null),
    h("g", { class: "start", transform: `translate(${text(drawn[0])})` }, h("circle", { r: 9 })),
    h("g", { class: "end", transform: `translate(${text(drawn.at(-1))})` }, h("rect", { class: "flag", x: -9, y: -9, width: 18, height: 18, rx: 4 }), h("rect", { x: -3.5, y: -3.5, width: 7, height: 7 })),
    marker,
    h("g", { class: "ruler", transform: `translate(${width - pad - bar * scale} ${height - 12})` },
      h("path", { d: `M0 -5V0H${(bar * scale).toFixed(1)}V-5` }),
      h("text", { x: (bar * scale / 2).toFixed(1), y: -8, "text-anchor": "middle" }, bar >= 1000 ? `${bar / 1000} km` : `${bar} m`)),
    h("g", { class: "north", transform: `translate(${width - 18} 24)` }, h("path", { d: "M0 -12L5 4L0 1L-5 4Z" }), h("text", { y: 17, "text-anchor": "middle" }, "N")));
  const times = points.map(([time]) => Date.parse(time));
  return {
    element: svg, low, high,
    /** Shows where the person was at a moment, in milliseconds; null for nowhere. */
    mark(moment) {
      if (moment === null) { marker.setAttribute("visibility", "hidden"); return; }
      let from = 0, to = times.length - 1;
      while (from < to) {
        const middle = (from + to) >> 1;
        if (times[middle] < moment) from = middle + 1; else to = middle;
      }
      marker.setAttribute("visibility", "visible");
      marker.setAttribute("cx", drawn[from][0].toFixed(1));
      marker.setAttribute("cy", drawn[from][1].toFixed(1));
    },
  };
}

/** Metres between two points `[time, lat, lon]`: equirectangular, which is exact enough between fixes. */
export function metres(a, b) {
  const turn = ((b[2] - a[2] + 540) % 360) - 180;
  const x = turn * Math.cos((a[1] + b[1]) / 2 * radians), y = b[1] - a[1];
  return Math.hypot(x, y) * 111320;
}
