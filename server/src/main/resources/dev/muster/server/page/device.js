// SPDX-License-Identifier: Apache-2.0
import {h, problem, redraw, table} from "./dom.js";
import {current, fetchJson, subscribe} from "./data.js";
import {chart, end as endChart, update} from "./chart.js";
import {byKey, bytes, celsius, hertz, label, percent, rate, usedOf, watts} from "./format.js";
import {condition, level} from "./health.js";

const CHARTS = [
  {title: "Load", facts: ["utilizationRatio", "memoryUtilizationRatio"], format: percent, most: () => 1},
  {title: "Memory", facts: ["memoryUsedBytes"], format: bytes, most: device => device.memoryTotalBytes, binary: true},
  {title: "Power", facts: ["powerWatts"], format: watts, most: device => device.powerLimitWatts},
  {title: "Temperature", facts: ["temperatureCelsius", "memoryTemperatureCelsius", "hotspotTemperatureCelsius"], format: celsius, most: () => 90},
  {title: "Clocks", facts: ["clockHertz", "memoryClockHertz"], format: hertz},
  {title: "PCIe", facts: ["pcieSentBytesPerSecond", "pcieReceivedBytesPerSecond"], format: rate},
  {title: "Fabric", facts: ["fabricSentBytes", "fabricReceivedBytes"], format: rate, counter: true},
];
const NOT_FACTS = new Set(["id", "accelerator", "family", "index", "available", "usable", "reasons", "unknown", "provenance", "processes", "partition"]);
const REFRESH_MILLIS = 5000;

function perSecond(times, values) {
  // A falling counter was reset, so the difference is unknown.
  return values.map((value, i) => i === 0 || value === null || values[i - 1] === null || value < values[i - 1]
    ? null : (value - values[i - 1]) / Math.max(1e-3, times[i] - times[i - 1]));
}

function facts(device, registry) {
  const rows = Object.entries(device).filter(([key]) => !NOT_FACTS.has(key)).map(([key, value]) => {
    const source = registry.sources?.[device.provenance?.[key]];
    return {cells: [label(key), byKey(key, value), source?.source ?? "", source ? `${source.method}, ${source.confidence}` : ""]};
  });
  const unknown = Object.entries(device.unknown ?? {}).map(([key, why]) =>
    ({className: "unknown", cells: [label(key), "unknown", why.detail || why.reason, why.reason]}));
  return h("div", {class: "facts"}, table("Facts", [{name: "fact"}, {name: "value"}, {name: "source", wide: true, low: true},
    {name: "how", wide: true, low: true}], [...rows, ...unknown]));
}

function processes(device) {
  const list = device.processes;
  return Array.isArray(list) && list.length
    ? table("Processes", [{name: "pid"}, {name: "name"}, {name: "memory", number: true}], list.map(one =>
      ({cells: [one.pid, one.name ?? "", one.memoryBytes === undefined ? "" : bytes(one.memoryBytes)]})))
    : h("p", {}, list ? "No process uses this device." : "The processes on this device are unknown.");
}

/** The device and what it does now, in a line. */
function headline(device) {
  const now = [["utilizationRatio", percent], ["powerWatts", watts], ["temperatureCelsius", celsius]]
    .filter(([key]) => device[key] !== undefined).map(([key, format]) => format(device[key]));
  return [device.deviceName, `${usedOf(device.memoryUsedBytes, device.memoryTotalBytes)} of memory`, ...now].filter(Boolean).join(", ");
}

export function device(main, id) {
  const charts = h("section", {class: "charts", "aria-label": "History"});
  const details = h("div", {});
  const summary = h("p", {class: "summary"});
  const words = h("p", {hidden: true});
  main.append(h("p", {class: "back"}, h("a", {href: "#/"}, "All devices")), h("h1", {}, id), summary, words, charts, details);
  const drawn = new Map();
  let last = 0;
  let gone = false;

  async function drawCharts(found) {
    if (Date.now() - last < REFRESH_MILLIS) {
      return;
    }
    last = Date.now();
    const keys = CHARTS.flatMap(one => one.facts).join(",");
    const history = await fetchJson(`api/v1/devices/${encodeURIComponent(id)}/history?facts=${keys}&minutes=60`);
    if (gone) {
      return;
    }
    const times = history.atMillis.map(one => one / 1000);
    for (const one of CHARTS) {
      const series = one.facts.filter(key => history.facts[key]?.some(value => value !== null)).map(key => ({
        label: label(key), format: one.format,
        values: one.counter ? perSecond(times, history.facts[key]) : history.facts[key],
      }));
      if (series.length && drawn.get(one.title)?.count === series.length) {
        update(drawn.get(one.title).figure, times, series);
      } else if (series.length) {
        const figure = chart(one.title, times, series, {most: one.most?.(found), binary: one.binary});
        if (drawn.has(one.title)) {
          endChart(drawn.get(one.title).figure);
          drawn.get(one.title).figure.remove();
        }
        drawn.set(one.title, {figure, count: series.length});
        charts.append(figure);
      }
    }
  }

  async function draw({registry, state}) {
    const found = registry?.devices.find(one => one.id === id);
    if (!found) {
      details.replaceChildren(problem(registry ? `Device ${id} not found.` : state === "connecting" ? "loading …" : state));
      return;
    }
    summary.textContent = headline(found);
    words.textContent = condition(found);
    words.hidden = words.textContent === "";
    words.className = level(found) === "well" ? "note" : "trouble";
    redraw(details, processes(found), facts(found, registry));
    await drawCharts(found).catch(failure => charts.replaceChildren(problem(failure.message)));
  }

  const end = subscribe(draw);
  draw(current());
  return () => {
    gone = true;
    end();
    drawn.forEach(one => endChart(one.figure));
  };
}
