// SPDX-License-Identifier: Apache-2.0
import {h, problem, table} from "./dom.js";
import {fetchJson} from "./data.js";
import {byKey, label} from "./format.js";

const MOST_SHOWN = 2000;
const REFRESH_MILLIS = 10000;

function free(host) {
  return host.freeDevices;
}

function tone(host) {
  const state = host.state?.kind ?? "unknown";
  return state === "ready" ? (free(host) > 0 ? "free" : "busy") : state;
}

function detail(host) {
  return [h("p", {class: "back"}, h("a", {href: "#/fleet"}, "All hosts")), h("h1", {}, host.name),
    h("p", {class: "summary"}, [`${free(host)} of ${host.devices.length} devices free`,
      `state ${host.state?.text || host.state?.kind || "unknown"}`, host.state?.reason, ...host.domains].filter(Boolean).join(", ")),
    table("Devices", [{name: "id"}, {name: "name"}, {name: "facts", wide: true}],
      host.devices.map(one => ({cells: [one.id, one.deviceName ?? "",
        Object.entries(one).filter(([key]) => /Bytes|Ratio|Watts|Celsius/.test(key) && key !== "provenance")
          .map(([key, value]) => `${label(key)} ${byKey(key, value)}`).join(", ")]}))),
    host.claims.length ? table("Claims", [{name: "holder"}, {name: "user"}, {name: "devices", number: true}],
      host.claims.map(one => ({cells: [one.holder, one.user ?? "", one.count]}))) : h("p", {}, "No device is in use."),
    host.conflicts.length ? table("Conflicts", [{name: "what"}, {name: "statements", wide: true}],
      host.conflicts.map(one => ({cells: [one.what, one.statements.map(said => `${said.source}: ${said.value}`).join("; ")]}))) : ""];
}

export function fleet(main, name) {
  const heading = h("h1", {}, "Fleet");
  const filter = h("input", {id: "fleet-filter", type: "search", autocomplete: "off"});
  const summary = h("p", {class: "summary", role: "status"});
  const grid = h("ul", {class: "grid", "aria-label": "Hosts"});
  const problems = h("div", {});
  let hosts = [];
  let timer = 0;

  function show() {
    const text = filter.value.toLowerCase();
    const shown = hosts.filter(host => `${host.name} ${host.state.kind} ${host.devices[0]?.deviceName ?? ""} ${host.domains.join(" ")}`.toLowerCase().includes(text));
    summary.textContent = `${shown.length} of ${hosts.length} hosts, ${shown.reduce((sum, one) => sum + free(one), 0)} of ${shown.reduce((sum, one) => sum + one.devices.length, 0)} devices free`
      + (shown.length > MOST_SHOWN ? `; the first ${MOST_SHOWN} are shown` : "");
    grid.replaceChildren(...shown.slice(0, MOST_SHOWN).map(host => h("li", {},
      h("a", {class: `host ${tone(host)}`, href: `#/fleet/${encodeURIComponent(host.name)}`},
        h("span", {class: "name"}, host.name), h("span", {class: "count"}, `${free(host)} of ${host.devices.length} free${tone(host) === "free" || tone(host) === "busy" ? "" : `, ${tone(host)}`}`)))));
  }

  async function load() {
    try {
      const answer = await fetchJson("api/v1/fleet");
      hosts = answer.hosts;
      problems.replaceChildren(...(answer.sources ?? []).filter(one => one.failure).map(one =>
        problem(`${one.source}: ${one.failure}${one.observedAt ? ` (last seen ${one.observedAt})` : ""}`)));
      if (!answer.sources.length) {
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

  main.append(heading, problems);
  if (name === undefined) {
    filter.addEventListener("input", show);
    main.append(h("p", {class: "field filter"}, h("label", {for: "fleet-filter"}, "Filter by name, state, device or domain"), filter), summary, grid);
    timer = setInterval(() => document.hidden || load(), REFRESH_MILLIS);
  }
  load();
  return () => clearInterval(timer);
}
