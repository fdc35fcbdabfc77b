// SPDX-License-Identifier: Apache-2.0
import {h, s} from "./dom.js";

const SPARK_WIDTH = 120;
const SPARK_HEIGHT = 28;

/** A line of the newest values; what is unknown is left open. */
export function sparkline(values, most, name) {
  const known = values.filter(value => value !== null);
  const top = most ?? Math.max(1e-9, ...known);
  const step = SPARK_WIDTH / Math.max(1, values.length - 1);
  let path = "";
  let open = true;
  values.forEach((value, i) => {
    if (value === null) {
      open = true;
      return;
    }
    const y = SPARK_HEIGHT - 1 - Math.min(1, value / top) * (SPARK_HEIGHT - 2);
    path += `${open ? "M" : "L"}${(i * step).toFixed(1)} ${y.toFixed(1)}`;
    open = false;
  });
  return s("svg", {class: "spark", viewBox: `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`, role: "img",
    "aria-label": `${name}, the last ${values.length} samples`, preserveAspectRatio: "none"},
    s("path", {d: path}));
}

/** A bar from 0 to 1 with its text, in one colour: how much is used is not a state. */
export function bar(share, text, name) {
  const known = typeof share === "number" && Number.isFinite(share);
  const width = known ? Math.round(Math.min(1, Math.max(0, share)) * 100) : 0;
  return h("span", {class: "meter"},
    s("svg", {class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true"},
      s("rect", {class: "back", width: 100, height: 8}), s("rect", {class: "fill", width, height: 8})),
    h("span", {class: "visually-hidden"}, `${name}: `), h("span", {class: "reading"}, text));
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString("en-GB");
}

const TICK_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 86400];
const TICK_PIXELS = 90;

/** Round times of the clock, so many that none covers another. */
function timeTicks(axis) {
  const room = Math.max(2, axis.width / TICK_PIXELS);
  const step = TICK_SECONDS.find(one => (axis.max - axis.min) / one <= room) ?? axis.max - axis.min;
  const ticks = [];
  for (let at = Math.ceil(axis.min / step) * step; at <= axis.max && ticks.length < room + 1; at += step) {
    ticks.push({value: at});
  }
  axis.ticks = ticks;
}

function points(times, values) {
  return times.map((x, i) => ({x, y: values[i]}));
}

const STEPS = 5;

/** Steps of bytes are whole in their unit, which those by powers of ten are not. */
function step(most, binary) {
  return binary && most > 0 ? 2 ** Math.ceil(Math.log2(most / STEPS)) : undefined;
}

/** A chart over time. Series: {label, values, format}; times in seconds; most: where the scale ends, if known. */
export function chart(title, times, series, {most, binary} = {}) {
  const canvas = h("canvas", {role: "img", "aria-label": `${title}: ${series.map(one => one.label).join(", ")} over time`});
  const holder = h("figure", {class: "chart"}, h("figcaption", {}, title), h("div", {}, canvas));
  const lines = {color: colour("--line")};
  const ticks = {color: colour("--muted"), maxTicksLimit: 6};
  requestAnimationFrame(() => {
    holder.plot = new Chart(canvas, {
      type: "line",
      data: {datasets: series.map((one, i) => ({
        label: one.label, data: points(times, one.values), borderColor: colour(`--series-${i + 1}`),
        borderWidth: 1.5, pointRadius: 0, spanGaps: false,
      }))},
      options: {
        animation: false, parsing: false, normalized: true, maintainAspectRatio: false,
        interaction: {mode: "index", intersect: false},
        scales: {
          x: {type: "linear", bounds: "data", grid: lines, afterBuildTicks: timeTicks,
            ticks: {...ticks, autoSkip: false, maxRotation: 0, callback: clock}},
          y: {beginAtZero: true, suggestedMax: most, grid: lines,
            ticks: {...ticks, stepSize: step(most, binary), callback: value => series[0].format(value)}},
        },
        plugins: {
          legend: {display: series.length > 1, labels: {color: colour("--text"), boxWidth: 12}},
          tooltip: {callbacks: {
            title: items => clock(items[0].parsed.x),
            label: item => `${item.dataset.label}: ${series[0].format(item.parsed.y)}`,
          }},
        },
      },
    });
  });
  return holder;
}

/** New values for a chart that is there. */
export function update(holder, times, series) {
  if (holder.plot) {
    series.forEach((one, i) => { holder.plot.data.datasets[i].data = points(times, one.values); });
    holder.plot.update("none");
  }
}

/** Gives back what a chart holds. */
export function end(holder) {
  holder.plot?.destroy();
}
