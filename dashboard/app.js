// The frame of the page: sign-in, navigation, which page is shown.
import { get, onSignedOut, Problem, resume, session, signIn, signOut } from "./api.js";
import { h, icon, replace } from "./dom.js";
import { setUnits, stored, store, units } from "./format.js";
import { todayPage } from "./today.js";
import { typesPage } from "./types.js";
import { typePage } from "./type.js";
import { sleepPage } from "./sleep.js";
import { workoutPage, workoutsPage } from "./workouts.js";
import { writePage } from "./write.js";
import { sendersPage } from "./senders.js";

const pages = [
  ["today", "Today", todayPage], ["types", "Types", typesPage], ["sleep", "Sleep", sleepPage], ["workouts", "Workouts", workoutsPage],
  ["write", "Write", writePage], ["senders", "Senders", sendersPage],
];
const refreshMilliseconds = 5 * 60000;

const root = document.getElementById("app");
let main = null, running = null, shownAt = 0;

/** `#/types/steps?range=year` to its parts. */
function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", ...rest] = path.split("/").map((part) => { try { return decodeURIComponent(part); } catch { return part; } });
  return { page: page || "today", name: rest.join("/") || null, query: new URLSearchParams(query ?? "") };
}

function pageOf({ page, name }) {
  if (page === "types" && name) return typePage;
  if (page === "workouts" && name) return workoutPage;
  return pages.find(([key]) => key === page)?.[2] ?? null;
}

/** Draws the page of the address. `isNew`: someone went there, so the focus goes along; else it is the same page again. */
async function draw(isNew) {
  const where = route();
  // A switch in the page goes to another address of it: the focus stays with the switch.
  const { type, name, value } = document.activeElement ?? {};
  running?.abort();
  const { signal } = running = new AbortController();
  for (const link of document.querySelectorAll("nav a[data-page]")) {
    if (link.dataset.page === where.page) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  const make = pageOf(where);
  main.setAttribute("aria-busy", "true");
  const waiting = setTimeout(() => { if (isNew) replace(main, h("p", { class: "waiting" }, "Loading …")); }, 250);
  let made;
  try {
    if (!make) throw new Problem(404, { detail: "There is no such page." });
    made = await make({ ...where, signal, redraw: () => draw(false) });
  } catch (problem) {
    if (signal.aborted || problem.status === 401) return;
    made = { title: "Something is missing", body: trouble(problem) };
    if (!(problem instanceof Problem)) console.error(problem);
  } finally {
    clearTimeout(waiting);
  }
  if (signal.aborted) return;
  shownAt = Date.now();
  document.title = `${made.title} – Syncky Receiver`;
  main.removeAttribute("aria-busy");
  replace(main, made.body);
  performance.mark("shown");
  const same = type === "radio" && main.querySelector(`input[name="${name}"][value="${value}"]`);
  if (same) {
    same.focus({ preventScroll: true });
  } else if (isNew) {
    scrollTo(0, 0);
    main.querySelector("h1")?.focus({ preventScroll: true });
  }
}

function trouble(problem) {
  const known = problem instanceof Problem;
  return [
    h("h1", { tabindex: "-1" }, known && problem.status === 403 ? "Not for this token" : known && problem.status === 404 ? "Not found" : "That did not work"),
    h("section", { class: "card" }, h("p", null, known ? problem.message : "The page met something that it did not expect."),
      known && problem.status === 0 ? h("p", null, "Is ", h("code", null, "server serve"), " running?") : null,
      h("p", null, h("button", { type: "button", onclick: () => draw(true) }, "Try again"), " ", h("a", { href: "#/today" }, "Go to today"))),
  ];
}

function personSwitch() {
  if (session.persons.length < 2) return null;
  return h("label", { class: "person" }, h("span", null, "Person"), h("select", { onchange: (event) => {
    session.person = event.target.value;
    store("person", session.person);
    draw(true);
  } }, session.persons.map((name) => h("option", { value: name, selected: name === session.person }, name))));
}

function unitSwitch() {
  return h("label", { class: "person" }, h("span", null, "Units"), h("select", { onchange: (event) => {
    setUnits(event.target.value);
    draw(false);
  } }, [["metric", "km, kg, °C"], ["us", "mi, lb, °F"]].map(([key, text]) => h("option", { value: key, selected: key === units }, text))));
}

function frame() {
  main = h("main", { id: "main", tabindex: "-1" });
  replace(root, h("div", { class: "frame" },
    h("header", { class: "side" },
      h("a", { class: "brand", href: "#/today" }, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), h("span", null, "Syncky Receiver")),
      h("nav", { "aria-label": "Pages" }, h("ul", null, pages.map(([key, text]) =>
        h("li", null, h("a", { href: `#/${key}`, "data-page": key }, icon(key), h("span", null, text)))))),
      h("div", { class: "settings" }, personSwitch(), unitSwitch(), h("button", { type: "button", class: "quiet", onclick: leave }, icon("out"), "Sign out"))),
    main));
}

async function leave() {
  store("alone", "no");
  try { await signOut(); } catch { /* A session that the server has forgotten is as good as closed. */ }
  door();
}

/** The sign-in page. */
function door(message) {
  running?.abort();
  document.title = "Sign in – Syncky Receiver";
  const error = h("p", { class: "error", id: "wrong", role: "alert" }, message ?? "");
  const input = h("input", { id: "token", name: "token", type: "password", autocomplete: "current-password", required: true, spellcheck: "false",
    autocapitalize: "off", "aria-describedby": "wrong hint", placeholder: "sat_…" });
  const button = h("button", { type: "submit", class: "primary" }, "Sign in");
  const submit = async (event) => {
    event.preventDefault();
    const token = input.value.trim();
    replace(error, token ? "" : "Paste a token first.");
    if (!token) { input.focus(); return; }
    button.disabled = true;
    try {
      await signIn(token);
      start();
    } catch (problem) {
      input.value = problem.status === 401 ? "" : input.value;
      input.setAttribute("aria-invalid", "true");
      replace(error, problem.status === 401 ? "This is not a token of this server, or it has expired."
        : problem.status === 429 ? "Too many tries. Wait a minute, then try again." : problem.message);
      button.disabled = false;
      input.focus();
    }
  };
  replace(root, h("main", { id: "main", class: "door", tabindex: "-1" },
    h("div", { class: "card" }, h("img", { src: "/icon.svg", alt: "", width: 56, height: 56 }),
      h("h1", null, "Syncky Receiver"), h("p", { class: "quiet" }, "Your Apple Health data, on your own machine."),
      h("form", { novalidate: true, onsubmit: submit }, h("input", { type: "text", name: "username", autocomplete: "username", value: "Syncky Receiver", hidden: true }),
        h("label", { for: "token" }, "Token"), input, error, button),
      h("div", { id: "hint", class: "hint" }, h("p", null, "No token yet? On the machine that runs the server:"),
        h("pre", null, h("code", null, "server token add browser --scope read")),
        h("p", null, "It prints the token once. With ", h("code", null, "--scope write"), " this page may also ask the phone to add records.")))));
  input.focus();
}

function start() {
  store("alone", session.persons.length === 1 ? "yes" : "no");
  const last = stored("person");
  if (last && session.persons.includes(last)) session.person = last;
  frame();
  draw(true);
}

onSignedOut(() => { if (main?.isConnected) door("The session has ended. Sign in again."); });
addEventListener("hashchange", () => { if (session.persons.length && main?.isConnected) draw(true); });
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && main?.isConnected && Date.now() - shownAt > refreshMilliseconds && !main.querySelector("form")) draw(false);
});
// Who leaves the first page open sees new data without asking, unless something in it is being read.
setInterval(() => {
  const isShown = !document.hidden && main?.isConnected && ["today", "senders"].includes(route().page);
  if (isShown && Date.now() - shownAt > refreshMilliseconds && !main.querySelector("details[open]") && !main.contains(document.activeElement)) draw(false);
}, 30000);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main")?.focus();
});

// Where one person was signed in here before, the page is asked for beside the session and not after it.
if (stored("alone") === "yes") get("types").catch(() => null);
try {
  if (await resume()) start();
  else door();
} catch (problem) {
  replace(root, h("main", { id: "main", class: "door", tabindex: "-1" }, trouble(problem)));
}
