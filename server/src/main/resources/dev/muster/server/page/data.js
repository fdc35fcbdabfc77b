// SPDX-License-Identifier: Apache-2.0
// Data of the server. A stream of events announces new data, which is fetched once for all views.
const listeners = new Set();
let registry = null;
let state = "connecting";

export function current() {
  return {registry, state};
}

/** Whole seconds since the last sample; undefined before the first. */
export function age() {
  return sampledAt === 0 ? undefined : Math.floor((Date.now() - sampledAt) / 1000);
}

/** Calls back with each new registry and each change of the connection; returns what ends it. */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A document of the API; errors carry the server's sentence. With the tag of a known one: null if it is still valid. */
export async function fetchJson(path, options = {}) {
  const {tag, ...others} = options;
  // The browser's own cache would answer 200 in place of 304.
  const known = tag === undefined ? {} : {cache: "no-store"};
  const answer = await fetch(path, {...others, ...known,
    headers: {Accept: "application/json", ...(tag ? {"If-None-Match": tag} : {}), ...options.headers}});
  if (tag && answer.status === 304) {
    return null;
  }
  const type = answer.headers.get("Content-Type") ?? "";
  const body = type.includes("json") ? await answer.json() : null;
  if (!answer.ok) {
    throw new Error(body?.message ?? body?.error?.message ?? `the server answered ${answer.status}`);
  }
  return tag === undefined ? body : {...body, tag: answer.headers.get("ETag") ?? ""};
}

export function ask(path, question) {
  return fetchJson(path, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify(question),
  });
}

function tell() {
  for (const listener of listeners) {
    listener(current());
  }
}

let fetching = false;
async function refresh() {
  if (fetching) {
    return;
  }
  fetching = true;
  try {
    registry = await fetchJson("api/v1/registry");
    state = "live";
  } catch (failure) {
    // What fetch itself throws tells nothing of the server.
    state = failure instanceof TypeError ? LOST : failure.message;
  } finally {
    fetching = false;
  }
  fetchedAt = Date.now();
  tell();
}

let fetchedAt = 0;
const WHOLE_MILLIS = 30000;

const LOST = "connection lost, retrying";
const SILENT = "no sample for";
const QUIET_MILLIS = 4000;
const RETRY_MILLIS = 5000;
let heardAt = 0;
let sampledAt = 0;
let usualMillis = Infinity;

/** A server that hangs keeps its connection: what shows it is the time since its last word. */
function hear() {
  const now = Date.now();
  usualMillis = heardAt === 0 ? Infinity : now - heardAt;
  heardAt = now;
  sampledAt = now;
}

function watch() {
  const age = Date.now() - heardAt;
  const isSilent = age > Math.max(QUIET_MILLIS, 2 * usualMillis);
  if (events !== null && isSilent && (state === "live" || state.startsWith(SILENT))) {
    state = `${SILENT} ${Math.round(age / 1000)} s`;
    tell();
  }
}

/** A sample tells what passes of each device; what stays is fetched now and then, or where devices come and go. */
function take(sample) {
  const known = new Map(registry?.devices.map(device => [device.id, device]));
  const same = sample.devices.length === known.size && sample.devices.every(device => known.has(device.id));
  if (!same || Date.now() - fetchedAt > WHOLE_MILLIS) {
    refresh();
    return;
  }
  sample.devices.forEach(device => Object.assign(known.get(device.id), device));
  registry.observedAt = sample.at;
  state = "live";
  tell();
}

let events = null;

function listen() {
  if (events === null && !document.hidden) {
    events = new EventSource("api/v1/events");
    events.addEventListener("sample", event => {
      hear();
      take(JSON.parse(event.data));
    });
    events.addEventListener("error", () => {
      if (events?.readyState === EventSource.CLOSED) {
        // Refused, as with an old token: the browser does not ask again, and an ordinary request gets the reason.
        hangUp();
        setTimeout(listen, RETRY_MILLIS);
        refresh();
        return;
      }
      state = LOST;
      tell();
    });
  }
}

function hangUp() {
  events?.close();
  events = null;
  heardAt = 0;
  usualMillis = Infinity;
}

/** Listens while the page is seen: browsers open six connections to a server, for all tabs together, and no more. */
export function connect() {
  addEventListener("pagehide", hangUp);
  addEventListener("pageshow", listen);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      hangUp();
    } else {
      refresh();
      listen();
    }
  });
  refresh();
  listen();
  setInterval(watch, 1000);
}
