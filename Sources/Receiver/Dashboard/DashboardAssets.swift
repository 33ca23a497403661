// Made by scripts/make-dashboard.py from dashboard/: change those files, not this one.

/// The files of the dashboard, which anyone may load: they hold no data.
package enum DashboardAssets {
    /// By path; the page is `/`.
    package static let all = [
        DashboardAsset(
            path: "/", contentType: "text/html; charset=utf-8", tag: "\"SL3z_RCddnufkSqyKsLFow\"",
            text: #"""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
                <meta name="color-scheme" content="light dark">
                <meta name="theme-color" content="#f3f4f7" media="(prefers-color-scheme: light)">
                <meta name="theme-color" content="#101216" media="(prefers-color-scheme: dark)">
                <meta name="referrer" content="same-origin">
                <title>Syncky Receiver</title>
                <link rel="icon" href="/icon.svg" type="image/svg+xml">
                <link rel="stylesheet" href="/style.css">
                <link rel="modulepreload" href="/app.js">
                <link rel="modulepreload" href="/api.js">
                <link rel="modulepreload" href="/dom.js">
                <link rel="modulepreload" href="/format.js">
                <link rel="modulepreload" href="/names.js">
                <link rel="modulepreload" href="/span.js">
                <link rel="modulepreload" href="/plot.js">
                <link rel="modulepreload" href="/marks.js">
                <link rel="modulepreload" href="/today.js">
                <link rel="modulepreload" href="/night.js">
                <link rel="modulepreload" href="/types.js">
                <link rel="modulepreload" href="/type.js">
                <link rel="modulepreload" href="/sleep.js">
                <link rel="modulepreload" href="/workouts.js">
                <link rel="modulepreload" href="/write.js">
                <link rel="modulepreload" href="/senders.js">
                <script type="module" src="/app.js"></script>
                </head>
                <body>
                <a class="skip" href="#main">Skip to content</a>
                <div id="app"></div>
                <noscript><p class="noscript">This page draws charts in your browser and needs JavaScript for it. The same numbers are in the API: see /openapi.json.</p></noscript>
                </body>
                </html>

                """#),
        DashboardAsset(
            path: "/api.js", contentType: "text/javascript; charset=utf-8", tag: "\"hHGyyIG2p8vaRrWDCbq3UA\"",
            text: #"""
                // Talks to the API of the same server, and to nothing else. The session is an HttpOnly cookie: this code never sees it.
                import { store, stored } from "./format.js";

                /** What the server answered in place of what was asked for; `status` 0 when it did not answer. */
                export class Problem extends Error {
                  constructor(status, body) {
                    super(body?.detail || body?.title || (status ? `The server answered ${status}.` : "The server does not answer."));
                    this.status = status;
                    this.code = body?.code ?? null;
                  }
                }

                /** Whose data is shown, and what the session may do. `persons` is empty while nobody is signed in. */
                export const session = { persons: [], person: null, scope: "read", types: null, zone: undefined };

                const events = new EventTarget();
                export const onSignedOut = (listener) => events.addEventListener("signedout", listener);

                async function request(method, path, body, signal) {
                  let answer;
                  try {
                    answer = await fetch(path, {
                      method, signal, credentials: "same-origin", redirect: "error", cache: "no-cache",
                      headers: body === undefined ? { Accept: "application/json" }
                        : { Accept: "application/json", "Content-Type": "application/json" },
                      body: body === undefined ? undefined : JSON.stringify(body),
                    });
                  } catch (error) {
                    if (error.name === "AbortError") throw error;
                    throw new Problem(0);
                  }
                  const isJSON = /json/.test(answer.headers.get("Content-Type") ?? "");
                  const value = isJSON ? await answer.json().catch(() => null) : null;
                  if (answer.ok) return value;
                  if (answer.status === 401 && path !== "/session") events.dispatchEvent(new Event("signedout"));
                  throw new Problem(answer.status, value);
                }

                /** The address of a question about the person who is shown. `aboutAll`: of one that knows no persons. */
                function address(path, parameters, aboutAll) {
                  const query = new URLSearchParams();
                  if (!aboutAll && session.persons.length > 1 && session.person) query.set("person", session.person);
                  for (const [name, value] of Object.entries(parameters ?? {})) {
                    if (value !== undefined && value !== null && value !== false && value !== "") query.set(name, value);
                  }
                  const text = query.toString();
                  return `/api/v1/${path}${text ? `?${text}` : ""}`;
                }

                // One page asks for the same thing in several places; within a few seconds the answer is the same.
                const recent = new Map();
                const recentMilliseconds = 5000;

                export async function get(path, parameters, signal, aboutAll) {
                  const key = address(path, parameters, aboutAll);
                  const known = recent.get(key);
                  if (known && performance.now() - known.at < recentMilliseconds) {
                    try {
                      return await known.answer;
                    } catch (error) {
                      // A page that was left takes its questions back; this one still wants the answer.
                      if (error.name !== "AbortError" || signal?.aborted) throw error;
                    }
                  }
                  const answer = request("GET", key, undefined, signal);
                  recent.set(key, { at: performance.now(), answer });
                  answer.catch(() => { if (recent.get(key)?.answer === answer) recent.delete(key); });
                  if (recent.size > 200) recent.delete(recent.keys().next().value);
                  return answer;
                }

                /** As `get`, but null where the token may not see it or the server has no such thing. */
                export const getIfAllowed = (path, parameters, signal) => get(path, parameters, signal).catch((problem) => {
                  if (problem.status === 403 || problem.status === 404) return null;
                  throw problem;
                });

                /**
                 * The types of the person, and the zone of their clock, which says what day it is. The zone is remembered, so that a page can ask for
                 * its days beside its types and not after them; `asked(zone)` does that, again where the zone turns out to be another one.
                 */
                export async function withTypes(signal, asked) {
                  const name = `zone.${session.person}`;
                  const types = get("types", null, signal);
                  const guess = stored(name);
                  const early = guess ? asked(guess) : null;
                  early?.catch(() => null);
                  const answer = await types;
                  session.zone = answer.zone;
                  if (guess === answer.zone) return [answer.types, await early];
                  store(name, answer.zone);
                  return [answer.types, await asked(answer.zone)];
                }

                /** `/status` tells of all persons of a token: here only what belongs to the one who is shown. */
                export async function status(signal) {
                  const all = await get("status", null, signal, true);
                  const endpoints = all.endpoints.filter((endpoint) => session.persons.length < 2 || endpoint.person === session.person);
                  const own = new Set(endpoints.map((endpoint) => endpoint.name));
                  const times = endpoints.map((endpoint) => endpoint.last_stored).filter(Boolean).sort();
                  return { ...all, endpoints, last_stored: times.at(-1) ?? null, rhythms: all.rhythms.filter((one) => own.has(one.endpoint)), deliveries: all.deliveries.filter((one) => own.has(one.endpoint)) };
                }

                export async function post(path, body) {
                  const answer = await request("POST", address(path, null, true), body);
                  recent.clear();
                  return answer;
                }

                export async function remove(path, parameters) {
                  await request("DELETE", address(path, parameters, true));
                  recent.clear();
                }

                export const link = (path, parameters) => address(path, parameters);

                function adopt(answer) {
                  session.persons = answer?.persons ?? [];
                  session.scope = answer?.scope ?? "read";
                  session.types = answer?.types ?? null;
                  if (!session.persons.includes(session.person)) session.person = session.persons[0] ?? null;
                }

                /** Whether a session is open. */
                export async function resume() {
                  try {
                    adopt(await request("GET", "/session"));
                    return true;
                  } catch (problem) {
                    if (problem.status === 401) return false;
                    throw problem;
                  }
                }

                export async function signIn(token) {
                  await request("POST", "/session", { token });
                  adopt(await request("GET", "/session"));
                  recent.clear();
                }

                export async function signOut() {
                  await request("DELETE", "/session");
                  recent.clear();
                  session.persons = [];
                }

                """#),
        DashboardAsset(
            path: "/app.js", contentType: "text/javascript; charset=utf-8", tag: "\"kEVqjhxg4gdh4UOZcjvxbQ\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/catalog.js", contentType: "text/javascript; charset=utf-8", tag: "\"0tx5UAvAFPuQiiJKOC5Ygw\"",
            text: #"""
                // name: [unit, values, minimum, maximum] of each type that apps may write.
                export const catalog = {
                "abdominal_cramps":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "acne":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "active_energy_burned":["kcal",null,0,20000],
                "appetite_changes":[null,["unspecified","no_change","decreased","increased"],null,null],
                "basal_body_temperature":["degC",null,25,45],
                "basal_energy_burned":["kcal",null,0,20000],
                "bladder_incontinence":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "bleeding_after_menopause":[null,["unspecified","light","medium","heavy","none"],null,null],
                "bleeding_after_pregnancy":[null,["unspecified","light","medium","heavy","none"],null,null],
                "bleeding_during_pregnancy":[null,["unspecified","light","medium","heavy","none"],null,null],
                "bloating":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "blood_alcohol_content":["%",null,0,0.1],
                "blood_glucose":["mg/dL",null,1,2000],
                "blood_pressure_diastolic":["mmHg",null,10,300],
                "blood_pressure_systolic":["mmHg",null,20,400],
                "body_fat_percentage":["%",null,0,1],
                "body_mass":["kg",null,0.2,700],
                "body_mass_index":["count",null,3,250],
                "body_temperature":["degC",null,10,47],
                "breast_pain":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "cervical_mucus_quality":[null,["dry","sticky","creamy","watery","egg_white"],null,null],
                "chest_tightness_or_pain":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "chills":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "constipation":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "contraceptive":[null,["unspecified","implant","injection","intrauterine_device","intravaginal_ring","oral","patch"],null,null],
                "coughing":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "cross_country_skiing_speed":["m/s",null,0,40],
                "cycling_cadence":["count/min",null,0,300],
                "cycling_functional_threshold_power":["W",null,0,1000],
                "cycling_power":["W",null,0,3500],
                "cycling_speed":["m/s",null,0,100],
                "diarrhea":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "dietary_biotin":["g",null,0,1],
                "dietary_caffeine":["g",null,0,20],
                "dietary_calcium":["g",null,0,50],
                "dietary_carbohydrates":["g",null,0,5000],
                "dietary_chloride":["g",null,0,200],
                "dietary_cholesterol":["g",null,0,20],
                "dietary_chromium":["g",null,0,1],
                "dietary_copper":["g",null,0,1],
                "dietary_energy_consumed":["kcal",null,0,50000],
                "dietary_fat_monounsaturated":["g",null,0,3000],
                "dietary_fat_polyunsaturated":["g",null,0,3000],
                "dietary_fat_saturated":["g",null,0,3000],
                "dietary_fat_total":["g",null,0,3000],
                "dietary_fiber":["g",null,0,1000],
                "dietary_folate":["g",null,0,1],
                "dietary_iodine":["g",null,0,1],
                "dietary_iron":["g",null,0,10],
                "dietary_magnesium":["g",null,0,50],
                "dietary_manganese":["g",null,0,10],
                "dietary_molybdenum":["g",null,0,1],
                "dietary_niacin":["g",null,0,10],
                "dietary_pantothenic_acid":["g",null,0,50],
                "dietary_phosphorus":["g",null,0,50],
                "dietary_potassium":["g",null,0,100],
                "dietary_protein":["g",null,0,3000],
                "dietary_riboflavin":["g",null,0,10],
                "dietary_selenium":["g",null,0,1],
                "dietary_sodium":["g",null,0,200],
                "dietary_sugar":["g",null,0,3000],
                "dietary_thiamin":["g",null,0,10],
                "dietary_vitamin_a":["g",null,0,1],
                "dietary_vitamin_b12":["g",null,0,1],
                "dietary_vitamin_b6":["g",null,0,10],
                "dietary_vitamin_c":["g",null,0,200],
                "dietary_vitamin_d":["g",null,0,1],
                "dietary_vitamin_e":["g",null,0,50],
                "dietary_vitamin_k":["g",null,0,1],
                "dietary_water":["mL",null,0,30000],
                "dietary_zinc":["g",null,0,10],
                "distance_cross_country_skiing":["m",null,0,500000],
                "distance_cycling":["m",null,0,1500000],
                "distance_downhill_snow_sports":["m",null,0,500000],
                "distance_paddle_sports":["m",null,0,500000],
                "distance_rowing":["m",null,0,500000],
                "distance_skating_sports":["m",null,0,700000],
                "distance_swimming":["m",null,0,300000],
                "distance_walking_running":["m",null,0,500000],
                "distance_wheelchair":["m",null,0,600000],
                "dizziness":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "dry_skin":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "electrodermal_activity":["S",null,0,0.001],
                "environmental_audio_exposure":["dBASPL",null,0,200],
                "environmental_sound_reduction":["dBASPL",null,0,100],
                "estimated_workout_effort_score":["appleEffortScore",null,0,10],
                "fainting":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "fatigue":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "fever":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "flights_climbed":["count",null,0,5000],
                "forced_expiratory_volume_1":["L",null,0,15],
                "forced_vital_capacity":["L",null,0,15],
                "generalized_body_ache":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "hair_loss":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "handwashing_event":[null,["not_applicable"],null,null],
                "headache":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "headphone_audio_exposure":["dBASPL",null,0,200],
                "heart_rate":["count/min",null,5,400],
                "heart_rate_recovery_one_minute":["count/min",null,0,250],
                "heart_rate_variability_rmssd":["ms",null,0,1000],
                "heart_rate_variability_sdnn":["ms",null,0,1000],
                "heartburn":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "height":["m",null,0.1,3],
                "hot_flashes":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "inhaler_usage":["count",null,0,1000],
                "insulin_delivery":["IU",null,0,1000],
                "intermenstrual_bleeding":[null,["not_applicable"],null,null],
                "lactation":[null,["not_applicable"],null,null],
                "lean_body_mass":["kg",null,0.2,500],
                "loss_of_smell":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "loss_of_taste":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "lower_back_pain":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "memory_lapse":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "menopausal_state":[null,["menopause","perimenopause","none"],null,null],
                "menstrual_flow":[null,["unspecified","light","medium","heavy","none"],null,null],
                "mindful_session":[null,["not_applicable"],null,null],
                "mood_changes":[null,["present","not_present"],null,null],
                "nausea":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "night_sweats":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "nike_fuel":["count",null,0,100000],
                "number_of_alcoholic_beverages":["count",null,0,100],
                "number_of_times_fallen":["count",null,0,1000],
                "ovulation_test_result":[null,["negative","luteinizing_hormone_surge","indeterminate","estrogen_surge"],null,null],
                "oxygen_saturation":["%",null,0,1],
                "paddle_sports_speed":["m/s",null,0,30],
                "peak_expiratory_flow_rate":["L/min",null,0,1500],
                "pelvic_pain":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "peripheral_perfusion_index":["%",null,0,1],
                "physical_effort":["kcal/(kg*hr)",null,0,50],
                "pregnancy":[null,["not_applicable"],null,null],
                "pregnancy_test_result":[null,["negative","positive","indeterminate"],null,null],
                "progesterone_test_result":[null,["negative","positive","indeterminate"],null,null],
                "push_count":["count",null,0,300000],
                "rapid_pounding_or_fluttering_heartbeat":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "respiratory_rate":["count/min",null,0,200],
                "resting_heart_rate":["count/min",null,10,300],
                "rowing_speed":["m/s",null,0,20],
                "running_ground_contact_time":["ms",null,0,2000],
                "running_power":["W",null,0,3000],
                "running_speed":["m/s",null,0,20],
                "running_stride_length":["m",null,0,5],
                "running_vertical_oscillation":["cm",null,0,50],
                "runny_nose":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "sexual_activity":[null,["not_applicable"],null,null],
                "shortness_of_breath":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "sinus_congestion":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "six_minute_walk_test_distance":["m",null,0,3000],
                "skipped_heartbeat":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "sleep_analysis":[null,["in_bed","asleep_unspecified","awake","asleep_core","asleep_deep","asleep_rem"],null,null],
                "sleep_changes":[null,["present","not_present"],null,null],
                "sore_throat":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "stair_ascent_speed":["m/s",null,0,10],
                "stair_descent_speed":["m/s",null,0,10],
                "steps":["count",null,0,300000],
                "swimming_stroke_count":["count",null,0,300000],
                "time_in_daylight":["min",null,0,1440],
                "toothbrushing_event":[null,["not_applicable"],null,null],
                "underwater_depth":["m",null,0,500],
                "uv_exposure":["count",null,0,50],
                "vaginal_dryness":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "vo2_max":["ml/(kg*min)",null,1,120],
                "vomiting":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "waist_circumference":["m",null,0.1,5],
                "walking_double_support_percentage":["%",null,0,1],
                "walking_speed":["m/s",null,0,10],
                "walking_step_length":["m",null,0,3],
                "water_temperature":["degC",null,-5,60],
                "wheezing":[null,["unspecified","not_present","mild","moderate","severe"],null,null],
                "workout_effort_score":["appleEffortScore",null,0,10]
                };

                """#),
        DashboardAsset(
            path: "/dom.js", contentType: "text/javascript; charset=utf-8", tag: "\"3Qr32VH1LBFZDNcEFfJCQw\"",
            text: #"""
                // Makes elements. Text is only ever set as text, never as markup, so nothing that a phone sent can become a tag.

                const svgNames = new Set(["svg", "g", "path", "rect", "circle", "line", "text", "pattern", "defs", "title", "polyline",
                  "linearGradient", "stop", "clipPath"]);

                /** An element: h("p", { class: "note", onclick: f }, "text", node, [nodes], null). */
                export function h(tag, attributes, ...children) {
                  const node = svgNames.has(tag) && tag !== "title"
                    ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
                  for (const [name, value] of Object.entries(attributes ?? {})) {
                    if (value === null || value === undefined || value === false) continue;
                    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
                    else if (name === "vars") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
                    else if (name === "value" || name === "checked" || name === "selected" || name === "hidden") node[name] = value;
                    else node.setAttribute(name, value === true ? "" : value);
                  }
                  add(node, children);
                  return node;
                }

                function add(node, children) {
                  for (const child of children) {
                    if (Array.isArray(child)) add(node, child);
                    else if (child !== null && child !== undefined && child !== false) node.append(child);
                  }
                }

                export function replace(node, ...children) {
                  node.replaceChildren();
                  add(node, children);
                  return node;
                }

                const icons = {
                  today: "M12 3v2M5.6 5.6 7 7M3 12h2M19 12h2M17 7l1.4-1.4M4 17h16M7 21h10M8 17a4 4 0 1 1 8 0",
                  types: "M4 20V10M10 20V4M16 20v-8M21 20H3",
                  sleep: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5ZM15 4h5l-5 5h5",
                  workouts: "M15.5 4.5a1.5 1.5 0 1 0 .1 0M5 12l3-4 5 1-3 5 4 3-2 4M13 9l3 3h3M9.5 15 7 18H4",
                  write: "M12 20h8M5 16 16 5l3 3L8 19l-4 1ZM14 7l3 3",
                  senders: "M7 3h10v18H7ZM11 18h2M3 8v6M21 8v6",
                  left: "M15 5l-7 7 7 7", right: "M9 5l7 7-7 7",
                  star: "M12 4l2.5 5.2 5.7.7-4.2 3.9 1.1 5.6L12 16.6l-5.1 2.8L8 13.8 3.8 9.9l5.7-.7Z",
                  warning: "M12 4 2.5 20h19ZM12 10v5M12 17.5v.1",
                  out: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
                };

                export function icon(name) {
                  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
                    h("path", { d: icons[name] }));
                }

                /**
                 * A table with a caption; the first column is the row's heading. `rows` are arrays of text or nodes. With `stacks` a narrow screen
                 * shows each row as a block; the roles are written out, since a table that is laid out otherwise loses them in some browsers.
                 */
                export function table(caption, heads, rows, stacks = false) {
                  const role = (name) => stacks ? name : null;
                  const box = h("div", { class: "scroll" },
                    h("table", { class: stacks ? "stacks" : null, role: role("table") },
                      h("caption", { class: "unseen" }, caption),
                      h("thead", { role: role("rowgroup") }, h("tr", { role: role("row") }, heads.map((head) => h("th", { scope: "col", role: role("columnheader") }, head)))),
                      h("tbody", { role: role("rowgroup") }, rows.map((row) => h("tr", { role: role("row") },
                        row.map((cell, i) => h(i ? "td" : "th", { scope: i ? null : "row", role: role(i ? "cell" : "rowheader"), "data-label": stacks && i ? heads[i] : null }, cell)))))));
                  // Keys scroll what has the focus, so what scrolls is a stop, and only then.
                  new ResizeObserver(() => {
                    const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
                    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", caption]]) {
                      if (scrolls) box.setAttribute(name, value); else box.removeAttribute(name);
                    }
                  }).observe(box);
                  return box;
                }

                /** A table that is only made when someone opens it: the text alternative of a chart. */
                export function tableView(make) {
                  const body = h("div");
                  return h("details", { class: "as-table", ontoggle: (event) => {
                    if (event.target.open) replace(body, make());
                  } }, h("summary", null, "Show as table"), body);
                }

                /** Radio buttons that look like one switch. */
                export function choice(label, name, options, value, onchange) {
                  return h("fieldset", { class: "choice" }, h("legend", { class: "unseen" }, label),
                    options.map(([key, text]) => h("label", null,
                      h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchange(key) }),
                      h("span", null, text))));
                }

                export function empty(title, ...children) {
                  return h("section", { class: "card empty" }, h("h2", null, title), children);
                }

                """#),
        DashboardAsset(
            path: "/format.js", contentType: "text/javascript; charset=utf-8", tag: "\"ErwMmmTyarMx9nrxoyICnA\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/icon.svg", contentType: "image/svg+xml", tag: "\"xzilZzX-BCV6lL9rGzVV-Q\"",
            text: #"""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round" stroke-width="4">
                <circle cx="16" cy="16" r="13" stroke="#f2545b" stroke-opacity=".25"/>
                <path d="M16 3a13 13 0 1 1-12.4 9" stroke="#f2545b"/>
                <circle cx="16" cy="16" r="7" stroke="#22a6d6" stroke-opacity=".25"/>
                <path d="M16 9a7 7 0 0 1 3 13.3" stroke="#22a6d6"/>
                </svg>

                """#),
        DashboardAsset(
            path: "/marks.js", contentType: "text/javascript; charset=utf-8", tag: "\"fBCGKWrfZsK5k9Px9_ucrA\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/names.js", contentType: "text/javascript; charset=utf-8", tag: "\"Q1wA1RU4IOl9ArWB_ixwvA\"",
            text: #"""
                // What types are called, and which belong together.

                const names = {
                  active_energy_burned: "Active energy", basal_energy_burned: "Resting energy", apple_exercise_time: "Exercise minutes",
                  apple_stand_time: "Stand minutes", apple_stand_hour: "Stand hours", apple_move_time: "Move minutes",
                  distance_walking_running: "Walking + running distance", distance_cycling: "Cycling distance", distance_swimming: "Swimming distance",
                  body_mass: "Weight", body_mass_index: "Body mass index", body_fat_percentage: "Body fat", lean_body_mass: "Lean body mass",
                  heart_rate_variability_sdnn: "Heart rate variability", heart_rate_variability_rmssd: "Heart rate variability (RMSSD)",
                  walking_heart_rate_average: "Walking heart rate", heart_rate_recovery_one_minute: "Heart rate recovery",
                  vo2_max: "Cardio fitness (VO₂ max)", oxygen_saturation: "Blood oxygen", flights_climbed: "Floors climbed",
                  environmental_audio_exposure: "Environmental sound", headphone_audio_exposure: "Headphone sound",
                  mindful_session: "Mindful minutes", sleep_analysis: "Sleep", workout: "Workouts", workout_route: "Workout routes",
                  activity_summary: "Activity rings", six_minute_walk_test_distance: "Six-minute walk", apple_walking_steadiness: "Walking steadiness",
                  apple_sleeping_wrist_temperature: "Wrist temperature", walking_asymmetry_percentage: "Walking asymmetry",
                  walking_double_support_percentage: "Double support time", gad7_assessment: "GAD-7 assessment", phq9_assessment: "PHQ-9 assessment",
                  atrial_fibrillation_burden: "Atrial fibrillation history", time_in_daylight: "Time in daylight", dietary_energy_consumed: "Energy eaten",
                  dietary_water: "Water", dietary_caffeine: "Caffeine",
                };

                /** `heart_rate` to `Heart rate`. A name that no catalog has is shown as the sender wrote it, but for its underscores. */
                export function typeName(type) {
                  if (names[type]) return names[type];
                  const words = type.replace(/^dietary_/, "").replace(/^apple_/, "").replaceAll("_", " ");
                  return words.charAt(0).toUpperCase() + words.slice(1);
                }

                export const groups = [
                  ["activity", "Activity", /steps|flights|energy_burned|exercise|stand|move_time|^distance|push_count|stroke_count|physical_effort|daylight|activity_summary|nike|effort_score/],
                  ["heart", "Heart", /heart|vo2|fibrillation|blood_pressure|cardio|perfusion|hypertension/],
                  ["sleep", "Sleep", /sleep/],
                  ["body", "Body", /^body_(?!temperature)|lean_body|height|waist|temperature|electrodermal/],
                  ["breath", "Breathing", /respiratory|oxygen|vital_capacity|expiratory|inhaler/],
                  ["mobility", "Walking and movement", /walking|stair_|six_minute|running_|cycling_|rowing_|_speed|fallen|underwater|water_temp|workout/],
                  ["food", "Food and drink", /^dietary|alcohol|insulin|glucose/],
                  ["sound", "Hearing", /audio|sound/],
                  ["mind", "Mind", /mindful|state_of_mind|gad7|phq9|mood/],
                ];

                /** The key of a type's group, which is also the name of its colour. */
                export const groupOf = (type) => groups.find(([, , pattern]) => pattern.test(type))?.[0] ?? "other";
                export const groupName = (key) => groups.find(([name]) => name === key)?.[1] ?? "Everything else";

                /** A source, `{app, device}`, in one line. */
                export function sourceName(source) {
                  if (!source) return "unknown";
                  const { device } = source;
                  // Health itself is where all of it comes from; only other apps are worth a word.
                  const app = device && /^com\.apple\./i.test(source.app ?? "") ? null : source.app;
                  if (app && device && app !== device) return `${device} · ${app}`;
                  return device ?? app ?? "unnamed source";
                }
                export const sourceKey = (source) => `${source.app ?? ""}\u0000${source.device ?? ""}`;

                const activities = { high_intensity_interval_training: "Interval training", traditional_strength_training: "Strength training",
                  functional_strength_training: "Functional strength", mind_and_body: "Mind and body" };
                export function activityName(activity) {
                  if (!activity) return "Workout";
                  const words = (activities[activity] ?? activity).replaceAll("_", " ");
                  return words.charAt(0).toUpperCase() + words.slice(1);
                }

                export const stages = [
                  ["awake", "Awake"], ["asleep_rem", "REM"], ["asleep_core", "Core"], ["asleep_deep", "Deep"], ["asleep_unspecified", "Asleep"],
                  ["in_bed", "In bed"],
                ];
                export const stageName = (stage) => stages.find(([key]) => key === stage)?.[1] ?? stage;

                """#),
        DashboardAsset(
            path: "/night.js", contentType: "text/javascript; charset=utf-8", tag: "\"cyDC0f9_2KoORZCbkqJ0lQ\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/plot.js", contentType: "text/javascript; charset=utf-8", tag: "\"63ymsSDyUoOKPx8nWvwmjA\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/senders.js", contentType: "text/javascript; charset=utf-8", tag: "\"1RzpsgWstjtZUKDRJrvlFA\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/sleep.js", contentType: "text/javascript; charset=utf-8", tag: "\"0lCvVYLsgyWP5GzBcMWxzA\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/span.js", contentType: "text/javascript; charset=utf-8", tag: "\"zKLB1naIHLGG9xVBU23Gww\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/style.css", contentType: "text/css; charset=utf-8", tag: "\"nKTkVxpB45ZHDOOcMjTX0Q\"",
            text: #"""
                /* Colours first: each pair of text and ground keeps a contrast of at least 4.5 to 1, and the test computes it. */
                :root {
                  --page: #f3f4f7; --card: #ffffff; --raised: #ffffff; --sunken: #eceef2; --ink: #15181d; --quiet: #555c68; --line: #dfe2e8; --track: #e6e8ed;
                  --link: #2450c4; --focus: #2450c4; --warn-ground: #fff3d9; --warn-line: #e5b54a; --warn-ink: #5c4100;
                  --bad: #b3261e; --bad-ground: #fde7e5; --good: #1a6b34; --good-ground: #e0f3e5; --wait-ground: #e5ebfb; --wait: #2c4aa0;
                  --sky: linear-gradient(118deg, #ffe6d5 0%, #fbe3ea 34%, #e6e4fa 68%, #dcebfb 100%); --sky-track: #ffffff99;
                  --move: #ee4f5a; --move-text: #bd2c3a; --exercise: #4fae2f; --exercise-text: #33741b; --stand: #1b9fd0; --stand-text: #0a6a90;
                  --activity: #ee5d3a; --activity-text: #b93a17; --heart: #e2366f; --heart-text: #b61f54; --sleep: #6457e0; --sleep-text: #4f43c4;
                  --body: #a24fd0; --body-text: #8436b3; --breath: #10998a; --breath-text: #0a6c61; --mobility: #e27a1d; --mobility-text: #9c4d04;
                  --food: #7d9d16; --food-text: #556c06; --sound: #3b78f2; --sound-text: #2459cf; --mind: #18a0b5; --mind-text: #0b6a79;
                  --other: #747d8c; --other-text: #555c68;
                  --series-2: #3b78f2; --series-3: #d9a017; --series-4: #a24fd0; --series-5: #8b93a1;
                  --awake: #f0874f; --rem: #45b6e0; --core: #5a6be8; --deep: #3b33a6; --asleep: #5a6be8; --inbed: #b9bfcb;
                  --heat-0: #2f6fe4; --heat-1: #1a9fc0; --heat-2: #2aa66a; --heat-3: #d6a50f; --heat-4: #ea7317; --heat-5: #d92c3a;
                  --shadow: 0 1px 2px #1a1f2b12, 0 6px 20px #1a1f2b0d;
                  --text: -apple-system, "Segoe UI Variable", "Segoe UI", Inter, Roboto, "Noto Sans", "Liberation Sans", sans-serif;
                  --figures: ui-rounded, "SF Pro Rounded", "Inter Display", Inter, "Segoe UI Variable Display", "Segoe UI", Roboto, "Noto Sans", sans-serif;
                  --code: ui-monospace, "SF Mono", "Cascadia Code", "Noto Sans Mono", "Liberation Mono", monospace;
                  color-scheme: light dark;
                }
                @media (prefers-color-scheme: dark) {
                  :root {
                    --page: #101216; --card: #191c22; --raised: #3a414d; --sunken: #23272f; --ink: #eef0f4; --quiet: #a3abb9; --line: #2d323c; --track: #2b303a;
                    --link: #9db8ff; --focus: #9db8ff; --warn-ground: #33280d; --warn-line: #8a6a1c; --warn-ink: #ffe2a0;
                    --bad: #ffb1aa; --bad-ground: #43201e; --good: #94dfa9; --good-ground: #16351f; --wait-ground: #222d4b; --wait: #b5c7ff;
                    --sky: linear-gradient(118deg, #3a2226 0%, #2f2136 34%, #21264a 68%, #17304a 100%); --sky-track: #ffffff1f;
                    --move: #ff6670; --move-text: #ff8d94; --exercise: #7ed957; --exercise-text: #96e274; --stand: #45c4f2; --stand-text: #74d3f6;
                    --activity: #ff7a55; --activity-text: #ff9a7c; --heart: #ff5c8f; --heart-text: #ff8db1; --sleep: #8b80ff; --sleep-text: #aca4ff;
                    --body: #c57bf0; --body-text: #d69df5; --breath: #2fc4b2; --breath-text: #5cd6c7; --mobility: #ff9a3d; --mobility-text: #ffb470;
                    --food: #a9cb3a; --food-text: #bddb5e; --sound: #6f9dff; --sound-text: #98b8ff; --mind: #3cc4da; --mind-text: #6fd5e5;
                    --other: #99a2b1; --other-text: #b3bac7;
                    --series-2: #6f9dff; --series-3: #ecbd48; --series-4: #c57bf0; --series-5: #8b93a1;
                    --awake: #ff9d68; --rem: #62cdf2; --core: #7d8cff; --deep: #554cd8; --asleep: #7d8cff; --inbed: #4b5361;
                    --heat-0: #5b93ff; --heat-1: #3fc0dd; --heat-2: #4fcf8e; --heat-3: #f0c53c; --heat-4: #ff9440; --heat-5: #ff5965;
                    --shadow: 0 1px 2px #0006;
                  }
                }
                .hue-move { --hue: var(--move); --hue-text: var(--move-text); } .hue-exercise { --hue: var(--exercise); --hue-text: var(--exercise-text); }
                .hue-stand { --hue: var(--stand); --hue-text: var(--stand-text); } .hue-activity { --hue: var(--activity); --hue-text: var(--activity-text); }
                .hue-heart { --hue: var(--heart); --hue-text: var(--heart-text); } .hue-sleep { --hue: var(--sleep); --hue-text: var(--sleep-text); }
                .hue-body { --hue: var(--body); --hue-text: var(--body-text); } .hue-breath { --hue: var(--breath); --hue-text: var(--breath-text); }
                .hue-mobility { --hue: var(--mobility); --hue-text: var(--mobility-text); } .hue-food { --hue: var(--food); --hue-text: var(--food-text); }
                .hue-sound { --hue: var(--sound); --hue-text: var(--sound-text); } .hue-mind { --hue: var(--mind); --hue-text: var(--mind-text); }
                .hue-other { --hue: var(--other); --hue-text: var(--other-text); }

                *, ::before, ::after { box-sizing: border-box; }
                html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
                body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 var(--text); -webkit-font-smoothing: antialiased; }
                h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset, pre { margin: 0; padding: 0; border: 0; min-width: 0; }
                ul, ol { list-style: none; }
                h1 { font: 700 30px/1.15 var(--figures); letter-spacing: -.02em; }
                h2 { font: 650 18px/1.3 var(--text); letter-spacing: -.01em; }
                h1:focus, main:focus { outline: none; }
                a { color: var(--link); text-underline-offset: 3px; text-decoration-thickness: 1px; }
                code, pre { font: 14px/1.5 var(--code); }
                code { background: var(--sunken); border-radius: 5px; padding: 2px 6px; overflow-wrap: anywhere; }
                pre { background: var(--sunken); border-radius: 10px; padding: 10px 14px; overflow-x: auto; }
                pre code { background: none; padding: 0; overflow-wrap: normal; }
                small { font-size: 13px; color: var(--quiet); }
                .quiet { color: var(--quiet); font-size: 14px; }
                .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
                .skip { position: absolute; left: -999px; top: 8px; z-index: 9; background: var(--card); padding: 8px 14px; border-radius: 10px; }
                .skip:focus { left: 8px; }
                :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
                .icon { width: 22px; height: 22px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; flex: none; }
                .noscript { max-width: 40em; margin: 3em auto; padding: 0 1em; }

                button, .button, input, select { font: inherit; color: inherit; }
                button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-height: 40px; padding: 6px 16px; border-radius: 12px; border: 1px solid var(--line); background: var(--card); color: var(--ink); text-decoration: none; cursor: pointer; }
                button:hover, .button:hover { border-color: var(--quiet); }
                button:disabled { opacity: .6; cursor: default; }
                button.primary { background: var(--ink); color: var(--page); border-color: var(--ink); font-weight: 600; }
                button.quiet { background: none; color: var(--quiet); font-size: 15px; }
                .button { padding: 6px 9px; }
                .button.off { opacity: .35; cursor: default; border-color: var(--line); }
                input, select { min-height: 42px; max-width: 100%; border: 1px solid var(--quiet); border-radius: 12px; padding: 6px 12px; background: var(--card); }
                input[aria-invalid="true"] { border-color: var(--bad); }

                /* The frame: a rail at the side, a bar at the bottom of a phone. */
                .frame { display: grid; grid-template-columns: 236px minmax(0, 1fr); min-height: 100vh; }
                .side { position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column; gap: 22px; padding: 26px 16px; }
                .brand { display: flex; gap: 11px; align-items: center; padding: 0 10px; color: var(--ink); text-decoration: none; font: 650 17px/1.2 var(--figures); letter-spacing: -.01em; }
                nav ul { display: grid; gap: 3px; }
                nav a { display: flex; gap: 13px; align-items: center; padding: 10px 12px; border-radius: 12px; color: var(--quiet); text-decoration: none; font-weight: 500; }
                nav a:hover { color: var(--ink); background: var(--sunken); }
                nav a[aria-current] { color: var(--ink); background: var(--card); box-shadow: var(--shadow); font-weight: 600; }
                .settings { margin-top: auto; display: grid; gap: 10px; }
                .settings button { justify-content: flex-start; padding: 6px 12px; border-color: transparent; }
                .person { display: grid; gap: 3px; padding: 0 10px; font-size: 13px; color: var(--quiet); }
                .person select { font-size: 15px; color: var(--ink); min-height: 38px; }
                main { container-type: inline-size; width: 100%; max-width: 1120px; padding: 30px 34px 70px 14px; display: flex; flex-direction: column; gap: 20px; }
                main[aria-busy] { opacity: .75; }
                .waiting { padding: 40px 0; color: var(--quiet); }
                .card { background: var(--card); border-radius: 20px; padding: 20px 22px; box-shadow: var(--shadow); display: flex; flex-direction: column; gap: 14px; }
                .lead { font-size: 17px; color: var(--quiet); max-width: 46em; }
                .lead b { color: var(--ink); font-weight: 650; }
                section > h2 + ul.cards { margin-top: 12px; }
                .titlebar { display: flex; flex-wrap: wrap; gap: 10px 20px; align-items: center; justify-content: space-between; }
                h1[class^="hue-"]::before { content: ""; display: inline-block; width: 12px; height: 12px; border-radius: 50%; background: var(--hue); margin-right: 12px; vertical-align: 3px; }
                .back a { display: inline-flex; align-items: center; gap: 4px; text-decoration: none; margin-left: -6px; }
                .nothing { text-align: center; color: var(--quiet); padding: 8px; }

                .warning { display: flex; gap: 14px; background: var(--warn-ground); border: 1px solid var(--warn-line); color: var(--warn-ink); border-radius: 20px; padding: 16px 20px; }
                .warning h2 { font-size: 16px; }
                .warning a { color: inherit; font-weight: 600; }
                .warning ul { margin: 4px 0; display: grid; gap: 4px; }

                /* Today. */
                .hero { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 24px; align-items: center; background: var(--sky); border-radius: 28px; padding: 30px 34px; }
                .hero .words { display: grid; gap: 10px; align-content: center; }
                .hero h1 { font-size: clamp(36px, 6cqi, 58px); line-height: 1; }
                .hero .eyebrow { font-weight: 600; }
                .hero .eyebrow, .hero .lead, .hero .quiet { color: color-mix(in srgb, var(--ink) 78%, transparent); }
                .hero .lead { font-size: 19px; }
                .hero .steppers { margin-top: 8px; }
                .hero .button { background: color-mix(in srgb, var(--card) 62%, transparent); border-color: transparent; }
                .steppers { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; }
                .period { min-width: 9em; text-align: center; font-weight: 600; font-variant-numeric: tabular-nums; }
                .ringbox { display: grid; grid-template-columns: auto auto; gap: 14px 26px; align-items: center; }
                .rings { display: block; }
                .rings circle { fill: none; stroke-linecap: round; }
                .rings .track { stroke: var(--hue); opacity: .2; }
                .rings .arc { stroke: var(--hue); }
                .rings .shade { fill: #0003; stroke: none; }
                .ringlist { display: grid; gap: 12px; }
                .ringlist dt { color: var(--ink); font-weight: 600; font-size: 15px; display: flex; align-items: center; gap: 7px; }
                .ringlist dt::before { content: ""; width: 10px; height: 10px; border-radius: 50%; background: var(--hue); }
                .ringlist b { font: 700 26px/1.1 var(--figures); letter-spacing: -.02em; }
                .ringlist span { color: color-mix(in srgb, var(--ink) 78%, transparent); font-size: 15px; white-space: nowrap; }
                .week { grid-column: 1 / -1; display: flex; justify-content: space-between; gap: 2px; }
                .week a { display: grid; justify-items: center; gap: 4px; padding: 5px 5px 6px; border-radius: 12px; color: color-mix(in srgb, var(--ink) 80%, transparent); text-decoration: none; font-size: 13px; font-weight: 600; }
                .week a[aria-current] { background: color-mix(in srgb, var(--card) 70%, transparent); color: var(--ink); }
                .week a:hover { background: color-mix(in srgb, var(--card) 50%, transparent); }

                .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(245px, 1fr)); gap: 14px; margin-bottom: 10px; }
                .cards.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); }
                .cards > li { display: grid; }
                .figurecard { color: inherit; text-decoration: none; gap: 4px; padding: 17px 20px 16px; transition: translate .15s; }
                .figurecard:hover { translate: 0 -2px; }
                .figurecard h3 { font-size: 15px; font-weight: 600; color: var(--hue-text); }
                .figure, .note, .name, .value, h1, td, .scroll th { overflow-wrap: anywhere; }
                .figure { font: 700 32px/1.15 var(--figures); letter-spacing: -.025em; font-variant-numeric: tabular-nums; }
                .figure small { font: 500 16px/1 var(--text); letter-spacing: 0; }
                .figurecard .note { font-size: 14px; line-height: 1.35; color: var(--quiet); min-height: 2.7em; }
                .spark { width: 100%; height: 44px; margin-top: auto; display: block; overflow: visible; }
                .spark .past { fill: var(--hue); opacity: .38; }
                .spark path.now { fill: var(--hue); stroke: var(--hue); }
                .spark .line { fill: none; stroke: var(--hue); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke; }
                .spark .line + .now { stroke-width: 8; stroke-linecap: round; vector-effect: non-scaling-stroke; }
                .spark .average { stroke: var(--quiet); stroke-dasharray: 2 4; vector-effect: non-scaling-stroke; opacity: .8; }
                div.spark { height: 26px; }
                .drift { color: var(--bad); }
                .steps { counter-reset: step; display: grid; gap: 18px; margin: 8px 0; }
                .steps li { counter-increment: step; padding-left: 46px; position: relative; display: grid; gap: 6px; }
                .steps li::before { content: counter(step); position: absolute; left: 0; top: -3px; width: 30px; height: 30px; border-radius: 50%; background: var(--ink); color: var(--page); display: grid; place-content: center; font-weight: 700; }

                /* Lists. */
                .searchbar { display: grid; grid-template-columns: minmax(0, 340px) auto; gap: 4px 16px; align-items: center; justify-content: start; }
                .searchbar label { grid-column: 1 / -1; font-weight: 600; font-size: 15px; }
                .typegroup { margin-bottom: 22px; }
                .typegroup h2 { font-size: 15px; color: var(--hue-text); margin: 0 0 8px 6px; display: flex; align-items: center; gap: 8px; }
                .typegroup h2::before { content: ""; width: 10px; height: 10px; border-radius: 50%; background: var(--hue); }
                .rows { background: var(--card); border-radius: 18px; box-shadow: var(--shadow); overflow: hidden; }
                .rows li + li { border-top: 1px solid var(--line); }
                .rows a { display: grid; grid-template-columns: minmax(0, 1.3fr) minmax(0, .8fr) minmax(0, 1fr); gap: 2px 14px; align-items: baseline; padding: 12px 20px; color: inherit; text-decoration: none; }
                .rows a:hover { background: var(--sunken); }
                .rows a:focus-visible { outline-offset: -3px; border-radius: 18px; }
                .rows .name { font-weight: 550; }
                .rows .value { text-align: right; font-variant-numeric: tabular-nums; font-weight: 600; }
                .rows .quiet { text-align: right; }
                .monthline { display: flex; justify-content: space-between; align-items: baseline; gap: 10px; margin: 4px 6px 8px; flex-wrap: wrap; }
                main section + section > .monthline { margin-top: 22px; }

                /* Switches. */
                .choice { display: inline-flex; background: var(--sunken); border-radius: 12px; padding: 3px; max-width: 100%; }
                .choice label { position: relative; flex: 1 1 auto; }
                .choice input { position: absolute; inset: 0; opacity: 0; margin: 0; min-height: 0; cursor: pointer; }
                .choice span { display: block; padding: 5px 13px; border-radius: 9px; font-size: 15px; color: var(--quiet); white-space: nowrap; text-align: center; }
                .choice input:checked + span { background: var(--raised); color: var(--ink); font-weight: 600; box-shadow: 0 1px 3px #0003; }
                .choice input:focus-visible + span { outline: 3px solid var(--focus); outline-offset: 1px; }
                .toolbar { display: flex; flex-wrap: wrap; gap: 10px 18px; align-items: center; justify-content: space-between; }
                .toggle[aria-pressed="true"] .icon { fill: #e2a400; stroke: #e2a400; }
                .toggle { border-color: transparent; padding: 6px 10px; }

                /* Charts. */
                .readout { display: grid; min-height: 92px; align-content: start; }
                .readout .head { color: var(--hue-text); font-weight: 600; font-size: 14px; min-height: 21px; }
                .readout .note { color: var(--quiet); font-size: 14px; min-height: 21px; }
                .plot { touch-action: pan-y; cursor: crosshair; border-radius: 10px; -webkit-user-select: none; user-select: none; }
                .plot svg { display: block; width: 100%; overflow: visible; }
                .plot .grid, .chart .grid { stroke: var(--line); stroke-width: 1; }
                .plot .upright { stroke-dasharray: 2 3; }
                .plot .axis { stroke: var(--quiet); stroke-width: 1; opacity: .7; }
                .plot .tick { fill: var(--quiet); font: 12px var(--text); font-variant-numeric: tabular-nums; }
                .plot .lane { font-size: 13px; }
                .plot .bar { fill: var(--hue); }
                .plot .series-1 { fill: color-mix(in srgb, var(--hue) 42%, var(--card)); } .plot .series-2 { fill: var(--series-2); } .plot .series-3 { fill: var(--series-3); } .plot .series-4 { fill: var(--series-4); } .plot .series-5 { fill: var(--series-5); }
                .plot .band { fill: var(--hue); opacity: .24; }
                .plot .capsules { stroke: var(--hue); opacity: .3; stroke-linecap: round; fill: none; }
                .plot .mean { fill: none; stroke: var(--hue); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
                .plot .dots { fill: none; stroke: var(--hue); stroke-width: 6; stroke-linecap: round; }
                .plot .trend { fill: none; stroke: var(--ink); stroke-width: 1.8; stroke-linejoin: round; opacity: .8; }
                .plot .average { stroke: var(--hue-text); stroke-dasharray: 5 4; stroke-width: 1.3; }
                .plot .cursor { fill: var(--ink); opacity: .09; }
                .plot .dot { fill: var(--card); stroke: var(--hue); stroke-width: 3; }
                .plot .hatch, .hatchkey { fill: var(--quiet); opacity: .28; }
                .plot .riser { stroke: var(--quiet); opacity: .55; }
                .plot .picked { stroke: var(--ink); stroke-width: 2; }
                .key { display: flex; gap: 6px 18px; align-items: center; flex-wrap: wrap; }
                .gapkey, .averagekey, .trendkey { display: none; }
                .averagekey i, .trendkey i { width: 22px; border-top: 2px dashed var(--hue-text, var(--quiet)); }
                .trendkey i { border-top: 2px solid var(--ink); }
                .gapped ~ .key .gapkey, .averaged ~ .key .averagekey, .trended ~ .key .trendkey { display: inline-flex; gap: 8px; align-items: center; }
                .hatchkey { width: 22px; height: 14px; flex: none; border-radius: 3px; opacity: 1; background: repeating-linear-gradient(135deg, var(--quiet) 0 1.5px, transparent 1.5px 6px); }
                summary { cursor: pointer; }
                .as-table summary, details > summary { color: var(--quiet); font-size: 14px; padding: 6px 0; }
                details > summary h2 { display: inline; color: var(--ink); }
                .swatch { display: inline-block; width: 12px; height: 12px; border-radius: 4px; margin-right: 9px; background: var(--hue); vertical-align: -1px; flex: none; }
                .swatch.series-1 { background: color-mix(in srgb, var(--hue) 42%, var(--card)); } .swatch.series-2 { background: var(--series-2); } .swatch.series-3 { background: var(--series-3); } .swatch.series-4 { background: var(--series-4); } .swatch.series-5 { background: var(--series-5); }
                .stage-awake { fill: var(--awake); background: var(--awake); } .stage-asleep_rem { fill: var(--rem); background: var(--rem); } .stage-asleep_core { fill: var(--core); background: var(--core); }
                .stage-asleep_deep { fill: var(--deep); background: var(--deep); } .stage-asleep_unspecified { fill: var(--asleep); background: var(--asleep); } .stage-in_bed { fill: var(--inbed); background: var(--inbed); }
                .meter.series-2 { --hue: var(--series-2); } .meter.series-3 { --hue: var(--series-3); } .meter.series-4 { --hue: var(--series-4); } .meter.series-5 { --hue: var(--series-5); }
                .meter { display: inline-block; width: 72px; height: 8px; border-radius: 4px; background: var(--track); margin-right: 10px; overflow: hidden; }
                .meter::before { content: ""; display: block; height: 100%; width: var(--share, 0%); border-radius: 4px; background: var(--hue, var(--quiet)); }
                .meter.series-1::before { background: color-mix(in srgb, var(--hue) 42%, var(--card)); }
                .meter.wide { width: min(160px, 26vw); }

                /* Tables. */
                .scroll {
                  overflow: auto; max-height: 460px; border-radius: 10px;
                  /* A shade at the side where there is more of the table. */
                  background: linear-gradient(90deg, var(--card) 50%, transparent) 0 0 / 40px 100% no-repeat local, linear-gradient(270deg, var(--card) 50%, transparent) 100% 0 / 40px 100% no-repeat local,
                    linear-gradient(90deg, #0002, transparent) 0 0 / 12px 100% no-repeat scroll, linear-gradient(270deg, #0002, transparent) 100% 0 / 12px 100% no-repeat scroll;
                }
                table { border-collapse: collapse; width: 100%; font-size: 15px; font-variant-numeric: tabular-nums; }
                th { text-align: left; font-weight: 500; }
                thead th { color: var(--quiet); font-size: 13px; position: sticky; top: 0; background: var(--card); z-index: 1; white-space: nowrap; }
                tbody th { white-space: nowrap; }
                th, td { padding: 8px 14px 8px 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
                tbody tr:last-child > * { border-bottom: 0; }
                td { white-space: nowrap; }
                td > span:not(.badge, .meter) { white-space: normal; }

                .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(118px, 1fr)); gap: 14px 18px; }
                .facts dt { color: var(--quiet); font-size: 14px; display: flex; align-items: center; }
                .facts dd { font: 650 19px/1.25 var(--figures); font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
                .facts.large dd { font-size: 25px; }
                .facts.large small { display: block; margin-top: 3px; }
                .facts small { font: 500 14px var(--text); white-space: nowrap; }
                .badge { display: inline-block; font-size: 13px; font-weight: 600; padding: 2px 9px; border-radius: 8px; background: var(--sunken); color: var(--quiet); white-space: nowrap; }
                .state-waiting, .state-new { background: var(--wait-ground); color: var(--wait); } .state-applied, .state-well { background: var(--good-ground); color: var(--good); } .state-rejected, .state-refused { background: var(--bad-ground); color: var(--bad); }
                .state-quiet { background: var(--warn-ground); color: var(--warn-ink); }
                .sender h2 { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; }
                .sender .facts dd { font-size: 17px; }
                .quietlist { display: grid; gap: 4px; font-size: 15px; }

                /* Sleep. */
                .stagebar { display: block; width: 100%; height: 16px; }
                div.spark .stagebar { height: 26px; }
                .nights a, .nights .missing, .nightaxis { display: grid; grid-template-columns: 102px minmax(0, 1fr) 118px; gap: 14px; align-items: center; padding: 6px 8px; }
                .nights a { color: inherit; text-decoration: none; border-radius: 10px; }
                .nights a:hover { background: var(--sunken); }
                .nights a[aria-current] { background: var(--sunken); box-shadow: inset 3px 0 0 var(--sleep); }
                .nights .date { font-size: 15px; white-space: nowrap; }
                .nights .sum { font-weight: 600; font-variant-numeric: tabular-nums; font-size: 15px; }
                .nights .sum small { display: block; font-weight: 400; }
                .nights .none { font-size: 13px; color: var(--quiet); background: repeating-linear-gradient(135deg, var(--line) 0 1.5px, transparent 1.5px 6px); text-align: center; border-radius: 4px; }
                .nightaxis { padding-block: 0; }
                .nightaxis div { position: relative; height: 18px; }
                .nightaxis div span { position: absolute; left: var(--at); translate: -50% 0; font-size: 12px; color: var(--quiet); white-space: nowrap; }
                .legend { display: flex; flex-wrap: wrap; gap: 6px 18px; font-size: 14px; }

                /* Workouts. */
                .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 20px; align-items: start; }
                .pair:empty { display: none; }
                .route { display: block; width: 100%; height: auto; background: var(--sunken); border-radius: 14px; }
                .route .casing { fill: none; stroke: var(--card); stroke-width: 9; stroke-linejoin: round; stroke-linecap: round; }
                .route .leg { fill: none; stroke-width: 4.5; stroke-linejoin: round; stroke-linecap: round; }
                .heat-0 { stroke: var(--heat-0); background: var(--heat-0); } .heat-1 { stroke: var(--heat-1); background: var(--heat-1); } .heat-2 { stroke: var(--heat-2); background: var(--heat-2); }
                .heat-3 { stroke: var(--heat-3); background: var(--heat-3); } .heat-4 { stroke: var(--heat-4); background: var(--heat-4); } .heat-5 { stroke: var(--heat-5); background: var(--heat-5); }
                .route .start circle { fill: var(--card); stroke: var(--good); stroke-width: 4; }
                .route circle { vector-effect: non-scaling-stroke; }
                .route .end rect { fill: var(--page); } .route .end .flag { fill: var(--ink); }
                .route .walker { fill: var(--ink); stroke: var(--card); stroke-width: 3; }
                .route .ruler path { fill: none; stroke: var(--quiet); stroke-width: 1.5; }
                .route .ruler text, .route .north text { fill: var(--quiet); font: 15px var(--text); }
                .route .north path { fill: var(--quiet); }
                .heatkey { display: flex; gap: 10px; align-items: center; font-size: 14px; color: var(--quiet); }
                .heatkey i { display: flex; flex: 1; max-width: 220px; border-radius: 4px; overflow: hidden; }
                .heatkey b { flex: 1; height: 8px; }

                /* Forms. */
                .writeform { display: flex; flex-wrap: wrap; gap: 14px; align-items: flex-end; }
                .fields { display: contents; }
                .field { display: grid; gap: 4px; position: relative; }
                .field label { font-size: 14px; font-weight: 600; }
                .field small { position: absolute; top: 1px; right: 0; }
                .writeform .error, .writeform .done { flex-basis: 100%; }
                .error { color: var(--bad); font-weight: 550; }
                .error:empty, .done:empty { display: none; }
                .done { color: var(--good); font-weight: 550; }
                .door { max-width: none; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 430px); place-content: center; padding: 20px; background: var(--sky); }
                .door .card { min-width: 0; padding: 34px 32px; gap: 12px; }
                .door form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; margin-top: 8px; }
                .door form label { font-weight: 600; }
                .door p code { white-space: nowrap; }
                .door .hint { border-top: 1px solid var(--line); padding-top: 14px; margin-top: 8px; font-size: 14px; color: var(--quiet); display: grid; gap: 8px; }

                @media (max-width: 860px) {
                  .frame { display: block; padding-bottom: calc(66px + env(safe-area-inset-bottom)); }
                  .side { position: static; height: auto; padding: 14px 16px 0; display: flex; flex-flow: row wrap; align-items: center; justify-content: space-between; gap: 8px; }
                  .settings { margin: 0; display: flex; align-items: center; gap: 6px; }
                  .person { padding: 0; } .person span { position: absolute; clip-path: inset(50%); } .person select { min-height: 36px; padding: 4px 8px; font-size: 14px; max-width: 116px; }
                  .settings button { font-size: 0; padding: 6px; min-height: 36px; gap: 0; }
                  nav { position: fixed; inset: auto 0 0; z-index: 5; background: color-mix(in srgb, var(--card) 94%, transparent); backdrop-filter: blur(12px); border-top: 1px solid var(--line); padding: 4px 4px calc(4px + env(safe-area-inset-bottom)); }
                  nav ul { grid-template-columns: repeat(6, 1fr); gap: 0; }
                  nav a { flex-direction: column; gap: 2px; font-size: 11.5px; padding: 6px 0 4px; }
                  nav a[aria-current] { background: none; box-shadow: none; color: var(--link); }
                  main { padding: 16px 14px 30px; gap: 16px; }
                  .hero { padding: 24px 20px; border-radius: 24px; }
                }
                @container (max-width: 780px) {
                  .hero { grid-template-columns: minmax(0, 1fr); }
                  .ringbox { justify-content: space-between; grid-template-columns: auto minmax(0, 1fr); gap: 14px 18px; }
                }
                @media (max-width: 560px) {
                  .brand { padding: 0; gap: 8px; } .brand span { font-size: 16px; }
                  .person select { max-width: 104px; }
                  .week { margin-inline: -8px; } .week a { padding: 5px 3px; } .week .rings { width: 30px; height: 30px; }
                  .searchbar { grid-template-columns: minmax(0, 1fr); }
                  .stacks thead { position: absolute; clip-path: inset(50%); } .stacks, .stacks tbody, .stacks tr, .stacks td, .stacks th { display: block; }
                  .stacks tr { padding: 10px 0; border-bottom: 1px solid var(--line); } .stacks tr:last-child { border: 0; }
                  .stacks tbody > tr > * { border: 0; padding: 2px 0; white-space: normal; } .stacks tbody th { font-weight: 600; }
                  .stacks tbody td { position: relative; padding-left: 112px; min-height: 28px; } .stacks td:empty { display: none; }
                  .stacks td::before { content: attr(data-label); position: absolute; left: 0; color: var(--quiet); font-size: 14px; } .scroll:has(.stacks) { max-height: 640px; }
                  .card { padding: 16px; border-radius: 18px; }
                  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; }
                  .cards.wide { grid-template-columns: 1fr; }
                  .figurecard { padding: 14px; }
                  .figurecard h3 { font-size: 14px; line-height: 1.25; }
                  .figure { font-size: 25px; } .figure small { font-size: 14px; }
                  .figurecard .note { font-size: 13px; min-height: 4em; }
                  .ringbox .rings[role] { width: 150px; height: 150px; }
                  .ringlist b { font-size: 22px; }
                  .rows a { grid-template-columns: minmax(0, 1fr) auto; padding: 11px 16px; }
                  .rows .quiet { grid-column: 1 / -1; text-align: left; font-size: 13px; }
                  .meter.wide { width: 44px; }
                  .toolbar > .choice { width: 100%; } .toolbar .steppers { width: 100%; justify-content: space-between; }
                  .choice span { padding: 5px 8px; font-size: 14px; }
                  .nights a, .nights .missing, .nightaxis { grid-template-columns: 76px minmax(0, 1fr) 62px; gap: 8px; padding-inline: 4px; }
                  .nights .date, .nights .sum { font-size: 13px; }
                  .facts { grid-template-columns: repeat(auto-fill, minmax(96px, 1fr)); }
                  .facts.large dd { font-size: 20px; }
                  .writeform .field { flex: 1 1 100%; } .writeform .fields .field { flex: 1 1 40%; } .writeform input, .writeform select, .writeform button { width: 100%; }
                }
                @media (prefers-reduced-motion: no-preference) {
                  .rings[role] .arc { animation: sweep .7s ease-out; }
                  @keyframes sweep { from { stroke-dasharray: 0 200; } }
                }
                @media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition: none !important; animation: none !important; } }
                @media (prefers-contrast: more) { :root { --quiet: var(--ink); --line: var(--quiet); } }
                @media print { .side { display: none; } .frame { display: block; } .card { box-shadow: none; break-inside: avoid; } }

                """#),
        DashboardAsset(
            path: "/today.js", contentType: "text/javascript; charset=utf-8", tag: "\"UIZa6XcaHEsBIbOBt7eWMw\"",
            text: #"""
                // The morning's page: rings, key figures with their last 30 days, and what should be looked at.
                import { getIfAllowed, session, status as askStatus, withTypes } from "./api.js";
                import { empty, h, icon, table } from "./dom.js";
                import { addDays, ago, duration, measure, number, percent, show, showAt, stored, today, wall } from "./format.js";
                import { rings, sparkline } from "./marks.js";
                import { groupOf, sourceName, typeName } from "./names.js";
                import { asleep, lengthOf, mainNights, stageBar } from "./night.js";

                export const usualFigures = ["steps", "distance_walking_running", "active_energy_burned", "sleep_analysis", "resting_heart_rate",
                  "heart_rate_variability_sdnn", "body_mass", "flights_climbed", "vo2_max"];
                /** What someone chose to see, else the usual ones. */
                export function figures() {
                  try { return JSON.parse(stored("figures")) ?? usualFigures; } catch { return usualFigures; }
                }

                const days = 30;
                const ringParts = [["move", "Move", "kcal"], ["exercise", "Exercise", "min"], ["stand", "Stand", "h"]];

                export async function todayPage({ name, signal }) {
                  const isAllowed = (type) => !session.types || session.types.includes(type);
                  const wanted = figures().filter(isAllowed);
                  // A morning's page with a part missing is better than none; which part it is gets said.
                  const missing = [];
                  const part = (text, answer) => answer.catch((problem) => {
                    if (problem.name === "AbortError" || problem.status === 401) throw problem;
                    missing.push(text);
                    return null;
                  });
                  const [types, { now, date, from, status, activity, nights, series }] = await withTypes(signal, async (zone) => {
                    const now = today(zone);
                    const date = /^\d{4}-\d\d-\d\d$/.test(name ?? "") && name <= now ? name : now;
                    const from = addDays(date, -days), to = addDays(date, 1);
                    const [status, activity, nights, ...series] = await Promise.all([
                      askStatus(signal),
                      isAllowed("activity_summary") ? part("the rings", getIfAllowed("activity", { from, to }, signal)) : null,
                      isAllowed("sleep_analysis") ? part("sleep", getIfAllowed("sleep", { from, to }, signal)) : null,
                      ...wanted.map((type) => type === "sleep_analysis" ? null : part(typeName(type), getIfAllowed("buckets", { type, by: "day", from, to }, signal))),
                    ]);
                    return { now, date, from, status, activity, nights, series };
                  });
                  if (!types.length) return { title: "Welcome", body: welcome(status) };
                  const byName = new Map(types.map((type) => [type.type, type]));
                  const night = mainNights(nights?.nights ?? []).find((one) => one.date === date) ?? null;
                  const rows = activity?.days ?? [];
                  const isToday = date === now;
                  const cards = wanted.map((type, i) => !byName.has(type) ? null : type === "sleep_analysis" ? (nights ? sleepCard(nights.nights, night, from, date) : null)
                    : series[i] ? figureCard(byName.get(type), series[i], from, date, isToday) : null).filter(Boolean);

                  const title = isToday ? "Today" : show("dayMonth", date);
                  return {
                    title,
                    body: [
                      warnings(status),
                      h("section", { class: "hero", "aria-labelledby": "day" },
                        h("div", { class: "words" },
                          h("p", { class: "eyebrow" }, isToday ? `Today, ${show("weekday", date)}` : show("weekday", date)),
                          h("h1", { id: "day", tabindex: "-1" }, show("dayMonth", date)),
                          sentence(wanted, series, night, date, isToday),
                          h("div", { class: "steppers" },
                            h("a", { class: "button", href: `#/today/${addDays(date, -1)}`, "aria-label": `The day before, ${show("day", addDays(date, -1))}` }, icon("left")),
                            isToday ? null : [h("a", { class: "button", href: addDays(date, 1) === now ? "#/today" : `#/today/${addDays(date, 1)}`,
                              "aria-label": `The day after, ${show("day", addDays(date, 1))}` }, icon("right")), h("a", { class: "button", href: "#/today" }, "Today")],
                            isToday ? h("span", { class: "quiet" }, status.last_stored ? `Last data ${ago(status.last_stored)}` : "Nothing stored yet") : null)),
                        ringsOf(rows, date, now)),
                      cards.length ? h("section", { "aria-labelledby": "figures" }, h("h2", { id: "figures" }, "Key figures"),
                        h("ul", { class: "cards" }, cards.map((card) => h("li", null, card))),
                        h("p", { class: "quiet" }, "A type's own page puts it here, or takes it away.")) : null,
                      missing.length ? h("p", { class: "error", role: "status" }, `The server could not read ${missing.join(", ")}. Reload the page to try again.`) : null,
                      agreement(rows),
                    ],
                  };
                }

                /** A day in one sentence, of what is known. */
                function sentence(wanted, series, night, date, isToday) {
                  const value = (type) => {
                    const bucket = series[wanted.indexOf(type)]?.buckets?.find((one) => one.start.startsWith(date));
                    return bucket ? bucket.sum ?? null : null;
                  };
                  const steps = value("steps"), metres = value("distance_walking_running");
                  const parts = [];
                  if (night) parts.push(h("span", null, asleep(night) ? "You slept " : "You were in bed for ", h("b", null, duration(asleep(night) ?? night.in_bed_s))));
                  const walked = steps !== null ? [h("b", null, number(steps, 0)), " steps"] : metres !== null ? [h("b", null, measure("distance_walking_running", "m").text(metres))] : null;
                  if (walked) parts.push(h("span", null, parts.length ? " and walked " : "You walked ", walked, isToday ? " so far" : ""));
                  if (!parts.length) return h("p", { class: "lead" }, isToday ? "Nothing of today has arrived yet." : "Nothing of this day is stored.");
                  return h("p", { class: "lead" }, parts, ".");
                }

                const ringValue = (ring) => ring?.phone ?? ring?.computed ?? null;

                function ringsOf(rows, date, now) {
                  const shown = ringParts.filter(([key]) => rows.some((row) => row[key]?.goal));
                  if (!shown.length) return null;
                  const byDate = new Map(rows.map((row) => [row.date, row]));
                  const part = (row, [key, text, unit], prefix = "") => {
                    const value = ringValue(row?.[key]), goal = row?.[key]?.goal ?? null;
                    return { name: key, share: value !== null && goal ? value / goal : 0,
                      label: `${prefix}${text} ${value === null ? "unknown" : number(value, 0)}${goal ? ` of ${number(goal, 0)}` : ""} ${unit}` };
                  };
                  const row = byDate.get(date);
                  const week = Array.from({ length: 7 }, (_, i) => addDays(date, i - 6));
                  return h("div", { class: "ringbox" },
                    row ? rings(shown.map((one) => part(row, one))) : rings(shown.map(([key, text]) => ({ name: key, share: 0, label: `${text} unknown` }))),
                    h("dl", { class: "ringlist" }, shown.map(([key, text, unit]) => {
                      const value = ringValue(row?.[key]), goal = row?.[key]?.goal;
                      return h("div", { class: `hue-${key}` }, h("dt", null, text),
                        h("dd", null, h("b", null, value === null ? "–" : number(value, 0)), goal ? h("span", null, ` / ${number(goal, 0)} ${unit}`) : h("span", null, ` ${unit}`)));
                    })),
                    h("ul", { class: "week", "aria-label": "The last seven days" }, week.map((one) => h("li", null,
                      h("a", { href: one === now ? "#/today" : `#/today/${one}`, "aria-current": one === date ? "date" : null,
                        "aria-label": `${show("day", one)}: ${shown.map((ring) => part(byDate.get(one), ring).label).join(", ")}` },
                      h("span", { "aria-hidden": "true" }, show("weekdayLetter", one)), hidden(rings(shown.map((ring) => part(byDate.get(one), ring)), 36)))))));
                }

                function hidden(svg) {
                  svg.removeAttribute("role");
                  svg.setAttribute("aria-hidden", "true");
                  return svg;
                }

                /** Values of 31 days, null where there is none, the last of them the day that is shown. */
                function lastDays(from, date, pairs) {
                  const byDate = new Map(pairs);
                  return Array.from({ length: days + 1 }, (_, i) => byDate.get(addDays(from, i)) ?? null);
                }
                function meanOf(values) {
                  const known = values.filter((value) => value !== null);
                  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
                }

                function comparison(value, mean, text, count, isPartial) {
                  if (mean === null) return "The first of its kind in 30 days";
                  if (value === null) return `30-day mean ${text(mean)}`;
                  if (!mean) return `30-day mean ${text(mean)}`;
                  if (isPartial) return `${percent(value / mean)} of the 30-day mean of ${text(mean)}`;
                  const change = value / mean - 1;
                  if (Math.abs(change) < 0.005) return `As the 30-day mean of ${text(mean)}`;
                  return [h("span", { class: "arrow", "aria-hidden": "true" }, change > 0 ? "▲ " : "▼ "),
                    `${percent(Math.abs(change), Math.abs(change) < 0.02)} ${change > 0 ? "above" : "below"} the 30-day mean of ${text(mean)}`];
                }

                function card(type, href, figure, unit, when, note, spark) {
                  return h("a", { class: `card figurecard hue-${groupOf(type)}`, href }, h("h3", null, typeName(type)), h("p", { class: "figure" }, figure, unit ? h("small", null, ` ${unit}`) : null),
                    h("p", { class: "note" }, when ? [when, " · "] : null, note), spark);
                }

                function figureCard(type, series, from, date, isToday) {
                  const cumulative = series.buckets.some((bucket) => bucket.sum !== undefined) || type.aggregation === "cumulative";
                  const isDuration = series.buckets.some((bucket) => bucket.seconds !== undefined);
                  const pick = (bucket) => bucket.sum ?? bucket.seconds ?? bucket.mean;
                  const values = lastDays(from, date, series.buckets.map((bucket) => [bucket.start.slice(0, 10), pick(bucket)]));
                  const how = measure(type.type, isDuration ? "s" : series.unit, Math.max(0, ...values));
                  // Of what is measured, the newest value is the figure, and the day it is of is said when it is another one.
                  const newest = series.buckets.at(-1);
                  const adds = cumulative || isDuration;
                  const value = adds ? values.at(-1) : newest ? newest.last ?? newest.mean : null;
                  if (value === null && !newest) return null;
                  const when = !adds && newest && !newest.start.startsWith(date) ? show("dayMonthShort", newest.start) : null;
                  const before = values.slice(0, -1);
                  const mean = meanOf(adds || when === null ? before : values);
                  return card(type.type, `#/types/${encodeURIComponent(type.type)}?range=month&at=${date}`, value === null ? "–" : how.figure(value), value === null ? "" : how.unit,
                    when ?? (value === null ? "Nothing yet" : null), comparison(value, mean, how.text, days, adds && isToday),
                    sparkline(values, adds ? "bars" : "line", mean));
                }

                function sleepCard(nights, night, from, date) {
                  const main = mainNights(nights);
                  const values = lastDays(from, date, main.map((one) => [one.date, asleep(one)]));
                  const mean = meanOf(values.slice(0, -1));
                  if (!night && mean === null) return null;
                  return card("sleep_analysis", night ? `#/sleep?night=${night.date}` : "#/sleep", night && asleep(night) ? duration(night.asleep_s) : "–", "",
                    night ? `${asleep(night) ? "" : `${lengthOf(night)}, `}${show("time", wall(night.start).wall)} – ${show("time", wall(night.end).wall)}` : "Not of last night",
                    comparison(night ? asleep(night) : null, mean, duration), night ? h("div", { class: "spark" }, stageBar(night)) : sparkline(values, "bars", mean));
                }

                /** Whether the samples come to what the phone says, day by day. */
                function agreement(rows) {
                  const known = rows.filter((row) => ringParts.some(([key]) => row[key]?.phone != null && row[key]?.computed != null)).slice(-14).reverse();
                  if (!known.length) return null;
                  const move = known.filter((row) => row.move?.phone && row.move.computed != null && row.date !== today(session.zone));
                  const off = move.length ? move.reduce((sum, row) => sum + Math.abs(row.move.computed - row.move.phone), 0) / move.reduce((sum, row) => sum + row.move.phone, 0) : null;
                  const cell = (ring) => ring?.phone == null || ring.computed == null ? "–"
                    : [`${number(ring.computed, 0)} / ${number(ring.phone, 0)}`, Math.abs(ring.drift ?? 0) / (ring.phone || 1) > 0.01 ? h("span", { class: "drift" }, ` ${ring.drift > 0 ? "+" : "−"}${number(Math.abs(ring.drift), 0)}`) : null];
                  return h("section", { class: "card", "aria-labelledby": "agreement" }, h("h2", { id: "agreement" }, "Do the totals match the phone?"),
                    h("p", null, off === null ? "The phone's own rings beside what the stored samples come to." : off < 0.0005
                      ? `Yes: over the last ${move.length} days active energy is what the phone's own rings say.` : off < 0.01
                      ? `Yes: over the last ${move.length} days active energy is within ${percent(off, true)} of the phone's own rings.`
                      : `Over the last ${move.length} days active energy is ${percent(off, true)} off the phone's own rings.`),
                    h("details", null, h("summary", null, "Day by day: samples / phone"),
                      table("Samples and the phone's rings, day by day", ["Day", "Move (kcal)", "Exercise (min)", "Stand (h)", "What explains it"], known.map((row) => [show("day", row.date),
                        cell(row.move), cell(row.exercise), cell(row.stand), explained(row)]))));
                }

                function explained(row) {
                  const source = ringParts.map(([key]) => row[key]?.explained_by).find(Boolean);
                  return source ? sourceName(source) : "";
                }

                function warnings(status) {
                  const found = [
                    ...(status.rhythms).filter((rhythm) => rhythm.quiet).map((rhythm) =>
                      `${typeName(rhythm.type)} from ${rhythm.endpoint}: nothing new since ${showAt("full", rhythm.last_stored, session.zone)}, which is longer than ever before.`),
                    ...(status.warnings).filter((warning) => warning.code !== "quiet").map((warning) => warning.message),
                  ];
                  if (!found.length) return null;
                  return h("section", { class: "warning", "aria-labelledby": "look" }, icon("warning"), h("div", null, h("h2", { id: "look" }, found.length === 1 ? "Look at this" : `Look at these ${found.length} things`),
                    h("ul", null, found.slice(0, 3).map((text) => h("li", null, text))), h("p", null, h("a", { href: "#/senders" }, found.length > 3 ? `All ${found.length}, and the senders' health` : "The senders' health"))));
                }

                /** A server that has nothing yet: what to do. */
                function welcome(status) {
                  const endpoints = status.endpoints;
                  const name = endpoints[0]?.name ?? "phone";
                  const step = (text, command, more) => h("li", null, h("p", null, text), command ? h("pre", null, h("code", null, command)) : null, more ? h("p", { class: "quiet" }, more) : null);
                  return [h("h1", { tabindex: "-1" }, "Welcome"), empty("Nothing has arrived yet", h("p", null, "Pair a phone and this page fills by itself."),
                    h("ol", { class: "steps" },
                      endpoints.length ? null : step("Give the phone a place to send to:", "server init phone"),
                      step("Show the pairing code on the machine that runs the server:", `server link ${name}`, "It prints a QR code and a link. They hold a secret: show them to your phone alone."),
                      step("Scan it with the iPhone's camera, choose what to send, and tap Sync.", null, "The first sync of years of data takes a while."),
                      step("Something in between? This says what:", `server check ${name}`)),
                    h("p", null, "Only want to look around? ", h("code", null, "server demo"), " fills a store of its own with a year of invented data."))];
                }

                """#),
        DashboardAsset(
            path: "/type.js", contentType: "text/javascript; charset=utf-8", tag: "\"6GIHXZ8ZxCczBeRfcri1UQ\"",
            text: #"""
                // One type: its chart from a day to all of it, what each source adds, and its newest records.
                import { get, getIfAllowed, session, withTypes } from "./api.js";
                import { choice, h, icon, replace, table } from "./dom.js";
                import { measure, number, percent, show, store, today, wallAt, isoDate } from "./format.js";
                import { figures } from "./today.js";
                import { groupOf, sourceKey, sourceName, typeName } from "./names.js";
                import { Plot } from "./plot.js";
                import { fill, ranges, slots, span } from "./span.js";
                import { timeOf, valueOf } from "./types.js";

                /** The bucket that is as long as a range: its mean is the API's own. */
                const wholes = { day: "day", week: "week", month: "month", year: "year" };
                const rules = [["priority", "As the Health app"], ["highest-source", "Highest source a day"]];

                export async function typePage({ name, query, signal }) {
                  const asked = query.get("range"), wish = query.get("at");
                  const rule = query.get("merge") === "highest-source" ? "highest-source" : null;
                  const [types] = await withTypes(signal, async (zone) => {
                    if (!wholes[asked]) return;
                    // The first chart needs no types: where the address says what it shows, it is asked for at once, and found again below.
                    const { from, to, by } = span(asked, /^\d{4}-\d\d-\d\d$/.test(wish ?? "") ? wish : today(zone), null, today(zone));
                    get("buckets", { type: name, by, from, to, merge: rule }, signal).catch(() => null);
                  });
                  const { zone } = session;
                  const type = types.find((one) => one.type === name);
                  if (!type) {
                    return { title: typeName(name), body: [h("h1", { tabindex: "-1" }, typeName(name)), h("section", { class: "card" },
                      h("p", null, "Nothing of this type is stored."), h("p", null, h("a", { href: "#/types" }, "All types")))] };
                  }
                  const now = today(zone), hourNow = new Date(wallAt(Date.now(), zone)).toISOString().slice(0, 13);
                  const range = ranges.some(([key]) => key === asked) ? asked : type.samples < 40 ? "all" : "month";
                  const merge = rule ?? "priority";
                  const first = type.first ? isoDate(wallAt(type.first, zone)) : null;
                  const last = type.last ? isoDate(wallAt(type.last, zone)) : now;
                  const at = /^\d{4}-\d\d-\d\d$/.test(wish ?? "") ? wish : last < now ? last : now;
                  const view = span(range, at, first, now > last ? now : last);
                  const to = (change) => {
                    const next = new URLSearchParams({ range, at, ...change });
                    if ((change.merge ?? merge) === "priority") next.delete("merge"); else next.set("merge", "highest-source");
                    return `#/types/${encodeURIComponent(name)}?${next}`;
                  };
                  const go = (change) => { location.hash = to(change); };

                  const adds = type.aggregation === "cumulative";
                  const question = { type: name, by: view.by, from: view.from, to: view.to, merge: adds ? rule : null };
                  const whole = wholes[range];
                  const [series, total] = await Promise.all([
                    get("buckets", question, signal),
                    whole && !adds ? get("buckets", { ...question, by: whole }, signal) : null,
                  ]);
                  const withSources = getIfAllowed("buckets", { ...question, sources: true }, signal);

                  const plot = new Plot(chart(type, view, series, total, first, hourNow));
                  const legend = h("section", { class: "card", "aria-labelledby": "sources" }, h("h2", { id: "sources" }, "Sources"), h("p", { class: "quiet" }, "Loading …"));
                  withSources.then((detailed) => {
                    if (signal.aborted || !detailed) return;
                    const sources = sourcesOf(detailed);
                    if (adds && sources.length > 1) plot.update(chart(type, view, detailed, total, first, hourNow, sources));
                    replace(legend, sourceTable(type, detailed, sources, adds, merge));
                  }, (problem) => { if (problem.name !== "AbortError") replace(legend, h("h2", { id: "sources" }, "Sources"), h("p", null, problem.message)); });

                  const step = (date, side, text) => date ? h("a", { class: "button", href: to({ at: date }), "aria-label": text }, icon(side))
                    : h("span", { class: "button off", "aria-hidden": "true" }, icon(side));
                  const body = [
                    h("div", { class: "titlebar" }, h("h1", { tabindex: "-1", class: `hue-${groupOf(name)}` }, typeName(name)), figureSwitch(name)),
                    h("section", { class: "card", "aria-label": "Chart" },
                      h("div", { class: "toolbar" },
                        choice("Range", "range", ranges, range, (key) => go({ range: key })),
                        h("div", { class: "steppers" }, step(view.previous, "left", `Earlier ${range}`), h("strong", { class: "period" }, view.title), step(view.next, "right", `Later ${range}`)),
                        adds ? choice("Where several sources were there", "merge", rules, merge, (key) => go({ merge: key })) : null),
                      plot.element,
                      series.buckets.length ? null : h("p", { class: "nothing" }, "Nothing of this type is stored for this time. ",
                        type.last ? h("a", { href: to({ at: last }) }, `The newest is of ${show("date", last)}`) : null),
                      series.unconverted ? h("p", { class: "quiet" }, `${number(series.unconverted, 0)} samples have a unit that can't be converted, and are left out.`) : null,
                      h("p", { class: "quiet key" }, h("span", { class: "gapkey" }, h("span", { class: "hatchkey", "aria-hidden": "true" }), "no data"), h("span", { class: "averagekey" }, h("i", { "aria-hidden": "true" }), "mean"),
                        h("span", { class: "trendkey" }, h("i", { "aria-hidden": "true" }), "mean of 7 days"), h("span", null, "Arrow keys, a finger or the pointer read the chart."))),
                    legend,
                    records(name),
                  ];
                  return { title: `${typeName(name)}, ${view.title}`, body };
                }

                // What happens now and then has no gaps.
                const nowAndThen = /^dietary_|alcohol|insulin|inhaler|fallen|distance_(?!walking)|stroke_count|push_count/;

                /** What the plot is told for a series; with `sources` its bars are split among them. */
                function chart(type, view, series, total, first, now, sources) {
                  const { buckets } = series;
                  const isDuration = buckets.some((bucket) => bucket.seconds !== undefined);
                  const isBars = isDuration || type.aggregation === "cumulative" || buckets.some((bucket) => bucket.sum !== undefined);
                  const value = (bucket) => bucket === null ? null : bucket.sum ?? bucket.seconds ?? bucket.mean ?? null;
                  const how = measure(type.type, isDuration || isBars && series.unit === null && type.kind !== "quantity" ? "s" : series.unit ?? "",
                    Math.max(0, ...buckets.map(value)));
                  const filled = fill(slots(view), buckets, view.by, session.zone).map((slot) => ({
                    ...slot, value: value(slot.bucket), low: slot.bucket?.min ?? null, high: slot.bucket?.max ?? null,
                    parts: sources && slot.bucket?.sources ? sources.map((source) => slot.bucket.sources.find((one) => sourceKey(one) === source.key)?.counted ?? 0) : undefined,
                    outside: slot.key > now.slice(0, slot.key.length) || first !== null && (slot.end ?? slot.key).slice(0, 10) < first,
                  }));
                  const sum = buckets.reduce((all, bucket) => all + (value(bucket) ?? 0), 0);
                  const each = { hour: "hour", day: "day", week: "week", month: "month", year: "year" }[view.by];
                  const one = total?.buckets.length === 1 ? total.buckets[0] : null;
                  const days = view.by === "day" ? buckets.length : null;
                  const average = isBars ? (days ? sum / days : null) : one?.mean ?? null;
                  const range = (bucket) => bucket.min === bucket.max ? `${number(bucket.samples, 0)} sample${bucket.samples === 1 ? "" : "s"}`
                    : `${how.figure(bucket.min)} to ${how.text(bucket.max)} · ${number(bucket.samples, 0)} samples`;
                  const readout = (slot) => {
                    if (slot) {
                      if (slot.value === null) return { head: slot.outside ? " " : "No data", figure: "–", note: slot.text };
                      return { head: isBars ? "Total" : "Mean", figure: how.figure(slot.value), unit: how.unit,
                        note: isBars ? [slot.text, sources && slot.parts ? slot.parts.flatMap((part, i) => part > 0 ? [`${sources[i].name} ${how.figure(part)}`] : []).join(" + ") : null].filter(Boolean).join(" · ")
                          : `${slot.text} · ${range(slot.bucket)}` };
                    }
                    if (!buckets.length) return { head: isBars ? "Total" : "Mean", figure: "–", note: view.title };
                    if (isBars) {
                      return days && view.range !== "day" ? { head: "Mean of a day", figure: how.figure(average), unit: how.unit, note: `${how.text(one?.sum ?? one?.seconds ?? sum)} in ${number(days, 0)} day${days === 1 ? "" : "s"} with data` }
                        : { head: "Total", figure: how.figure(one?.sum ?? one?.seconds ?? sum), unit: how.unit, note: view.title };
                    }
                    const low = Math.min(...buckets.map((bucket) => bucket.min)), high = Math.max(...buckets.map((bucket) => bucket.max));
                    if (one) return { head: "Mean", figure: how.figure(one.mean), unit: how.unit, note: `${range(one)} · last ${how.text(one.last)}` };
                    return { head: low === high ? "Value" : "Range", figure: low === high ? how.figure(low) : `${how.figure(low)} – ${how.figure(high)}`, unit: how.unit, note: view.title };
                  };
                  return {
                    mode: isBars ? "bars" : "band", slots: filled, measure: how, hue: groupOf(type.type),
                    average: view.by === "day" && view.range !== "year" ? average : view.range === "day" ? null : average,
                    trend: isBars && view.range === "year" ? 7 : 0, hatch: isBars ? !isDuration && view.by !== "hour" && !nowAndThen.test(type.type) : true, readout,
                    label: `${typeName(type.type)}${how.unit ? ` in ${how.unit}` : ""}, by ${each}, ${view.title}`,
                    heads: isBars ? ["When", "Total", "Samples"] : ["When", "Mean", "Lowest", "Highest", "Last", "Samples"],
                    row: (slot) => isBars ? [slot.text, how.text(slot.value), number(slot.bucket.samples, 0)]
                      : [slot.text, how.text(slot.value), how.text(slot.bucket.min), how.text(slot.bucket.max), how.text(slot.bucket.last), number(slot.bucket.samples, 0)],
                  };
                }

                /** The sources of a series, in the order in which they count. */
                function sourcesOf(series) {
                  const found = new Map();
                  for (const bucket of series.buckets) {
                    for (const share of bucket.sources ?? []) {
                      const key = sourceKey(share);
                      const source = found.get(key) ?? { key, name: sourceName(share), value: 0, counted: 0, samples: 0, weighted: 0 };
                      source.value += share.value;
                      source.counted += share.counted ?? 0;
                      source.samples += share.samples;
                      source.weighted += share.value * share.samples;
                      found.set(key, source);
                    }
                  }
                  return [...found.values()];
                }

                function sourceTable(type, series, sources, adds, merge) {
                  const head = h("h2", { id: "sources" }, "Sources");
                  if (!sources.length) return [head, h("p", { class: "quiet" }, "No source in this time.")];
                  const isDuration = series.buckets.some((bucket) => bucket.seconds !== undefined);
                  const how = measure(type.type, isDuration ? "s" : series.unit ?? "", Math.max(...sources.map((source) => source.value)));
                  const counted = sources.reduce((sum, source) => sum + source.counted, 0);
                  const all = sources.reduce((sum, source) => sum + source.value, 0);
                  const samples = sources.reduce((sum, source) => sum + source.samples, 0);
                  const swatch = (source, i) => [h("i", { class: `swatch series-${Math.min(i, 5)} hue-${groupOf(type.type)}`, "aria-hidden": "true" }), source.name];
                  const meter = (share, i) => [h("span", { class: `meter series-${Math.min(i, 5)}${i < 2 ? ` hue-${groupOf(type.type)}` : ""}`, "aria-hidden": "true", vars: { "--share": `${(share * 100).toFixed(1)}%` } }), percent(share, share < 0.1)];
                  if (!adds) {
                    return [head, table("Sources", ["Source", ...isDuration ? [] : ["Mean"], "Share of samples", "Samples"], sources.map((source, i) => [swatch(source, i), ...isDuration ? [] : [how.text(source.weighted / source.samples)],
                      meter(samples ? source.samples / samples : 0, i), number(source.samples, 0)]))];
                  }
                  return [head, h("p", null, sources.length === 1 ? "One source: all of it counts."
                    : all > counted * 1.001 ? [`Added up, they would come to ${how.text(all)}. `, h("b", null, how.text(counted)), " count, since ", merge === "priority"
                      ? "of sources that measured at the same time only the first in this list does." : "of each day only the source with the highest total does."]
                      : "They never measured at the same time: all of it counts."),
                  table("Sources, in the order in which they count", ["Source", "Counts", "Share", "Measured", "Samples"], sources.map((source, i) => [swatch(source, i), how.text(source.counted),
                    meter(counted ? source.counted / counted : 0, i), how.text(source.value), number(source.samples, 0)])),
                  h("p", { class: "quiet" }, "Another order? ", h("code", null, "server sources"), " sets it.")];
                }

                function figureSwitch(name) {
                  const button = h("button", { type: "button", class: "quiet toggle", onclick: () => {
                    const chosen = figures();
                    store("figures", JSON.stringify(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]));
                    draw();
                  } });
                  const draw = () => {
                    const on = figures().includes(name);
                    button.setAttribute("aria-pressed", String(on));
                    replace(button, icon("star"), on ? "On today's page" : "Show on today's page");
                  };
                  draw();
                  return button;
                }

                /** The newest records as they came, asked for when someone looks. */
                function records(name) {
                  const body = h("div", null, h("p", { class: "quiet" }, "Loading …"));
                  let cursor = null, rows = [];
                  const load = async () => {
                    try {
                      const answer = await get("samples", { type: name, order: "desc", limit: 50, cursor });
                      rows = [...rows, ...answer.samples];
                      cursor = answer.next;
                      replace(body, table("Newest records", ["Time", "Value", "Source", "Arrived", "Through"], rows.map((sample) => [timeOf(sample), valueOf(sample) || "–",
                        sourceName(sample.source), sample.received_at ? show("full", wallAt(sample.received_at, session.zone)) : "–", sample.endpoint ?? "–"])),
                      cursor ? h("button", { type: "button", onclick: load }, "Older records") : null);
                    } catch (problem) { replace(body, h("p", null, problem.message)); }
                  };
                  return h("section", { class: "card" }, h("details", { ontoggle: (event) => { if (event.target.open && !rows.length) load(); } },
                    h("summary", null, h("h2", null, "Records as they arrived")), body));
                }

                """#),
        DashboardAsset(
            path: "/types.js", contentType: "text/javascript; charset=utf-8", tag: "\"xdQcFHSbDOcH9WLwx6Nemw\"",
            text: #"""
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

                """#),
        DashboardAsset(
            path: "/workouts.js", contentType: "text/javascript; charset=utf-8", tag: "\"qlmJRv83yFkTugN9V--_vg\"",
            text: #"""
                // Workouts: the list, and one with its curve, its route drawn without a map, and its splits.
                import { get, link, session } from "./api.js";
                import { choice, empty, h, icon, replace, table } from "./dom.js";
                import { clock, distance, distanceUnit, duration, measure, number, show, units, wall } from "./format.js";
                import { metres, routeDrawing } from "./marks.js";
                import { activityName, sourceName } from "./names.js";
                import { Plot } from "./plot.js";

                const beats = measure("heart_rate", "count/min");

                export async function workoutsPage({ signal }) {
                  const list = h("div");
                  let rows = [], cursor = null;
                  const load = async () => {
                    const answer = await get("workouts", { limit: 100, cursor }, signal);
                    rows = [...rows, ...answer.workouts];
                    cursor = answer.next;
                    draw();
                  };
                  const draw = () => {
                    const months = Map.groupBy ? Map.groupBy(rows, (one) => one.start.slice(0, 7)) : rows.reduce((map, one) => map.set(one.start.slice(0, 7), [...map.get(one.start.slice(0, 7)) ?? [], one]), new Map());
                    replace(list, [...months].map(([month, members]) => h("section", { "aria-label": show("month", `${month}-01`) },
                      h("div", { class: "monthline" }, h("h2", null, show("month", `${month}-01`)), h("span", { class: "quiet" },
                        `${members.length} workout${members.length === 1 ? "" : "s"}, ${duration(members.reduce((sum, one) => sum + one.duration_s, 0))}`)),
                      h("ul", { class: "rows workoutrows" }, members.map((one) => h("li", null, h("a", { href: address(one) },
                        h("span", { class: "name" }, activityName(one.activity), one.has_route ? h("small", null, " with route") : null),
                        h("span", { class: "value" }, one.distance_m ? distance(one.distance_m) : one.energy_kcal ? `${number(one.energy_kcal, 0)} kcal` : ""),
                        h("span", { class: "quiet" }, `${show("full", wall(one.start).wall)} · ${duration(one.duration_s)}${one.distance_m && one.energy_kcal ? ` · ${number(one.energy_kcal, 0)} kcal` : ""}`))))))),
                    cursor ? h("button", { type: "button", onclick: load }, "Older workouts") : null);
                  };
                  await load();
                  return { title: "Workouts", body: [h("h1", { tabindex: "-1" }, "Workouts"), rows.length ? list
                    : empty("No workouts yet", h("p", null, "They appear here when the phone sends the type ", h("code", null, "workout"), "; routes need ", h("code", null, "workout_route"), ", curves ", h("code", null, "heart_rate"), "."))] };
                }

                const address = (one) => `#/workouts/${encodeURIComponent(one.uuid)}?device=${encodeURIComponent(one.device)}`;

                export async function workoutPage({ name, query, signal }) {
                  const device = query.get("device");
                  const path = `workouts/${encodeURIComponent(name)}`;
                  const workout = await get(path, { device }, signal);
                  const start = wall(workout.start), shift = start.wall - start.at;
                  const title = activityName(workout.activity);
                  const route = workout.route ?? [], curve = workout.heart_rate;
                  const drawing = route.length > 1 ? routePart(workout, route, curve) : null;
                  const heart = curve?.points?.length ? heartPart(workout, curve, shift, (moment) => drawing?.mark(moment)) : null;
                  return {
                    title: `${title}, ${show("date", start.wall)}`,
                    body: [
                      h("p", { class: "back" }, h("a", { href: "#/workouts" }, icon("left"), "Workouts")),
                      h("h1", { tabindex: "-1", class: "hue-mobility" }, title),
                      h("p", { class: "lead" }, `${show("weekday", start.wall)}, ${show("fullYear", start.wall)} – ${show("time", wall(workout.end).wall)} · ${sourceName(workout.source)}`),
                      h("section", { class: "card", "aria-label": "Figures" }, facts(workout, route, curve)),
                      h("div", { class: "pair" }, drawing?.element, heart),
                      splitsPart(workout),
                      route.length > 1 ? h("p", { class: "links" }, "Take the route elsewhere: ", h("a", { href: link(`${path}.gpx`, { device }), download: "" }, "GPX"), " ", h("a", { href: link(`${path}.geojson`, { device }), download: "" }, "GeoJSON")) : null,
                    ],
                  };
                }

                const paceActivities = /run|walk|hik/;
                /** Seconds a metre as a pace, or as a speed where people speak of speed. */
                function pace(workout, metresDone, seconds) {
                  if (!metresDone || !seconds) return "–";
                  const [length, unit] = distanceUnit();
                  return paceActivities.test(workout.activity ?? "") ? `${clock(seconds / metresDone * length)} /${unit}` : `${number(metresDone / seconds * 3600 / length, 1)} ${unit}/h`;
                }

                function facts(workout, route, curve) {
                  const fact = (name, text) => text && text !== "–" ? h("div", null, h("dt", null, name), h("dd", null, text)) : null;
                  const climbs = (workout.splits?.km ?? []).map((split) => split.climb_m).filter((climb) => climb !== null && climb !== undefined);
                  const climb = climbs.length ? climbs.reduce((a, b) => a + b, 0) : null;
                  return h("dl", { class: "facts large" }, fact("Duration", clock(workout.duration_s)), fact("Distance", workout.distance_m ? distance(workout.distance_m) : null),
                    fact(paceActivities.test(workout.activity ?? "") ? "Pace" : "Speed", workout.distance_m ? pace(workout, workout.distance_m, workout.duration_s) : null),
                    fact("Energy", workout.energy_kcal ? `${number(workout.energy_kcal, 0)} kcal` : null),
                    fact("Heart rate", curve ? [beats.text(curve.mean), h("small", null, ` ${number(curve.min, 0)} – ${number(curve.max, 0)}`)] : null),
                    fact("Climb", climb ? units === "us" ? `${number(climb * 3.28084, 0)} ft` : `${number(climb, 0)} m` : null));
                }

                function heartPart(workout, curve, shift, follow) {
                  const points = curve.points.map(([time, value]) => [Date.parse(time), value]);
                  const start = wall(workout.start).at, end = Math.max(wall(workout.end).at, start + 1000);
                  // As many slots as a curve of this many points fills, at most one for two pixels of a phone.
                  const count = Math.min(240, Math.max(12, Math.round(points.length / 1.5)));
                  const length = (end - start) / count;
                  const filled = Array.from({ length: count }, () => []);
                  for (const [at, value] of points) filled[Math.min(count - 1, Math.max(0, Math.floor((at - start) / length)))].push(value);
                  const minutes = (end - start) / 60000;
                  const step = [1, 2, 5, 10, 15, 30, 60, 120].find((one) => minutes / one <= 7) ?? 240;
                  const slots = filled.map((values, i) => {
                    const from = Math.floor(i * length / 60000 / step), before = i ? Math.floor((i - 1) * length / 60000 / step) : -1;
                    return { text: `${clock(i * length / 1000)} in, ${show("time", start + i * length + shift)}`, tick: from !== before ? `${from * step}` : "", at: start + (i + 0.5) * length,
                      value: values.length ? values.reduce((a, b) => a + b, 0) / values.length : null, low: values.length ? Math.min(...values) : null, high: values.length ? Math.max(...values) : null };
                  });
                  const plot = new Plot({
                    mode: "band", slots, measure: beats, hue: "heart", height: 220, average: curve.mean, label: "Heart rate during the workout, over minutes", caption: "Heart rate during the workout",
                    readout: (slot) => slot ? { head: slot.value === null ? "No data" : "Heart rate", figure: slot.value === null ? "–" : number(slot.value, 0), unit: "bpm", note: slot.text }
                      : { head: "Heart rate", figure: number(curve.mean, 0), unit: "bpm", note: `${number(curve.min, 0)} to ${number(curve.max, 0)} bpm, by minutes` },
                    heads: ["When", "Mean", "Lowest", "Highest"], row: (slot) => [slot.text, beats.text(slot.value), beats.text(slot.low), beats.text(slot.high)],
                    picked: (index) => follow(index === null ? null : slots[index].at),
                  });
                  return h("section", { class: "card", "aria-labelledby": "heart" }, h("h2", { id: "heart" }, "Heart rate"), plot.element);
                }

                function routePart(workout, route, curve) {
                  const speeds = smoothed(route);
                  const pulses = curve?.points?.length ? nearest(route, curve.points) : null;
                  const modes = [...pulses ? [["heart", "Heart rate"]] : [], ["speed", paceActivities.test(workout.activity ?? "") ? "Pace" : "Speed"]];
                  const box = h("div"), legend = h("p", { class: "heatkey" });
                  const part = { element: null, mark: () => {} };
                  const draw = (mode) => {
                    const drawn = routeDrawing(route, mode === "heart" ? pulses : speeds, `The route of ${distance(workout.distance_m)}, drawn without a map, north is up, coloured by ${mode === "heart" ? "heart rate" : "speed"}.`);
                    part.mark = drawn.mark;
                    replace(box, drawn.element);
                    const text = (value) => value === undefined ? "" : mode === "heart" ? beats.text(value) : pace(workout, value, 1);
                    replace(legend, h("span", null, text(drawn.low)), h("i", { "aria-hidden": "true" }, Array.from({ length: 6 }, (_, i) => h("b", { class: `heat-${i}` }))), h("span", null, text(drawn.high)));
                  };
                  draw(modes[0][0]);
                  part.element = h("section", { class: "card", "aria-labelledby": "route" }, h("div", { class: "titlebar" }, h("h2", { id: "route" }, "Route"),
                    modes.length > 1 ? choice("Colour", "colour", modes, modes[0][0], draw) : null), box, legend,
                  h("p", { class: "quiet" }, "The circle is the start, the square the end."));
                  return part;
                }

                /** Metres a second at each point, over about 20 seconds: single fixes jump. */
                function smoothed(route) {
                  const times = route.map(([time]) => Date.parse(time) / 1000);
                  const along = [0];
                  for (let i = 1; i < route.length; i += 1) along.push(along[i - 1] + metres(route[i - 1], route[i]));
                  let from = 0, to = 0;
                  return route.map((_, i) => {
                    while (times[i] - times[from] > 10) from += 1;
                    while (to < route.length - 1 && times[to] - times[i] < 10) to += 1;
                    const seconds = times[to] - times[from];
                    return seconds > 0 ? (along[to] - along[from]) / seconds : null;
                  });
                }

                function nearest(route, points) {
                  let i = 0;
                  const times = points.map(([time]) => Date.parse(time));
                  return route.map(([time]) => {
                    const at = Date.parse(time);
                    while (i < times.length - 1 && Math.abs(times[i + 1] - at) <= Math.abs(times[i] - at)) i += 1;
                    return Math.abs(times[i] - at) < 60000 ? points[i][1] : null;
                  });
                }

                function splitsPart(workout) {
                  if (!workout.splits?.km?.length && !workout.splits?.mile?.length) return null;
                  const box = h("div");
                  const draw = (key) => {
                    const length = key === "km" ? 1000 : 1609.344, unit = key === "km" ? "km" : "mi";
                    const splits = workout.splits[key] ?? [];
                    const full = splits.filter((split) => split.m > length * 0.98);
                    const slowest = Math.max(...splits.map((split) => split.s / split.m)), fastest = Math.min(...(full.length ? full : splits).map((split) => split.s / split.m));
                    const byPace = paceActivities.test(workout.activity ?? "");
                    replace(box, table(`Splits by ${key}`, [unit, byPace ? "Pace" : "Speed", "Time", "Heart rate", "Climb"], splits.map((split, i) => {
                      const rate = split.s / split.m;
                      return [split.m > length * 0.98 ? number(i + 1, 0) : number(split.m / length, 2),
                        [h("span", { class: "meter wide hue-mobility", "aria-hidden": "true", vars: { "--share": `${Math.round(fastest / rate * 100)}%` } }), byPace ? `${clock(rate * length)} /${unit}` : `${number(3600 / rate / length, 1)} ${unit}/h`,
                          rate === fastest && full.length > 1 && slowest > fastest ? h("small", null, " fastest") : null],
                        clock(split.s), split.heart_rate ? beats.text(split.heart_rate) : "–", split.climb_m === null || split.climb_m === undefined ? "–" : key === "mile" ? `${number(split.climb_m * 3.28084, 0)} ft` : `${number(split.climb_m, 0)} m`];
                    })));
                  };
                  const first = units === "us" ? "mile" : "km";
                  draw(first);
                  return h("section", { class: "card", "aria-labelledby": "splits" }, h("div", { class: "titlebar" }, h("h2", { id: "splits" }, "Splits"), choice("Split by", "splits", [["km", "km"], ["mile", "mile"]], first, draw)), box);
                }

                """#),
        DashboardAsset(
            path: "/write.js", contentType: "text/javascript; charset=utf-8", tag: "\"H9kykygYxk2xh8KvS44Ucw\"",
            text: #"""
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

                """#),
    ]
}
