// SPDX-License-Identifier: Apache-2.0
import {h, problem, table} from "./dom.js";
import {ask, fetchJson} from "./data.js";
import {bytes, number, seconds} from "./format.js";

function field(name, text, input, hint) {
  input.id = `plan-${name}`;
  input.name = name;
  return h("p", {class: "field"}, h("label", {for: input.id}, text), input, hint ? h("small", {}, hint) : "");
}

function choice(values, chosen) {
  return h("select", {}, values.map(([value, text]) => h("option", {value, selected: value === chosen}, text)));
}

function interval(estimate, format) {
  return estimate ? h("span", {title: `p10 ${format(estimate.p10)}, p90 ${format(estimate.p90)}`}, format(estimate.p50)) : "unknown";
}

function layout(plan) {
  const parts = [["TP", plan.tensorParallel], ["PP", plan.pipelineParallel], ["EP", plan.expertParallel], ["DP", plan.replicas]];
  return parts.filter(([, size]) => size > 1).map(([name, size]) => `${name} ${size}`).join(" x ") || "one device";
}

function figures(plan) {
  return [["TTFT", plan.timeToFirstTokenSeconds, seconds], ["TPOT", plan.timePerOutputTokenSeconds, seconds],
    ["tokens/s", plan.tokensPerSecond, number]].filter(([, estimate]) => estimate)
    .map(([name, estimate, format]) => `${name} ${format(estimate.p50)} (${format(estimate.p10)} to ${format(estimate.p90)})`).join(", ");
}

function considered(plans) {
  return table("Considered", [{name: "layout"}, {name: "devices", number: true}, {name: "TTFT", number: true},
    {name: "TPOT", number: true}, {name: "tokens/s", number: true}, {name: "memory each", number: true}, {name: "chosen"}],
  plans.map((plan, i) => ({className: i === 0 && plan.fits ? "chosen" : undefined, cells: [layout(plan), plan.devices,
    interval(plan.timeToFirstTokenSeconds, seconds), interval(plan.timePerOutputTokenSeconds, seconds),
    interval(plan.tokensPerSecond, number), bytes(plan.weightBytes + plan.kvCacheBytes + plan.workspaceBytes),
    !plan.fits ? "does not fit" : i === 0 ? "✔" : ""]})));
}

function artifacts(list) {
  return list.map(one => h("details", {}, h("summary", {}, one.name),
    h("button", {type: "button", onclick: event => navigator.clipboard?.writeText(one.text)
      .then(() => { event.target.textContent = "Copied"; })
      .catch(() => { event.target.textContent = "Select and copy by hand"; })}, "Copy"),
    h("pre", {tabindex: "0"}, one.text)));
}

export function planner(main) {
  const models = h("datalist", {id: "plan-models"});
  const result = h("section", {"aria-label": "Plan", "aria-live": "polite"});
  const form = h("form", {class: "form"},
    field("model", "Model", h("input", {list: "plan-models", required: true, value: "llama-3.1-8b", autocomplete: "off"})),
    field("formats", "Weight formats", h("input", {placeholder: "as published", autocomplete: "off"}), "bf16, fp8, awq-int4, q4_k_m …"),
    field("contextTokens", "Context tokens", h("input", {type: "number", min: 2, max: 10000000, value: 4096}), "prompt and answer"),
    field("outputTokens", "Output tokens", h("input", {type: "number", min: 1, max: 1000000, value: 256})),
    field("concurrency", "Concurrency", h("input", {type: "number", min: 1, max: 100000, value: 1})),
    field("goal", "Goal", choice([["latency", "latency"], ["throughput", "throughput"], ["devices", "fewest devices"],
      ["cost", "cost"], ["energy", "energy"]], "latency")),
    field("maxTtftSeconds", "TTFT at most (s)", h("input", {type: "number", min: 0, step: "any"})),
    field("maxTpotSeconds", "TPOT at most (s)", h("input", {type: "number", min: 0, step: "any"})),
    field("devices", "Count on", choice([["free", "free devices"], ["all", "all devices"]], "free")),
    field("emit", "Launch files for", choice([["", "none"]], "")),
    h("p", {class: "field"}, h("button", {type: "submit"}, "Plan")));

  form.addEventListener("submit", async event => {
    event.preventDefault();
    const question = {};
    const lists = new Set(["formats"]);
    for (const [name, value] of new FormData(form)) {
      if (value !== "") {
        question[name] = lists.has(name) ? value.split(",").map(one => one.trim())
          : form.elements[name].type === "number" ? Number(value) : value;
      }
    }
    result.replaceChildren(h("p", {}, "planning …"));
    try {
      const answer = await ask("api/v1/plan", question);
      const plan = answer.plan ?? answer.considered?.[0];
      result.replaceChildren(
        h("h2", {}, answer.fits ? `${answer.model} in ${answer.format}: ${layout(plan)}`
          : plan ? `${answer.model} does not fit` : `nothing can be said of ${answer.model}`),
        answer.reason ? problem(answer.reason) : "",
        ...(answer.nearest ?? []).map(text => h("p", {}, text)),
        plan ? h("p", {class: "summary"}, `${plan.devices} x ${plan.device}, ${plan.engine}`
          + (answer.fits ? `: ${figures(plan)}` : "")) : "",
        ...(answer.notes ?? []).map(note => h("p", {class: "note"}, note.sentence)),
        answer.considered ? considered(answer.considered) : "",
        answer.pictureSvg ? h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Picture of the plan"},
          h("img", {class: "picture", alt: "How the plan lies on the devices; the table above has its figures",
            src: `data:image/svg+xml,${encodeURIComponent(answer.pictureSvg)}`})) : "",
        answer.launchRefusal ? problem(answer.launchRefusal) : "",
        ...artifacts(answer.artifacts ?? []));
    } catch (failure) {
      result.replaceChildren(problem(failure.message));
    }
  });
  main.append(h("h1", {}, "Planner"), models, form, result);
  fetchJson("api/v1/models").then(answer => models.replaceChildren(
    ...answer.models.map(one => h("option", {value: one.name})))).catch(() => {});
  fetchJson("api/v1/openapi.json").then(answer => {
    const question = answer.components.requestBodies.Plan.content["application/json"].schema;
    form.elements.emit.append(...question.properties.emit.enum.map(one => h("option", {value: one}, one)));
  }).catch(() => {});
}
