// Numbers, units and times for people: numbers as the browser's locale writes them, times as the person's clock showed them.

export const locale = navigator.languages?.length ? [...navigator.languages] : undefined;
const region = (() => {
  try { return new Intl.Locale(navigator.language).maximize().region; } catch { return null; }
})();

/** `metric` or `us`; the browser's region decides until someone chooses. */
export let units = stored("units") ?? (region === "US" ? "us" : "metric");
export function setUnits(value) {
  units = value;
  store("units", value);
}

export function stored(name) {
  try { return localStorage.getItem(`syncky.${name}`); } catch { return null; }
}
export function store(name, value) {
  try { localStorage.setItem(`syncky.${name}`, value); } catch { /* A browser without storage forgets, no more. */ }
}

const formats = new Map();
/** A number; at most `digits` behind the point, by its size where that is not given. */
export function number(value, digits, least = 0) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  // What no body has is shown in a line all the same.
  if (Math.abs(value) >= 1e15) return value.toExponential(2);
  const most = digits ?? (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
  const key = `${most}/${least}`;
  if (!formats.has(key)) {
    formats.set(key, new Intl.NumberFormat(locale, { maximumFractionDigits: most, minimumFractionDigits: least }));
  }
  return formats.get(key).format(Math.abs(value) < 10 ** -most / 2 ? 0 : value);
}
export const decimalSign = new Intl.NumberFormat(locale).formatToParts(1.1).find((part) => part.type === "decimal")?.value ?? ".";
/**
 * The number that somebody typed; null for none, and for one whose only sign may group digits as well as begin a fraction: `1,500`
 * where numbers are written 1,500.5. A sign that can only begin one is taken, whichever it is.
 */
export function typedNumber(text, sign = decimalSign) {
  if (!/^-?\d+([.,]\d+)?$/.test(text)) return null;
  if (!text.includes(sign) && /[.,]\d{3}$/.test(text)) return null;
  return Number(text.replace(",", "."));
}
const compactFormat = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
export const compact = (value) => Math.abs(value) >= 10000 && Math.abs(value) < 1e15 ? compactFormat.format(value) : number(value, 2);
const percentFormat = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
const finePercentFormat = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
export const percent = (value, fine) => (fine ? finePercentFormat : percentFormat).format(value);

const unitFormats = {};
const narrow = (value, unit) => (unitFormats[unit] ??= new Intl.NumberFormat(locale,
  { style: "unit", unit, unitDisplay: "narrow", maximumFractionDigits: 0 })).format(value);

/** Seconds as hours and minutes: `7h 24m`. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds > 0 && seconds < 60) return narrow(Math.round(seconds), "second");
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (!hours) return narrow(minutes, "minute");
  return minutes % 60 ? `${narrow(hours, "hour")} ${narrow(minutes % 60, "minute")}` : narrow(hours, "hour");
}

/** A time as a stopwatch has it: `5:12`, `1:02:09`. */
export function clock(seconds) {
  const whole = Math.round(seconds);
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
    : `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}

const lengths = { us: [1609.344, "mi"], metric: [1000, "km"] };
/** Metres as kilometres or miles. */
export const distance = (metres, digits = 2) => metres === null || metres === undefined ? "–"
  : `${number(metres / lengths[units][0], digits)} ${lengths[units][1]}`;
export const distanceUnit = () => lengths[units];

/**
 * How values of a type are shown: `{ unit, text(value), axis(value), scale(value) }`. `largest` is the largest value that will be
 * shown, since half a milligram is no figure in grams.
 */
export function measure(type, unit, largest = 1) {
  const plain = (label, factor = 1, digits, offset = 0) => {
    const scale = (value) => value * factor + offset;
    return {
      unit: label, scale, unscale: (value) => (value - offset) / factor,
      figure: (value) => number(scale(value), digits),
      text: (value) => value === null || value === undefined ? "–" : `${number(scale(value), digits)}${label === "%" ? " %" : label ? ` ${label}` : ""}`,
      axis: (scaled) => compact(scaled),
    };
  };
  if (unit === "s" || unit === null) {
    return { unit: "", scale: (value) => value, unscale: (value) => value, figure: duration, text: duration, axis: duration, isDuration: true };
  }
  const us = units === "us";
  switch (unit) {
  case "count":
    return plain({ steps: "steps", flights_climbed: "floors", push_count: "pushes", swimming_stroke_count: "strokes" }[type] ?? "", 1,
      type === "body_mass_index" ? 1 : 0);
  case "count/min":
    return plain(/heart/.test(type) ? "bpm" : /respiratory/.test(type) ? "breaths/min" : /cadence/.test(type) ? "rpm" : "per min", 1,
      /respiratory/.test(type) ? 1 : 0);
  case "%": return plain("%", 100, 1);
  case "m":
    if (/^distance_/.test(type) && largest >= lengths[units][0] / 10) return plain(lengths[units][1], 1 / lengths[units][0], 2);
    if (/height|length/.test(type)) return us ? plain("in", 39.370079, 1) : plain("cm", 100, 1);
    return us ? plain("ft", 3.28084, 0) : plain("m", 1, 1);
  case "cm": return us ? plain("in", 0.3937008, 1) : plain("cm", 1, 1);
  case "m/s": return us ? plain("mph", 2.236936, 1) : plain("km/h", 3.6, 1);
  case "kg": return us ? plain("lb", 2.2046226, 1) : plain("kg", 1, 1);
  case "g": return largest < 0.001 ? plain("µg", 1e6, 1) : largest < 1 ? plain("mg", 1000, 1) : plain("g", 1);
  case "mL": return us ? plain("fl oz", 0.033814, 1) : largest >= 1000 ? plain("L", 0.001, 2) : plain("mL", 1, 0);
  case "degC": return us ? plain("°F", 1.8, 1, 32) : plain("°C", 1, 2);
  case "min":
    return { ...plain("min", 1, 0), figure: (value) => number(value, value < 10 ? 1 : 0), text: (value) => value >= 120 ? duration(value * 60) : `${number(value, value < 10 ? 1 : 0)} min` };
  case "kcal": return plain("kcal", 1, 0);
  case "ms": return plain("ms", 1, 0);
  case "mmHg": return plain("mmHg", 1, 0);
  case "mg/dL": return plain("mg/dL", 1, 0);
  case "ml/(kg*min)": return plain("mL/kg·min", 1, 1);
  case "kcal/(kg*hr)": return plain("kcal/kg·h", 1, 1);
  case "dBASPL": return plain("dB", 1, 0);
  case "appleEffortScore": return plain("of 10", 1, 1);
  case "W": return plain("W", 1, 0);
  default: return plain(unit ?? "", 1);
  }
}

// ---- Times. An API time with an offset is a clock on a wall: it is read as it is written, never through the browser's zone.

/** `2026-10-01T07:30:00+02:00` to its parts; `wall` is for formats with the zone UTC, `at` is the moment. */
export function wall(text) {
  return { date: text.slice(0, 10), wall: Date.parse(`${text.slice(0, 19)}Z`), at: Date.parse(text) };
}

const dayFormats = new Map();
function format(style, zone) {
  const key = `${style}/${zone}`;
  if (!dayFormats.has(key)) dayFormats.set(key, new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: zone }));
  return dayFormats.get(key);
}
const styles = {
  time: { hour: "numeric", minute: "2-digit" },
  hour: { hour: "numeric" },
  weekday: { weekday: "long" },
  weekdayShort: { weekday: "short" },
  weekdayLetter: { weekday: "narrow" },
  dayMonth: { day: "numeric", month: "long" },
  dayMonthShort: { day: "numeric", month: "short" },
  day: { weekday: "short", day: "numeric", month: "short" },
  dayYear: { weekday: "short", day: "numeric", month: "short", year: "numeric" },
  date: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" },
  monthShort: { month: "short" },
  year: { year: "numeric" },
  full: { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
  fullYear: { day: "numeric", month: "short", year: "numeric", hour: "numeric", minute: "2-digit" },
};

/** A date `2026-10-01`, or milliseconds on a wall. */
export const show = (style, value) => format(style, "UTC").format(typeof value === "string" ? Date.parse(value.slice(0, 10)) : value);
/** A moment, `…Z` or milliseconds, by the clock of a zone. */
export function showAt(style, moment, zone) {
  try { return format(style, zone).format(new Date(moment)); } catch { return format(style, "UTC").format(new Date(moment)); }
}
/** The wall clock of a zone at a moment, in milliseconds. */
export function wallAt(moment, zone) {
  try {
    const parts = Object.fromEntries(new Intl.DateTimeFormat("en-GB", {
      timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
      second: "2-digit",
    }).formatToParts(new Date(moment)).map((part) => [part.type, part.value]));
    return Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`);
  } catch { return new Date(moment).getTime(); }
}
export const today = (zone) => isoDate(wallAt(Date.now(), zone));
export const isoDate = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 10);
export const addDays = (date, days) => isoDate(Date.parse(date) + days * 86400000);

// In the midst of English sentences: only numbers, dates and the clock follow the browser.
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
export function ago(moment) {
  const seconds = (Date.parse(moment) - Date.now()) / 1000;
  for (const [unit, length] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
}
/** How long something usually takes: `every 3 h`. */
export function about(seconds) {
  if (seconds >= 172800) return `${number(seconds / 86400, 0)} days`;
  if (seconds >= 7200) return `${number(seconds / 3600, 0)} h`;
  return `${number(Math.max(1, seconds / 60), 0)} min`;
}
