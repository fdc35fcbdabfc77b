// SPDX-License-Identifier: Apache-2.0
import {h, table} from "./dom.js";
import {current, fetchJson, subscribe} from "./data.js";
import {bar} from "./chart.js";
import {percent, rate} from "./format.js";
import {isAccelerator, level, sign} from "./health.js";

const REFRESH_MILLIS = 5000;
const COLUMNS = [
  {name: "from", text: link => link.from.replace(/^device:/, "")},
  {name: "to", text: link => link.to.replace(/^device:/, "")},
  {name: "kind", text: link => link.kind},
  {name: "lanes", number: true, text: link => link.lanes > 1 ? link.lanes : ""},
  {name: "rate", number: true, text: link => link.bandwidthBytesPerSecond === undefined ? "" : rate(link.bandwidthBytesPerSecond)},
  {name: "state", text: link => link.state ?? (link.down ? "down" : "")},
];

/** The PCIe link of a device now, and what it could be where that is more. */
function pcie(device) {
  const text = (generation, width) => [generation, width && `x${width}`].filter(Boolean).join(" ");
  const now = text(device.pcieGeneration, device.pcieWidth);
  const most = text(device.pcieGenerationMax ?? device.pcieGeneration, device.pcieWidthMax ?? device.pcieWidth);
  return now && most !== now ? `${now} of ${most}` : now || most;
}

/** The links of a device to others of its fabric: how many there are, and those that are down. */
function fabric(device) {
  const down = device.fabricLinksDown ?? 0;
  return device.fabricLinks === undefined && !down ? "" : `${device.fabricLinks ?? 0} up${down ? `, ${down} down` : ""}`;
}

/** Bytes a second of a counter since the sample before; unknown after a reset. */
function speed(device, before, key, seconds) {
  const grown = device[key] - before?.[key];
  return grown >= 0 && seconds > 0 ? rate(grown / seconds) : "";
}

const DEVICE_COLUMNS = [
  {name: "device", text: one => h("span", {class: "named"}, sign(one), h("a", {href: `#/device/${encodeURIComponent(one.id)}`}, one.id))},
  {name: "load", text: one => bar(one.utilizationRatio, percent(one.utilizationRatio), "load")},
  {name: "fabric links", number: true, text: fabric},
  {name: "fabric sent", number: true, text: (one, before, seconds) => speed(one, before, "fabricSentBytes", seconds)},
  {name: "fabric received", number: true, text: (one, before, seconds) => speed(one, before, "fabricReceivedBytes", seconds)},
  {name: "PCIe", number: true, text: pcie},
  {name: "PCIe sent", number: true, text: one => one.pcieSentBytesPerSecond === undefined ? "" : rate(one.pcieSentBytesPerSecond)},
  {name: "PCIe received", number: true, text: one => one.pcieReceivedBytesPerSecond === undefined ? "" : rate(one.pcieReceivedBytesPerSecond)},
  {name: "replays", number: true, text: one => one.pcieReplays ?? ""},
];

function matrix(document) {
  const names = document.nodes.map(one => one.id);
  return h("div", {class: "matrix"}, table("Connections", [{name: "from"}, ...names.map(name => ({name}))],
    document.relations.map((row, i) => ({cells: [names[i], ...row]}))));
}

export function topology(main) {
  const picture = h("img", {alt: "Topology of the devices; the tables below have the same content", class: "picture"});
  const size = h("button", {type: "button", "aria-pressed": "false"}, "Actual size");
  const holder = h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Picture"}, picture);
  const missing = h("p", {hidden: true}, "No picture of this host is available.");
  const traffic = h("div", {});
  const connections = h("div", {});
  const links = h("div", {});
  const more = h("details", {}, h("summary", {}, "All links"), links);
  size.addEventListener("click", () => {
    size.setAttribute("aria-pressed", String(picture.classList.toggle("actual")));
  });
  picture.addEventListener("error", () => {
    holder.hidden = true;
    size.hidden = true;
    missing.hidden = false;
  });
  main.append(h("div", {class: "headed"}, h("h1", {}, "Topology"), size), holder, missing, traffic, connections, more);
  let last = 0;
  let before = new Map();
  let beforeAt = 0;

  function drawTraffic(registry) {
    const devices = registry.devices.filter(isAccelerator);
    const at = Date.parse(registry.observedAt ?? "");
    const seconds = (at - beforeAt) / 1000;
    const columns = DEVICE_COLUMNS.filter(column => devices.some(one => column.text(one, before.get(one.id), seconds) !== ""));
    traffic.replaceChildren(table("Traffic and errors", columns, devices.map(one => ({className: level(one),
      cells: columns.map(column => column.text(one, before.get(one.id), seconds))}))));
    before = new Map(devices.map(one => [one.id, {...one}]));
    beforeAt = at;
  }

  function draw({registry}) {
    if (!registry || Date.now() - last < REFRESH_MILLIS) {
      return;
    }
    last = Date.now();
    // A new address for each sample, since a loaded picture is not fetched again.
    picture.src = `api/v1/topology?format=svg&at=${last}`;
    drawTraffic(registry);
    fetchJson("api/v1/topology").then(document => connections.replaceChildren(matrix(document))).catch(() => {});
    // Containment is shown by the picture, and is not a link.
    const all = (registry.topology?.links ?? []).filter(link => link.kind !== "internal");
    // Columns without known values are omitted.
    const columns = COLUMNS.filter(column => all.some(link => column.text(link) !== ""));
    links.replaceChildren(table(`${all.length} link${all.length === 1 ? "" : "s"}`, columns,
      all.map(link => ({className: link.down || link.state === "down" ? "bad" : undefined,
        cells: columns.map(column => column.text(link))}))));
  }

  const end = subscribe(draw);
  draw(current());
  return end;
}
