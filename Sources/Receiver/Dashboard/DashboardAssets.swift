// Made by scripts/make-dashboard.py from dashboard/: change those files, not this one.

/// The page as it was when this program was built.
package enum DashboardAssets {
    /// By path.
    package static let all: [DashboardAsset] = [
        DashboardAsset(
            path: "/", contentType: "text/html; charset=utf-8", digest: "96f45f42d3a2facf6d89885b6ce80db5",
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
            path: "/api.js", contentType: "text/javascript; charset=utf-8", digest: "dd1ee2aa8baa80330fc3f4b29b5408ee",
            text: #"""
            // Talks to the API of the same server, and to nothing else. The session is an HttpOnly cookie: this code never sees it.

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

            function address(path, parameters) {
              const query = new URLSearchParams();
              if (session.persons.length > 1 && session.person) query.set("person", session.person);
              for (const [name, value] of Object.entries(parameters ?? {})) {
                if (value !== undefined && value !== null && value !== false && value !== "") query.set(name, value);
              }
              const text = query.toString();
              return `/api/v1/${path}${text ? `?${text}` : ""}`;
            }

            // One page asks for the same thing in several places; within a few seconds the answer is the same.
            const recent = new Map();
            const recentMilliseconds = 5000;

            export function get(path, parameters, signal) {
              const key = address(path, parameters);
              const known = recent.get(key);
              if (known && performance.now() - known.at < recentMilliseconds) return known.answer;
              const answer = request("GET", key, undefined, signal);
              recent.set(key, { at: performance.now(), answer });
              answer.catch(() => recent.delete(key));
              if (recent.size > 200) recent.delete(recent.keys().next().value);
              return answer;
            }

            /** As `get`, but null where the token may not see it or the server has no such thing. */
            export const getIfAllowed = (path, parameters, signal) => get(path, parameters, signal).catch((problem) => {
              if (problem.status === 403 || problem.status === 404) return null;
              throw problem;
            });

            export async function post(path, body) {
              const answer = await request("POST", address(path), body);
              recent.clear();
              return answer;
            }

            export async function remove(path, parameters) {
              await request("DELETE", address(path, parameters));
              recent.clear();
            }

            export const link = address;

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
              adopt(await request("POST", "/session", { token }));
              recent.clear();
            }

            export async function signOut() {
              await request("DELETE", "/session");
              recent.clear();
              session.persons = [];
            }

            """#),
        DashboardAsset(
            path: "/catalog.js", contentType: "text/javascript; charset=utf-8", digest: "d2dc79500bc014fb908a224a382e5883",
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
            path: "/dom.js", contentType: "text/javascript; charset=utf-8", digest: "1a000053f26ed332a7286e9a8a7d50bc",
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
              today: "M12 3v2M5.600 5.600 7 7M3 12h2M19 12h2M17 7l1.400-1.400M4 17h16M7 21h10M8 17a4 4 0 1 1 8 0",
              types: "M4 20V10M10 20V4M16 20v-8M21 20H3",
              sleep: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500ZM15 4h5l-5 5h5",
              workouts: "M15.500 4.500a1.500 1.500 0 1 0 .1 0M5 12l3-4 5 1-3 5 4 3-2 4M13 9l3 3h3M9.500 15 7 18H4",
              write: "M12 20h8M5 16 16 5l3 3L8 19l-4 1ZM14 7l3 3",
              senders: "M7 3h10v18H7ZM11 18h2M3 8v6M21 8v6",
              left: "M15 5l-7 7 7 7", right: "M9 5l7 7-7 7",
              star: "M12 4l2.500 5.200 5.700.7-4.200 3.900 1.100 5.600L12 16.600l-5.100 2.800L8 13.800 3.800 9.900l5.700-.7Z",
              warning: "M12 4 2.500 20h19ZM12 10v5M12 17.500v.100",
              out: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
            };

            export function icon(name) {
              return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
                h("path", { d: icons[name] }));
            }

            /** A table with a caption; the first column is the row's heading. `rows` are arrays of text or nodes. */
            export function table(caption, heads, rows, options = {}) {
              return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
                h("table", { class: options.class },
                  h("caption", { class: options.captionShown ? null : "unseen" }, caption),
                  h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
                  h("tbody", null, rows.map((row) => h("tr", null,
                    row.map((cell, i) => h(i ? "td" : "th", i ? null : { scope: "row" }, cell)))))));
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
            path: "/icon.svg", contentType: "image/svg+xml", digest: "4e2a97abedbcd5204097ee98fd5e7f4c",
            text: #"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round" stroke-width="4">
            <circle cx="16" cy="16" r="13" stroke="#f2545b" stroke-opacity=".25"/>
            <path d="M16 3a13 13 0 1 1-12.4 9" stroke="#f2545b"/>
            <circle cx="16" cy="16" r="7" stroke="#22a6d6" stroke-opacity=".25"/>
            <path d="M16 9a7 7 0 0 1 3 13.300" stroke="#22a6d6"/>
            </svg>

            """#),
    ]
}
