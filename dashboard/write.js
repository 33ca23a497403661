// What the phone was asked to write into Apple Health, what became of it, and a form to ask for more.
import { get, post, remove, session, status as askStatus } from "./api.js";
import { empty, h, replace, table } from "./dom.js";
import { ago, decimalSign, number, showAt, typedNumber, wallAt } from "./format.js";
import { typeName } from "./names.js";

const reasons = {
  type_not_allowed: "the app does not accept writes of this type", value_out_of_range: "the value is outside of what Health takes",
  healthkit_denied: "Health has not given the app permission", invalid: "the app could not read the command", endpoint_removed: "the phone was removed from this server",
};

export async function writePage({ signal, redraw }) {
  // The clock of the phone's person, whichever page came before.
  const [{ commands }, status, types] = await Promise.all([get("commands", null, signal), askStatus(signal), get("types", null, signal).catch(() => null)]);
  session.zone = types?.zone;
  const mayWrite = session.scope === "write";
  const list = [...commands].reverse();
  return {
    title: "Write",
    body: [h("h1", { tabindex: "-1" }, "Write into Apple Health"),
      h("p", { class: "lead" }, "Records that the phone is asked to add to Health. It takes them with its next delivery of new data, where ", h("b", null, "Accept writes to Health"), " is on."),
      mayWrite ? await form(status.endpoints, redraw) : h("section", { class: "card" }, h("p", null, "This token may read. To add or cancel, sign in with one that may write: ", h("code", null, "server token add browser --scope write"))),
      list.length ? h("section", { class: "card", "aria-labelledby": "queue" }, h("h2", { id: "queue" }, "Queue"), queue(list, mayWrite, redraw))
        : empty("Nothing was asked of the phone yet", h("p", null, mayWrite ? "Fill in the form above, or use " : "On the server's machine: ", h("code", null, "server write body_mass 71.4")))],
  };
}

function queue(list, mayWrite, redraw) {
  const message = h("p", { class: "error", role: "alert" });
  const act = async (button, what) => {
    button.disabled = true;
    try {
      await what();
      redraw();
    } catch (problem) {
      button.disabled = false;
      replace(message, problem.code === "command_sent" ? "The phone has it already: take it back once it was applied." : problem.message);
    }
  };
  const rows = list.map((command) => {
    const value = command.value === null || command.value === undefined ? "" : typeof command.value === "number" ? `${number(command.value, 6)} ${command.unit ?? ""}` : String(command.value).replaceAll("_", " ");
    const isCancelled = command.state === "rejected" && command.reason === "withdrawn";
    const state = h("span", { class: isCancelled ? "badge" : `badge state-${command.state}` }, isCancelled ? "cancelled" : command.state);
    const more = command.state === "waiting" ? command.sent ? `sent ${command.sent}×` : "goes out with the next delivery"
      : isCancelled ? "before it went out" : command.state === "rejected" ? reasons[command.reason] ?? command.reason ?? "" : command.result_at ? ago(command.result_at) : "";
    let action = "";
    if (mayWrite && command.state === "waiting" && !command.sent) {
      action = h("button", { type: "button", class: "quiet", "aria-label": `Cancel ${command.id}`, onclick: (event) => act(event.target, () => remove(`commands/${encodeURIComponent(command.id)}`, { endpoint: command.endpoint })) }, "Cancel");
    } else if (mayWrite && command.state === "applied" && command.op === "write") {
      action = h("button", { type: "button", class: "quiet", "aria-label": `Take back ${command.id}`, onclick: (event) => act(event.target, () => post("commands", { delete: command.id, endpoint: command.endpoint })) }, "Take back");
    }
    return [typeName(command.type), command.op === "delete" ? "taken back" : value, command.start ? showAt("full", command.start, session.zone) : "–", [state, " ", h("small", null, more)], [h("code", null, command.id), h("small", null, ` ${command.endpoint}`)], ...mayWrite ? [action] : []];
  });
  return [message, table("Commands for the phone, the newest first", ["Type", "Value", "For", "State", "Command", ...mayWrite ? [""] : []], rows, true)];
}

async function form(endpoints, redraw) {
  const { catalog } = await import("./catalog.js");
  const values = h("span", { class: "fields" }), message = h("p", { class: "error", id: "writeerror", role: "alert" }), done = h("p", { class: "done", role: "status" });
  const field = (label, id, input, more) => h("div", { class: "field" }, h("label", { for: id }, label), input, more);
  let value = null, unit = null;
  const type = h("input", { id: "w-type", list: "w-types", autocomplete: "off", spellcheck: "false", autocapitalize: "off", required: true, value: "body_mass", oninput: () => shape() });
  const shape = () => {
    const entry = catalog[type.value.trim()];
    const [usual, names, low, high] = entry ?? [null, null, null, null];
    if (names) {
      value = h("select", { id: "w-value" }, names.map((name) => h("option", { value: name }, name.replaceAll("_", " "))));
      unit = null;
      replace(values, field("Value", "w-value", value));
    } else {
      value = h("input", { id: "w-value", inputmode: "decimal", autocomplete: "off", required: true, size: 8, value: value?.tagName === "INPUT" ? value.value : "" });
      unit = h("input", { id: "w-unit", autocomplete: "off", spellcheck: "false", autocapitalize: "off", size: 6, value: usual ?? "" });
      replace(values, field("Value", "w-value", value), field("Unit", "w-unit", unit, low !== null && low !== undefined ? h("small", { class: "quiet" }, `${low} to ${high}`) : null));
    }
  };
  shape();
  const at = h("input", { id: "w-at", type: "datetime-local", value: new Date(wallAt(Date.now(), session.zone)).toISOString().slice(0, 16), required: true });
  const until = h("input", { id: "w-end", type: "datetime-local" });
  const endpoint = endpoints.length > 1 ? h("select", { id: "w-to" }, endpoints.map((one) => h("option", null, one.name))) : null;
  const submit = async (event) => {
    event.preventDefault();
    replace(message);
    replace(done);
    const fail = (input, text) => {
      replace(message, text);
      input.focus();
    };
    const name = type.value.trim();
    if (!/^[a-z][a-z0-9_]{1,63}$/.test(name)) return fail(type, "A type is written like body_mass.");
    let given = value.value.trim();
    if (unit) {
      given = typedNumber(given);
      if (given === null) return fail(value, `The value has to be a number, such as 1500 or 71${decimalSign}4.`);
    }
    if (!at.value) return fail(at, "When is it for?");
    // As the phone's person reads a clock, wherever this browser is: the server knows the zone.
    const body = { type: name, value: given, start: at.value };
    if (unit?.value.trim()) body.unit = unit.value.trim();
    if (until.value) body.end = until.value;
    if (body.end && body.end < body.start) return fail(until, "The end is before the start.");
    if (endpoints.length) body.endpoint = endpoint?.value ?? endpoints[0].name;
    try {
      const answer = await post("commands", body);
      pending = [`Queued as ${answer.id}.`, ...(answer.warnings ?? []).map((warning) => ` ${warning.message ?? warning}`)].join("");
      redraw();
    } catch (problem) {
      replace(message, problem.message);
    }
  };
  if (pending) {
    replace(done, pending);
    pending = null;
  }
  return h("section", { class: "card", "aria-labelledby": "add" }, h("h2", { id: "add" }, "Add a record"), h("form", { class: "writeform", novalidate: true, onsubmit: submit },
    field("Type", "w-type", type), h("datalist", { id: "w-types" }, Object.keys(catalog).map((name) => h("option", { value: name }, typeName(name)))), values,
    field("Time", "w-at", at), field("End, if it lasted", "w-end", until), endpoint ? field("Phone", "w-to", endpoint) : null,
    h("div", { class: "field" }, h("button", { type: "submit", class: "primary" }, "Ask the phone")), message, done));
}

// What the form said last, for the form that is drawn after the queue was read anew.
let pending = null;
