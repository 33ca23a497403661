// The stretch of time that a chart shows, as days of the person's clock, and the slots in it.
import { addDays, isoDate, show, wallAt } from "./format.js";

export const ranges = [["day", "Day"], ["week", "Week"], ["month", "Month"], ["year", "Year"], ["all", "All"]];

const monthStart = (date) => `${date.slice(0, 7)}-01`;
function addMonths(date, months) {
  const [year, month] = date.split("-").map(Number);
  return isoDate(Date.UTC(year, month - 1 + months, 1));
}
const weekStart = (date) => addDays(date, -((new Date(date).getUTCDay() + 6) % 7));
const daysBetween = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / 86400000);

/**
 * `{ from, to, by, title, previous, next }`: half open, in days; `previous` and `next` are days in the neighbouring spans, null where
 * nothing can be: before `first` and after `now`.
 */
export function span(range, at, first, now) {
  let from, to, by, title;
  if (range === "day") {
    [from, to, by, title] = [at, addDays(at, 1), "hour", show("dayYear", at)];
  } else if (range === "week") {
    from = weekStart(at);
    [to, by] = [addDays(from, 7), "day"];
    title = `${show("dayMonthShort", from)} – ${show("date", addDays(to, -1))}`;
  } else if (range === "month") {
    from = monthStart(at);
    [to, by, title] = [addMonths(from, 1), "day", show("month", from)];
  } else if (range === "year") {
    from = `${at.slice(0, 4)}-01-01`;
    [to, by, title] = [`${Number(at.slice(0, 4)) + 1}-01-01`, "day", show("year", from)];
  } else {
    const begin = first ?? at;
    const days = daysBetween(begin, now);
    by = days <= 120 ? "day" : days <= 760 ? "week" : days <= 365 * 30 ? "month" : "year";
    from = by === "day" ? begin : by === "week" ? weekStart(begin) : by === "month" ? monthStart(begin) : `${begin.slice(0, 4)}-01-01`;
    to = addDays(now, 1);
    title = `${show("date", begin)} – ${show("date", now)}`;
    return { range, from, to, by, title, previous: null, next: null };
  }
  const before = addDays(from, -1);
  return { range, from, to, by, title, previous: first && before < first ? null : before, next: to > now ? null : to };
}

/** The slots of a span, each `{ key, text, tick }`; `key` is how the bucket's `start` begins. */
export function slots({ range, from, to, by }) {
  const found = [];
  if (by === "hour") {
    for (let hour = 0; hour < 24; hour += 1) {
      const at = Date.parse(from) + hour * 3600000;
      found.push({ key: new Date(at).toISOString().slice(0, 13), text: `${show("hour", at)} – ${show("hour", at + 3600000)}`,
        tick: hour % 6 === 0 ? show("hour", at) : "" });
    }
    return found;
  }
  const step = { day: (date) => addDays(date, 1), week: (date) => addDays(date, 7), month: (date) => addMonths(date, 1),
    year: (date) => `${Number(date.slice(0, 4)) + 1}-01-01` }[by];
  const total = daysBetween(from, to);
  for (let date = from, i = 0; date < to; date = step(date), i += 1) {
    const day = Number(date.slice(8));
    let text, tick = "";
    if (by === "day") {
      text = show("dayYear", date);
      if (range === "week") tick = show("weekdayShort", date);
      else if (range === "month") tick = day % 7 === 1 ? String(day) : "";
      else if (total <= 130) tick = day === 1 || (day === 15 && total <= 62) ? show("dayMonthShort", date) : "";
      else tick = day === 1 ? show("monthShort", date) : "";
    } else if (by === "week") {
      text = `Week of ${show("date", date)}`;
      tick = day <= 7 && (total < 400 || Number(date.slice(5, 7)) % 3 === 1) ? tickOfMonth(date) : "";
    } else if (by === "month") {
      text = show("month", date);
      tick = date.slice(5, 7) === "01" || i === 0 && total < 1200 ? show("year", date) : "";
    } else {
      text = show("year", date);
      tick = text;
    }
    found.push({ key: date, text, tick, end: step(date) });
  }
  return found;
}

const tickOfMonth = (date) => date.slice(5, 7) === "01" ? show("year", date) : show("monthShort", date);

/**
 * Slots with the API's buckets put in. A day whose clock shows an hour twice gets that hour twice, and one that skips an hour has
 * no slot for it.
 */
export function fill(empty, buckets, by, zone) {
  const length = by === "hour" ? 13 : 10;
  const byKey = new Map();
  for (const bucket of buckets) {
    const key = bucket.start.slice(0, length);
    byKey.set(key, [...byKey.get(key) ?? [], bucket]);
  }
  const filled = [];
  for (const slot of empty) {
    const found = byKey.get(slot.key) ?? (by === "hour" && isSkipped(slot.key, zone) ? [] : [null]);
    found.forEach((bucket, i) => filled.push({ ...slot, bucket, text: i ? `${slot.text}, the second time` : slot.text }));
  }
  return filled;
}

/** Whether no clock of the zone ever shows this hour: with neither the offset of the day before nor that of the day after. */
function isSkipped(hour, zone) {
  const wall = Date.parse(`${hour}:00:00Z`);
  return [-86400000, 86400000].every((away) => {
    const offset = wallAt(wall + away, zone) - (wall + away);
    return wallAt(wall - offset, zone) !== wall;
  });
}
