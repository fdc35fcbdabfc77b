// SPDX-License-Identifier: Apache-2.0
import {h, table} from "./dom.js";
import {current, subscribe} from "./data.js";
import {percent, rate} from "./format.js";

const REFRESH_MILLIS = 5000;
const COLUMNS = [
  {name: "from", text: (link, name) => name(link.from)},
  {name: "to", text: (link, name) => name(link.to)},
  {name: "kind", text: link => link.kind},
  {name: "lanes", number: true, text: link => link.lanes > 1 ? link.lanes : ""},
  {name: "rate", number: true, text: link => link.bandwidthBytesPerSecond === undefined ? "" : rate(link.bandwidthBytesPerSecond)},
  {name: "state", text: link => link.state ?? ""},
];

export function topology(main) {
  const picture = h("img", {alt: "Topology of the devices; the table below has the same content", class: "picture"});
  const holder = h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Picture"}, picture);
  const links = h("section", {"aria-label": "Links"});
  const missing = h("p", {hidden: true}, "No picture of this host is available.");
  picture.addEventListener("error", () => {
    holder.hidden = true;
    missing.hidden = false;
  });
  main.append(h("h1", {}, "Topology"), holder, missing, links);
  let last = 0;

  function draw({registry}) {
    if (!registry || Date.now() - last < REFRESH_MILLIS) {
      return;
    }
    last = Date.now();
    // A new address for each sample, since a loaded picture is not fetched again.
    picture.src = `api/v1/topology?format=svg&at=${last}`;
    const load = new Map(registry.devices.map(one => [`device:${one.id}`, one]));
    const text = id => {
      const device = load.get(id);
      const name = id.replace(/^device:/, "");
      return device?.utilizationRatio === undefined ? name : `${name} (${percent(device.utilizationRatio)})`;
    };
    // Containment is shown by the picture, and is not a link.
    const all = (registry.topology?.links ?? []).filter(link => link.kind !== "internal");
    // Columns without known values are omitted.
    const columns = COLUMNS.filter(column => all.some(link => column.text(link, text) !== ""));
    links.replaceChildren(table(`${all.length} link${all.length === 1 ? "" : "s"}`, columns,
      all.map(link => ({className: link.down || link.state === "down" ? "unhealthy" : undefined,
        cells: columns.map(column => column.text(link, text))}))));
  }

  const end = subscribe(draw);
  draw(current());
  return end;
}
