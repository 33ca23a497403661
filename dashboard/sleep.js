// Nights as stages: the last two weeks or month, one of them large.
import { getIfAllowed, withTypes } from "./api.js";
import { choice, empty, h, icon } from "./dom.js";
import { addDays, duration, percent, show, today, wall } from "./format.js";
import { stageName, stages } from "./names.js";
import { asleep, frame, hypnogram, lengthOf, mainNights, stageBar } from "./night.js";

const dayMilliseconds = 86400000;

export async function sleepPage({ query, signal }) {
  const count = query.get("nights") === "30" ? 30 : 14;
  const asked = query.get("night");
  const [types, { now, end, from, nights }] = await withTypes(signal, async (zone) => {
    const now = today(zone);
    let end = /^\d{4}-\d\d-\d\d$/.test(query.get("end") ?? "") ? query.get("end") : now;
    if (asked && (asked > end || asked <= addDays(end, -count))) end = asked;
    const from = addDays(end, 1 - count);
    return { now, end, from, nights: (await getIfAllowed("sleep", { from, to: addDays(end, 1) }, signal))?.nights ?? [] };
  });
  const heading = h("h1", { tabindex: "-1" }, "Sleep");
  const type = types.find((one) => one.type === "sleep_analysis");
  if (!type) {
    return { title: "Sleep", body: [heading, empty("No sleep yet", h("p", null, "Nights appear here when the phone sends the type ", h("code", null, "sleep_analysis"),
      ". An iPhone records time in bed, an Apple Watch the stages; choose Sleep in the app's list of types."))] };
  }
  const main = mainNights(nights);
  const chosen = main.find((night) => night.date === asked) ?? main.at(-1) ?? null;
  const to = (change) => `#/sleep?${new URLSearchParams({ nights: count, end, ...change })}`;

  const toolbar = h("div", { class: "toolbar" },
    choice("How many nights", "nights", [["14", "14 nights"], ["30", "30 nights"]], String(count), (key) => { location.hash = to({ nights: key }); }),
    h("div", { class: "steppers" }, h("a", { class: "button", href: to({ end: addDays(from, -1) }), "aria-label": "Earlier nights" }, icon("left")),
      h("strong", { class: "period" }, `${show("dayMonthShort", from)} – ${show("date", end)}`),
      end < now ? h("a", { class: "button", href: to({ end: addDays(end, count) > now ? now : addDays(end, count) }), "aria-label": "Later nights" }, icon("right"))
        : h("span", { class: "button off", "aria-hidden": "true" }, icon("right"))));
  if (!chosen) return { title: "Sleep", body: [heading, h("section", { class: "card" }, toolbar, h("p", { class: "nothing" }, "No night is stored for this time."))] };

  return {
    title: `Sleep, night to ${show("day", chosen.date)}`,
    body: [heading,
      h("section", { class: "card", "aria-label": "One night" }, hypnogram(chosen), stageList(chosen)),
      averages(main),
      h("section", { class: "card", "aria-labelledby": "nights" }, h("h2", { id: "nights" }, "Nights"), toolbar, nightList(nights, from, end, chosen, to), legend(main))],
  };
}

function stageList(night) {
  const known = stages.filter(([key]) => night.stages[key] > 0);
  return h("dl", { class: "facts" }, known.map(([key, text]) => h("div", null, h("dt", null, h("i", { class: `swatch stage-${key}`, "aria-hidden": "true" }), text),
    h("dd", null, duration(night.stages[key]), key.startsWith("asleep") && night.asleep_s ? h("small", null, ` ${percent(night.stages[key] / night.asleep_s)}`) : null))),
  h("div", null, h("dt", null, "Bedtime"), h("dd", null, show("time", wall(night.start).wall))),
  h("div", null, h("dt", null, "Woke up"), h("dd", null, show("time", wall(night.end).wall))),
  asleep(night) && night.in_bed_s ? h("div", null, h("dt", null, "Efficiency"), h("dd", null, percent(night.asleep_s / night.in_bed_s))) : null);
}

/** Milliseconds from the noon before the morning of a night: times of a night as one line, over midnight. */
const sinceNoon = (at, date) => at - (Date.parse(date) - dayMilliseconds / 2);

function averages(all) {
  // Nights without a watch say when someone was in bed, and nothing of sleep.
  const slept = all.filter(asleep), nights = slept.length ? slept : all;
  const mean = (value) => nights.reduce((sum, night) => sum + value(night), 0) / nights.length;
  const clockOf = (value) => show("time", mean(value) + dayMilliseconds / 2);
  const staged = nights.some((night) => night.stages.asleep_deep || night.stages.asleep_rem);
  const fact = (name, text) => h("div", null, h("dt", null, name), h("dd", null, text));
  return h("section", { class: "card", "aria-labelledby": "averages" }, h("h2", { id: "averages" }, `Mean of ${nights.length} night${nights.length === 1 ? "" : "s"}${slept.length && slept.length < all.length ? " with sleep recorded" : ""}`), h("dl", { class: "facts" },
    slept.length ? fact("Asleep", duration(mean((night) => night.asleep_s))) : fact("In bed", duration(mean((night) => night.in_bed_s))), fact("Bedtime", clockOf((night) => sinceNoon(frame(night).start, night.date))),
    fact("Woke up", clockOf((night) => sinceNoon(frame(night).end, night.date))), slept.length ? fact("Awake", duration(mean((night) => night.awake_s))) : null,
    staged ? [fact("REM", duration(mean((night) => night.stages.asleep_rem))), fact("Core", duration(mean((night) => night.stages.asleep_core))), fact("Deep", duration(mean((night) => night.stages.asleep_deep)))] : null));
}

function nightList(nights, from, end, chosen, to) {
  const inSpan = nights.filter((night) => night.date >= from && night.date <= end);
  const main = mainNights(inSpan);
  const hour = dayMilliseconds / 24;
  const first = Math.floor(Math.min(...main.map((night) => sinceNoon(frame(night).start, night.date))) / hour) * hour;
  const last = Math.ceil(Math.max(...main.map((night) => sinceNoon(frame(night).end, night.date))) / hour) * hour;
  const dates = [];
  for (let date = end; date >= from; date = addDays(date, -1)) dates.push(date);
  const marks = [];
  const step = last - first > 14 * hour ? 4 : 3;
  for (let at = Math.ceil(first / (step * hour)) * step * hour; at <= last; at += step * hour) marks.push(at);
  return [
    h("div", { class: "nightaxis", "aria-hidden": "true" }, h("span"), h("div", null, marks.map((at) => h("span", { vars: { "--at": `${((at - first) / (last - first) * 100).toFixed(1)}%` } }, show("hour", at + dayMilliseconds / 2)))), h("span")),
    h("ul", { class: "nights" }, dates.map((date) => {
      const night = main.find((one) => one.date === date);
      const naps = inSpan.filter((one) => one.nap && one.date === date);
      const nap = naps.length ? h("small", null, ` + nap ${duration(naps.reduce((sum, one) => sum + one.asleep_s, 0))}`) : null;
      if (!night) return h("li", { class: "missing" }, h("span", { class: "date" }, show("day", date)), h("span", { class: "none" }, "no data"), h("span", { class: "sum" }, nap ?? "–"));
      const begin = Date.parse(date) - dayMilliseconds / 2;
      const place = frame(night);
      return h("li", null, h("a", { href: to({ night: date }), "aria-current": night === chosen ? "true" : null,
        "aria-label": `Night to ${show("day", date)}: ${lengthOf(night)}${asleep(night) ? " asleep" : ""}, ${show("time", place.start)} to ${show("time", place.end)}` },
      h("span", { class: "date" }, show("day", date)), stageBar(night, begin + first, begin + last), h("span", { class: "sum" }, asleep(night) ? duration(night.asleep_s) : h("small", null, lengthOf(night)), nap)));
    })),
  ];
}

function legend(nights) {
  const known = stages.filter(([key]) => nights.some((night) => night.stages[key] > 0));
  return h("ul", { class: "legend", "aria-label": "Colours" }, known.map(([key]) => h("li", null, h("i", { class: `swatch stage-${key}`, "aria-hidden": "true" }), stageName(key))));
}
