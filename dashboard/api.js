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
