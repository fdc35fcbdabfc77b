// SPDX-License-Identifier: Apache-2.0
import {h, problem, table} from "./dom.js";
import {ask, fetchJson} from "./data.js";
import {bytes, number, seconds} from "./format.js";
import {question} from "./question.js";

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

/* The form and the body follow the table of parameters, which the server describes. */
const SHOWN = 10;

function label(name) {
  return name.replace(/([A-Z])/g, " $1").toLowerCase();
}

function parameter(name, schema) {
  const data = {"data-type": schema.type};
  const input = schema.type === "boolean" ? h("input", {type: "checkbox", ...data})
    : schema.enum ? h("select", data, h("option", {value: ""}, ""), schema.enum.map(one => h("option", {value: one}, one)))
      : schema.type === "integer" || schema.type === "number" ? h("input", {type: "number", min: schema.minimum ?? schema.exclusiveMinimum,
        max: schema.maximum, step: schema.type === "integer" ? 1 : "any", ...data})
        : schema.contentMediaType ? h("textarea", data) : h("input", {autocomplete: "off", ...data});
  return field(name, label(name), input, schema.description);
}

function picture(svg) {
  return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Picture of the plan"},
    h("img", {class: "picture", alt: "Picture of the answer; the tables contain its figures",
      src: `data:image/svg+xml,${encodeURIComponent(svg)}`}));
}

export function planner(main) {
  const models = h("datalist", {id: "plan-models"});
  const result = h("section", {"aria-label": "Plan", "aria-live": "polite"});
  const fields = h("div", {});
  const kind = choice([], "");
  const model = h("input", {list: "plan-models", required: true, value: "llama-3.1-8b", autocomplete: "off"});
  const form = h("form", {class: "form"}, field("kind", "Question", kind), field("model", "Model", model), fields,
    h("p", {class: "field"}, h("button", {type: "submit"}, "Ask")));
  let description;

  function asked() {
    return description.paths[kind.value].post.requestBody.content["application/json"].schema;
  }

  function showKinds() {
    const kinds = Object.entries(description.paths).filter(([, one]) => one.post);
    kind.replaceChildren(...kinds.map(([path, one]) =>
      h("option", {value: path, selected: path === "/api/v1/plan"}, one.post.summary)));
    showFields();
  }

  function showFields() {
    const schema = asked();
    model.required = schema.required.includes("model");
    const inputs = Object.entries(schema.properties).filter(([name]) => name !== "model")
      .map(([name, one]) => parameter(name, one));
    const first = inputs.slice(0, SHOWN);
    const rest = inputs.slice(SHOWN);
    fields.replaceChildren(...first, rest.length ? h("details", {}, h("summary", {}, "More"), ...rest) : "");
  }

  kind.addEventListener("change", showFields);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const texts = {model: model.value};
    for (const input of fields.querySelectorAll("[data-type]")) {
      texts[input.name] = input.dataset.type === "boolean" ? input.checked : input.value;
    }
    result.replaceChildren(h("p", {}, "planning …"));
    try {
      const answer = await ask(kind.value.slice(1), question(asked(), texts));
      const plan = answer.plan ?? answer.considered?.[0];
      if (answer.kind !== "serving-plan" && answer.kind !== "split-plan") {
        result.replaceChildren(
          answer.reason ? problem(answer.reason) : "",
          answer.pictureSvg ? picture(answer.pictureSvg) : "",
          ...artifacts(answer.artifacts ?? []),
          h("details", {open: !answer.pictureSvg}, h("summary", {}, "Document"),
            h("pre", {tabindex: "0"}, JSON.stringify({...answer, pictureSvg: undefined, artifacts: undefined}, null, 1))));
        return;
      }
      result.replaceChildren(
        h("h2", {}, answer.fits ? `${answer.model} in ${answer.format}: ${layout(plan)}`
          : plan ? `${answer.model} does not fit` : `no answer for ${answer.model}`),
        answer.reason ? problem(answer.reason) : "",
        ...(answer.nearest ?? []).map(text => h("p", {}, text)),
        plan ? h("p", {class: "summary"}, `${plan.devices} x ${plan.device}, ${plan.engine}`
          + (answer.fits ? `: ${figures(plan)}` : "")) : "",
        ...(answer.notes ?? []).map(note => h("p", {class: "note"}, note.sentence)),
        answer.considered ? considered(answer.considered) : "",
        answer.pictureSvg ? picture(answer.pictureSvg) : "",
        answer.launchRefusal ? problem(answer.launchRefusal) : "",
        ...artifacts(answer.artifacts ?? []));
    } catch (failure) {
      result.replaceChildren(problem(failure.message));
    }
  });
  main.append(h("h1", {}, "Planner"), models, form, result);
  fetchJson("api/v1/openapi.json").then(answer => {
    description = answer;
    showKinds();
  }).catch(failure => result.replaceChildren(problem(failure.message)));
  fetchJson("api/v1/models").then(answer => models.replaceChildren(
    ...answer.models.map(one => h("option", {value: one.name})))).catch(() => {});
}
