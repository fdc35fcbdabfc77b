// SPDX-License-Identifier: Apache-2.0
import {choices, h, problem, redraw, sortedTable} from "./dom.js";
import {choice} from "./address.js";
import {current, fetchJson, subscribe} from "./data.js";
import {bar, sparkline} from "./chart.js";
import {bytes, celsius, duration, hertz, percent, usedOf, watts} from "./format.js";
import {condition, isAccelerator, level, memoryUsed, sign, trouble} from "./health.js";
import {totals} from "./host.js";

const SPARK_MINUTES = 5;
const MOST_POINTS = 300;
const SLOW_MILLIS = 2000;
const MOST_CARDS = 64;
const DRAWN_FACTS = ["utilizationRatio", "memoryUsedBytes", "powerWatts", "temperatureCelsius"];

function link(id) {
  return h("a", {href: `#/device/${encodeURIComponent(id)}`}, id);
}

function card(device, history) {
  const troubles = trouble(device);
  const row = (name, meter, key, most) => h("div", {class: "row"},
    h("dt", {}, name), h("dd", {}, meter, history?.facts?.[key] ? sparkline(history.facts[key], most, name) : ""));
  return h("article", {class: `card ${level(device)}`},
    h("h3", {}, sign(device), link(device.id), h("span", {class: "model"}, device.deviceName ?? "")),
    troubles.length ? h("p", {class: "trouble"}, troubles.join("; ")) : condition(device) ? h("p", {class: "note"}, condition(device)) : "",
    h("dl", {},
      row("load", bar(device.utilizationRatio, percent(device.utilizationRatio), "load"), "utilizationRatio", 1),
      row("memory", bar(memoryUsed(device) / device.memoryTotalBytes, usedOf(memoryUsed(device), device.memoryTotalBytes), "memory"),
        "memoryUsedBytes", device.memoryTotalBytes),
      row("power", bar(device.powerWatts / device.powerLimitWatts, watts(device.powerWatts), "power"), "powerWatts", device.powerLimitWatts),
      row("temperature", bar(device.temperatureCelsius / 100, celsius(device.temperatureCelsius), "temperature"), "temperatureCelsius", 100)));
}

const COLUMNS = [
  {name: "device", key: "id", value: one => one.id, text: one => h("span", {class: "named"}, sign(one), link(one.id))},
  {name: "model", low: true, key: "model", value: one => one.deviceName, text: one => one.deviceName ?? ""},
  {name: "load", key: "load", value: one => one.utilizationRatio, text: one => bar(one.utilizationRatio, percent(one.utilizationRatio), "load")},
  {name: "memory", key: "memory", value: memoryUsed, text: one => bar(memoryUsed(one) / one.memoryTotalBytes, usedOf(memoryUsed(one), one.memoryTotalBytes), "memory")},
  {name: "power", key: "power", number: true, value: one => one.powerWatts, text: one => watts(one.powerWatts)},
  {name: "temp.", key: "temperature", number: true, value: one => one.temperatureCelsius, text: one => celsius(one.temperatureCelsius)},
  {name: "clock", low: true, key: "clock", number: true, value: one => one.clockHertz, text: one => hertz(one.clockHertz)},
  {name: "processes", low: true, number: true, text: one => Array.isArray(one.processes) ? one.processes.length : ""},
  {name: "condition", wide: true, low: true, text: condition},
];

const PROCESS_COLUMNS = [
  {name: "device", text: one => link(one.device)},
  {name: "pid", number: true, text: one => one.pid},
  {name: "user", text: one => one.user ?? ""},
  {name: "memory", number: true, text: one => one.memoryBytes === undefined ? "" : bytes(one.memoryBytes)},
  {name: "share", low: true, number: true, text: one => one.utilizationRatio === undefined ? "" : percent(one.utilizationRatio)},
  {name: "host memory", low: true, number: true, text: one => one.hostMemoryBytes === undefined ? "" : bytes(one.hostMemoryBytes)},
  {name: "age", low: true, number: true, text: one => one.ageSeconds === undefined ? "" : duration(one.ageSeconds)},
  {name: "command", wide: true, text: one => one.command ?? one.name ?? ""},
];

function processTable(list) {
  const processes = sortedTable(`${list.length} process${list.length === 1 ? "" : "es"}`, PROCESS_COLUMNS, {most: 200});
  processes.update(list);
  return processes.node;
}

export function overview(main) {
  const asTable = choice("view", "cards") === "table";
  const heading = h("h1", {}, "This host");
  const summary = h("p", {class: "summary"});
  const figures = h("div", {});
  const alerts = h("section", {class: "alerts", "aria-label": "Alerts"});
  const cards = asTable ? h("div", {}) : h("section", {class: "cards", "aria-label": "Devices"});
  const processes = h("section", {"aria-label": "Processes"});
  const gaps = h("details", {hidden: true});
  const events = h("details", {hidden: true});
  main.append(heading, summary, figures, alerts, events,
    h("div", {class: "headed"}, h("h2", {}, "Devices"), choices("Form of the devices", "view", "cards", [["cards", "Cards"], ["table", "Table"]])),
    cards, processes, gaps);
  const rows = sortedTable("Devices", COLUMNS, {className: one => level(one)});
  const histories = new Map();
  let gone = false;
  let host;

  /** What was before this page was opened is asked for once; what comes is added. */
  async function remember(devices) {
    const fresh = devices.filter(one => !histories.has(one.id)).slice(0, MOST_CARDS);
    await Promise.allSettled(fresh.map(async one => histories.set(one.id, await fetchJson(
      `api/v1/devices/${encodeURIComponent(one.id)}/history?facts=${DRAWN_FACTS}&minutes=${SPARK_MINUTES}`))));
    for (const one of devices.filter(device => !fresh.includes(device))) {
      const facts = histories.get(one.id)?.facts ?? {};
      for (const key of Object.keys(facts)) {
        facts[key].push(one[key] ?? null);
        facts[key].splice(0, facts[key].length - MOST_POINTS);
      }
    }
  }

  /** Facts that could not be determined; an unchanged list is not redrawn, so that an open one stays open. */
  let told = "";
  function tellGaps(list) {
    const text = JSON.stringify(list);
    if (text !== told) {
      told = text;
      gaps.hidden = !list.length;
      gaps.replaceChildren(h("summary", {}, `${list.length} fact${list.length === 1 ? "" : "s"} could not be determined`),
        h("ul", {}, list.map(one => h("li", {}, Object.values(one).filter(part => typeof part === "string").join(": ")))));
    }
  }

  /** The newest first. */
  let newest = 0;
  function tellEvents(list) {
    if (list.length && list.at(-1).number !== newest) {
      newest = list.at(-1).number;
      events.hidden = false;
      events.replaceChildren(h("summary", {}, `${list.length} event${list.length === 1 ? "" : "s"}, the last ${new Date(list.at(-1).at).toLocaleTimeString("en-GB")}: ${list.at(-1).message}`),
        h("ul", {}, [...list].reverse().map(one => h("li", {}, `${new Date(one.at).toLocaleString("en-GB")} ${one.message}`))));
    }
  }

  let drawing = false;
  let saidAt = 0;

  /** What changes slowly is asked for less often than samples come. */
  async function ask() {
    if (Date.now() - saidAt >= SLOW_MILLIS) {
      saidAt = Date.now();
      const [said, found, running] = await Promise.all(
        [fetchJson("api/v1/alerts"), fetchJson("api/v1/host"), fetchJson("api/v1/processes")]);
      alerts.replaceChildren(...said.alerts.map(one => h("p", {class: "alert"}, one.message)));
      tellEvents(said.events);
      host = found;
      redraw(processes, h("h2", {}, "Processes"), running.processes.length ? processTable(running.processes)
        : h("p", {class: "note"}, "No process uses a device, or none could be seen."));
    }
  }

  async function draw({registry, state}) {
    if (!registry) {
      cards.replaceChildren(state === "connecting" ? h("p", {}, "loading …") : problem(state));
      return;
    }
    if (drawing) {
      return;
    }
    drawing = true;
    const accelerators = registry.devices.filter(isAccelerator);
    await Promise.allSettled([asTable ? undefined : remember(accelerators), ask()]);
    drawing = false;
    if (gone) {
      return;
    }
    heading.textContent = host?.name || "This host";
    summary.textContent = registry.observedAt ? `as of ${new Date(registry.observedAt).toLocaleString("en-GB")}` : "";
    figures.replaceChildren(totals(registry, host));
    tellGaps(registry.gaps);
    const shown = accelerators.length ? accelerators : registry.devices;
    if (asTable) {
      rows.update(shown);
      if (!rows.node.isConnected) {
        cards.replaceChildren(rows.node);
      }
    } else {
      const sick = [...shown].sort((a, b) => trouble(b).length - trouble(a).length);
      redraw(cards, accelerators.length ? "" : h("p", {class: "note"}, "No accelerator was found; see muster doctor."),
        sick.slice(0, MOST_CARDS).map(one => card(one, histories.get(one.id))),
        sick.length > MOST_CARDS ? h("p", {class: "note"}, `the first ${MOST_CARDS} of ${sick.length} are shown; the table has all`) : "");
    }
  }

  const end = subscribe(draw);
  draw(current());
  return () => {
    gone = true;
    end();
  };
}
