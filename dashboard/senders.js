// Who sends: when something was stored last, how regular that is, and what was refused.
import { get, session, status as askStatus } from "./api.js";
import { choice, empty, h, icon, replace, table } from "./dom.js";
import { about, ago, number, showAt } from "./format.js";
import { typeName } from "./names.js";

/** What a code of a refusal means, and what to do. Others are shown as they are. */
const codes = {
  unauthorized: "The token is wrong or missing. Pair the phone again: server link", signature: "The signature does not fit the body. The signing secret differs: server link",
  timestamp: "The phone's clock and this machine's are over five minutes apart", replayed: "A request that had been taken came again", storage_unavailable: "The database could not be written. Is the disk full?",
  body_too_large: "The body is over the endpoint's limit", json_invalid: "The body is not JSON", json_too_deep: "The JSON is nested too deeply", member_invalid: "A member has another type than it must have",
  csv_invalid: "The body is not CSV of this kind", line_invalid: "A line is not InfluxDB line protocol", format_unknown: "A format that this server doesn't know", format_missing: "The request doesn't say its format",
  version_unsupported: "A version of the format that this server doesn't know", too_many_failures: "Too many wrong tokens from this address", kind_unknown: "A kind of delivery that this server doesn't know",
};

export async function sendersPage({ signal }) {
  const status = await askStatus(signal);
  session.zone = (await get("types", null, signal).catch(() => null))?.zone;
  const { endpoints = [], rhythms = [], deliveries = [], warnings = [] } = status;
  const heading = h("h1", { tabindex: "-1" }, "Senders");
  if (!endpoints.length) {
    return { title: "Senders", body: [heading, empty("Nobody sends yet", h("p", null, "Give a phone a place to send to, and show it the pairing code:"), h("pre", null, h("code", null, "server init phone\nserver link phone")))] };
  }
  const quiet = rhythms.filter((rhythm) => rhythm.quiet);
  return {
    title: "Senders",
    body: [heading,
      warnings.length ? h("section", { class: "warning", "aria-labelledby": "look" }, icon("warning"), h("div", null, h("h2", { id: "look" }, "Look at this"), h("ul", null, warnings.map((one) => h("li", null, one.message))))) : null,
      h("ul", { class: "cards wide" }, endpoints.map((endpoint) => h("li", null, endpointCard(endpoint, quiet.filter((one) => one.endpoint === endpoint.name), deliveries.filter((one) => one.endpoint === endpoint.name))))),
      rhythms.length ? rhythmPart(rhythms) : null,
      deliveryPart(deliveries)],
  };
}

const isRefused = (delivery) => delivery.status >= 400;

function endpointCard(endpoint, quiet, deliveries) {
  const refused = deliveries.filter(isRefused);
  const [state, text] = quiet.length ? ["quiet", "quiet for longer than ever"] : deliveries.length && isRefused(deliveries[0]) ? ["refused", "the last delivery was refused"]
    : endpoint.last_stored ? ["well", "as usual"] : ["new", "nothing stored yet"];
  return h("section", { class: "card sender", "aria-label": endpoint.name }, h("h2", null, endpoint.name, " ", h("span", { class: `badge state-${state}` }, text)),
    h("dl", { class: "facts" },
      h("div", null, h("dt", null, "Last stored"), h("dd", null, endpoint.last_stored ? ago(endpoint.last_stored) : "never")),
      h("div", null, h("dt", null, "Samples"), h("dd", null, endpoint.samples === null ? "–" : number(endpoint.samples, 0))),
      h("div", null, h("dt", null, "Refused"), h("dd", null, deliveries.length ? `${refused.length} of the last ${deliveries.length}` : "–")),
      h("div", null, h("dt", null, "Person"), h("dd", null, endpoint.person)), h("div", null, h("dt", null, "Format"), h("dd", null, endpoint.format)),
      h("div", null, h("dt", null, "Proof"), h("dd", null, `${endpoint.auth}${endpoint.signed ? ", signed" : ""}`))),
    quiet.length ? h("ul", { class: "quietlist" }, quiet.map((one) => h("li", null, h("b", null, typeName(one.type)), `: nothing for ${about((Date.now() - Date.parse(one.last_stored)) / 1000)}; the longest pause was ${about(one.longest_s)}`))) : null,
    endpoint.last_stored ? null : h("p", null, "Pair its phone: ", h("code", null, `server link ${endpoint.name}`)));
}

function rhythmPart(rhythms) {
  const sorted = [...rhythms].sort((a, b) => Number(b.quiet) - Number(a.quiet) || Date.parse(b.last_stored) - Date.parse(a.last_stored));
  const several = new Set(rhythms.map((one) => one.endpoint)).size > 1;
  return h("section", { class: "card", "aria-labelledby": "rhythm" }, h("h2", { id: "rhythm" }, "Rhythm"), h("p", { class: "quiet" }, "Learnt from what was stored. A type that is quiet for longer than it ever was is a warning."),
    table("Rhythm of each type", ["Type", ...several ? ["Sender"] : [], "Last stored", "Usually every", "Longest pause", ""], sorted.map((one) => [
      h("a", { href: `#/types/${encodeURIComponent(one.type)}` }, typeName(one.type)), ...several ? [one.endpoint] : [], ago(one.last_stored), one.usual_s ? about(one.usual_s) : "–", one.longest_s ? about(one.longest_s) : "–",
      one.quiet ? h("span", { class: "badge state-quiet" }, "quiet") : ""]), true));
}

function deliveryPart(deliveries) {
  const heading = h("h2", { id: "deliveries" }, "Last deliveries");
  if (!deliveries.length) return h("section", { class: "card", "aria-labelledby": "deliveries" }, heading, h("p", null, "None yet."));
  const box = h("div");
  const draw = (which) => {
    const shown = which === "refused" ? deliveries.filter(isRefused) : deliveries;
    replace(box, shown.length ? table("Last deliveries", ["When", "Sender", "Answer", "Stored", "Changed", "Deleted", "Skipped"], shown.map((one) => [
      showAt("full", one.received_at, session.zone), `${one.endpoint} · ${one.dialect ?? "–"}`,
      isRefused(one) ? [h("span", { class: "badge state-refused" }, String(one.status)), " ", h("span", null, codes[one.code] ?? (one.code ?? "").replaceAll("_", " ")), one.code ? h("small", null, ` ${one.code}`) : null] : h("span", { class: "badge state-well" }, "taken"),
      number(one.stored ?? 0, 0), number(one.changed ?? 0, 0), number(one.deleted ?? 0, 0), number(one.skipped ?? 0, 0)]), true)
      : h("p", null, "None of them was refused."));
  };
  draw("all");
  return h("section", { class: "card", "aria-labelledby": "deliveries" }, h("div", { class: "titlebar" }, heading, choice("Which deliveries", "deliveries", [["all", "All"], ["refused", "Refused"]], "all", draw)), box);
}
