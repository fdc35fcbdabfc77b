// SPDX-License-Identifier: Apache-2.0
/* Any answer of the planner in tables: its lists of things as rows, its figures as pairs. */
import {h, problem, table} from "./dom.js";
import {byKey, bytes, label, number, seconds} from "./format.js";

const MOST_ROWS = 50;
const MOST_COLUMNS = 9;
const MOST_NOTES = 3;
const SAID = new Set(["schema", "kind", "notes", "nearest", "reason", "fits", "pictureSvg", "artifacts", "launchRefusal", "model",
  "provenance", "source", "note", "date"]);

export function interval(estimate, format) {
  return estimate ? h("span", {title: `p10 ${format(estimate.p10)}, p90 ${format(estimate.p90)}`}, format(estimate.p50)) : "unknown";
}

function isEstimate(value) {
  return typeof value === "object" && value !== null && "p50" in value;
}

function isScalar(value) {
  return typeof value !== "object" || value === null || isEstimate(value);
}

/** A value by its key; an estimate is its median, with its interval at hand. */
function shown(key, value) {
  return isEstimate(value) ? interval(value, one => byKey(key, rounded(one)))
    : value === undefined ? "" : byKey(key, rounded(value));
}

function rounded(value) {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

/** What differs between rows says most, and of that what people compare: speed, price, memory. */
const COMPARED = /(PerSecond|Seconds|usdPer.*|Ratio|Tokens|devices|machines|format|instance|provider|fits)$/i;

function columns(rows) {
  const keys = [...new Set(rows.flatMap(row => Object.keys(row)))].filter(key => !SAID.has(key) && rows.every(row => row[key] === undefined || isScalar(row[key])));
  const varies = key => new Set(rows.map(row => JSON.stringify(row[key]))).size > 1;
  const weight = key => (varies(key) ? 2 : 0) + (COMPARED.test(key) ? 3 : 0);
  const wanted = new Set([keys[0], ...keys.slice(1).sort((a, b) => weight(b) - weight(a))].slice(0, MOST_COLUMNS));
  return keys.filter(key => wanted.has(key));
}

function rowsOf(name, list) {
  // How a model of a list fits stands beside it.
  const rows = list.map(row => ({...row, ...row.fit}));
  const keys = columns(rows);
  return keys.length ? table(`${label(name)}${rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} of ${rows.length}` : ""}`,
    keys.map((key, i) => ({name: label(key), number: i > 0 && rows.some(row => typeof row[key] === "number" || isEstimate(row[key]))})),
    rows.slice(0, MOST_ROWS).map(row => ({className: row.chosen === true ? "chosen" : undefined, cells: keys.map(key => shown(key, row[key]))}))) : "";
}

function figures(name, value) {
  const pairs = Object.entries(value).filter(([key, one]) => !SAID.has(key) && isScalar(one));
  if (!pairs.length) {
    return "";
  }
  const small = table(name, [{name: "figure"}, {name: "value"}], pairs.map(([key, one]) => ({cells: [label(key), shown(key, one)]})));
  // Too small to scroll, and so many that none is a landmark.
  ["role", "aria-label", "tabindex"].forEach(attribute => small.removeAttribute(attribute));
  return h("div", {class: "facts"}, small);
}

/** The figures of an answer without a form of its own, and the lists in it. */
export function anything(answer) {
  const parts = Object.entries(answer).filter(([key]) => !SAID.has(key));
  return [
    ...parts.filter(([, value]) => Array.isArray(value) && value.length && !isScalar(value[0]) && !Array.isArray(value[0])).map(([key, value]) => rowsOf(key, value)),
    h("div", {class: "pairs"}, figures("answer", answer),
      parts.filter(([, value]) => !Array.isArray(value) && !isScalar(value)).map(([key, value]) => figures(label(key), value))),
  ];
}

export function layout(plan) {
  const parts = [["TP", plan.tensorParallel], ["PP", plan.pipelineParallel], ["EP", plan.expertParallel], ["DP", plan.replicas]];
  return parts.filter(([, size]) => size > 1).map(([name, size]) => `${name} ${size}`).join(" x ") || "one device";
}

function speeds(plan) {
  return [["TTFT", plan.timeToFirstTokenSeconds, seconds], ["TPOT", plan.timePerOutputTokenSeconds, seconds],
    ["tokens/s", plan.tokensPerSecond, number]].filter(([, estimate]) => estimate)
    .map(([name, estimate, format]) => `${name} ${format(estimate.p50)} (${format(estimate.p10)} to ${format(estimate.p90)})`).join(", ");
}

/** Only what answers the question is marked: a layout that fits in memory and misses a target is not. */
function considered(plans, fits) {
  return table("Considered", [{name: "layout"}, {name: "devices", number: true}, {name: "TTFT", number: true},
    {name: "TPOT", number: true}, {name: "tokens/s", number: true}, {name: "memory each", number: true, low: true}, {name: "result"}],
  plans.map((plan, i) => ({className: i === 0 && fits ? "chosen" : undefined, cells: [layout(plan), plan.devices,
    interval(plan.timeToFirstTokenSeconds, seconds), interval(plan.timePerOutputTokenSeconds, seconds),
    interval(plan.tokensPerSecond, number), bytes(plan.weightBytes + plan.kvCacheBytes + plan.workspaceBytes),
    !plan.fits ? "does not fit" : !fits ? "misses a limit" : i === 0 ? "✔ chosen" : ""]})));
}

export function serving(answer) {
  const plan = answer.plan ?? answer.considered?.[0];
  const fitsSomewhere = (answer.considered ?? []).some(one => one.fits);
  const refused = fitsSomewhere ? "misses a limit" : "does not fit";
  return [
    h("h2", {class: answer.fits ? "" : "refused"}, answer.fits ? `${answer.model} in ${answer.format}: ${layout(plan)}`
      : plan ? `${answer.model} ${refused}` : `no answer for ${answer.model}`),
    plan ? h("p", {class: "summary"}, `${plan.devices} x ${plan.device}, ${plan.engine}${answer.fits ? `: ${speeds(plan)}` : ""}`) : "",
    answer.considered ? considered(answer.considered, answer.fits) : "",
  ];
}

/** The verdict on a question that can be answered with no. */
export function verdict(answer) {
  return answer.fits === false ? h("h2", {class: "refused"}, `${answer.model ?? "The question"}: no plan fits`)
    : h("h2", {}, [answer.model, label(answer.kind ?? "answer").replace(/-/g, " ")].filter(Boolean).join(": "));
}

export function reasons(answer) {
  return [answer.reason ? problem(answer.reason) : "",
    answer.nearest?.length ? h("div", {class: "nearest"}, h("p", {}, "What would make it fit:"), h("ul", {}, answer.nearest.map(text => h("li", {}, text)))) : ""];
}

export function notes(answer) {
  const said = (answer.notes ?? []).map(note => h("p", {class: "note"}, note.sentence));
  return said.length > MOST_NOTES ? [h("details", {}, h("summary", {}, `${said.length} notes`), ...said)] : said;
}
