// All types that are stored, to be found by name.
import { get, getIfAllowed, session } from "./api.js";
import { empty, h, replace } from "./dom.js";
import { ago, measure, number, wallAt, show } from "./format.js";
import { groupName, groupOf, groups, typeName } from "./names.js";

export async function typesPage({ signal, query }) {
  const [{ types, zone }, latest] = await Promise.all([get("types", null, signal), getIfAllowed("latest", null, signal)]);
  session.zone = zone;
  const newest = new Map((latest?.samples ?? []).map((sample) => [sample.type, sample]));
  const list = h("div");
  const count = h("p", { class: "quiet", role: "status" });
  const search = h("input", { type: "search", id: "search", value: query.get("q") ?? "", placeholder: "heart, steps, sleep …", autocomplete: "off",
    oninput: () => draw() });
  const draw = () => {
    const words = search.value.toLowerCase().split(/[\s_]+/).filter(Boolean);
    const found = types.filter((type) => {
      const text = `${typeName(type.type)} ${type.type} ${groupName(groupOf(type.type))}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const samples = found.reduce((sum, type) => sum + type.samples, 0);
    replace(count, `${number(found.length, 0)} type${found.length === 1 ? "" : "s"}, ${number(samples, 0)} samples`);
    replace(list, [...groups.map(([key]) => key), "other"].map((key) => {
      const members = found.filter((type) => groupOf(type.type) === key).sort((a, b) => typeName(a.type).localeCompare(typeName(b.type)));
      return members.length ? h("section", { class: `typegroup hue-${key}`, "aria-label": groupName(key) }, h("h2", null, groupName(key)),
        h("ul", { class: "rows" }, members.map((type) => h("li", null, row(type, newest.get(type.type)))))) : null;
    }), found.length ? null : h("p", null, `No stored type is called “${search.value}”.`));
  };
  draw();
  return {
    title: "Types",
    body: [h("h1", { tabindex: "-1" }, "Types"), types.length ? [h("div", { class: "searchbar" }, h("label", { for: "search" }, "Find a type"), search, count), list]
      : empty("Nothing has arrived yet", h("p", null, "Types appear here with their first sample. ", h("a", { href: "#/today" }, "How to pair a phone")))],
  };
}

const addresses = { sleep_analysis: "#/sleep", workout: "#/workouts", workout_route: "#/workouts", activity_summary: "#/today" };

function row(type, sample) {
  const value = sample ? valueOf(sample) : "";
  return h("a", { href: addresses[type.type] ?? `#/types/${encodeURIComponent(type.type)}` },
    h("span", { class: "name" }, typeName(type.type)), h("span", { class: "value" }, value),
    h("span", { class: "quiet" }, `${number(type.samples, 0)} sample${type.samples === 1 ? "" : "s"}${type.last ? `, last ${ago(type.last)}` : ""}`));
}

/** What one sample says, in its unit. */
export function valueOf(sample) {
  if (sample.value_name) return sample.value_name.replaceAll("_", " ");
  if (sample.value === null || sample.value === undefined) return "";
  return measure(sample.type, sample.unit ?? "", sample.value).text(sample.value);
}

/** A sample's time by the clock it was taken at, where that is known, else by the person's. */
export function timeOf(sample, style = "fullYear") {
  if (!sample.start) return "–";
  const offset = /^([+-])(\d\d):(\d\d)$/.exec(sample.utc_offset ?? "");
  const minutes = offset ? (offset[1] === "-" ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) : typeof sample.utc_offset === "number" ? sample.utc_offset : null;
  return show(style, minutes === null ? wallAt(sample.start, session.zone) : Date.parse(sample.start) + minutes * 60000);
}
