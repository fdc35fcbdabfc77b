// SPDX-License-Identifier: Apache-2.0
import {h, problem} from "./dom.js";
import {parts} from "./address.js";
import {age, connect, current, subscribe} from "./data.js";
import {overview} from "./overview.js";
import {device} from "./device.js";
import {topology} from "./topology.js";
import {planner} from "./planner.js";
import {fleet} from "./fleet.js";

const VIEWS = [
  {pattern: /^\/$/, name: "Overview", show: overview},
  {pattern: /^\/device\/(.+)$/, name: "Device", show: device},
  {pattern: /^\/topology$/, name: "Topology", show: topology},
  {pattern: /^\/planner$/, name: "Planner", show: planner},
  {pattern: /^\/fleet(?:\/(.+))?$/, name: "Fleet", show: fleet},
];
const main = document.getElementById("main");
const status = document.getElementById("status");
const seen = document.getElementById("age");
let end = () => {};

/** A view gets the place to draw in and what its address says, and returns what ends it. */
function route(moveFocus) {
  end();
  end = () => {};
  main.replaceChildren();
  const {path} = parts(location.hash);
  const view = VIEWS.find(one => one.pattern.test(path));
  for (const link of document.querySelectorAll("header nav a")) {
    const target = link.getAttribute("href").slice(1);
    const within = target === "/" ? path.startsWith("/device/") : path.startsWith(`${target}/`);
    if (target === path) {
      link.setAttribute("aria-current", "page");
    } else if (within) {
      link.setAttribute("aria-current", "true");
    } else {
      link.removeAttribute("aria-current");
    }
  }
  if (!view) {
    main.append(h("h1", {}, "Not found"), problem("Unknown view; choose one above."));
    return;
  }
  document.title = `${view.name} – Muster`;
  const rest = view.pattern.exec(path)?.[1];
  end = view.show(main, rest === undefined ? undefined : decodeURIComponent(rest)) ?? (() => {});
  if (moveFocus) {
    main.focus();
  }
}

function theme() {
  const button = document.getElementById("theme");
  const order = ["auto", "light", "dark"];
  const name = () => document.documentElement.dataset.theme ?? "auto";
  const say = () => { button.textContent = `Theme: ${name()}`; };
  button.addEventListener("click", () => {
    const next = order[(order.indexOf(name()) + 1) % order.length];
    if (next === "auto") {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = next;
    }
    try {
      localStorage.setItem("theme", next);
    } catch {
      // Storage may be refused; the choice holds until the page is closed.
    }
    say();
    route(false);
  });
  say();
}

/** The state is read out when it changes; the age of the last sample, which changes always, is only seen. */
function tellState() {
  const {state} = current();
  if (status.textContent !== state) {
    status.textContent = state;
    status.dataset.state = state === "live" || state === "connecting" ? state : "lost";
  }
  const seconds = age();
  seen.textContent = seconds === undefined ? "" : seconds < 1 ? "just now" : `${seconds} s ago`;
}

subscribe(tellState);
setInterval(tellState, 1000);
addEventListener("hashchange", () => route(true));
theme();
connect();
route(false);
