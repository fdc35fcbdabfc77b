// SPDX-License-Identifier: Apache-2.0
import {choices, h, problem, redraw, sortedTable, table} from "./dom.js";
import {choice, choose} from "./address.js";
import {fetchJson} from "./data.js";
import {bar} from "./chart.js";
import {bytes, celsius, percent, usedOf, watts} from "./format.js";
import {users, withTotals} from "./holders.js";

const MOST_CELLS = 2000;
const MOST_ROWS = 500;
const REFRESH_MILLIS = 10000;

/** The tone of a host is its state; how much is used is told by figures. */
function tone(host) {
  return host.state?.kind ?? "unknown";
}

function hostLink(name) {
  return h("a", {href: `#/fleet/${encodeURIComponent(name)}`}, name);
}

const HOST_COLUMNS = [
  {name: "host", key: "host", value: one => one.name, text: one => h("span", {class: "named"}, h("span", {class: `sign ${tone(one)}`, title: tone(one)}, h("span", {class: "visually-hidden"}, tone(one))), hostLink(one.name))},
  {name: "devices", low: true, key: "device", value: one => one.devices[0]?.deviceName, text: one => one.devices.length ? `${one.devices.length} x ${one.devices[0].deviceName ?? one.devices[0].id}` : "none"},
  {name: "free", key: "free", number: true, value: one => one.freeDevices, text: one => one.freeDevices},
  {name: "load", key: "load", value: one => one.load, text: one => one.load === undefined ? "" : bar(one.load, percent(one.load), "load")},
  {name: "memory", low: true, key: "memory", value: one => one.memoryUsed / one.memory, text: one => one.memoryUsed === undefined ? "" : bar(one.memoryUsed / one.memory, usedOf(one.memoryUsed, one.memory), "memory")},
  {name: "power", key: "power", number: true, value: one => one.power, text: one => one.power === undefined ? "" : watts(one.power)},
  {name: "hottest", low: true, key: "temperature", number: true, value: one => one.temperature, text: one => one.temperature === undefined ? "" : celsius(one.temperature)},
  {name: "users", wide: true, key: "owner", value: one => one.owners, text: one => one.owners},
];

const USER_COLUMNS = [
  {name: "user", key: "user", value: one => one.name, text: one => h("a", {href: `#/fleet?filter=${encodeURIComponent(one.name)}`}, one.name)},
  {name: "devices", key: "devices", number: true, value: one => one.devices, text: one => one.devices},
  {name: "hosts", key: "hosts", number: true, value: one => one.hosts.size, text: one => one.hosts.size},
  {name: "idle", key: "idle", number: true, value: one => one.idle, text: one => one.known ? one.idle : ""},
  {name: "load", key: "load", value: one => one.load, text: one => one.load === undefined ? "" : bar(one.load, percent(one.load), "load")},
  {name: "power", low: true, key: "power", number: true, value: one => one.power, text: one => one.power === undefined ? "" : watts(one.power)},
  {name: "held by", wide: true, low: true, text: one => [...one.holders].slice(0, 4).join(", ") + (one.holders.size > 4 ? ", …" : "")},
];

function detail(host) {
  return [h("p", {class: "back"}, h("a", {href: "#/fleet"}, "All hosts")), h("h1", {}, host.name),
    h("p", {class: "summary"}, [`${host.freeDevices} of ${host.devices.length} devices free`,
      `state ${host.state?.text || tone(host)}`, host.state?.reason, host.power && watts(host.power), ...host.domains].filter(Boolean).join(", ")),
    table("Devices", [{name: "id"}, {name: "name"}, {name: "load"}, {name: "memory"}, {name: "power", number: true}, {name: "temp.", number: true}],
      host.devices.map(one => ({cells: [one.id, one.deviceName ?? "",
        one.utilizationRatio === undefined ? "" : bar(one.utilizationRatio, percent(one.utilizationRatio), "load"),
        one.memoryUsedBytes === undefined ? bytes(one.memoryTotalBytes) : bar(one.memoryUsedBytes / one.memoryTotalBytes, usedOf(one.memoryUsedBytes, one.memoryTotalBytes), "memory"),
        one.powerWatts === undefined ? "" : watts(one.powerWatts), one.temperatureCelsius === undefined ? "" : celsius(one.temperatureCelsius)]}))),
    host.claims.length ? table("Claims", [{name: "holder"}, {name: "user"}, {name: "devices", number: true}],
      host.claims.map(one => ({cells: [one.holder, one.user, one.devices?.length ? one.devices.join(", ") : one.count]}))) : h("p", {}, "No job or pod holds a device."),
    host.conflicts.length ? table("Conflicts", [{name: "what"}, {name: "statements", wide: true}],
      host.conflicts.map(one => ({cells: [one.what, one.statements.map(said => `${said.source}: ${said.value}`).join("; ")]}))) : ""];
}

function cell(host) {
  return h("li", {}, h("a", {class: `host ${tone(host)}`, href: `#/fleet/${encodeURIComponent(host.name)}`},
    h("span", {class: "name"}, host.name),
    h("span", {class: "count"}, `${host.freeDevices} of ${host.devices.length} free`
      + (host.load === undefined ? "" : `, ${percent(host.load)}`) + (tone(host) === "ready" ? "" : `, ${tone(host)}`))));
}

export function fleet(main, name) {
  const filter = h("input", {id: "fleet-filter", type: "search", autocomplete: "off", value: choice("filter")});
  const summary = h("p", {class: "summary", role: "status"});
  const body = h("div", {});
  const problems = h("div", {});
  const form = choice("view", "grid");
  const rows = form === "users" ? sortedTable("Users", USER_COLUMNS, {usual: "-idle", most: MOST_ROWS})
    : sortedTable("Hosts", HOST_COLUMNS, {usual: "host", className: one => one.state.kind === "down" ? "bad" : undefined, most: MOST_ROWS});
  let hosts = [];
  let tag = "";
  let timer = 0;

  function show() {
    choose({filter: filter.value});
    const text = filter.value.toLowerCase();
    const shown = hosts.filter(host => host.words.includes(text));
    const sum = key => shown.reduce((all, one) => all + (one[key] ?? 0), 0);
    summary.textContent = [`${shown.length} of ${hosts.length} hosts`, `${sum("freeDevices")} of ${sum("count")} devices free`,
      sum("power") ? watts(sum("power")) : ""].filter(Boolean).join(", ");
    if (form !== "grid") {
      rows.update(form === "users" ? users(shown) : shown);
      if (!rows.node.isConnected) {
        body.replaceChildren(rows.node);
      }
      return;
    }
    redraw(body, h("ul", {class: "grid", "aria-label": "Hosts"}, shown.slice(0, MOST_CELLS).map(cell)),
      shown.length > MOST_CELLS ? h("p", {class: "note"}, `the first ${MOST_CELLS} are shown; filter for others`) : "");
  }

  async function load() {
    try {
      const found = await fetchJson("api/v1/fleet", {tag});
      if (found === null) {
        return;
      }
      tag = found.tag;
      hosts = found.hosts.map(withTotals);
      problems.replaceChildren(...(found.sources ?? []).filter(one => one.failure).map(one =>
        problem(`${one.source}: ${one.failure}${one.observedAt ? ` (last seen ${one.observedAt})` : ""}`)));
      if (!found.sources.length) {
        problems.replaceChildren(h("p", {}, "No fleet source is configured; start the server with --source, such as muster serve --source slurm."));
      }
      if (name === undefined) {
        show();
      } else {
        const host = hosts.find(one => one.name === name);
        main.replaceChildren(...(host ? detail(host) : [h("h1", {}, name), problem("Host not found.")]));
      }
    } catch (failure) {
      problems.replaceChildren(problem(failure.message));
    }
  }

  main.append(h("h1", {}, name ?? "Fleet"), problems);
  if (name === undefined) {
    filter.addEventListener("input", show);
    main.append(h("div", {class: "headed"}, h("p", {class: "field filter"}, h("label", {for: "fleet-filter"}, "Filter by name, state, device, user or domain"), filter),
      choices("Form of the fleet", "view", "grid", [["grid", "Grid"], ["table", "Table"], ["users", "Users"]])), summary, body);
  }
  timer = setInterval(() => document.hidden || load(), REFRESH_MILLIS);
  load();
  return () => clearInterval(timer);
}
