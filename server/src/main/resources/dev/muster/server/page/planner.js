// SPDX-License-Identifier: Apache-2.0
import {h, problem} from "./dom.js";
import {choice, choose, parts} from "./address.js";
import {ask, fetchJson} from "./data.js";
import {anything, notes, reasons, serving, verdict} from "./answer.js";
import {question} from "./question.js";

/* The form and the body follow the table of parameters, which the server describes. Here is only what stands together
   and first; what is not named stands in the last group. */
const GROUPS = [
  ["Load", /^(users|requestsPerSecond|burst|inputTokens|outputTokens|contextTokens|concurrency|lengths|requests|batch|sequenceTokens|tokens|method)$/],
  ["Targets", /^(goal|ttft|tpot|latency|slo|confidence|maxTtftSeconds|maxTpotSeconds|maxLatencySeconds|budgetUsdPerHour|deadlineSeconds|budgetUsd)$/],
  ["Machine", /^(machines|devices|hosts|memory|providers|spot|partition|otherModels)$/],
  ["Weights and launch", /^(formats|kvDtype|quantization|engine|emit|framework|precision)$/],
  ["More", /./],
];
const OPEN_GROUPS = 2;
const ORDER = ["plan", "simulate", "train", "fit", "cost", "compare"];

function field(name, text, input, hint) {
  input.id = `plan-${name}`;
  input.name = name;
  const described = hint && h("small", {id: `plan-${name}-hint`}, hint);
  if (hint) {
    input.setAttribute("aria-describedby", described.id);
  }
  return h("p", {class: input.type === "checkbox" ? "field check" : "field"}, h("label", {for: input.id}, text), input, described);
}

function artifacts(list) {
  return list.map(one => h("details", {}, h("summary", {}, one.name),
    h("button", {type: "button", onclick: event => navigator.clipboard?.writeText(one.text)
      .then(() => { event.target.textContent = "Copied"; })
      .catch(() => { event.target.textContent = "Select and copy by hand"; })}, "Copy"),
    h("pre", {tabindex: "0"}, one.text)));
}

function label(name) {
  return name.replace(/([A-Z])/g, " $1").toLowerCase().replace(/\b(ttft|tpot|usd|slo|kv)\b/g, word => word.toUpperCase());
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

function document(answer) {
  return h("details", {}, h("summary", {}, "Document"),
    h("pre", {tabindex: "0"}, JSON.stringify({...answer, pictureSvg: undefined, artifacts: undefined}, null, 1)));
}

function shown(answer) {
  const isServing = answer.kind === "serving-plan" || answer.kind === "split-plan";
  return [
    ...(isServing ? serving(answer).slice(0, 2) : [verdict(answer)]),
    ...reasons(answer),
    ...notes(answer),
    ...(isServing ? serving(answer).slice(2) : anything(answer)),
    answer.pictureSvg ? picture(answer.pictureSvg) : "",
    answer.launchRefusal ? problem(answer.launchRefusal) : "",
    ...artifacts(answer.artifacts ?? []),
    document(answer),
  ];
}

export function planner(main) {
  const models = h("datalist", {id: "plan-models"});
  const result = h("section", {class: "result", "aria-label": "Answer", "aria-live": "polite"},
    h("p", {class: "note"}, "The answer comes from the devices of this host, unless the form names others."));
  const groups = h("div", {});
  const model = h("input", {list: "plan-models", value: choice("model", "llama-3.1-8b"), autocomplete: "off"});
  const form = h("form", {class: "form"}, field("model", "Model", model), groups, h("button", {type: "submit"}, "Ask"));
  const kinds = h("nav", {class: "choices", "aria-label": "Questions"});
  const summary = h("p", {class: "summary"});
  const asked = choice("ask", "plan");
  let schema;

  function texts() {
    const found = {model: model.value};
    for (const input of groups.querySelectorAll("[data-type]")) {
      found[input.name] = input.dataset.type === "boolean" ? input.checked : input.value;
    }
    return found;
  }

  function showForm(description) {
    const all = Object.entries(description.paths).filter(([, one]) => one.post).map(([path, one]) => [path.split("/").pop(), one.post]);
    const place = name => (ORDER.indexOf(name) + 1 || ORDER.length + 1);
    kinds.replaceChildren(...all.sort(([a], [b]) => place(a) - place(b)).map(([name]) => h("a", {href: `#/planner?ask=${name}`,
      "aria-current": name === asked ? "true" : undefined}, name)));
    const post = all.find(([name]) => name === asked)?.[1];
    if (!post) {
      throw new Error(`'${asked}' is not a question; choose one above`);
    }
    summary.textContent = post.summary;
    schema = post.requestBody.content["application/json"].schema;
    model.required = schema.required?.includes("model") ?? false;
    const left = new Map(Object.entries(schema.properties).filter(([name]) => name !== "model"));
    groups.replaceChildren(...GROUPS.map(([title, names], i) => {
      const own = [...left].filter(([name]) => names.test(name));
      own.forEach(([name]) => left.delete(name));
      return own.length ? h("details", {open: i < OPEN_GROUPS}, h("summary", {}, title), h("div", {class: "fields"}, own.map(([name, one]) => parameter(name, one)))) : "";
    }).filter(Boolean));
    fillFromAddress();
  }

  /** A shared address asks at once. */
  function fillFromAddress() {
    const given = parts(location.hash).choices;
    for (const input of groups.querySelectorAll("[data-type]")) {
      const text = given.get(input.name);
      if (text !== null) {
        input.dataset.type === "boolean" ? input.checked = text === "true" : input.value = text;
        input.closest("details").open = true;
      }
    }
    if (given.has("model")) {
      answer();
    }
  }

  async function answer() {
    result.replaceChildren(h("p", {}, "planning …"));
    const given = texts();
    choose(Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text === true ? "true" : text])));
    try {
      result.replaceChildren(...shown(await ask(`api/v1/${asked}`, question(schema, given))).filter(Boolean));
      // On a narrow screen the answer stands below the form.
      result.scrollIntoView({block: "nearest"});
    } catch (failure) {
      result.replaceChildren(problem(failure.message));
    }
  }

  form.addEventListener("submit", event => {
    event.preventDefault();
    answer();
  });
  main.append(h("h1", {}, "Planner"), kinds, summary, models, h("div", {class: "planner"}, form, result));
  fetchJson("api/v1/openapi.json").then(showForm).catch(failure => result.replaceChildren(problem(failure.message)));
  fetchJson("api/v1/models").then(found => models.replaceChildren(
    ...found.models.map(one => h("option", {value: one.name})))).catch(() => {});
}
