// SPDX-License-Identifier: Apache-2.0
import {h, problem} from "./dom.js";
import {current, fetchJson, subscribe} from "./data.js";
import {bar, sparkline} from "./chart.js";
import {celsius, percent, usedOf, watts} from "./format.js";

const SPARK_MINUTES = 5;
const MOST_POINTS = 300;
const ALERT_MILLIS = 2000;
const DRAWN_FACTS = ["utilizationRatio", "memoryUsedBytes", "powerWatts", "temperatureCelsius"];

const NO_FAULT = new Set(["in-use", "partitioned"]);

/** Severity of a device's faults, for sorting. */
export function trouble(device) {
  return (device.reasons ?? []).filter((reason) => !NO_FAULT.has(reason.obstacle)).map((reason) => reason.words);
}

function used(device) {
  return device.memoryUsedBytes ?? (device.memoryTotalBytes - device.memoryFreeBytes);
}

function card(device, history) {
  const troubles = trouble(device);
  const memory = used(device) / device.memoryTotalBytes;
  const row = (name, meter, key, most) => h("div", {class: "row"},
    h("dt", {}, name), h("dd", {}, meter, history?.facts?.[key] ? sparkline(history.facts[key], most, name) : ""));
  return h("article", {class: troubles.length ? "card unhealthy" : "card"},
    h("h2", {}, h("a", {href: `#/device/${encodeURIComponent(device.id)}`}, device.id),
      h("span", {class: "model"}, device.deviceName ?? "")),
    troubles.length ? h("p", {class: "trouble"}, troubles.join("; ")) : "",
    h("dl", {},
      row("load", bar(device.utilizationRatio, percent(device.utilizationRatio), "load"), "utilizationRatio", 1),
      row("memory", bar(memory, usedOf(used(device), device.memoryTotalBytes), "memory"), "memoryUsedBytes",
        device.memoryTotalBytes),
      row("power", bar(device.powerWatts / device.powerLimitWatts, watts(device.powerWatts), "power"), "powerWatts",
        device.powerLimitWatts),
      row("temperature", bar(device.temperatureCelsius / 100, celsius(device.temperatureCelsius), "temperature"),
        "temperatureCelsius", 100)));
}

export function overview(main) {
  const heading = h("h1", {}, "Devices");
  const summary = h("p", {class: "summary"});
  const alerts = h("section", {class: "alerts", "aria-label": "Alerts"});
  const cards = h("section", {class: "cards", "aria-label": "Devices"});
  const gaps = h("details", {hidden: true});
  main.append(heading, summary, alerts, cards, gaps);
  const histories = new Map();
  let gone = false;

  /** What was before this page was opened is asked for once; what comes is added. */
  async function remember(devices) {
    const fresh = devices.filter(one => !histories.has(one.id)).slice(0, 64);
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

  let drawing = false;
  let saidAt = 0;

  async function say() {
    if (Date.now() - saidAt >= ALERT_MILLIS) {
      saidAt = Date.now();
      const said = await fetchJson("api/v1/alerts");
      alerts.replaceChildren(...said.alerts.map(one => h("p", {class: "alert"}, one.message)));
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
    const devices = [...registry.devices].sort((a, b) => trouble(b).length - trouble(a).length);
    const accelerators = devices.filter(one => one.accelerator !== "cpu");
    await Promise.allSettled([remember(accelerators), say()]);
    drawing = false;
    if (gone) {
      return;
    }
    const unhealthy = accelerators.filter(one => trouble(one).length).length;
    const seen = registry.observedAt ? `, as of ${new Date(registry.observedAt).toLocaleTimeString("en-GB")}` : "";
    summary.textContent = `${accelerators.length} accelerator${accelerators.length === 1 ? "" : "s"}, `
      + `${unhealthy ? `${unhealthy} unhealthy` : "all healthy"}${seen}`;
    tellGaps(registry.gaps);
    cards.replaceChildren(...(accelerators.length ? accelerators : devices).map(one => card(one, histories.get(one.id))));
  }

  const end = subscribe(draw);
  draw(current());
  return () => {
    gone = true;
    end();
  };
}
